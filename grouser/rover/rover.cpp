#include "grouser/rover/rover.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "grouser/base/text.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/rover/rover_placement.h"
#include "grouser/rover/rover_wheels.h"

namespace grouser {
namespace {

template <class T>
void add_names(ParameterTable<T>& table, std::string key,
               std::type_identity_t<std::vector<std::string> T::*> member, std::string meaning,
               std::string default_text) {
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
void add_table(ParameterTable<T>& table, std::string key, std::type_identity_t<Value T::*> member,
               std::string meaning, std::string default_text = "none") {
  table.custom(
      std::move(key), "table",
      [member](const Value& v, T& out, const std::string& path) {
        v.table_or_throw(path);
        out.*member = v;
      },
      std::move(meaning), false, std::move(default_text));
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

void add_motors(const RoverDef& rover, RoverSite& site) {
  // A wheel gives way by a hundredth of a radian when it pulls as much as it carries, and answers
  // without ringing. In weak gravity what counts is the rover's inertia, so 1 m/s^2 at least.
  const auto count = static_cast<double>(rover.facts.wheels.size());
  const double g = std::max(1.0, site.gravity.norm());
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
    site.motors.push_back(motor);
    if (wheel.steering_joint.empty()) continue;
    motor = motor_of(rover.steering, steering, rover.place);
    motor.name = steering_motor_name(wheel);
    motor.joint = wheel.steering_joint;
    motor.control = MotorDef::Control::position;
    site.motors.push_back(motor);
  }
}

void set_on_soil(RoverDef& rover, RoverSite& site) {
  const std::unique_ptr<Mechanism> mechanism = site.build_mechanism();
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
    wheels.push_back({wheel.p_RC, X_RB.R * wheel.axis, rover.reach[i], wheel.width});
  }
  if (rover.soil.empty()) return;
  const ShapeTable table({}, {}, site.contact.soils);
  const SoilGroundDef& soil = soil_of(table, rover.soil, rover.place, "rover.soil");
  const auto given =
      std::find_if(site.initial.begin(), site.initial.end(),
                   [&](const auto& initial) { return initial.joint == rover.facts.free_joint; });
  const bool is_placed =
      given != site.initial.end() && (!given->position.empty() || !given->quaternion.empty());
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
  if (given != site.initial.end()) initial = *given;
  initial.joint = rover.facts.free_joint;
  initial.place = rover.place;
  initial.position = {X_WR_start.p.x(), X_WR_start.p.y(), X_WR_start.p.z()};
  const Quat q(X_WR_start.R);
  initial.quaternion = {q.w(), q.x(), q.y(), q.z()};
  if (given != site.initial.end())
    *given = initial;
  else
    site.initial.push_back(initial);
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
    t.text("model", &Def::model, "of the contact with soil: scm or one of the wheel models");
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

std::optional<RoverDef> read_rover(const Value& document) {
  const Value* table = document.find("rover");
  if (!table) {
    if (const Value* drive = document.find("drive"))
      throw InputError(drive->place(), "[[drive]] needs a [rover] that drives");
    return std::nullopt;
  }
  RoverDef rover;
  rover.place = table->place();
  rover_parameters().read(*table, rover, "rover");
  rover.has_obstacles = table->find("obstacles") != nullptr;
  return rover;
}

void add_rover(const Value& document, const MujocoModel& model, RoverDef& rover, RoverSite site) {
  rover.facts = find_rover(model, {rover.body, rover.wheels, rover.place});
  rover.notes = rover.facts.notes;
  rover.manoeuvres = read_drive(document, site.folder);
  add_rover_contacts(rover, {site.contact, site.rocks, model.geoms, site.euler_step, site.folder});
  set_on_soil(rover, site);
  add_motors(rover, site);
}

}  // namespace grouser
