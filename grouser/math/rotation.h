// Rotations as vectors; rotation_from_vector() in types.h is the other way.
#pragma once

#include <cmath>

#include "grouser/math/types.h"

namespace grouser {

/// The vector of a rotation [rad], up to half a turn long.
inline Vec3 rotation_vector(const Mat3& R) {
  const double cosine = 0.5 * (R.trace() - 1.0);
  if (cosine < -0.5) {  // towards half a turn the sine says ever less about the axis
    const Eigen::AngleAxisd turn(R);
    return turn.angle() * turn.axis();
  }
  const Vec3 sine = 0.5 * Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  const double size = sine.norm();
  if (size < 1e-12) return sine;
  return std::atan2(size, cosine) / size * sine;
}

}  // namespace grouser
