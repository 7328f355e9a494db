#include "grouser/soil/soil_contact.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/pattern.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

/// Shapes that can move on the ground and are called like `pattern`, each once.
void add_matching(const std::string& pattern, const SoilGroundDef& ground, const ShapeTable& shapes,
                  const Place& place, std::vector<const ShapeDef*>& out) {
  bool found = false;
  std::vector<std::string> names;
  for (const ShapeDef& shape : shapes.shapes()) {
    if (shape.body == ground.body) continue;
    names.push_back(shape.name);
    if (!matches_pattern(pattern, shape.name)) continue;
    found = true;
    if (std::find(out.begin(), out.end(), &shape) == out.end()) out.push_back(&shape);
  }
  if (!found)
    throw InputError(place, "contact.objects: no shape is called '" + pattern +
                                "' and fixed to another body than the soil, '" + ground.body +
                                "'; there are " + (names.empty() ? "none" : join(names)));
}

}  // namespace

std::vector<const ShapeDef*> shapes_on_soil(const SoilContactDef& def, const ShapeTable& shapes) {
  if (def.objects.empty()) throw InputError(def.place, "contact.objects is empty: name a shape");
  if (!(def.axis.norm() > 0.0)) throw InputError(def.place, "contact.axis must not be zero");
  for (const auto& [name, axis] : def.axes) {
    shapes.shape(name, def.place, "contact.axes");
    if (!(axis.norm() > 0.0))
      throw InputError(def.place, "contact.axes." + name + " must not be zero");
  }
  const SoilGroundDef& ground = soil_of(shapes, def.soil, def.place, "contact.soil");
  std::vector<const ShapeDef*> out;
  for (const std::string& name : def.objects) {
    if (is_pattern(name)) {
      add_matching(name, ground, shapes, def.place, out);
      continue;
    }
    const ShapeDef& shape = shapes.shape(name, def.place, "contact.objects");
    if (std::find(out.begin(), out.end(), &shape) != out.end())
      throw InputError(def.place, "contact.objects names '" + name + "' twice");
    if (shape.body == ground.body)
      throw InputError(def.place, "contact.objects: shape '" + shape.name + "' is fixed to body '" +
                                      shape.body + "', like the soil");
    out.push_back(&shape);
  }
  return out;
}

Vec3 axis_of(const SoilContactDef& def, const ShapeDef& shape) {
  const auto found = def.axes.find(shape.name);
  return (found == def.axes.end() ? def.axis : found->second).normalized();
}

double reported_slip(double rim, double travel) {
  constexpr double kSlow = 1e-3;  // [m/s]
  const double fastest = std::max(std::abs(rim), std::abs(travel));
  const double share = std::clamp(fastest / kSlow - 1.0, 0.0, 1.0);
  return share > 0.0 ? share * (rim - travel) / fastest : 0.0;
}

void require_soil(const SoilDef& soil, const std::string& name, double gravity,
                  const Place& place) {
  constexpr double kRock = 1e8;  // no soil has a pressure like this at a sinkage of 1 mm [Pa]
  const double pressure = soil_pressure(soil, 0.1, gravity, 1e-3);
  if (pressure > kRock)
    throw InputError(place, "soil '" + name + "': its pressure at a sinkage of 1 mm is " +
                                to_text(pressure, 2) +
                                " Pa, where soils have less than 1e+06 Pa; look at k_phi, k_c and "
                                "n. Hard ground is for other models, such as pcm");
}

std::vector<std::string> low_gravity_notes(const SoilGroundDef& ground, double gravity) {
  constexpr double kLow = 9.0;  // [m/s^2]
  if (gravity >= kLow) return {};
  for (const std::vector<SoilLayer>& column : soils_of(ground))
    for (const SoilLayer& layer : column)
      if (layer.soil.pressure == SoilDef::Pressure::bekker)
        return {"soil '" + ground.name + "' follows Bekker, who knows no gravity; at " +
                to_text(gravity, 3) +
                " m/s^2 real soil is weaker. Reece's form (pressure = \"reece\") has it"};
  return {};
}

}  // namespace grouser
