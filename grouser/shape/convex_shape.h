// Convex bodies: what convex contact knows of a shape.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "grouser/math/spatial.h"
#include "grouser/mesh/convex_hull.h"

namespace grouser {

enum class ConvexKind : std::uint8_t {
  sphere,
  capsule,
  ellipsoid,
  box,
  cylinder,
  cone,
  hull,
  half_space,
};
inline constexpr std::size_t kConvexKinds = 8;
inline constexpr std::array<std::string_view, kConvexKinds> kConvexKindNames = {
    "sphere", "capsule", "ellipsoid", "box", "cylinder", "cone", "hull", "half_space"};

/// A convex body in its own frame S, centred at the origin; axes of revolution along z.
struct ConvexShape {
  ConvexKind kind = ConvexKind::sphere;
  /// Box: half its edges. Ellipsoid: its half axes. Cylinder and cone: radius, radius, half the
  /// length; a cone has its base at z = -z and its apex at +z. Capsule: 0, 0, half the distance of
  /// its end spheres' centres. Others: zero.
  Vec3 half_size = Vec3::Zero();
  double radius = 0.0;  ///< of sphere, capsule, cylinder, and the base of a cone
  /// Of a hull and of a box; null for the others.
  std::shared_ptr<const ConvexHull> hull;

  static ConvexShape sphere(double radius);
  static ConvexShape capsule(double radius, double length);  ///< between the centres
  static ConvexShape ellipsoid(const Vec3& half_axes);
  static ConvexShape box(const Vec3& size);
  static ConvexShape cylinder(double radius, double length);
  static ConvexShape cone(double radius, double length);
  static ConvexShape from_hull(ConvexHull hull);
  static ConvexShape half_space();  ///< all below z = 0
};

/// The point of the body farthest along `direction` (of any length but 0), in S. Not for a
/// half-space.
Vec3 support_point(const ConvexShape& shape, const Vec3& direction);

/// Smallest box along the axes of W that contains the body. A half-space is boundless unless its
/// plane is level with an axis of W.
struct ConvexBounds {
  Vec3 lower, upper;
  bool overlaps(const ConvexBounds& other) const {
    return (lower.array() <= other.upper.array()).all() &&
           (other.lower.array() <= upper.array()).all();
  }
};
ConvexBounds bounds_of(const ConvexShape& shape, const Pose& X_WS);

}  // namespace grouser
