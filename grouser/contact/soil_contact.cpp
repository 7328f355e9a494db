#include "grouser/contact/soil_contact.h"

#include <algorithm>

#include "grouser/base/text.h"

namespace grouser {

std::vector<const ShapeDef*> shapes_on_soil(const SoilContactDef& def, const ShapeTable& shapes) {
  if (def.objects.empty()) throw InputError(def.place, "contact.objects is empty: name a shape");
  if (!(def.axis.norm() > 0.0)) throw InputError(def.place, "contact.axis must not be zero");
  const SoilGroundDef& ground = shapes.soil(def.soil, def.place, "contact.soil");
  std::vector<const ShapeDef*> out;
  for (const std::string& name : def.objects) {
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
