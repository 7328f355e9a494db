// Shapes with a smooth surface, for contact with tracked contact points, and the keys of a
// [[shape]] that make them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/geometry/smooth_surface.h"
#include "grouser/math/spatial.h"

namespace grouser {

struct ShapeDef;

struct SmoothShape {
  std::string kind;  ///< "torus", "parametric", ...: the scene's key
  std::shared_ptr<const SmoothSurface> surface;
};

/// A key of [[shape]] that makes one.
struct SmoothKey {
  std::string_view name;
  std::string_view meaning;
  /// Throws InputError with the place. Files are looked up relative to `folder`.
  SmoothShape (*read)(const Value& value, const std::string& path, const std::string& folder);
  std::vector<ParameterInfo> (*infos)();
};
std::span<const SmoothKey> smooth_keys();

/// The surface of a shape in its frame: of a smooth one, of a sphere that is no point, and of a
/// convex body that is one ellipsoid or sphere. Null for all others.
std::shared_ptr<const SmoothSurface> smooth_surface_of(const ShapeDef& shape);

/// Exact for tori and superellipsoids. Throws InputError, starting with `what`, for other kinds.
MassProperties mass_properties(const SmoothShape& shape, double density, const std::string& what);

}  // namespace grouser
