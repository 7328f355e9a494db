// The parameter table of rock fields.
#include "grouser/assets/rock_field.h"

namespace grouser {

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
          .vector2("area", &Def::area, "m", "lengths of the sides along x and y", positive())
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
