// The parameter table of rock fields.
#include "grouser/assets/rock.h"
#include "grouser/assets/rock_field.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

/// A row of two numbers.
template <class T>
void add_pair(ParameterTable<T>& table, const std::string& key, Vec2 T::*member, const Range& range,
              const std::string& unit, const std::string& meaning) {
  const Vec2 initial = T{}.*member;
  const bool required = initial.x() != initial.x();
  table.custom(
      key, unit.empty() ? "2 numbers" : "2 numbers [" + unit + "]",
      [=](const Value& value, T& out, const std::string& path) {
        const auto pair = parameters_detail::read_numbers(value, path, 2, range);
        out.*member = Vec2(pair[0], pair[1]);
      },
      range.text() == Range{}.text() ? meaning : meaning + "; each must " + range.text(), required,
      required ? "" : "[" + to_text(initial.x()) + ", " + to_text(initial.y()) + "]",
      [=](const T& in) {
        return Value(Value::Array{(in.*member).x(), (in.*member).y()});
      });
}

void read_zones(const Value& value, RockFieldDef& out, const std::string& path) {
  out.clear.clear();
  for (const Value& entry : value.array_or_throw(path))
    parameter_table(static_cast<const ClearZone*>(nullptr)).read(entry, out.clear.emplace_back(), path);
}

Value write_zones(const RockFieldDef& in) {
  Value::Array out;
  for (const ClearZone& zone : in.clear) out.push_back(parameter_table(static_cast<const ClearZone*>(nullptr)).values(zone));
  return Value(std::move(out));
}

}  // namespace

const ParameterTable<ClearZone>& parameter_table(const ClearZone*) {
  static const auto table = [] {
    ParameterTable<ClearZone> t;
    add_pair(t, "center", &ClearZone::center, any_number(), "m", "of the zone");
    t.number("radius", &ClearZone::radius, "m", non_negative(), "of a circle");
    add_pair(t, "size", &ClearZone::size, non_negative(), "m", "of a rectangle");
    return t;
  }();
  return table;
}

const ParameterTable<RockFieldDef>& parameter_table(const RockFieldDef*) {
  using Def = RockFieldDef;
  // What a single rock may have is said there.
  static const auto table = [] {
    ParameterTable<Def> t;
    add_pair(t, "area", &Def::area, positive(), "m", "lengths of the sides along x and y");
    add_pair(t, "center", &Def::center, any_number(), "m", "of the area");
    t.nested("sizes", &Def::sizes, parameter_table(static_cast<const RockSizes*>(nullptr)),
             "how many rocks of which size");
    add_pair(t, "height", &Def::height, kRockHeights, "",
             "lowest and greatest height of what stands out of the ground, over the diameter");
    add_pair(t, "burial", &Def::burial, kRockBurials, "",
             "least and greatest fraction of a rock's height that is in the ground");
    add_pair(t, "elongation", &Def::elongation, kRockElongations, "",
             "least and greatest length over width, seen from above");
    t.number("roughness", &Def::roughness, "", within(0.0, 0.3), "of the shape, as of a rock")
        .number("fine_roughness", &Def::fine_roughness, "", within(0.0, 0.1),
                "of the skin, as of a rock")
        .integer("facets", &Def::facets, within(0, 200), "planes that cut a rock")
        .number("angularity", &Def::angularity, "", within(0.0, 1.0), "of the facets, as of a rock")
        .integer("triangles", &Def::triangles, within(20, kMostTriangles), "of each rock: 20 f^2")
        .integer("shapes", &Def::shapes, within(1, 10000),
                 "different rocks; others are these, stretched and turned")
        .choice("attitude", &Def::attitude, {"lying", "random"},
                "on the flat side and turned, or anyhow")
        .number("tilt", &Def::tilt, "rad", within(0.0, 1.5),
                "lying: largest angle against the ground")
        .number("spacing", &Def::spacing, "m", non_negative(), "least gap between two rocks")
        .custom("clear", "list of tables", read_zones,
                "zones without rocks: center [m] with radius, or with size of a rectangle", false,
                "none", write_zones)
        .integer("seed", &Def::seed, non_negative(), "another seed, another field");
    return t;
  }();
  return table;
}

}  // namespace grouser
