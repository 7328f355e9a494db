#include "grouser/contact/world_def.h"

#include <array>

#include "grouser/base/text.h"
#include "grouser/contact/mesh_source.h"
#include "grouser/contact/registry.h"
#include "grouser/laws/hunt_crossley.h"

namespace grouser {
namespace {

// In the order of the alternatives of Geometry.
constexpr std::array<std::string_view, 7> kGeometryNames = {
    "none", "mesh", "sphere", "half_space", "convex body", "element", "smooth surface"};

/// A shape as it stands in the scene; the folder is needed to find mesh files.
struct ShapeText {
  std::string name, body = "world", material;
  PlacementDef placement;
  const Value* mesh = nullptr;
  bool half_space = false;
  SphereShape sphere;
  bool is_sphere = false;
  const Value* convex = nullptr;
  const ConvexKey* convex_key = nullptr;
  const Value* element = nullptr;
  const ElementKey* element_key = nullptr;
  const Value* smooth = nullptr;
  const SmoothKey* smooth_key = nullptr;
  int kinds = 0;
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
    t.custom(
        "mesh", "table",
        [](const Value& v, ShapeText& out, const std::string&) {
          out.mesh = &v;
          ++out.kinds;
        },
        "a triangle mesh: file = \"...\" or a generator, and what is done with it");
    t.custom(
        "sphere", "table",
        [](const Value& v, ShapeText& out, const std::string& path) {
          sphere_parameters().read(v, out.sphere, path);
          out.is_sphere = true;
          ++out.kinds;
        },
        "a sphere: radius [m]; 0: a point, for contact elements");
    t.boolean("half_space", &ShapeText::half_space, "everything below z = 0 of the shape frame");
    for (const ConvexKey& key : convex_keys())
      t.custom(
          std::string(key.name), std::string(key.kind),
          [&key](const Value& v, ShapeText& out, const std::string&) {
            out.convex = &v;
            out.convex_key = &key;
            ++out.kinds;
          },
          std::string(key.meaning));
    for (const ElementKey& key : element_keys())
      t.custom(
          std::string(key.name), "table",
          [&key](const Value& v, ShapeText& out, const std::string&) {
            out.element = &v;
            out.element_key = &key;
            ++out.kinds;
          },
          std::string(key.meaning));
    for (const SmoothKey& key : smooth_keys())
      t.custom(
          std::string(key.name), "table",
          [&key](const Value& v, ShapeText& out, const std::string&) {
            out.smooth = &v;
            out.smooth_key = &key;
            ++out.kinds;
          },
          std::string(key.meaning));
    return t;
  }();
  return table;
}

/// Adds a shape, or its copies around an axis.
void add_repeated(const ShapeText& text, const ShapeDef& shape, std::vector<ShapeDef>& out) {
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
  const int kinds = text.kinds + text.half_space;
  if (kinds != 1) {
    std::vector<std::string> names = {"mesh", "sphere", "half_space"};
    for (const ConvexKey& key : convex_keys()) names.emplace_back(key.name);
    for (const ElementKey& key : element_keys()) names.emplace_back(key.name);
    for (const SmoothKey& key : smooth_keys()) names.emplace_back(key.name);
    throw InputError(value.place(), "shape '" + text.name + "' needs exactly one of " +
                                        join(names) + "; it has " + std::to_string(kinds));
  }
  if (text.mesh) shape.geometry = MeshShape{read_mesh_source(*text.mesh, "shape.mesh", folder)};
  if (text.is_sphere) shape.geometry = text.sphere;
  if (text.half_space) shape.geometry = HalfSpaceShape{};
  if (text.convex)
    shape.geometry =
        text.convex_key->read(*text.convex, "shape." + std::string(text.convex_key->name), folder);
  if (text.element)
    shape.geometry = text.element_key->read(*text.element,
                                            "shape." + std::string(text.element_key->name), folder);
  if (text.smooth)
    shape.geometry =
        text.smooth_key->read(*text.smooth, "shape." + std::string(text.smooth_key->name), folder);
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

const ParameterTable<SphereShape>& sphere_parameters() {
  static const auto table = ParameterTable<SphereShape>().number(
      "radius", &SphereShape::radius, "m", non_negative(), "of the sphere");
  return table;
}

double radius_of_sphere(const ShapeDef& sphere, const Place& place, const std::string& key) {
  const double radius = std::get<SphereShape>(sphere.geometry).radius;
  if (!(radius > 0.0))
    throw InputError(place, key + ": sphere '" + sphere.name +
                                "' is a point (radius 0), which only contact elements know");
  return radius;
}

std::string_view geometry_name(const Geometry& geometry) {
  if (const auto* body = std::get_if<ConvexBody>(&geometry); body && !body->kind.empty())
    return body->kind;
  if (const auto* element = std::get_if<ElementShape>(&geometry))
    return element_keys()[element->index()].name;
  if (const auto* smooth = std::get_if<SmoothShape>(&geometry); smooth && !smooth->kind.empty())
    return smooth->kind;
  return kGeometryNames[geometry.index()];
}

Pose PlacementDef::pose() const {
  if (!quaternion.empty())
    return make_pose(position, Quat(quaternion[0], quaternion[1], quaternion[2], quaternion[3]));
  const Mat3 R =
      (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
          .toRotationMatrix();
  return {R, position};
}

const ParameterTable<MaterialDef>& material_parameters() {
  static const auto table =
      ParameterTable<MaterialDef>()
          .text("name", &MaterialDef::name, "by which shapes refer to the material", true)
          .number("young_modulus", &MaterialDef::young_modulus, "Pa", positive(),
                  "stress / stretch")
          .number("poisson_ratio", &MaterialDef::poisson_ratio, "", within(0.0, 0.49),
                  "lateral contraction / stretch")
          .number("thickness", &MaterialDef::thickness, "m", positive(),
                  "of the layer it forms on a surface (elastic foundation)")
          .number("restitution", &MaterialDef::restitution, "", within(0.0, 1.0),
                  "rebound / impact speed, in convex contact")
          .number("friction", &MaterialDef::friction, "", non_negative(),
                  "Coulomb coefficient, in convex contact");
  return table;
}

std::vector<ParameterInfo> shape_parameter_infos() {
  return shape_text_parameters().infos();
}

ShapeTable::ShapeTable(std::vector<ShapeDef> shapes, std::vector<MaterialDef> materials,
                       std::vector<SoilGroundDef> soils, double gravity)
    : shapes_(std::move(shapes)),
      materials_(std::move(materials)),
      soils_(std::move(soils)),
      gravity_(gravity) {
  require_unique_names(shapes_, "shape");
  require_unique_names(materials_, "material");
  require_unique_names(soils_, "soil");
  for (const SoilGroundDef& soil : soils_) check_soil_ground(soil);
  for (const MaterialDef& material : materials_)
    material_parameters().check(material, material.place, "material");
  for (const ShapeDef& shape : shapes_) {
    if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry))
      sphere_parameters().check(*sphere, shape.place, "shape.sphere");
    if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
      if (!mesh->mesh) throw InputError(shape.place, "shape '" + shape.name + "' has no mesh");
      require_usable(*mesh->mesh, "shape '" + shape.name + "'");
    }
    if (const auto* body = std::get_if<ConvexBody>(&shape.geometry))
      require_sound(*body, shape.place, "shape '" + shape.name + "'");
    if (const auto* element = std::get_if<ElementShape>(&shape.geometry))
      require_sound(*element, shape.place, "shape '" + shape.name + "'");
    if (const auto* smooth = std::get_if<SmoothShape>(&shape.geometry); smooth && !smooth->surface)
      throw InputError(shape.place, "shape '" + shape.name + "' has no surface");
    if (!shape.material.empty()) material_of(shape);
  }
}

