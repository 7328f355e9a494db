// A flat plate with straight edges, prepared for asking how near a point is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {

/// Any outline without crossings, convex or not. Its front is where the outline runs
/// counter-clockwise.
class Polygon {
 public:
  /// Throws InputError, without a place, if there are fewer than three points, two coincide, edges
  /// cross or touch, the points are not in a plane (to 1e-6 of the size), they enclose no area or a
  /// number is not finite.
  explicit Polygon(const std::vector<Vec3>& points);

  /// The corners, put into the plane.
  const std::vector<Vec3>& points() const { return points_; }
  const Vec3& normal() const { return normal_; }  ///< of length 1, to the front
  double area() const { return area_; }           ///< [m^2]

  // In the plane: coordinates along `along` and `across`, from the first corner.
  const Vec3& along() const { return along_; }
  const Vec3& across() const { return across_; }
  struct Edge {
    Vec2 from, tangent;  ///< tangent of length 1; the inside is to its left
    double length;
    bool notch;  ///< whether the outline turns outward at its first corner
  };
  const std::vector<Edge>& edges() const { return edges_; }
  /// Whether a point of the plane is within the outline.
  bool contains(const Vec2& point) const;

  /// Covers the plate, counter-clockwise from the front; numbers of points.
  std::vector<std::array<std::int32_t, 3>> triangles() const;

 private:
  std::vector<Vec3> points_;
  Vec3 normal_, along_, across_;
  double area_ = 0.0;
  std::vector<Edge> edges_;
};

}  // namespace grouser
