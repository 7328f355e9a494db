// A shape with a smooth surface, for contact with tracked contact points.
#pragma once

#include <memory>
#include <string>

#include "grouser/math/spatial.h"
#include "grouser/shape/smooth_surface.h"

namespace grouser {

struct SmoothShape {
  std::string kind;  ///< "torus", "parametric", ...: the scene's key
  std::shared_ptr<const SmoothSurface> surface;
};

/// Exact for tori and superellipsoids. Throws InputError, starting with `what`, for other kinds.
MassProperties mass_properties(const SmoothShape& shape, double density, const std::string& what);

}  // namespace grouser
