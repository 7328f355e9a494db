// Integrals over what a polygon and a disc have in common.
#pragma once

#include <span>

#include "grouser/math/types.h"

namespace grouser {

/// Of x^i y^j up to third order, x and y in the plane of the disc from its centre.
struct DiscMoments {
  double one = 0.0;
  double x = 0.0, y = 0.0;
  double xx = 0.0, xy = 0.0, yy = 0.0;
  double xxx = 0.0, xxy = 0.0, xyy = 0.0, yyy = 0.0;
};

/// A polygon of any form, counter-clockwise.
DiscMoments disc_moments(std::span<const Vec2> polygon, double radius);

}  // namespace grouser
