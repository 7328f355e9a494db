#include "grouser/shape/element_shapes.h"

#include "grouser/shape/element_mesh.h"

namespace grouser {
namespace {

const std::vector<std::string> kPlateSides = {"both", "front", "back"};
const std::vector<std::string> kFrustumSides = {"both", "outside", "inside"};

}  // namespace

const ParameterTable<LineShape>& parameter_table(const LineShape*) {
  static const auto table =
      ParameterTable<LineShape>()
          .vector3("from", &LineShape::from, "m", "one end")
          .vector3("to", &LineShape::to, "m", "the other end")
          .number("radius", &LineShape::radius, "m", non_negative(), "of the rod, and of its ends");
  return table;
}

const ParameterTable<DiscShape>& parameter_table(const DiscShape*) {
  using S = DiscShape;
  static const auto table =
      ParameterTable<S>()
          .number("radius", &S::radius, "m", positive(), "of the disc")
          .number("inner_radius", &S::inner_radius, "m", non_negative(), "of the hole; 0: none")
          .number("half_thickness", &S::half_thickness, "m", non_negative(),
                  "of the plate; its rim is round")
          .choice("side", &S::side, kPlateSides, "from where it can be touched; +z is the front");
  return table;
}

const ParameterTable<PolygonShape>& parameter_table(const PolygonShape*) {
  using S = PolygonShape;
  static const auto table =
      ParameterTable<S>()
          .number("half_thickness", &S::half_thickness, "m", non_negative(),
                  "of the plate; its rim is round")
          .choice("side", &S::side, kPlateSides,
                  "from where it can be touched; seen from the front the corners go round to the "
                  "left");
  return table;
}

const ParameterTable<CurveShape>& parameter_table(const CurveShape*) {
  using S = CurveShape;
  static const auto table =
      ParameterTable<S>()
          .boolean("closed", &S::closed, "the last point is joined to the first")
          .number("radius", &S::radius, "m", non_negative(), "of the wire");
  return table;
}

const ParameterTable<SplineShape>& parameter_table(const SplineShape*) {
  using S = SplineShape;
  static const auto table =
      ParameterTable<S>()
          .choice("ends", &S::ends, {"natural", "clamped", "periodic"},
                  "straight at the ends, along given tangents, or closed")
          .vector3("start_tangent", &S::start_tangent, "",
                   "direction at the first point, if clamped")
          .vector3("end_tangent", &S::end_tangent, "", "direction at the last point, if clamped")
          .number("radius", &S::radius, "m", non_negative(), "of the wire");
  return table;
}

const ParameterTable<FrustumShape>& parameter_table(const FrustumShape*) {
  using S = FrustumShape;
  static const auto table =
      ParameterTable<S>()
          .number("bottom_radius", &S::bottom_radius, "m", non_negative(), "at z = 0")
          .number("top_radius", &S::top_radius, "m", non_negative(), "at z = height")
          .number("height", &S::height, "m", positive(), "along z")
          .number("half_thickness", &S::half_thickness, "m", non_negative(),
                  "of the wall; its rims are round")
          .choice("side", &S::side, kFrustumSides, "from where it can be touched");
  return table;
}

Segment element_of(const LineShape& shape) {
  const Segment out{shape.from, shape.to};
  require_usable(out);
  return out;
}

Disc element_of(const DiscShape& shape) {
  const Disc out{shape.radius, shape.inner_radius};
  require_usable(out);
  return out;
}

Polygon element_of(const PolygonShape& shape) {
  return Polygon(shape.points);
}

Polyline element_of(const CurveShape& shape) {
  return Polyline(shape.points, shape.closed);
}

Spline element_of(const SplineShape& shape) {
  switch (shape.ends) {
    case SplineEnds::clamped:
      return Spline::clamped(shape.points, shape.start_tangent, shape.end_tangent);
    case SplineEnds::periodic:
      return Spline::periodic(shape.points);
    default:
      return Spline::natural(shape.points);
  }
}

Frustum element_of(const FrustumShape& shape) {
  const Frustum out{shape.bottom_radius, shape.top_radius, shape.height};
  require_usable(out);
  return out;
}

TriangleMesh mesh_of(const ElementShape& shape) {
  return std::visit([](const auto& s) { return mesh_of(element_of(s), reach_of(s)); }, shape);
}

void require_sound(const ElementShape& shape, const Place& place, const std::string& what) {
  std::visit(
      [&]<class Shape>(const Shape& s) {
        parameter_table(static_cast<const Shape*>(nullptr)).check(s, place, what);
        try {
          element_of(s);
        } catch (const InputError& error) {
          throw InputError(place, what + ": " + error.what());
        }
      },
      shape);
}

}  // namespace grouser
