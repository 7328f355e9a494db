#include "grouser/assets/wheel.h"

#include "grouser/assets/wheel_parts.h"
#include "grouser/mesh/refinement.h"

namespace grouser {

const ParameterTable<WheelDef>& parameter_table(const WheelDef*) {
  using W = WheelDef;
  static const auto table =
      ParameterTable<W>()
          .number("radius", &W::radius, "m", within(1e-6, 1e6),
                  "greatest radius of the tread, without grousers; of the soles of feet")
          .number("width", &W::width, "m", within(1e-6, 1e6), "along the axis; feet are as wide")
          .number("crown", &W::crown, "m", non_negative(),
                  "how far a convex tread falls to its sides, along an arc; 0: flat")
          .points("curve", &W::curve, "list of [place, drop]",
                  "another tread: points across the width, place from -1 to 1 in halves of the "
                  "width, and how far [m] they lie below the radius; straight between")
          .choice("body", &W::body, {"solid", "ring", "disc", "drum", "spokes", "feet"},
                  "what holds the tread: a full cylinder, a rim alone, a rim with a disc or spokes "
                  "to a hub, a rim closed by two discs, or feet on legs and no rim")
          .number("rim_thickness", &W::rim_thickness, "m", non_negative(),
                  "where the tread is lowest; 0: radius / 20")
          .number("hub_radius", &W::hub_radius, "m", non_negative(), "0: radius / 5")
          .number("hub_width", &W::hub_width, "m", non_negative(),
                  "along the axis, of all but a drum; 0: half the width, or as much as disc or "
                  "spokes need")
          .number("disc_thickness", &W::disc_thickness, "m", non_negative(),
                  "of a disc, or of each of the two of a drum; 0: width / 10")
          .integer("spoke_count", &W::spoke_count, within(2, 360), "of body \"spokes\"")
          .number("spoke_width", &W::spoke_width, "m", non_negative(),
                  "of spokes and legs along the circumference; 0: radius / 10")
          .number("spoke_depth", &W::spoke_depth, "m", non_negative(),
                  "of spokes and legs along the axis; 0: half the width")
          .integer("foot_count", &W::foot_count, within(2, 360), "of body \"feet\"")
          .number("foot_length", &W::foot_length, "m", non_negative(),
                  "along the circumference, between flat ends; 0: radius / 2")
          .number("foot_height", &W::foot_height, "m", non_negative(),
                  "along the radius; 0: radius / 6")
          .number("foot_chamfer", &W::foot_chamfer, "m", non_negative(),
                  "of the edges of the sole, at 45 degrees")
          .integer("grouser_count", &W::grouser_count, within(0, 1000),
                   "evenly spaced; 0: none, and then no other key of grousers may be given, but "
                   "those of a preset may all stay as they are")
          .number("grouser_height", &W::grouser_height, "m", non_negative(),
                  "above the tread, in the middle; at most the radius")
          .number("grouser_thickness", &W::grouser_thickness, "m", non_negative(),
                  "at the top in the middle, square to the run of the grouser")
          .choice("grouser_shape", &W::grouser_shape, {"straight", "slanted", "chevron"},
                  "how it runs: along the axis, at an angle to it, or as a V")
          .number("grouser_angle", &W::grouser_angle, "rad", within(-1.3, 1.3),
                  "between grouser and axis on the unrolled tread; of each arm of a chevron")
          .number("grouser_width", &W::grouser_width, "m", non_negative(),
                  "along the axis; 0: the width")
          .number("grouser_side_angle", &W::grouser_side_angle, "rad", within(0.0, 1.3),
                  "of each flank from upright: the foot is thicker than the top")
          .number("grouser_taper", &W::grouser_taper, "", within(0.0, 0.95),
                  "share of the height that is lost evenly from the middle to the ends")
          .number("longest_edge", &W::longest_edge, "m", non_negative(),
                  "no edge of a triangle is longer; 0: radius / 12");
  return table;
}

TriangleMesh make_wheel(const WheelDef& definition, const Place& place, const std::string& path) {
  const WheelShape shape = resolve_wheel(definition, place, path);
  WheelSurface surface({"tread", "grousers", "side", "feet", "body"}, shape.cell);
  if (shape.def.body == WheelBody::feet)
    add_feet(surface, shape);
  else
    add_body(surface, shape, add_tread(surface, shape));
  // Cells are sized so that their diagonals keep to the bound; this cuts the few, on steep flanks
  // and twisted faces, that do not.
  try {
    return refined(surface.take(), shape.def.longest_edge);
  } catch (const InputError& error) {
    throw InputError(place, path + ": " + error.what());
  }
}

}  // namespace grouser
