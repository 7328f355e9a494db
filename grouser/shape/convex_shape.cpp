#include "grouser/shape/convex_shape.h"

#include <cmath>
#include <limits>
#include <utility>

#include "grouser/shape/convex_support.h"

namespace grouser {

namespace {

Vec3 unit(const Vec3& direction) {
  const double length = direction.norm();
  if (length > 1e-150 && length < 1e150) return direction / length;
  // The squares would not fit into a double.
  return (direction / direction.cwiseAbs().maxCoeff()).normalized();
}

/// Half the extent of a disc about the z axis of S along each axis of W.
Vec3 disc_extent(double radius, const Mat3& R_WS) {
  return radius * (R_WS.col(0).cwiseAbs2() + R_WS.col(1).cwiseAbs2()).cwiseSqrt();
}

ConvexBounds around(const Vec3& center, const Vec3& half) {
  return {center - half, center + half};
}

/// By the support function: it tells for every body, if not as fast as a formula.
ConvexBounds supported_bounds(const ConvexShape& shape, const Pose& X_WS) {
  ConvexBounds out;
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis_S = X_WS.R.row(k).transpose();
    out.lower[k] = axis_S.dot(convex::farthest_point(shape, -axis_S)) + X_WS.p[k];
    out.upper[k] = axis_S.dot(convex::farthest_point(shape, axis_S)) + X_WS.p[k];
  }
  return out;
}

ConvexBounds half_space_bounds(const Pose& X_WS) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  ConvexBounds out = {Vec3::Constant(-kEndless), Vec3::Constant(kEndless)};
  const Vec3 normal = X_WS.R.col(2);
  for (int k = 0; k < 3; ++k) {
    if (normal[(k + 1) % 3] != 0.0 || normal[(k + 2) % 3] != 0.0) continue;
    (normal[k] > 0.0 ? out.upper : out.lower)[k] = X_WS.p[k];
  }
  return out;
}

}  // namespace

ConvexShape ConvexShape::sphere(double radius) {
  return {ConvexKind::sphere, Vec3::Zero(), radius, nullptr};
}

ConvexShape ConvexShape::capsule(double radius, double length) {
  return {ConvexKind::capsule, {0.0, 0.0, 0.5 * length}, radius, nullptr};
}

ConvexShape ConvexShape::ellipsoid(const Vec3& half_axes) {
  return {ConvexKind::ellipsoid, half_axes, 0.0, nullptr};
}

ConvexShape ConvexShape::box(const Vec3& size) {
  const Vec3 half = 0.5 * size;
  return {ConvexKind::box, half, 0.0, std::make_shared<const ConvexHull>(box_hull(half))};
}

ConvexShape ConvexShape::cylinder(double radius, double length) {
  return {ConvexKind::cylinder, {radius, radius, 0.5 * length}, radius, nullptr};
}

ConvexShape ConvexShape::cone(double radius, double length) {
  return {ConvexKind::cone, {radius, radius, 0.5 * length}, radius, nullptr};
}

ConvexShape ConvexShape::from_hull(ConvexHull hull) {
  return {ConvexKind::hull, Vec3::Zero(), 0.0, std::make_shared<const ConvexHull>(std::move(hull))};
}

ConvexShape ConvexShape::half_space() {
  return {ConvexKind::half_space, Vec3::Zero(), 0.0, nullptr};
}

Vec3 support_point(const ConvexShape& shape, const Vec3& direction) {
  return convex::farthest_point(shape, unit(direction));
}

ConvexBounds bounds_of(const ConvexShape& shape, const Pose& X_WS) {
  const Vec3& h = shape.half_size;
  const Mat3& R = X_WS.R;
  switch (shape.kind) {
    case ConvexKind::sphere:
      return around(X_WS.p, Vec3::Constant(shape.radius));
    case ConvexKind::capsule:
      return around(X_WS.p, (h.z() * R.col(2).cwiseAbs()).array() + shape.radius);
    case ConvexKind::ellipsoid:
      return around(X_WS.p, (R * h.asDiagonal()).rowwise().norm());
    case ConvexKind::box:
      return around(X_WS.p, R.cwiseAbs() * h);
    case ConvexKind::cylinder:
      return around(X_WS.p, h.z() * R.col(2).cwiseAbs() + disc_extent(shape.radius, R));
    case ConvexKind::half_space:
      return half_space_bounds(X_WS);
    default:
      return supported_bounds(shape, X_WS);
  }
}

}  // namespace grouser
