// Half-spaces against the rest: the lowest point of the body decides.
#include "grouser/shape/convex_pairs.h"
#include "grouser/shape/convex_support.h"

namespace grouser::convex {
namespace {

/// Of what is level, the middle is the lowest point.
double level(double x) {
  return std::abs(x) < kLevel ? 0.0 : std::copysign(1.0, x);
}

/// The point of the body farthest along unit d, the middle if there are many.
Vec3 farthest(const ConvexShape& shape, const Vec3& d) {
  switch (shape.kind) {
    case ConvexKind::capsule:
      return Vec3(0.0, 0.0, level(d.z()) * shape.half_size.z()) + shape.radius * d;
    case ConvexKind::box:
      return Vec3(level(d.x()), level(d.y()), level(d.z())).cwiseProduct(shape.half_size);
    case ConvexKind::cylinder: {
      const Vec3 across(level(d.x()) * std::abs(d.x()), level(d.y()) * std::abs(d.y()), d.z());
      return rim_point(shape.radius, level(d.z()) * shape.half_size.z(), across);
    }
    case ConvexKind::cone:
      if (std::hypot(d.x(), d.y()) < kLevel && d.z() < 0.0) return {0.0, 0.0, -shape.half_size.z()};
      return farthest_point(shape, d);
    default:
      return farthest_point(shape, d);
  }
}

}  // namespace

ConvexContact body_half_space(const ConvexShape& a, const ConvexShape&, const Pose& X_AB, double) {
  const Vec3 normal = X_AB.R.col(2);
  const Vec3 lowest = farthest(a, -normal);
  const double depth = normal.dot(X_AB.p - lowest);
  return {depth, normal, lowest, lowest + depth * normal};
}

}  // namespace grouser::convex
