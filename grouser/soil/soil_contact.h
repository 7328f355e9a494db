// What all contacts of wheels with soil can be told. They share their keys, so that one word
// changes the model; each uses those that mean something to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grouser/laws/bekker_janosi.h"
#include "grouser/laws/bekker_wheel.h"
#include "grouser/laws/rheological.h"
#include "grouser/laws/terra.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

struct SoilContactDef : ContactDef {
  enum class Envelope { automatic, triangles, vertices };

  std::string soil;                  ///< a [[soil]]
  std::vector<std::string> objects;  ///< shapes
  Vec3 axis = Vec3::UnitY();         ///< of wheels, in the body's frame
  std::map<std::string, Vec3> axes;  ///< of shapes that turn about another one, by name
  double width = 0.0;                ///< Bekker's b [m]; 0: measured

  // The soil contact model.
  Envelope envelope = Envelope::automatic;
  double wall_friction = 1.0;  ///< tan of the friction on the object / tan(phi), also of adhesion
  double side_wall = 1.0;      ///< factor of the passive pressure on walls
  double damping_ratio = 0.5;  ///< of what stands on the elastic soil

  // Wheel models.
  double radius = 0.0;           ///< of the rim [m]; 0: measured
  double grouser_height = -1.0;  ///< [m]; negative: measured
  double grouser_share = 0.5;    ///< of it that counts for shear
  double grouser_count = -1.0;   ///< around the wheel; negative: measured
  double footprint = 0.0;        ///< over which the ground is smoothed [m]; 0: from the wheel
  Value properties;              ///< of the soil under these wheels, where they differ
  BekkerWheelDef bekker;
  BekkerJanosiDef bekker_janosi;
  TerraDef terra;
  RheologicalDef rheological;
};

/// The table of all these keys.
template <class Def>
ParameterTable<Def> soil_contact_parameters();

/// The shapes that stand on soil, in the order of the list; those of a pattern in that of the
/// scene, without those named before. Names must be known, patterns find a shape, and no shape's
/// body is that of the ground. Throws InputError at the place of the contact.
std::vector<const ShapeDef*> shapes_on_soil(const SoilContactDef& def, const ShapeTable& shapes);

/// The axis of a shape, of unit length.
Vec3 axis_of(const SoilContactDef& def, const ShapeDef& shape);

/// Slip as reports have it: (rim - travel) / the larger of the two speeds [m/s]. What hardly moves
/// has none: below 1 mm/s it is 0, from 2 mm/s on in full.
double reported_slip(double rim, double travel);

/// Throws InputError at `place` if a soil is harder than any soil is: `name` is that of the ground.
void require_soil(const SoilDef& soil, const std::string& name, double gravity, const Place& place);

/// What there is to say about soil that follows Bekker where things weigh less; none if nothing.
std::vector<std::string> low_gravity_notes(const SoilGroundDef& ground, double gravity);

// Details

template <class Def>
ParameterTable<Def> soil_contact_parameters() {
  using Base = SoilContactDef;
  ParameterTable<Def> t;
  t.text("soil", &Def::soil, "name of a [[soil]]", true);
  t.custom(
      "objects", "list of strings",
      [](const Value& v, Def& out, const std::string& path) {
        parameters_detail::read_entries(v, path, [&](const Value& entry, const std::string& item) {
          out.objects.push_back(entry.text_or_throw(item));
        });
      },
      "shapes that stand on the soil; * for any letters", true, "",
      [](const Def& in) { return Value::Array(in.objects.begin(), in.objects.end()); });
  t.vector3("axis", &Def::axis, "", "of the objects if they are wheels, in the body's frame");
  t.custom(
      "axes", "table",
      [](const Value& v, Def& out, const std::string& path) {
        for (const Value::Entry& entry : v.table_or_throw(path)) {
          const std::string item = parameters_detail::joined(path, entry.key);
          const auto x = parameters_detail::read_numbers(entry.value, item, 3, any_number());
          out.axes[entry.key] = Vec3(x[0], x[1], x[2]);
        }
      },
      "axis by shape, of those that turn about another one", false, "none",
      [](const Def& in) {
        Value::Table out;
        for (const auto& [shape, axis] : in.axes)
          add_entry(out, shape, Value::Array(axis.begin(), axis.end()));
        return out;
      });
  t.number("width", &Def::width, "m", non_negative(),
           "Bekker's b; 0: 2 area / perimeter of each patch (scm), the wheel's width (others)");
  t.choice("envelope", static_cast<Base::Envelope Def::*>(&Base::envelope),
           {"automatic", "triangles", "vertices"},
           "scm: how the underside of an object is found: from its triangles, or as in Krenn "
           "(2008) from its vertices alone; automatic: vertices where they are dense enough");
  t.number("wall_friction", &Def::wall_friction, "", within(0.0, 1.0),
           "of soil on the object, as a share of that in the soil, friction and adhesion: 1 is "
           "rough, 0.6 to 0.8 smooth metal; grousers bring the rest");
  t.number("side_wall", &Def::side_wall, "", non_negative(),
           "scm: factor of passive earth pressure on the sides of an object; 0: none");
  t.number(
      "damping_ratio", &Def::damping_ratio, "", non_negative(),
      "scm: of what bounces on the elastic soil, as far as its strength allows; 0: it does not "
      "come to rest by that");
  t.number("radius", &Def::radius, "m", non_negative(),
           "wheel models: of the rim without grousers; 0: measured");
  t.number("grouser_height", &Def::grouser_height, "m", any_number(),
           "wheel models: of grousers; negative: measured");
  t.number("grouser_share", &Def::grouser_share, "", within(0.0, 1.0),
           "wheel models: of their height that counts for shear");
  t.number("grouser_count", &Def::grouser_count, "", any_number(),
           "wheel models: of grousers around the wheel; 0: soil between them is a block; negative: "
           "measured");
  t.number("footprint", &Def::footprint, "m", non_negative(),
           "wheel models: length over which the ground is smoothed; 0: half of the smaller of "
           "radius and width");
  t.custom(
      "properties", "table",
      [](const Value& v, Def& out, const std::string& path) {
        v.table_or_throw(path);
        out.properties = v;
      },
      "wheel models: of the soil under these wheels, where they differ from the ground's", false,
      "of the soil", [](const Def& in) { return in.properties; });
  t.nested("bekker", static_cast<BekkerWheelDef Def::*>(&Base::bekker), bekker_wheel_parameters(),
           "of model bekker");
  t.nested("bekker_janosi", static_cast<BekkerJanosiDef Def::*>(&Base::bekker_janosi),
           bekker_janosi_parameters(), "of model bekker-janosi");
  t.nested("terra", static_cast<TerraDef Def::*>(&Base::terra), terra_parameters(),
           "of model terra");
  t.nested("rheological", static_cast<RheologicalDef Def::*>(&Base::rheological),
           rheological_parameters(), "of model rheological");
  return t;
}

}  // namespace grouser
