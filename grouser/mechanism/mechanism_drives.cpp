// What drives a mechanism: its motors, the step that takes them implicitly, channels of a
// recording.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism.h"

namespace grouser {
namespace {

Eigen::Index to_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// Rounds in which motors reach and leave their limits. Torques fall with the acceleration, so
// nearly always the second round confirms the first.
constexpr int kRounds = 6;

}  // namespace

void Mechanism::add_motors(std::vector<MotorDef>& defs) {
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
  torques_.assign(motors_.size(), 0.0);
  motor_steps_.resize(motors_.size());
}

std::size_t Mechanism::motor(const std::string& name, const Place& place,
                             const std::string& key) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    if (motors_[i].def().name == name) return i;
    names.push_back(motors_[i].def().name);
  }
  throw InputError(place, key + ": there is no motor '" + name + "'" + suggestion(name, names));
}

void Mechanism::command_motor(std::size_t motor, const MotorCommand& command) {
  GROUSER_ASSERT(motor < motors_.size() && std::isfinite(command.position));
  motors_[motor].command(command);
}

double Mechanism::motor_position(std::size_t motor) const {
  return q_[to_index(motors_[motor].q())];
}

double Mechanism::motor_speed(std::size_t motor) const {
  return v_[to_index(motors_[motor].v())];
}

double Mechanism::torque_of(const Motor& motor) const {
  return motor.torque(time_, q_[to_index(motor.q())], v_[to_index(motor.v())]);
}

/// Torques at the end of a step as functions of the acceleration.
void Mechanism::prepare_motors(double h) {
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    const double q = motor_position(i), v = motor_speed(i);
    MotorStep& step = motor_steps_[i];
    step.gains = motors_[i].step_torque(time_, h, q, v);
    step.least = motors_[i].step_limit(h, v, false);
    step.most = motors_[i].step_limit(h, v, true);
  }
}

/// Motors that are at a limit under accelerations a, and their torques. False: none has changed.
bool Mechanism::sort_motors(std::span<const double> a) {
  bool changed = false;
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    MotorStep& step = motor_steps_[i];
    const double x = a[motors_[i].v()];
    const double wanted = step.gains.at(x), least = step.least.at(x), most = step.most.at(x);
    const int side = wanted > most ? 1 : wanted < least ? -1 : 0;
    torques_[i] = step.torque().at(x);
    changed = changed || side != step.side;
    step.side = side;
  }
  return changed;
}

void Mechanism::step_accelerations(double h, std::span<const Wrench> wrenches,
                                   std::span<double> a) {
  GROUSER_ASSERT(h > 0.0 && a.size() == nv_);
  passive_forces(wrenches);
  passive_.array() -= h * stiffness_.array() * v_.array();  // springs at q + h v
  prepare_motors(h);
  for (int round = 0; round < kRounds; ++round) {
    step_diagonal_ = h * (damping_ + h * stiffness_);
    shares_.motors.setZero();
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const Eigen::Index v = to_index(motors_[i].v());
      step_diagonal_[v] += motor_steps_[i].torque().slope;
      shares_.motors[v] += motor_steps_[i].torque().rest;
    }
    set_diagonal(step_diagonal_);
    solve_accelerations(a);
    if (!sort_motors(a)) break;
  }
  // What acted at the end of the step.
  shares_.motors.setZero();
  for (std::size_t i = 0; i < motors_.size(); ++i)
    shares_.motors[to_index(motors_[i].v())] += torques_[i];
  const Eigen::Map<const VecX> mean(a.data(), to_index(nv_));
  shares_.dampers.array() -= h * damping_.array() * mean.array();
}

void Mechanism::set_diagonal(const VecX& diagonal) {
  GROUSER_ASSERT(diagonal.size() == to_index(nv_));
  if (diagonal == diagonal_) return;
  diagonal_ = diagonal;
  schur_ready_ = false;
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->set_diagonal({diagonal_.data() + tree_v_[i], trees_[i]->nv()});
}

std::vector<Mechanism::DriveChannel> Mechanism::drive_channels() const {
  std::vector<DriveChannel> out;
  for (const Motor& motor : motors_) {
    const std::string path = "motors/" + motor.def().name + "/";
    out.push_back({path + "effort", motor.rotary() ? "Nm" : "N", "torque or force of the motor"});
    out.push_back({path + "power", "W", "of the motor on its joint"});
    if (motor.def().torque_constant > 0.0)
      out.push_back({path + "current", "A", "effort by torque constant"});
  }
  append_force_channels(out);
  for (const CouplingDef& coupling : couplings_)
    out.push_back({"couplings/" + coupling.name + "/effort", "", "multiplier of the coupling"});
  for (const PrescribedJointDef& p : prescribed_)
    out.push_back({"prescribed/" + p.joint + "/effort", "",
                   "torque or force that makes the joint follow its signal"});
  for (const Loop& loop : loops_)
    for (const char* axis : {"x", "y", "z"})
      out.push_back({"loops/" + loop.def.name + "/force_" + axis, "N", "on body_a, in the world"});
  return out;
}

void Mechanism::drive_values(std::span<double> out) const {
  std::size_t i = 0;
  for (std::size_t m = 0; m < motors_.size(); ++m) {
    out[i++] = torques_[m];
    out[i++] = torques_[m] * motor_speed(m);
    if (const double constant = motors_[m].def().torque_constant; constant > 0.0)
      out[i++] = torques_[m] / constant;
  }
  i += force_values(out.subspan(i));
  for (std::size_t r = 0; r < rows_.size(); ++r) out[i++] = forces_[to_index(r)];
  for (const Loop& loop : loops_)
    for (Eigen::Index k = 0; k < 3; ++k) out[i++] = forces_[loop.row + k];
  GROUSER_ASSERT(i == out.size());
}

}  // namespace grouser
