// Lines, curves and plates of contact elements.
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "grouser/base/csv.h"
#include "grouser/base/text.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/shape/elements.h"

namespace grouser {
namespace {

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

/// What `points` mean, of shapes that have some.
constexpr std::string_view meaning_of_points(const PolygonShape*) {
  return "corners, in order, in one plane; the outline must not cross itself";
}
constexpr std::string_view meaning_of_points(const CurveShape*) {
  return "joined by straight lines, two or more";
}
constexpr std::string_view meaning_of_points(const SplineShape*) {
  return "through which the spline goes, two or more; of a periodic one, the first is not repeated";
}

template <class Shape>
const ParameterTable<Shape>& table_of() {
  static const auto table = [] {
    ParameterTable<Shape> t;
    constexpr const Shape* kNone = nullptr;
    if constexpr (requires { meaning_of_points(kNone); })
      add_points(t, std::string(meaning_of_points(kNone)));
    t.include(parameter_table(kNone));
    return t;
  }();
  return table;
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
Geometry read_element(const Value& value, const std::string& path, const std::string& folder) {
  Shape shape;
  table_of<Shape>().read(value, shape, path);
  if constexpr (std::is_same_v<Shape, SplineShape>) require_tangents(value, path, shape);
  const Value* source = &value;
  std::string in;
  if constexpr (requires { shape.points; }) {
    const std::string from = take_points(value, path, folder, shape);
    source = value.find(from);
    in = "." + from;
  }
  try {
    element_of(shape);
  } catch (const InputError& error) {
    throw InputError(source->place(), path + in + ": " + error.what());
  }
  return ElementShape(shape);
}

template <class Shape>
constexpr ShapeKey key_of(std::size_t index, std::string_view meaning) {
  return {kElementNames[index], "table", meaning, read_element<Shape>,
          [] { return table_of<Shape>().infos(); }};
}

const std::array kElementKeys = {
    key_of<LineShape>(0, "a segment, for contact elements: from, to, radius"),
    key_of<DiscShape>(1, "a disc or ring in the plane z = 0, for contact elements"),
    key_of<PolygonShape>(2, "a planar polygon, for contact elements"),
    key_of<CurveShape>(3, "lines from point to point, for contact elements"),
    key_of<SplineShape>(4, "a cubic spline through points, for contact elements"),
    key_of<FrustumShape>(5, "the wall of a cone or cylinder about z, for contact elements")};

}  // namespace

std::span<const ShapeKey> element_keys() {
  return kElementKeys;
}

}  // namespace grouser