namespace {

/// The definition of that name; `what` it is, for the message.
template <class Def>
const Def& named(const std::vector<Def>& all, const std::string& name, const Place& place,
                 const std::string& key, const std::string& what) {
  std::vector<std::string> names;
  for (const Def& def : all) {
    if (def.name == name) return def;
    names.push_back(def.name);
  }
  throw InputError(place,
                   key + ": there is no " + what + " '" + name + "'" + suggestion(name, names));
}

}  // namespace

const ShapeDef& ShapeTable::shape(const std::string& name, const Place& place,
                                  const std::string& key) const {
  return named(shapes_, name, place, key, "shape");
}

const SoilGroundDef& ShapeTable::soil(const std::string& name, const Place& place,
                                      const std::string& key) const {
  return named(soils_, name, place, key, "soil");
}

double hertz_stiffness_of(const ShapeTable& shapes, const ShapeDef& first, const ShapeDef& second,
                          double radius, const Place& place) {
  double compliance = 0.0;
  for (const ShapeDef* shape : {&first, &second})
    if (const MaterialDef* m = shapes.material_of(*shape))
      compliance += (1.0 - m->poisson_ratio * m->poisson_ratio) / m->young_modulus;
  if (compliance == 0.0)
    throw InputError(place, "contact.stiffness is missing, and neither '" + first.name + "' nor '" +
                                second.name + "' has a material to compute it from");
  return hertz_stiffness(1.0 / compliance, radius);
}

const MaterialDef* ShapeTable::material_of(const ShapeDef& shape) const {
  if (shape.material.empty()) return nullptr;
  return &material(shape.material, shape.place, "shape.material");
}

const MaterialDef& ShapeTable::material(const std::string& name, const Place& place,
                                        const std::string& key) const {
  return named(materials_, name, place, key, "material");
}

void ShapeTable::refuse_geometry(const ShapeDef& found, const Geometry& wanted, const Place& place,
                                 const std::string& key) {
  throw InputError(place, key + ": shape '" + found.name + "' is a " +
                              std::string(geometry_name(found.geometry)) + ", it must be a " +
                              std::string(geometry_name(wanted)));
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
  for (const Value& value : tables_of(scene, "soil"))
    def.soils.push_back(read_soil_ground(value, folder));
  for (const Value& value : tables_of(scene, "contact"))
    def.contacts.push_back(read_contact(value));
  return def;
}

namespace world_def_detail {
void refuse_duplicate(const Place& place, const std::string& what, const std::string& name,
                      const Place& first) {
  throw InputError(place, what + ".name '" + name + "' is used twice" +
                              (first.known() ? "; first at " + first.text() : ""));
}
}  // namespace world_def_detail

}  // namespace grouser
