// What drives a mechanism, in its model: motors, external forces, and inputs that a host may set.
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism_model.h"

namespace grouser {

void MechanismModel::add_motors(std::vector<MotorDef>& defs) {
  const auto add = [&](MotorDef def, const Joint& joint) {
    for (const Motor& other : motors_)
      if (other.def().name == def.name)
        throw InputError(def.place, "two motors are named '" + def.name + "'");
    motors_.emplace_back(std::move(def), joint);
  };
  for (const MotorDef& def : defs) {
    if (def.joints.empty()) add(def, scalar_joint(def.joint, def.place, "motor.joint"));
    for (const std::string& pattern : def.joints) {
      std::vector<std::string> known;
      bool found = false;
      for (const Joint& joint : joints_) {
        if (!joint.scalar()) continue;
        known.push_back(joint.name);
        if (!matches_pattern(pattern, joint.name)) continue;
        MotorDef one = def;
        one.name = one.joint = joint.name;
        add(std::move(one), joint);
        found = true;
      }
      if (!found)
        throw InputError(def.place, "motor.joints: '" + pattern + "' fits no hinge or slide" +
                                        suggestion(pattern, known));
    }
  }
}

std::size_t MechanismModel::motor(const std::string& name, const Place& place,
                                  const std::string& key) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    if (motors_[i].def().name == name) return i;
    names.push_back(motors_[i].def().name);
  }
  throw InputError(place, key + ": there is no motor '" + name + "'" + suggestion(name, names));
}

void MechanismModel::add_forces(std::vector<ForceDef>& defs) {
  for (ForceDef& def : defs) {
    const int b = body(def.body, def.place, "force.body");
    const auto refuse = [&](const std::string& why) {
      throw InputError(def.place, "force.body: '" + def.body + "' " + why);
    };
    if (places_[static_cast<std::size_t>(b)].moving >= 0)
      refuse("is a [[moving_body]] and moves as told, whatever pushes it");
    if (body_parts_[static_cast<std::size_t>(b)] < 0) refuse("cannot move");
    for (const AppliedForce& other : applied_)
      if (other.def().name == def.name)
        throw InputError(def.place, "two forces are named '" + def.name + "'");
    applied_.emplace_back(std::move(def), b);
  }
}

void MechanismModel::add_inputs() {
  const auto add_wrench = [&](const std::string& path, const std::string& meaning) {
    for (const char* axis : {"x", "y", "z"})
      inputs_.push_back({path + "force_" + axis, "N", "component of the force " + meaning});
    for (const char* axis : {"x", "y", "z"})
      inputs_.push_back({path + "torque_" + axis, "Nm", "component of the torque " + meaning});
  };
  for (const char* axis : {"x", "y", "z"})
    inputs_.push_back({std::string("gravity/") + axis, "m/s^2", "of all bodies, in the world"});
  first_motor_input_ = inputs_.size();
  for (const Motor& motor : motors_)
    inputs_.push_back({"motors/" + motor.def().name + "/target", motor.unit(),
                       "instead of the motor's target and commands"});
  first_force_input_ = inputs_.size();
  for (const AppliedForce& force : applied_)
    add_wrench("forces/" + force.def().name + "/",
               "on body '" + force.def().body + "', instead of its signal");
  first_body_input_ = inputs_.size();
  for (std::size_t b = 0; b < places_.size(); ++b) {
    if (places_[b].tree < 0 || body_parts_[b] < 0 || !(masses_[b].mass > 0.0)) continue;
    pushed_.push_back(static_cast<int>(b));
    add_wrench("bodies/" + body_names_[b] + "/",
               "about the origin of the body, in the world, besides all else");
  }
}

std::size_t MechanismModel::input(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].name == name) return i;
    names.push_back(inputs_[i].name);
  }
  throw InputError("there is no input '" + name + "'" + suggestion(name, names));
}

}  // namespace grouser
