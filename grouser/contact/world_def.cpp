#include "grouser/contact/world_def.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "grouser/assets/asset_cache.h"
#include "grouser/base/text.h"
#include "grouser/contact/registry.h"
#include "grouser/geometry/mesh_file.h"
#include "grouser/geometry/mesh_shapes.h"
#include "grouser/geometry/refinement.h"

namespace grouser {
namespace {

// In the order of the alternatives of Geometry.
constexpr std::array<std::string_view, 4> kGeometryNames = {"none", "mesh", "sphere", "half_space"};

const ParameterTable<SphereShape>& sphere_parameters() {
  static const auto table = ParameterTable<SphereShape>().number("radius", &SphereShape::radius,
                                                                 "m", positive(), "of the sphere");
  return table;
}

/// What a scene may do with a mesh, in this order.
struct MeshChanges {
  double scale = 1.0;
  int subdivide = 0;
  double longest_edge = 0.0;  ///< 0: as long as they are
};

const ParameterTable<MeshChanges>& mesh_parameters() {
  static const auto table = [] {
    ParameterTable<MeshChanges> t;
    // Sources are read by read_source.
    const auto later = [](const Value&, MeshChanges&, const std::string&) {};
    t.custom("file", "string", later, "OBJ, STL, PLY or glTF file; or one of the tables below");
    for (const std::string& shape : mesh_shape_names())
      t.custom(shape, "table", later, mesh_shape_meaning(shape));
    for (const AssetKind& kind : asset_kinds())
      t.custom(std::string(kind.name), "table", later, std::string(kind.meaning));
    t.number("scale", &MeshChanges::scale, "", positive(), "factor of all coordinates");
    t.integer("subdivide", &MeshChanges::subdivide, within(0, 8),
              "how often each triangle is cut into four, after scale");
    t.custom(
        "longest_edge", "number [m]",
        [](const Value& v, MeshChanges& out, const std::string& path) {
          out.longest_edge = parameters_detail::read_number(v, path, positive());
        },
        "longer edges are cut in halves until none is left, after subdivide");
    return t;
  }();
  return table;
}

/// The one entry of `mesh` that says where it comes from.
const Value::Entry& mesh_source(const Value& value, const std::string& path) {
  std::vector<std::string> names = mesh_shape_names();
  for (const AssetKind& kind : asset_kinds()) names.emplace_back(kind.name);
  const Value::Entry* source = nullptr;
  for (const Value::Entry& entry : value.as_table()) {
    if (entry.key != "file" && std::find(names.begin(), names.end(), entry.key) == names.end())
      continue;
    if (source)
      throw InputError(entry.place, path + " has two sources, '" + source->key + "' and '" +
                                        entry.key + "'; give one");
    source = &entry;
  }
  if (!source) throw InputError(value.place(), path + " needs a file or one of " + join(names));
  return *source;
}

TriangleMesh read_source(const Value::Entry& source, const std::string& key,
                         const std::string& folder) {
  if (const AssetKind* kind = find_asset_kind(source.key))
    return AssetCache::standard().mesh(*read_asset(*kind, source.value, key, folder));
  if (source.key != "file") return generate_mesh(source.key, source.value, key);
  const std::filesystem::path file = source.value.text_or_throw(key);
  try {
    return read_mesh_file((std::filesystem::path(folder) / file).string());
  } catch (const InputError& error) {
    throw InputError(source.value.place(), key + ": " + error.what());
  }
}

/// `mesh = { file = "x.obj", scale = 0.001 }` or `mesh.torus = { ... }`.
std::shared_ptr<const TriangleMesh> read_mesh(const Value& value, const std::string& path,
                                              const std::string& folder) {
  MeshChanges changes;
  mesh_parameters().read(value, changes, path);
  const Value::Entry& source = mesh_source(value, path);
  auto mesh = std::make_shared<TriangleMesh>(
      read_source(source, parameters_detail::joined(path, source.key), folder));
  for (Vec3& vertex : mesh->vertices) vertex *= changes.scale;

  // Refusals are placed at the key that asked.
  const char* key = "subdivide";
  try {
    if (changes.subdivide > 0) *mesh = subdivided(*mesh, changes.subdivide);
    key = "longest_edge";
    if (changes.longest_edge > 0.0) *mesh = refined(*mesh, changes.longest_edge);
  } catch (const InputError& error) {
    throw InputError(value.find(key)->place(), path + "." + key + ": " + error.what());
  }
  return mesh;
}

/// A shape as it stands in the scene; the folder is needed to find mesh files.
struct ShapeText {
  std::string name, body = "world", material;
  PlacementDef placement;
  const Value* mesh = nullptr;
  bool half_space = false;
  SphereShape sphere;
  bool is_sphere = false;
};

const ParameterTable<ShapeText>& shape_text_parameters() {
  static const auto table = [] {
    ParameterTable<ShapeText> t;
    t.text("name", &ShapeText::name, "by which contacts refer to the shape", true);
    t.text("body", &ShapeText::body, "body the shape is fixed to");
    t.text("material", &ShapeText::material, "name of a [[material]]; none: rigid");
    add_placement(t, &ShapeText::placement);
    t.custom(
        "mesh", "table", [](const Value& v, ShapeText& out, const std::string&) { out.mesh = &v; },
        "a triangle mesh: file = \"...\" or a generator, and what is done with it");
    t.custom(
        "sphere", "table",
        [](const Value& v, ShapeText& out, const std::string& path) {
          sphere_parameters().read(v, out.sphere, path);
          out.is_sphere = true;
        },
        "a sphere: radius [m]");
    t.boolean("half_space", &ShapeText::half_space, "everything below z = 0 of the shape frame");
    return t;
  }();
  return table;
}

ShapeDef read_shape(const Value& value, const std::string& folder) {
  ShapeText text;
  shape_text_parameters().read(value, text, "shape");
  ShapeDef shape;
  shape.place = value.place();
  shape.name = text.name;
  shape.body = text.body;
  shape.material = text.material;
  shape.X_BS = text.placement.pose();
  const int kinds = (text.mesh != nullptr) + text.is_sphere + text.half_space;
  if (kinds != 1)
    throw InputError(value.place(), "shape '" + text.name +
                                        "' needs exactly one of mesh, sphere, "
                                        "half_space; it has " +
                                        std::to_string(kinds));
  if (text.mesh) shape.geometry = MeshShape{read_mesh(*text.mesh, "shape.mesh", folder)};
  if (text.is_sphere) shape.geometry = text.sphere;
  if (text.half_space) shape.geometry = HalfSpaceShape{};
  return shape;
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

std::string_view geometry_name(const Geometry& geometry) {
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
                  "of the layer it forms on a surface (elastic foundation)");
  return table;
}

std::vector<ParameterInfo> shape_parameter_infos() {
  return shape_text_parameters().infos();
}

std::vector<ParameterInfo> mesh_parameter_infos() {
  return mesh_parameters().infos();
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

const MaterialDef* ShapeTable::material_of(const ShapeDef& shape) const {
  if (shape.material.empty()) return nullptr;
  return &named(materials_, shape.material, shape.place, "shape.material", "material");
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
  for (const Value& value : tables_of(scene, "shape"))
    def.shapes.push_back(read_shape(value, folder));
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
