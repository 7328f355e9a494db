// What a host tells a mechanism while it runs: commands and inputs, set, kept and brought back.
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {
void Mechanism::command_motor(std::size_t motor, const MotorCommand& command) {
  GROUSER_ASSERT(motor < motor_count() && std::isfinite(command.position));
  model_->motors_[motor].check_command();
  commands_.motors[motor] = command;
}

MotorOrder Mechanism::order_of(std::size_t motor) const {
  const std::optional<MotorCommand>& command = commands_.motors[motor];
  const std::optional<HeldInput>& input = commands_.inputs[model_->first_motor_input_ + motor];
  return {command ? &*command : nullptr, input ? &*input : nullptr};
}

AppliedForce::Held Mechanism::held_of(std::size_t force) const {
  return AppliedForce::Held(&commands_.inputs[model_->first_force_input_ + 6 * force], 6);
}

/// Of the state set; before there is one, the start.
double Mechanism::time_now() const {
  return std::isnan(time_) ? 0.0 : time_;
}

double Mechanism::input_value(std::size_t i) const {
  GROUSER_ASSERT(i < commands_.inputs.size());
  if (commands_.inputs[i]) return commands_.inputs[i]->value;
  const MechanismModel& m = *model_;
  if (i < m.first_motor_input_)
    return trees_.empty() ? 0.0 : trees_[0]->gravity()[static_cast<Eigen::Index>(i)];
  if (i < m.first_force_input_) {
    const std::size_t motor = i - m.first_motor_input_;
    return m.motors_[motor].controlled(m.motors_[motor].target(time_now(), order_of(motor)));
  }
  if (i < m.first_body_input_) {
    const std::size_t component = i - m.first_force_input_;
    const ForceDef& def = m.applied_[component / 6].def();
    const std::size_t k = component % 6;
    return (k < 3 ? def.force[k] : def.torque[k - 3]).at(time_now()).value;
  }
  return 0.0;
}

void Mechanism::set_input(std::size_t i, double value) {
  GROUSER_ASSERT(i < commands_.inputs.size());
  const MechanismModel& m = *model_;
  if (!std::isfinite(value))
    throw InputError("input '" + m.inputs_[i].name + "' must be finite, is " + to_text(value));
  HeldInput held{value};
  if (i >= m.first_motor_input_ && i < m.first_force_input_) {
    const std::size_t motor = i - m.first_motor_input_;
    held.since = time_now();
    held.position = m.motors_[motor].target(held.since, order_of(motor)).position;
  }
  commands_.inputs[i] = held;
  apply_inputs();
}

void Mechanism::release_input(std::size_t i) {
  GROUSER_ASSERT(i < commands_.inputs.size());
  commands_.inputs[i].reset();
  apply_inputs();
}

/// What is not looked up where it is needed: gravity of the trees, wrenches on bodies.
void Mechanism::apply_inputs() {
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    Vec3 gravity = model_->trees_[t]->gravity();
    for (std::size_t k = 0; k < 3; ++k)
      if (commands_.inputs[k]) gravity[static_cast<Eigen::Index>(k)] = commands_.inputs[k]->value;
    trees_[t]->set_gravity(gravity);
  }
  pushes_.clear();
  const std::span<const std::optional<HeldInput>> inputs =
      std::span(commands_.inputs).subspan(model_->first_body_input_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    pushes_.resize(model_->pushed_.size());
    const auto k = static_cast<Eigen::Index>(i % 6);
    Wrench& push = pushes_[i / 6];
    (k < 3 ? push.force[k] : push.torque[k - 3]) = inputs[i]->value;
  }
}

void Mechanism::set_commands(const MechanismCommands& commands) {
  GROUSER_ASSERT(commands.motors.size() == commands_.motors.size() &&
                 commands.inputs.size() == commands_.inputs.size());
  commands_ = commands;
  apply_inputs();
}

void Mechanism::forget_commands() {
  commands_.motors.assign(commands_.motors.size(), std::nullopt);
  commands_.inputs.assign(commands_.inputs.size(), std::nullopt);
  apply_inputs();
}

void Mechanism::archive(Archive& a) {
  MechanismCommands commands = commands_;
  a(commands.motors, commands.inputs);
  if (commands.motors.size() != commands_.motors.size() ||
      commands.inputs.size() != commands_.inputs.size())
    throw InputError("commands of another mechanism");
  if (a.reading()) set_commands(commands);
}

}  // namespace grouser
