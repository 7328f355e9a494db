// A motor: from a target and the state of its joint to a torque.
#pragma once

#include "grouser/mechanism/constraints.h"
#include "grouser/mechanism/held_input.h"
#include "grouser/mechanism/tree.h"

namespace grouser {

/// Where a joint shall be from a time on, until the next command: the speed changes linearly, the
/// position is its integral.
struct MotorCommand {
  double time = 0.0;
  double position = 0.0;      ///< [rad] or [m]
  double speed = 0.0;         ///< [rad/s] or [m/s]
  double acceleration = 0.0;  ///< [rad/s^2] or [m/s^2]

  void archive(Archive& a) { a(time, position, speed, acceleration); }
};

/// What a motor was told while it runs. An input counts before a command, a command before the
/// target of the definition.
struct MotorOrder {
  const MotorCommand* command = nullptr;
  const HeldInput* input = nullptr;
};

class Motor {
 public:
  /// Throws InputError if the definition contradicts itself.
  Motor(MotorDef def, const Joint& joint);

  const MotorDef& def() const { return def_; }
  std::size_t q() const { return q_; }  ///< coordinates of the joint
  std::size_t v() const { return v_; }
  bool rotary() const { return rotary_; }

  /// Where the joint is at time 0.
  void set_start(double position) { start_ = position; }
  /// Throws RunError under torque control, which knows no positions and speeds.
  void check_command() const;

  struct Target {
    double position = 0.0, speed = 0.0, torque = 0.0;
  };
  Target target(double time, const MotorOrder& order) const;
  /// Of the target, what is controlled: position, speed or torque.
  double controlled(const Target& target) const;
  /// The unit of that.
  std::string unit() const;

  /// The torque at a state [Nm] or [N].
  double torque(double time, double q, double v, const MotorOrder& order = {}) const;

  /// The torque at the end of a step, which depends on the acceleration a during it.
  struct StepTorque {
    double rest = 0.0;   ///< for a = 0
    double slope = 0.0;  ///< what it loses per a; not negative
    double at(double a) const { return rest - slope * a; }
  };
  /// The gains at time + h, q + h (v + h a) and v + h a, whatever the limits.
  StepTorque step_torque(double time, double h, double q, double v, const MotorOrder& order) const;
  /// The greatest torque at v + h a; for the opposite direction the least.
  StepTorque step_limit(double h, double v, bool forwards) const;

 private:
  double limit(double v, bool forwards) const;

  MotorDef def_;
  std::size_t q_, v_;
  bool rotary_;
  double start_ = 0.0;
};

}  // namespace grouser
