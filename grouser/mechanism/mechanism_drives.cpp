// What drives a mechanism: its motors, the step that takes them implicitly, channels of a
// recording.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {

using mechanism_detail::to_index;

namespace {

// Rounds in which motors reach and leave their limits. Torques fall with the acceleration, so
// nearly always the second round confirms the first.
constexpr int kRounds = 6;

}  // namespace

double Mechanism::motor_position(std::size_t motor) const {
  return q_[to_index(model_->motors_[motor].q())];
}

double Mechanism::motor_speed(std::size_t motor) const {
  return v_[to_index(model_->motors_[motor].v())];
}

double Mechanism::torque_of(std::size_t motor) const {
  return model_->motors_[motor].torque(time_, motor_position(motor), motor_speed(motor),
                                       order_of(motor));
}

/// Torques at the end of a step as functions of the acceleration.
void Mechanism::prepare_motors(double h) {
  for (std::size_t i = 0; i < model_->motors_.size(); ++i) {
    const double q = motor_position(i), v = motor_speed(i);
    MotorStep& step = motor_steps_[i];
    step.gains = model_->motors_[i].step_torque(time_, h, q, v, order_of(i));
    step.least = model_->motors_[i].step_limit(h, v, false);
    step.most = model_->motors_[i].step_limit(h, v, true);
    step.side = 0;  // what the gains ask for is tried first, whatever was before
  }
}

/// Motors that are at a limit under accelerations a, and their torques. False: none has changed.
bool Mechanism::sort_motors(std::span<const double> a) {
  bool changed = false;
  for (std::size_t i = 0; i < model_->motors_.size(); ++i) {
    MotorStep& step = motor_steps_[i];
    const double x = a[model_->motors_[i].v()];
    const int side = step.side_at(x);
    torques_[i] = step.torque().at(x);
    changed = changed || side != step.side;
    step.side = side;
  }
  return changed;
}

void Mechanism::step_accelerations(double h, std::span<const Wrench> wrenches,
                                   std::span<double> a) {
  GROUSER_ASSERT(h > 0.0 && a.size() == model_->nv_);
  passive_forces(wrenches);
  passive_.array() -= h * model_->stiffness_.array() * v_.array();  // springs at q + h v
  prepare_motors(h);
  for (int round = 0; round < kRounds; ++round) {
    step_diagonal_ = h * (model_->damping_ + h * model_->stiffness_);
    shares_.motors.setZero();
    for (std::size_t i = 0; i < model_->motors_.size(); ++i) {
      const Eigen::Index v = to_index(model_->motors_[i].v());
      step_diagonal_[v] += motor_steps_[i].torque().slope;
      shares_.motors[v] += motor_steps_[i].torque().rest;
    }
    set_diagonal(step_diagonal_);
    solve_accelerations(a);
    if (!sort_motors(a)) break;
  }
  // What acted at the end of the step.
  shares_.motors.setZero();
  for (std::size_t i = 0; i < model_->motors_.size(); ++i)
    shares_.motors[to_index(model_->motors_[i].v())] += torques_[i];
  const Eigen::Map<const VecX> mean(a.data(), to_index(model_->nv_));
  shares_.dampers.array() -= h * model_->damping_.array() * mean.array();
}

void Mechanism::set_diagonal(const VecX& diagonal) {
  GROUSER_ASSERT(diagonal.size() == to_index(model_->nv_));
  if (diagonal == diagonal_) return;
  diagonal_ = diagonal;
  schur_ready_ = false;
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->set_diagonal({diagonal_.data() + model_->tree_v_[i], trees_[i]->nv()});
}

std::vector<Mechanism::DriveChannel> Mechanism::drive_channels() const {
  std::vector<DriveChannel> out;
  for (const Motor& motor : model_->motors_) {
    const std::string path = "motors/" + motor.def().name + "/";
    out.push_back({path + "effort", motor.rotary() ? "Nm" : "N", "torque or force of the motor"});
    out.push_back({path + "power", "W", "of the motor on its joint"});
    if (motor.def().torque_constant > 0.0)
      out.push_back({path + "current", "A", "effort by torque constant"});
  }
  append_force_channels(out);
  for (const CouplingDef& coupling : model_->couplings_)
    out.push_back({"couplings/" + coupling.name + "/effort", "", "multiplier of the coupling"});
  for (const PrescribedJointDef& p : model_->prescribed_)
    out.push_back({"prescribed/" + p.joint + "/effort", "",
                   "torque or force that makes the joint follow its signal"});
  for (const Loop& loop : model_->loops_)
    for (const char* axis : {"x", "y", "z"})
      out.push_back({"loops/" + loop.def.name + "/force_" + axis, "N", "on body_a, in the world"});
  return out;
}

void Mechanism::drive_values(std::span<double> out) const {
  std::size_t i = 0;
  for (std::size_t m = 0; m < model_->motors_.size(); ++m) {
    out[i++] = torques_[m];
    out[i++] = torques_[m] * motor_speed(m);
    if (const double constant = model_->motors_[m].def().torque_constant; constant > 0.0)
      out[i++] = torques_[m] / constant;
  }
  i += force_values(out.subspan(i));
  for (std::size_t r = 0; r < model_->rows_.size(); ++r) out[i++] = forces_[to_index(r)];
  for (const Loop& loop : model_->loops_)
    for (Eigen::Index k = 0; k < 3; ++k) out[i++] = forces_[loop.row + k];
  GROUSER_ASSERT(i == out.size());
}

}  // namespace grouser
