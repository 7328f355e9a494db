#include "grouser/scene/rover_contacts.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/contact/convex.h"
#include "grouser/math/checks.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/registry.h"
#include "grouser/soil/scm.h"
#include "grouser/soil/soil_contact.h"
#include "grouser/soil/wheel_soil.h"

namespace grouser {
namespace {

Value::Entry entry(const std::string& key, Value value, const Place& place) {
  return {key, place, std::move(value)};
}

Value texts(const std::vector<std::string>& words, const Place& place) {
  Value::Array out;
  for (const std::string& word : words) out.emplace_back(word, place);
  return Value(std::move(out), place);
}

/// What the steps from the words of [rover] to a world share.
struct Builder {
  RoverContactDef& rover;
  RoverContactSite& site;
  std::vector<std::string> stones = {};  // that can move, on the rover's soil

  std::shared_ptr<const TriangleMesh> wheel_mesh(const RoverWheel& wheel) const;
  void measure(RoverWheel& wheel, const TriangleMesh& mesh) const;
  void find_soil();
  void find_obstacles();
  void add_wheel_shapes();
  void calm_rest(const Value& given, SoilContactDef& contact) const;
  void add_soil_contact();
  void add_obstacle_contact();
  void add_chassis_shapes(std::vector<std::string>& names);
};

/// Rotation of a shape whose wheel turns about y.
Pose wheel_pose(const RoverWheel& wheel) {
  GROUSER_ASSERT(is_unit(wheel.axis, 1e-6));
  return {Quat::FromTwoVectors(Vec3::UnitY(), wheel.axis).toRotationMatrix(), wheel.p_BC};
}

/// In a frame where it turns about y and stands in the middle.
std::shared_ptr<const TriangleMesh> Builder::wheel_mesh(const RoverWheel& wheel) const {
  const double radius = rover.radius > 0.0 ? rover.radius : wheel.radius;
  const double width = rover.width > 0.0 ? rover.width : wheel.width;
  if (!rover.mesh.as_table().empty()) {
    // A generated wheel is as large as the one it replaces unless it says how large it is.
    Value source = rover.mesh;
    if (Value* wheel_table = source.find("wheel");
        wheel_table && wheel_table->is_table() && !wheel_table->find("preset")) {
      const auto put = [&](const char* key, double x) {
        if (x > 0.0 && !wheel_table->find(key))
          wheel_table->as_table().push_back(entry(key, Value(x), rover.mesh.place()));
      };
      put("radius", radius);
      put("width", width);
    }
    return read_mesh_source(source, "rover.mesh", site.folder);
  }
  if (!wheel.mesh.triangles.empty() && rover.radius == 0.0 && rover.width == 0.0) {
    auto mesh = std::make_shared<TriangleMesh>(wheel.mesh);
    const Pose X_SB = wheel_pose(wheel).inverse();
    for (Vec3& vertex : mesh->vertices) vertex = X_SB * vertex;
    return mesh;
  }
  if (!(radius > 0.0 && width > 0.0))
    throw InputError(rover.place, "rover: the mechanism has no geometry of wheel '" + wheel.body +
                                      "'; give radius and width, or mesh");
  auto mesh = std::make_shared<TriangleMesh>(
      make_cylinder({.radius = radius, .length = width, .segments = 96}));
  for (Vec3& vertex : mesh->vertices) vertex = Vec3(vertex.x(), vertex.z(), -vertex.y());
  return mesh;
}

void Builder::measure(RoverWheel& wheel, const TriangleMesh& mesh) const {
  const WheelSize size = measure_wheel(mesh, Vec3::UnitY());
  wheel.radius = rover.radius > 0.0 ? rover.radius : size.radius;
  wheel.width = rover.width > 0.0 ? rover.width : size.width;
  wheel.rolling_radius = wheel.radius + size.grouser_share * size.grouser_height;
  GROUSER_ASSERT(wheel.rolling_radius >= wheel.radius);
  if (!(wheel.radius > 0.0 && wheel.width > 0.0))
    throw InputError(rover.place, "rover: wheel '" + wheel.body +
                                      "' has no width or no radius about its axis; give radius "
                                      "and width, or mesh");
}

void Builder::add_wheel_shapes() {
  std::vector<std::shared_ptr<const TriangleMesh>> meshes;
  for (RoverWheel& wheel : rover.facts.wheels) {
    std::shared_ptr<const TriangleMesh> mesh = wheel_mesh(wheel);
    measure(wheel, *mesh);
    double farthest = 0.0;
    for (const Vec3& v : mesh->vertices) farthest = std::max(farthest, std::hypot(v.x(), v.z()));
    rover.reach.push_back(farthest);
    // Wheels that are alike share their mesh.
    const auto same = std::find_if(meshes.begin(), meshes.end(), [&](const auto& known) {
      return known->vertices == mesh->vertices && known->triangles == mesh->triangles;
    });
    if (same != meshes.end())
      mesh = *same;
    else
      meshes.push_back(mesh);
    ShapeDef shape;
    shape.name = shape.body = wheel.body;
    shape.X_BS = wheel_pose(wheel);
    shape.geometry = MeshShape{mesh};
    shape.place = rover.place;
    rover.soil_objects.push_back(shape.name);
    site.contact.shapes.push_back(std::move(shape));
  }
}

void Builder::find_obstacles() {
  for (const SceneRocks& rocks : site.rocks)
    if (rocks.soil == rover.soil) stones.insert(stones.end(), rocks.free.begin(), rocks.free.end());
  if (rover.has_obstacles) return;
  for (const SceneRocks& rocks : site.rocks)
    for (const std::vector<std::string>* names : {&rocks.fixed, &rocks.free})
      rover.obstacles.insert(rover.obstacles.end(), names->begin(), names->end());
}

void Builder::find_soil() {
  if (!rover.soil.empty() || site.contact.soils.empty()) return;
  if (site.contact.soils.size() > 1)
    throw InputError(rover.place, "rover.soil: the scene has " +
                                      std::to_string(site.contact.soils.size()) +
                                      " [[soil]]s; name the one under the wheels");
  rover.soil = site.contact.soils[0]->name;
}

/// TerRA's resistance near rest acts like a damper, the stiffer the lower the speed at which it
/// fades. A fixed step of length h takes R / rest_speed < 2 m / h; wheels that are held resist with
/// some 5 m/s^2 of their own and their suspension's mass.
void Builder::calm_rest(const Value& given, SoilContactDef& contact) const {
  constexpr double kResistance = 2.5;  // [m/s^2]: half of it
  const Value* terra = given.find("terra");
  if (terra && terra->find("rest_speed")) return;
  contact.terra.rest_speed = std::max(contact.terra.rest_speed, kResistance * site.euler_step);
}

void Builder::add_soil_contact() {
  if (rover.soil.empty()) return;
  const ContactModelRow& row = contact_model(rover.model, rover.place);
  if (rover.model != ScmDef::kModel && std::find(std::begin(kWheelModels), std::end(kWheelModels),
                                                 rover.model) == std::end(kWheelModels))
    throw InputError(rover.place, "rover.model: '" + rover.model +
                                      "' is no model of wheels on soil; known are scm, " +
                                      join(wheel_model_names()));
  Value table = rover.contact;
  for (const char* key : {"soil", "objects", "axis", "axes", "model"})
    if (const Value* given = table.find(key))
      throw InputError(given->place(),
                       std::string("rover.contact.") + key + " follows from the rover itself");
  table.as_table().push_back(entry("soil", Value(rover.soil, rover.place), rover.place));
  const bool grid = rover.model == ScmDef::kModel;  // carries everything; the others, wheels alone
  std::vector<std::string> objects = rover.soil_objects;
  if (grid) std::copy(stones.begin(), stones.end(), std::back_inserter(objects));
  table.as_table().push_back(entry("objects", texts(objects, rover.place), rover.place));
  rover.soil_contact = "wheels";
  if (const Value* name = table.find("name")) {
    rover.soil_contact = name->text_or_throw("rover.contact.name");
    std::erase_if(table.as_table(), [](const Value::Entry& e) { return e.key == "name"; });
  }
  std::shared_ptr<ContactDef> def = row.read(table, "rover.contact");
  auto& on_soil = dynamic_cast<SoilContactDef&>(*def);
  for (const RoverWheel& wheel : rover.facts.wheels) on_soil.axes[wheel.body] = wheel.axis;
  if (rover.radius > 0.0) on_soil.radius = rover.radius;
  calm_rest(table, on_soil);
  def->name = rover.soil_contact;
  def->place = rover.place;
  site.contact.contacts.push_back(std::move(def));
  if (grid || stones.empty()) return;
  ScmDef under_rocks;
  under_rocks.name = "rocks";
  under_rocks.place = rover.place;
  under_rocks.soil = rover.soil;
  under_rocks.objects = stones;
  site.contact.add(under_rocks);
}

/// Everything solid that is no wheel, as hulls.
void Builder::add_chassis_shapes(std::vector<std::string>& names) {
  const auto is_wheel = [&](const std::string& body) {
    return std::any_of(rover.facts.wheels.begin(), rover.facts.wheels.end(),
                       [&](const RoverWheel& wheel) { return wheel.body == body; });
  };
  for (const PictureShape& geom : site.geoms) {
    if (geom.body == "world" || is_wheel(geom.body) || geom.mesh.vertices.size() < 4) continue;
    ShapeDef shape;
    shape.name = "chassis_" + geom.name.substr(geom.name.find('/') + 1);
    shape.body = geom.body;
    shape.material = rover.material;
    shape.place = rover.place;
    try {
      shape.geometry = ConvexBody{
          "hull", {{ConvexShape::from_hull(make_convex_hull(geom.mesh.vertices)), {}, nullptr}}};
    } catch (const InputError&) {
      continue;  // flat: a picture, not a body
    }
    names.push_back(shape.name);
    site.contact.shapes.push_back(std::move(shape));
  }
}

/// What stone feels of a wheel: a cylinder that grousers stand out of by half their height, and a
/// little narrower, so that soil carries the edges. Single grousers on rocks shake more than they
/// tell.
ConvexBody rim_of(const RoverWheel& wheel, double reach) {
  const Mat3 R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()).toRotationMatrix();
  return {"cylinder",
          {{ConvexShape::cylinder(0.5 * (wheel.radius + reach), 0.98 * wheel.width),
            {R, Vec3::Zero()},
            nullptr}}};
}

void Builder::add_obstacle_contact() {
  if (rover.obstacles.empty()) return;
  if (rover.material.empty()) {
    MaterialDef material = stone();
    material.name = rover.material = "rover";
    material.place = rover.place;
    site.contact.materials.push_back(material);
  }
  GROUSER_ASSERT(rover.reach.size() == rover.facts.wheels.size());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rover.facts.wheels.size(); ++i) {
    const RoverWheel& wheel = rover.facts.wheels[i];
    ShapeDef shape;
    shape.name = wheel.body + "_rim";
    shape.body = wheel.body;
    shape.material = rover.material;
    shape.X_BS = wheel_pose(wheel);
    shape.geometry = rim_of(wheel, rover.reach[i]);
    shape.place = rover.place;
    names.push_back(shape.name);
    site.contact.shapes.push_back(std::move(shape));
  }
  if (rover.chassis) add_chassis_shapes(names);
  rover.hidden = names;

