#include "grouser/mechanism/motor.h"

#include <algorithm>

#include "grouser/base/assert.h"

namespace grouser {

Motor::Motor(MotorDef def, const Joint& joint)
    : def_(std::move(def)), q_(joint.q), v_(joint.v), rotary_(joint.kind == JointKind::hinge) {
  const MotorDef defaults;
  const std::string who = "motor '" + def_.name + "'";
  if (def_.current_limit != defaults.current_limit) {
    if (def_.limit != defaults.limit)
      throw InputError(def_.place, who + ": give limit or current_limit, not both");
    if (!(def_.torque_constant > 0.0))
      throw InputError(def_.place, who + ": current_limit needs torque_constant");
    def_.limit = def_.torque_constant * def_.current_limit;
  }
  if (def_.no_load_speed != defaults.no_load_speed && def_.limit == defaults.limit)
    throw InputError(def_.place, who + ": no_load_speed needs limit, or current_limit");
  GROUSER_ASSERT(joint.scalar() && def_.limit >= 0.0 && def_.no_load_speed > 0.0);
}

void Motor::check_command() const {
  if (def_.control == MotorDef::Control::torque)
    throw RunError("motor '" + def_.name +
                   "' is controlled by torque and cannot follow a position or speed");
}

Motor::Target Motor::target(double time, const MotorOrder& order) const {
  if (order.input) {
    const HeldInput& held = *order.input;
    switch (def_.control) {
      case MotorDef::Control::position:
        return {held.value, 0.0, 0.0};
      case MotorDef::Control::speed:
        return {held.position + (time - held.since) * held.value, held.value, 0.0};
      default:
        return {0.0, 0.0, held.value};
    }
  }
  if (order.command) {
    const MotorCommand& command = *order.command;
    const double t = time - command.time;
    return {command.position + t * (command.speed + 0.5 * t * command.acceleration),
            command.speed + t * command.acceleration, 0.0};
  }
  const SignalValue signal = def_.target.at(time);
  switch (def_.control) {
    case MotorDef::Control::position:
      return {signal.value, signal.rate, 0.0};
    case MotorDef::Control::speed:
      return {def_.stiffness > 0.0 ? start_ + def_.target.integral(time) : 0.0, signal.value, 0.0};
    default:
      return {0.0, 0.0, signal.value};
  }
}

double Motor::controlled(const Target& target) const {
  switch (def_.control) {
    case MotorDef::Control::position:
      return target.position;
    case MotorDef::Control::speed:
      return target.speed;
    default:
      return target.torque;
  }
}

std::string Motor::unit() const {
  switch (def_.control) {
    case MotorDef::Control::position:
      return rotary_ ? "rad" : "m";
    case MotorDef::Control::speed:
      return rotary_ ? "rad/s" : "m/s";
    default:
      return rotary_ ? "Nm" : "N";
  }
}

/// Of the torque forwards, positive, or backwards, negative. Braking has all of it.
double Motor::limit(double v, bool forwards) const {
  if (def_.no_load_speed >= 1e300) return forwards ? def_.limit : -def_.limit;
  const double share = (forwards ? v : -v) / def_.no_load_speed;
  return (forwards ? def_.limit : -def_.limit) * std::clamp(1.0 - share, 0.0, 1.0);
}

double Motor::torque(double time, double q, double v, const MotorOrder& order) const {
  const Target to = target(time, order);
  double torque = to.torque;
  if (def_.control != MotorDef::Control::torque)
    torque = def_.stiffness * (to.position - q) + def_.damping * (to.speed - v);
  return std::clamp(torque, limit(v, false), limit(v, true));
}

Motor::StepTorque Motor::step_torque(double time, double h, double q, double v,
                                     const MotorOrder& order) const {
  GROUSER_ASSERT(h > 0.0);
  const Target to = target(time + h, order);
  if (def_.control == MotorDef::Control::torque) return {to.torque, 0.0};
  return {def_.stiffness * (to.position - q - h * v) + def_.damping * (to.speed - v),
          h * (h * def_.stiffness + def_.damping)};
}

Motor::StepTorque Motor::step_limit(double h, double v, bool forwards) const {
  const double speed = forwards ? v : -v;
  const bool falls = speed > 0.0 && speed < def_.no_load_speed;
  return {limit(v, forwards), falls ? h * def_.limit / def_.no_load_speed : 0.0};
}

}  // namespace grouser
