// Shapes that analytic contact elements are made of: lines, curves and plates, as plain
// definitions, and the keys of a [[shape]] that make them.
//
// Lines and curves may have a radius, plates a thickness. With none they are as thin as they look,
// and something with a radius must meet them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/geometry/elements.h"
#include "grouser/geometry/triangle_mesh.h"
#include "grouser/math/types.h"

namespace grouser {

/// From where a plate can be touched. The front of a disc or polygon is where its normal looks, of
/// a frustum its outside.
enum class PlateSide { both, front, back };

/// A segment with half spheres as ends.
struct LineShape {
  Vec3 from = Vec3::Constant(kRequired), to = Vec3::Constant(kRequired);
  double radius = 0.0;
};
/// In the plane z = 0, its normal is +z; with an inner radius it is a ring.
struct DiscShape {
  double radius = kRequired;
  double inner_radius = 0.0;
  double half_thickness = 0.0;
  PlateSide side = PlateSide::both;
};
/// Any planar outline without crossings; its normal follows from the right-hand rule.
struct PolygonShape {
  std::vector<Vec3> points;
  double half_thickness = 0.0;
  PlateSide side = PlateSide::both;
};
/// Segments from point to point.
struct CurveShape {
  std::vector<Vec3> points;
  bool closed = false;
  double radius = 0.0;
};
/// A cubic spline through points.
struct SplineShape {
  std::vector<Vec3> points;
  SplineEnds ends = SplineEnds::natural;
  Vec3 start_tangent = Vec3::Zero(), end_tangent = Vec3::Zero();  ///< of clamped ends
  double radius = 0.0;
};
/// The mantle of a cone or cylinder about z, from z = 0 to z = height; without top and bottom.
struct FrustumShape {
  double bottom_radius = kRequired, top_radius = kRequired;
  double height = kRequired;
  double half_thickness = 0.0;
  PlateSide side = PlateSide::both;  ///< front: outside, back: inside
};

using ElementShape =
    std::variant<LineShape, DiscShape, PolygonShape, CurveShape, SplineShape, FrustumShape>;

/// A key of [[shape]] that makes an element.
struct ElementKey {
  std::string_view name;
  std::string_view meaning;
  /// Throws InputError with the place. Files are looked up relative to `folder`.
  ElementShape (*read)(const Value& value, const std::string& path, const std::string& folder);
  std::vector<ParameterInfo> (*infos)();
};
/// In the order of the alternatives of ElementShape.
std::span<const ElementKey> element_keys();

// What geometry makes of a definition; these throw InputError without a place if it is unsound.

Segment element_of(const LineShape& shape);
Disc element_of(const DiscShape& shape);
Polygon element_of(const PolygonShape& shape);
Polyline element_of(const CurveShape& shape);
Spline element_of(const SplineShape& shape);
Frustum element_of(const FrustumShape& shape);

/// Radius of a line or curve, half the thickness of a plate [m].
inline double reach_of(const LineShape& s) {
  return s.radius;
}
inline double reach_of(const DiscShape& s) {
  return s.half_thickness;
}
inline double reach_of(const PolygonShape& s) {
  return s.half_thickness;
}
inline double reach_of(const CurveShape& s) {
  return s.radius;
}
inline double reach_of(const SplineShape& s) {
  return s.radius;
}
inline double reach_of(const FrustumShape& s) {
  return s.half_thickness;
}

/// Throws InputError at `place`, beginning with `what`, if a definition is unsound.
void require_sound(const ElementShape& shape, const Place& place, const std::string& what);

/// For pictures, in the frame of the shape.
TriangleMesh mesh_of(const ElementShape& shape);

}  // namespace grouser