  Value table = rover.obstacle_contact;
  for (const char* key : {"objects", "groups", "touch", "model"})
    if (const Value* given = table.find(key))
      throw InputError(given->place(), std::string("rover.obstacle_contact.") + key +
                                           " follows from rover.obstacles");
  const ContactModelRow& row = contact_model("convex", rover.place);
  std::shared_ptr<ContactDef> def = row.read(table, "rover.obstacle_contact");
  auto& convex = dynamic_cast<ConvexDef&>(*def);
  // For loads of a wheel and steps of 2 ms, unless told: docs/user/rocks_in_scenes.md.
  if (!table.find("smallest_impact")) convex.smallest_impact = 0.5;
  if (!table.find("stroke")) convex.stroke = 2e-3;
  if (!table.find("friction_damping")) convex.friction_damping = 1e-3;
  convex.groups = {{"rover", names}, {"obstacles", rover.obstacles}};
  convex.objects = names;
  convex.objects.insert(convex.objects.end(), rover.obstacles.begin(), rover.obstacles.end());
  convex.touch = {{"rover", "obstacles"}, {"obstacles", "obstacles"}};
  def->name = "obstacles";
  def->place = rover.place;
  site.contact.contacts.push_back(std::move(def));
}

}  // namespace

void add_rover_contacts(RoverContactDef& rover, RoverContactSite site) {
  Builder builder{rover, site};
  builder.find_soil();
  builder.find_obstacles();
  builder.add_wheel_shapes();
  builder.add_soil_contact();
  builder.add_obstacle_contact();
}

}  // namespace grouser
