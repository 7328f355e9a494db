#include "grouser/rover/rover_wheel_size.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "grouser/soil/wheel_soil.h"

namespace grouser {
namespace {

/// Extents of a geom that is round about the axis; nothing for others.
struct RoundExtent {
  double radius, least, most;
};
std::optional<RoundExtent> round_extent(const ModelGeom& geom, const Vec3& anchor,
                                        const Vec3& axis) {
  const bool ball = geom.kind == ModelGeom::Kind::sphere;
  constexpr double kAlong = 0.9998;  // cosine of about a degree
  if (geom.kind == ModelGeom::Kind::other) return std::nullopt;
  if (!ball && std::abs(geom.X_BG.R.col(2).dot(axis)) < kAlong) return std::nullopt;
  const Vec3 offset = geom.X_BG.p - anchor;
  const double along = offset.dot(axis);
  const double caps = geom.kind == ModelGeom::Kind::cylinder ? 0.0 : geom.radius;
  const double half = 0.5 * geom.length + caps;
  return RoundExtent{(offset - along * axis).norm() + geom.radius, along - half, along + half};
}

void append(TriangleMesh& all, const TriangleMesh& part, const Pose& X_BP) {
  const auto base = static_cast<std::int32_t>(all.vertices.size());
  for (const Vec3& vertex : part.vertices) all.vertices.push_back(X_BP * vertex);
  for (const auto& t : part.triangles)
    all.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

}  // namespace

void measure_geoms(const std::vector<TurningGeom>& geoms, const Vec3& anchor_B, RoverWheel& wheel) {
  bool round = true;
  double least = 1e300, most = -1e300;
  for (const auto& [geom, X_BG] : geoms) {
    append(wheel.mesh, geom->mesh, X_BG);
    const Pose X_GB = X_BG.inverse();
    const auto extent = round_extent(*geom, X_GB * anchor_B, X_GB.R * wheel.axis);
    round = round && extent;
    if (!extent) continue;
    wheel.radius = std::max(wheel.radius, extent->radius);
    least = std::min(least, extent->least);
    most = std::max(most, extent->most);
  }
  if (!round) {
    TriangleMesh centred = wheel.mesh;
    for (Vec3& vertex : centred.vertices) vertex -= anchor_B;
    wheel.radius = measure_wheel(centred, wheel.axis).radius;
    std::tie(least, most) = extent_along(centred, wheel.axis);
  }
  wheel.width = most - least;
  wheel.p_BC = anchor_B + 0.5 * (least + most) * wheel.axis;
}

}  // namespace grouser
