// The parameter table of rock fields, and which of them are refused before work begins.
#include <algorithm>

#include "grouser/assets/rock_field.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

void require_rising(const Vec2& range, const Place& place, const std::string& key) {
  if (range.x() > range.y())
    throw InputError(
        place, key + " must not fall, is [" + to_text(range.x()) + ", " + to_text(range.y()) + "]");
}

/// The area less that of all clear zones, as if they did not overlap: no more than what is free.
double least_free_area(const RockFieldDef& def) {
  double free = def.area.prod();
  for (const ClearZone& zone : def.clear) {
    const bool round = zone.radius > 0.0;
    const Vec2 half = round ? Vec2(Vec2::Constant(zone.radius)) : Vec2(0.5 * zone.size);
    const Vec2 upper = (zone.center + half).cwiseMin(def.center + 0.5 * def.area);
    const Vec2 lower = (zone.center - half).cwiseMax(def.center - 0.5 * def.area);
    const double box = (upper - lower).cwiseMax(0.0).prod();
    free -= round ? std::min(box, kPi * zone.radius * zone.radius) : box;
  }
  return std::max(free, 0.0);
}

}  // namespace

double expected_number(const RockFieldDef& def) {
  return number_of_rocks(def.sizes) * def.area.prod();
}

double farthest_coordinate(const RockFieldDef& def) {
  return (def.center.cwiseAbs() + 0.5 * def.area).maxCoeff();
}

void require_sound(const RockFieldDef& def, const Place& place, const std::string& path) {
  parameter_table(&def).check(def, place, path);
  require_sound(def.sizes, place, path + ".sizes");
  require_rising(def.height, place, path + ".height");
  require_rising(def.burial, place, path + ".burial");
  require_rising(def.elongation, place, path + ".elongation");
  for (const ClearZone& zone : def.clear)
    if ((zone.radius > 0.0) == (zone.size.minCoeff() > 0.0))
      throw InputError(place, path + ".clear must have either a radius or a size that is positive");
  const double shape_triangles = static_cast<double>(def.shapes) * def.triangles;
  if (shape_triangles > kMostTriangles)
    throw InputError(place, path + ".shapes would have " + to_text(shape_triangles, 3) +
                                " triangles together, at most " + to_text(kMostTriangles, 3) +
                                " are allowed");
  if (farthest_coordinate(def) > kFarthestRock * def.sizes.min_diameter)
    throw InputError(place, path + ".center and area reach to a coordinate of " +
                                to_text(farthest_coordinate(def), 6) + ", at most " +
                                to_text(kFarthestRock * def.sizes.min_diameter, 6) + " (" +
                                to_text(kFarthestRock, 3) + " min_diameter) is allowed");
  const double expected = expected_number(def);
  if (!(expected <= kMostRocks))
    throw InputError(place, path + " would have about " + to_text(expected, 3) +
                                " rocks, at most " + to_text(kMostRocks, 3) + " are allowed");
}

void require_mergeable(const RockFieldDef& def, const Place& place, const std::string& path) {
  require_sound(def, place, path);
  const double rocks = number_of_rocks(def.sizes) * least_free_area(def);
  const double triangles = rocks * def.triangles;
  if (triangles > kMostTriangles)
    throw InputError(place, path + " merged to one mesh would have about " + to_text(triangles, 3) +
                                " triangles (" + to_text(rocks, 3) + " rocks of " +
                                std::to_string(def.triangles) + "), at most " +
                                to_text(kMostTriangles, 3) + " are allowed");
}

const ParameterTable<ClearZone>& parameter_table(const ClearZone*) {
  static const auto table =
      ParameterTable<ClearZone>()
          .vector2("center", &ClearZone::center, "m", "of the zone")
          .number("radius", &ClearZone::radius, "m", non_negative(), "of a circle")
          .vector2("size", &ClearZone::size, "m", "of a rectangle", non_negative());
  return table;
}

const ParameterTable<RockFieldDef>& parameter_table(const RockFieldDef*) {
  using Def = RockFieldDef;
  // What a single rock may have is said there.
  static const auto table =
      ParameterTable<Def>()
          .vector2("area", &Def::area, "m", "lengths of the sides along x and y", within(1e-6, 1e9))
          .vector2("center", &Def::center, "m", "of the area")
          .nested("sizes", &Def::sizes, parameter_table(static_cast<const RockSizes*>(nullptr)),
                  "how many rocks of which size")
          .vector2("height", &Def::height, "",
                   "lowest and greatest height of what stands out of the ground, over the diameter",
                   {.lower = 0.01, .upper = 10.0})
          .vector2("burial", &Def::burial, "",
                   "least and greatest fraction of a rock's height that is in the ground",
                   within(0.0, 0.9))
          .vector2("elongation", &Def::elongation, "",
                   "least and greatest length over width, seen from above", within(1.0, 10.0))
          .number("roughness", &Def::roughness, "", within(0.0, 0.3), "of the shape, as of a rock")
          .number("fine_roughness", &Def::fine_roughness, "", within(0.0, 0.1),
                  "of the skin, as of a rock")
          .integer("facets", &Def::facets, within(0, 200), "planes that cut a rock")
          .number("angularity", &Def::angularity, "", within(0.0, 1.0),
                  "of the facets, as of a rock")
          .integer("triangles", &Def::triangles, within(20, kMostTriangles), "of each rock: 20 f^2")
          .integer("shapes", &Def::shapes, within(1, 10000),
                   "different rocks; others are these, stretched and turned")
          .choice("attitude", &Def::attitude, {"lying", "random"},
                  "on the flat side and turned, or anyhow")
          .number("tilt", &Def::tilt, "rad", within(0.0, 1.5),
                  "lying: largest angle against the ground")
          .number("spacing", &Def::spacing, "m", non_negative(), "least gap between two rocks")
          .list("clear", &Def::clear, parameter_table(static_cast<const ClearZone*>(nullptr)),
                "zones without rocks: center [m] with radius, or with size of a rectangle")
          .integer("seed", &Def::seed, non_negative(), "another seed, another field");
  return table;
}

}  // namespace grouser
