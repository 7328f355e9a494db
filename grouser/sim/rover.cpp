#include "grouser/sim/rover.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/convex.h"
#include "grouser/contact/mesh_source.h"
#include "grouser/contact/registry.h"
#include "grouser/contact/scm.h"
#include "grouser/contact/soil_contact.h"
#include "grouser/contact/wheel_soil.h"
#include "grouser/geometry/mesh_shapes.h"
#include "grouser/sim/mujoco_tree.h"
#include "grouser/sim/rover_placement.h"
#include "grouser/sim/scene.h"

namespace grouser {
namespace {

template <class T>
void add_names(ParameterTable<T>& table, std::string key, std::vector<std::string> T::*member,
               std::string meaning, std::string default_text) {
  table.custom(
      std::move(key), "list of strings",
      [member](const Value& v, T& out, const std::string& path) {
        (out.*member).clear();
        if (v.is_text())
          (out.*member).push_back(v.as_text());
        else
          parameters_detail::read_entries(
              v, path, [&](const Value& entry, const std::string& item) {
                (out.*member).push_back(parameters_detail::read_text(entry, item));
              });
      },
      std::move(meaning), false, std::move(default_text));
}

template <class T>
void add_table(ParameterTable<T>& table, std::string key, Value T::*member, std::string meaning,
               std::string default_text = "none") {
  table.custom(
      std::move(key), "table",
      [member](const Value& v, T& out, const std::string& path) {
        v.table_or_throw(path);
        out.*member = v;
      },
      std::move(meaning), false, std::move(default_text));
}

Value::Entry entry(const std::string& key, Value value, const Place& place) {
  return {key, place, std::move(value)};
}

Value texts(const std::vector<std::string>& words, const Place& place) {
  Value::Array out;
  for (const std::string& word : words) out.emplace_back(word, place);
  return Value(std::move(out), place);
}

/// What the steps from the words of [rover] to a scene share.
struct Builder {
  RoverDef& rover;
  Scene& scene;
  const std::vector<RecordingShape>& geoms;
  std::vector<double> reach = {};        // of every wheel, with grousers [m]
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
  void add_motors();
  void place();
};

/// Rotation of a shape whose wheel turns about y.
Pose wheel_pose(const RoverWheel& wheel) {
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
    return read_mesh_source(source, "rover.mesh", scene.folder);
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
    reach.push_back(farthest);
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
    scene.contact.shapes.push_back(std::move(shape));
  }
}

void Builder::find_obstacles() {
  for (const SceneRocks& rocks : scene.rocks)
    if (rocks.soil == rover.soil) stones.insert(stones.end(), rocks.free.begin(), rocks.free.end());
  if (rover.has_obstacles) return;
  for (const SceneRocks& rocks : scene.rocks)
    for (const std::vector<std::string>* names : {&rocks.fixed, &rocks.free})
      rover.obstacles.insert(rover.obstacles.end(), names->begin(), names->end());
}

void Builder::find_soil() {
  if (!rover.soil.empty() || scene.contact.soils.empty()) return;
  if (scene.contact.soils.size() > 1)
    throw InputError(rover.place, "rover.soil: the scene has " +
                                      std::to_string(scene.contact.soils.size()) +
                                      " [[soil]]s; name the one under the wheels");
  rover.soil = scene.contact.soils[0].name;
}

/// TerRA's resistance near rest acts like a damper, the stiffer the lower the speed at which it
/// fades. A fixed step of length h takes R / rest_speed < 2 m / h; wheels that are held resist with
/// some 5 m/s^2 of their own and their suspension's mass.
void Builder::calm_rest(const Value& given, SoilContactDef& contact) const {
  constexpr double kResistance = 2.5;  // [m/s^2]: half of it
  const IntegratorDef& integrator = scene.simulation.integrator;
  const Value* terra = given.find("terra");
  if (integrator.method != Method::semi_implicit_euler || (terra && terra->find("rest_speed")))
    return;
  contact.terra.rest_speed = std::max(contact.terra.rest_speed, kResistance * integrator.step);
}

void Builder::add_soil_contact() {
  if (rover.soil.empty()) return;
  const ContactModelRow& row = contact_model(rover.model, rover.place);
  if (rover.model != ScmDef::kModel && std::find(std::begin(kWheelModels), std::end(kWheelModels),
                                                 rover.model) == std::end(kWheelModels))
    throw InputError(rover.place, "rover.model: '" + rover.model +
                                      "' is no model of wheels on soil; known are scm, bekker, "
                                      "bekker-janosi, terra, rheological");
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
  scene.contact.contacts.push_back(std::move(def));
  if (grid || stones.empty()) return;
  ScmDef under_rocks;
  under_rocks.name = "rocks";
  under_rocks.place = rover.place;
  under_rocks.soil = rover.soil;
  under_rocks.objects = stones;
  scene.contact.add(under_rocks);
}

/// Everything solid that is no wheel, as hulls.
void Builder::add_chassis_shapes(std::vector<std::string>& names) {
  const auto is_wheel = [&](const std::string& body) {
    return std::any_of(rover.facts.wheels.begin(), rover.facts.wheels.end(),
                       [&](const RoverWheel& wheel) { return wheel.body == body; });
  };
  for (const RecordingShape& geom : geoms) {
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
    scene.contact.shapes.push_back(std::move(shape));
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
    scene.contact.materials.push_back(material);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rover.facts.wheels.size(); ++i) {
    const RoverWheel& wheel = rover.facts.wheels[i];
    ShapeDef shape;
    shape.name = wheel.body + "_rim";
    shape.body = wheel.body;
    shape.material = rover.material;
    shape.X_BS = wheel_pose(wheel);
    shape.geometry = rim_of(wheel, reach[i]);
    shape.place = rover.place;
    names.push_back(shape.name);
    scene.contact.shapes.push_back(std::move(shape));
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
  if (!table.find("bristle_damping")) convex.bristle_damping = 1e-3;
  convex.groups = {{"rover", names}, {"obstacles", rover.obstacles}};
  convex.objects = names;
  convex.objects.insert(convex.objects.end(), rover.obstacles.begin(), rover.obstacles.end());
  convex.touch = {{"rover", "obstacles"}, {"obstacles", "obstacles"}};
  def->name = "obstacles";
  def->place = rover.place;
  scene.contact.contacts.push_back(std::move(def));
}

MotorDef motor_of(const RoverMotorDef& def, const RoverMotorDef& chosen, const Place& place) {
  MotorDef motor;
  motor.stiffness = def.stiffness > 0.0 ? def.stiffness : chosen.stiffness;
  motor.damping = def.damping > 0.0 ? def.damping : chosen.damping;
  if (def.limit > 0.0) motor.limit = def.limit;
  motor.torque_constant = def.torque_constant;
  if (def.current_limit > 0.0) motor.current_limit = def.current_limit;
  if (def.no_load_speed > 0.0) motor.no_load_speed = def.no_load_speed;
  motor.place = place;
  return motor;
}

void Builder::add_motors() {
  // A wheel gives way by a hundredth of a radian when it pulls as much as it carries, and answers
  // without ringing. In weak gravity what counts is the rover's inertia, so 1 m/s^2 at least.
  const auto count = static_cast<double>(rover.facts.wheels.size());
  const double g = std::max(1.0, scene.simulation.gravity.norm());
  for (const RoverWheel& wheel : rover.facts.wheels) {
    const double share = rover.facts.mass / count;
    RoverMotorDef drive, steering;
    drive.stiffness = 100.0 * share * g * wheel.radius;
    drive.damping = 2.0 * std::sqrt(drive.stiffness * share * wheel.radius * wheel.radius);
    steering.stiffness = 2.0 * drive.stiffness;
    steering.damping = drive.damping;
    MotorDef motor = motor_of(rover.drive, drive, rover.place);
    motor.name = drive_motor_name(wheel);
    motor.joint = wheel.spin_joint;
    motor.control = MotorDef::Control::speed;
    scene.motors.push_back(motor);
    if (wheel.steering_joint.empty()) continue;
    motor = motor_of(rover.steering, steering, rover.place);
    motor.name = steering_motor_name(wheel);
    motor.joint = wheel.steering_joint;
    motor.control = MotorDef::Control::position;
    scene.motors.push_back(motor);
  }
}

void Builder::place() {
  MechanismExtras extras;
  const std::unique_ptr<Mechanism> mechanism = build_mechanism(scene, extras);
  const auto pose_of = [&](const std::string& body) {
    return mechanism
        ->kinematics()[static_cast<std::size_t>(mechanism->body(body, rover.place, "rover"))]
        .X_WB;
  };
  const Pose X_WR = pose_of(rover.facts.chassis);
  std::vector<StandingWheel> wheels;
  for (std::size_t i = 0; i < rover.facts.wheels.size(); ++i) {
    RoverWheel& wheel = rover.facts.wheels[i];
    const Pose X_RB = X_WR.inverse() * pose_of(wheel.body);
    const Vec3 moved = X_RB * wheel.p_BC - wheel.p_RC;  // by [initial]
    wheel.p_RC += moved;
    wheel.p_RS += moved;
    wheels.push_back({wheel.p_RC, X_RB.R * wheel.axis, reach[i], wheel.width});
  }
  if (rover.soil.empty()) return;
  const ShapeTable table({}, {}, scene.contact.soils);
  const SoilGroundDef& soil = table.soil(rover.soil, rover.place, "rover.soil");
  const auto given =
      std::find_if(scene.initial.begin(), scene.initial.end(),
                   [&](const auto& initial) { return initial.joint == rover.facts.free_joint; });
  const bool is_placed =
      given != scene.initial.end() && (!given->position.empty() || !given->quaternion.empty());
  if (is_placed && !rover.position.empty())
    throw InputError(given->place, "initial." + rover.facts.free_joint +
                                       " and rover.position both say where the rover starts; "
                                       "give one");
  if (soil.body != "world") return;
  const GroundHeight ground(soil);
  Pose X_WR_start = X_WR;
  if (is_placed) {
    const std::vector<double> depths = depths_at(ground, wheels, X_WR);
    const auto deepest = std::max_element(depths.begin(), depths.end());
    const auto i = static_cast<std::size_t>(deepest - depths.begin());
    // What a wheel may have sunk in already.
    if (*deepest <= 0.1 * wheels[i].radius) return;
    X_WR_start.p.z() += *deepest;
    rover.notes.push_back("the rover is lifted by " + to_text(*deepest, 3) + " m: wheel '" +
                          rover.facts.wheels[i].body + "' would start that far below the soil '" +
                          rover.soil + "'");
  } else {
    const Vec2 at = rover.position.empty() ? Vec2(X_WR.p.head<2>())
                                           : Vec2(rover.position[0], rover.position[1]);
    X_WR_start = stand_on(ground, wheels, at, rover.heading);
  }
  MechanismDef::InitialJoint initial;
  if (given != scene.initial.end()) initial = *given;
  initial.joint = rover.facts.free_joint;
  initial.place = rover.place;
  initial.position = {X_WR_start.p.x(), X_WR_start.p.y(), X_WR_start.p.z()};
  const Quat q(X_WR_start.R);
  initial.quaternion = {q.w(), q.x(), q.y(), q.z()};
  if (given != scene.initial.end())
    *given = initial;
  else
    scene.initial.push_back(initial);
}

}  // namespace

std::string drive_motor_name(const RoverWheel& wheel) {
  return wheel.body + "_drive";
}

std::string steering_motor_name(const RoverWheel& wheel) {
  return wheel.body + "_steering";
}

const ParameterTable<RoverMotorDef>& rover_motor_parameters() {
  using Def = RoverMotorDef;
  static const auto table =
      ParameterTable<Def>()
          .number("stiffness", &Def::stiffness, "Nm/rad", non_negative(),
                  "torque per angle that it lags behind; 0: from mass and size")
          .number("damping", &Def::damping, "Nms/rad", non_negative(),
                  "torque per speed that it lags behind; 0: from mass and size")
          .number("limit", &Def::limit, "Nm", non_negative(), "greatest torque; 0: none")
          .number("torque_constant", &Def::torque_constant, "Nm/A", non_negative(),
                  "torque per current, behind the gear; 0: not known")
          .number("current_limit", &Def::current_limit, "A", non_negative(),
                  "greatest current, with torque_constant and instead of limit; 0: none")
          .number("no_load_speed", &Def::no_load_speed, "rad/s", non_negative(),
                  "at which no torque is left to drive; 0: none");
  return table;
}

const ParameterTable<RoverDef>& rover_parameters() {
  using Def = RoverDef;
  static const auto table = [] {
    ParameterTable<Def> t;
    t.text("body", &Def::body, "the chassis: x forward, y left, z up; if empty the free body");
    add_names(t, "wheels", &Def::wheels, "bodies, with * for any letters", "*wheel*");
    t.text("soil", &Def::soil, "name of the [[soil]] under the wheels; if empty the only one");
    t.text("model", &Def::model,
           "of the contact with soil: scm, terra, bekker-janosi, bekker or rheological");
    add_table(t, "contact", &Def::contact, "further keys of that contact");
    add_table(t, "mesh", &Def::mesh, "of the wheels, about their y axis, as in a [[shape]]",
              "from the mechanism");
    t.number("radius", &Def::radius, "m", non_negative(), "of the wheels; 0: measured");
    t.number("width", &Def::width, "m", non_negative(), "of the wheels; 0: measured");
    add_names(t, "obstacles", &Def::obstacles,
              "convex shapes that wheels and chassis touch, with * for any letters",
              "all [[rocks]]");
    add_table(t, "obstacle_contact", &Def::obstacle_contact,
              "further keys of the convex contact with obstacles");
    t.boolean("chassis", &Def::chassis, "whether it touches obstacles, too");
    t.text("material", &Def::material,
           "name of the [[material]] of wheels and chassis; if empty a stiff one");
    t.custom(
        "position", "2 numbers [m]",
        [](const Value& v, Def& out, const std::string& path) {
          out.position = parameters_detail::read_numbers(v, path, 2, any_number());
        },
        "where the chassis is set down on the soil", false, "as in the mechanism");
    t.number("heading", &Def::heading, "rad", any_number(),
             "direction of its nose there, from x towards y");
    t.nested("drive", &Def::drive, rover_motor_parameters(), "motors that turn the wheels");
    t.nested("steering", &Def::steering, rover_motor_parameters(), "motors that steer them");
    t.nested("control", &Def::control, drive_settings_parameters(), "how it is driven");
    return t;
  }();
  return table;
}

void add_rover(const Value& document, Scene& scene) {
  const Value* table = document.find("rover");
  if (!table) {
    if (const Value* drive = document.find("drive"))
      throw InputError(drive->place(), "[[drive]] needs a [rover] that drives");
    return;
  }
  RoverDef& rover = scene.rover.emplace();
  rover.place = table->place();
  rover_parameters().read(*table, rover, "rover");
  rover.has_obstacles = table->find("obstacles") != nullptr;
  if (scene.mechanism.file.empty())
    throw InputError(rover.place, "[rover] needs a [mechanism] with a file");
  const MujocoModel model = load_mechanism_model(scene);
  rover.facts = find_rover(model, {rover.body, rover.wheels, rover.place});
  rover.notes = rover.facts.notes;
  rover.manoeuvres = read_drive(document, scene.folder);
  Builder builder{rover, scene, model.geoms};
  builder.find_soil();
  builder.find_obstacles();
  builder.add_wheel_shapes();
  builder.add_soil_contact();
  builder.add_obstacle_contact();
  builder.place();
  builder.add_motors();
}

}  // namespace grouser
