// Shapes that analytic contact elements are made of: lines, curves and plates, as plain
// definitions.
//
// Lines and curves may have a radius, plates a thickness. With none they are as thin as they look,
// and something with a radius must meet them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/math/types.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/spline_ends.h"

namespace grouser {

struct Disc;
struct Frustum;
class Polygon;
class Polyline;
struct Segment;
class Spline;

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
/// What they are called in scenes, in the order of the alternatives.
inline constexpr std::array<std::string_view, 6> kElementNames = {"line",  "disc",   "polygon",
                                                                  "curve", "spline", "frustum"};

// Numbers and words of the definitions; where points come from is not in them.

const ParameterTable<LineShape>& parameter_table(const LineShape*);
const ParameterTable<DiscShape>& parameter_table(const DiscShape*);
const ParameterTable<PolygonShape>& parameter_table(const PolygonShape*);
const ParameterTable<CurveShape>& parameter_table(const CurveShape*);
const ParameterTable<SplineShape>& parameter_table(const SplineShape*);
const ParameterTable<FrustumShape>& parameter_table(const FrustumShape*);

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
