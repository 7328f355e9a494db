#include "grouser/contact/element_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "grouser/base/csv.h"
#include "grouser/base/text.h"
#include "grouser/geometry/element_mesh.h"

namespace grouser {
namespace {

const std::vector<std::string> kPlateSides = {"both", "front", "back"};
const std::vector<std::string> kFrustumSides = {"both", "outside", "inside"};

/// [x, y] lies in the plane z = 0.
Vec3 read_point(const Value& value, const std::string& path) {
  const bool flat = value.is_array() && value.as_array().size() == 2;
  const std::vector<double> x =
      parameters_detail::read_numbers(value, path, flat ? 2 : 3, any_number());
  return {x[0], x[1], flat ? 0.0 : x[2]};
}

/// The keys `points` and `file`, of which one is given; files are read by points_of().
template <class Shape>
void add_points(ParameterTable<Shape>& table, const std::string& meaning) {
  table.custom(
      "points", "list of [x, y] or [x, y, z]",
      [](const Value& v, Shape& out, const std::string& path) {
        parameters_detail::read_entries(v, path, [&](const Value& entry, const std::string& item) {
          out.points.push_back(read_point(entry, item));
        });
      },
      meaning + " [m]");
  table.custom(
      "file", "string", [](const Value&, Shape&, const std::string&) {},
      "instead of points: a CSV file, relative to the scene, with x, y or x, y, z in each line, in "
      "metres or as its head says (mm, cm)");
}

const ParameterTable<LineShape>& table_of(const LineShape*) {
  static const auto table =
      ParameterTable<LineShape>()
          .vector3("from", &LineShape::from, "m", "one end")
          .vector3("to", &LineShape::to, "m", "the other end")
          .number("radius", &LineShape::radius, "m", non_negative(), "of the rod, and of its ends");
  return table;
}

const ParameterTable<DiscShape>& table_of(const DiscShape*) {
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

const ParameterTable<PolygonShape>& table_of(const PolygonShape*) {
  using S = PolygonShape;
  static const auto table = [] {
    ParameterTable<S> t;
    add_points(t, "corners, in order, in one plane; the outline must not cross itself");
    t.number("half_thickness", &S::half_thickness, "m", non_negative(),
             "of the plate; its rim is round");
    t.choice("side", &S::side, kPlateSides,
             "from where it can be touched; seen from the front the corners go round to the left");
    return t;
  }();
  return table;
}

const ParameterTable<CurveShape>& table_of(const CurveShape*) {
  using S = CurveShape;
  static const auto table = [] {
    ParameterTable<S> t;
    add_points(t, "joined by straight lines, two or more");
    t.boolean("closed", &S::closed, "the last point is joined to the first");
    t.number("radius", &S::radius, "m", non_negative(), "of the wire");
    return t;
  }();
  return table;
}

const ParameterTable<SplineShape>& table_of(const SplineShape*) {
  using S = SplineShape;
  static const auto table = [] {
    ParameterTable<S> t;
    add_points(t,
               "through which the spline goes, two or more; of a periodic one, the first is not "
               "repeated");
    t.choice("ends", &S::ends, {"natural", "clamped", "periodic"},
             "straight at the ends, along given tangents, or closed");
    t.vector3("start_tangent", &S::start_tangent, "", "direction at the first point, if clamped");
    t.vector3("end_tangent", &S::end_tangent, "", "direction at the last point, if clamped");
    t.number("radius", &S::radius, "m", non_negative(), "of the wire");
    return t;
  }();
  return table;
}

const ParameterTable<FrustumShape>& table_of(const FrustumShape*) {
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

template <class Shape>
const ParameterTable<Shape>& table_of() {
  return table_of(static_cast<const Shape*>(nullptr));
}

bool is_number(const CsvField& field) {
  return to_number(field.text).has_value();
}

/// What a unit in the head of a column is in metres.
double metres_of(const CsvField& field) {
  const CsvHead head = csv_head(field);
  for (const auto& [unit, factor] :
       {std::pair("m", 1.0), std::pair("mm", 1e-3), std::pair("cm", 1e-2)})
    if (!head.has_unit || head.unit == unit) return factor;
  throw InputError(field.place, "the unit of a point's coordinate must be m, cm or mm, is " +
                                    in_quotes(head.unit));
}

/// Two or three numbers in each line; the first line may have names instead, with units.
std::vector<Vec3> read_points_file(const std::string& path) {
  const TextFile file = read_file(path, "a file of points");
  CsvLines lines(file.bytes, path);
  std::vector<CsvField> fields;
  std::vector<Vec3> points;
  Vec3 metres = Vec3::Ones();
  for (bool first = true; lines.next(fields); first = false) {
    if (fields.size() != 2 && fields.size() != 3)
      throw InputError(fields[0].place, "a point has two or three numbers, here are " +
                                            std::to_string(fields.size()));
    const bool names = first && std::none_of(fields.begin(), fields.end(), is_number);
    Vec3 point = Vec3::Zero();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      if (names)
        metres[axis] = metres_of(fields[k]);
      else
        point[axis] = metres[axis] * csv_number(fields[k], "a point's coordinate");
    }
    if (!names) points.push_back(point);
  }
  return points;
}

/// Fills in points that stand in a file; returns the key that the points came from.
template <class Shape>
std::string take_points(const Value& value, const std::string& path, const std::string& folder,
                        Shape& shape) {
  const Value* file = value.find("file");
  if (!file == !value.find("points"))
    throw InputError(value.place(), path + " needs points or a file with points, one of the two");
  if (!file) return "points";
  const std::filesystem::path name = file->text_or_throw(path + ".file");
  try {
    shape.points = read_points_file((std::filesystem::path(folder) / name).string());
  } catch (const InputError& error) {
    throw InputError(file->place(), path + ".file: " + error.what());
  }
  return "file";
}

/// Clamped ends have tangents, others none.
void require_tangents(const Value& value, const std::string& path, const SplineShape& shape) {
  const bool clamped = shape.ends == SplineEnds::clamped;
  for (const auto& [key, tangent] : {std::pair("start_tangent", &shape.start_tangent),
                                     std::pair("end_tangent", &shape.end_tangent)}) {
    const Value* given = value.find(key);
    const std::string name = path + "." + key;
    if (clamped && !given)
      throw InputError(value.place(), name + " is missing: clamped ends have a direction");
    if (clamped && tangent->isZero(0.0)) throw InputError(given->place(), name + " has no length");
    if (!clamped && given)
      throw InputError(given->place(), name + " is only for ends = \"clamped\"");
  }
}

template <class Shape>
ElementShape read_element(const Value& value, const std::string& path, const std::string& folder) {
  Shape shape;
  table_of<Shape>().read(value, shape, path);
  if constexpr (std::is_same_v<Shape, SplineShape>) require_tangents(value, path, shape);
  const Value* source = &value;
  std::string key = path;
  if constexpr (requires { shape.points; }) {
    const std::string from = take_points(value, path, folder, shape);
    source = value.find(from);
    key += "." + from;
  }
  try {
    element_of(shape);
  } catch (const InputError& error) {
    throw InputError(source->place(), key + ": " + error.what());
  }
  return shape;
}

template <class Shape>
constexpr ElementKey key_of(std::string_view name, std::string_view meaning) {
  return {name, meaning, read_element<Shape>, [] { return table_of<Shape>().infos(); }};
}

const std::array kKeys = {
    key_of<LineShape>("line", "a segment, for contact elements: from, to, radius"),
    key_of<DiscShape>("disc", "a disc or ring in the plane z = 0, for contact elements"),
    key_of<PolygonShape>("polygon", "a planar polygon, for contact elements"),
    key_of<CurveShape>("curve", "lines from point to point, for contact elements"),
    key_of<SplineShape>("spline", "a cubic spline through points, for contact elements"),
    key_of<FrustumShape>("frustum",
                         "the wall of a cone or cylinder about z, for contact elements")};

}  // namespace

std::span<const ElementKey> element_keys() {
  return kKeys;
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
        table_of<Shape>().check(s, place, what);
        try {
          element_of(s);
        } catch (const InputError& error) {
          throw InputError(place, what + ": " + error.what());
        }
      },
      shape);
}

}  // namespace grouser
