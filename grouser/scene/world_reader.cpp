#include "grouser/scene/world_reader.h"

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"
#include "grouser/scene/placement.h"
#include "grouser/scene/registry.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/scene/soil_keys.h"

namespace grouser {
namespace {

/// A shape as it stands in the scene; the folder is needed to find mesh files.
struct ShapeText {
  std::string name, body = "world", material;
  PlacementDef placement;
  std::vector<std::pair<const ShapeKey*, const Value*>> geometries;
  int repeat = 1;
  Vec3 around = Vec3::UnitZ();
};

const ParameterTable<ShapeText>& shape_text_parameters() {
  static const auto table = [] {
    ParameterTable<ShapeText> t;
    t.text("name", &ShapeText::name, "by which contacts refer to the shape", true);
    t.text("body", &ShapeText::body, "body the shape is fixed to");
    t.text("material", &ShapeText::material, "name of a [[material]]; none: rigid");
    add_placement(t, &ShapeText::placement);
    t.integer("repeat", &ShapeText::repeat, within(1, 10000),
              "that many shapes, evenly turned around the body's origin; of 2 or more each has its "
              "number from 1 on behind its name: tooth_1, tooth_2, ...");
    t.vector3("around", &ShapeText::around, "", "axis of that, in the body frame");
    for (const ShapeKey& key : shape_keys())
      t.custom(
          std::string(key.name), std::string(key.kind),
          [&key](const Value& v, ShapeText& out, const std::string& path) {
            const bool is_switch = key.kind == "boolean";
            if (!is_switch || parameters_detail::read_bool(v, path))
              out.geometries.emplace_back(&key, &v);
          },
          std::string(key.meaning), false, key.kind == "boolean" ? "false" : "none");
    return t;
  }();
  return table;
}

/// Adds a shape, or its copies around an axis.
void add_repeated(const ShapeText& text, const ShapeDef& shape, std::vector<ShapeDef>& out) {
  GROUSER_ASSERT(text.repeat >= 1 && is_rotation(shape.X_BS.R));
  if (text.repeat == 1) return out.push_back(shape);
  if (!(text.around.norm() > 0.0)) throw InputError(shape.place, "shape.around must not be zero");
  for (int i = 0; i < text.repeat; ++i) {
    const double angle = 2.0 * kPi * i / text.repeat;
    const Mat3 turn = Eigen::AngleAxisd(angle, text.around.normalized()).toRotationMatrix();
    ShapeDef& copy = out.emplace_back(shape);
    copy.name += "_" + std::to_string(i + 1);
    copy.X_BS = Pose{turn, Vec3::Zero()} * shape.X_BS;
  }
}

void read_shape(const Value& value, const std::string& folder, std::vector<ShapeDef>& out) {
  ShapeText text;
  shape_text_parameters().read(value, text, "shape");
  ShapeDef shape;
  shape.place = value.place();
  shape.name = text.name;
  shape.body = text.body;
  shape.material = text.material;
  shape.X_BS = text.placement.pose();
  if (text.geometries.size() != 1) {
    std::vector<std::string> names;
    for (const ShapeKey& key : shape_keys()) names.emplace_back(key.name);
    throw InputError(value.place(), "shape '" + text.name + "' needs exactly one of " +
                                        join(names) + "; it has " +
                                        std::to_string(text.geometries.size()));
  }
  const auto& [key, given] = text.geometries.front();
  shape.geometry = key->read(*given, "shape." + std::string(key->name), folder);
  add_repeated(text, shape, out);
}

std::shared_ptr<const ContactDef> read_contact(const Value& value) {
  const Value* model = value.is_table() ? value.find("model") : nullptr;
  value.table_or_throw("contact");
  if (!model)
    throw InputError(value.place(), "contact.model is missing (the name of a contact model)");
  const ContactModelRow& row = contact_model(model->text_or_throw("contact.model"), model->place());

  // `model` and `name` belong to every contact, the rest to its model.
  Value rest(Value::Table{}, value.place());
  std::string name;
  for (const Value::Entry& entry : value.as_table()) {
    if (entry.key == "name")
      name = entry.value.text_or_throw("contact.name");
    else if (entry.key != "model")
      rest.as_table().push_back(entry);
  }
  std::shared_ptr<ContactDef> def = row.read(rest, "contact");
  def->name = name;
  return def;
}

}  // namespace

std::vector<ParameterInfo> shape_parameter_infos() {
  return shape_text_parameters().infos();
}

ContactWorldDef read_contact_world(const Value& scene, const std::string& folder) {
  ContactWorldDef def;
  for (const Value& value : tables_of(scene, "material")) {
    MaterialDef material;
    material.place = value.place();
    material_parameters().read(value, material, "material");
    def.materials.push_back(material);
  }
  for (const Value& value : tables_of(scene, "shape")) read_shape(value, folder, def.shapes);
  require_unique_names(def.shapes, "shape");
  for (const Value& value : tables_of(scene, "soil")) def.add(read_soil_ground(value, folder));
  for (const Value& value : tables_of(scene, "contact"))
    def.contacts.push_back(read_contact(value));
  return def;
}

}  // namespace grouser
