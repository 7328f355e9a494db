// What a host sets and reads.
#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/rover/rover_run.h"
#include "grouser/run/simulation_model.h"
#include "grouser/run/system.h"

namespace grouser {
namespace {

std::size_t number_of(std::span<const ReportChannel> channels, const std::string& name,
                      const char* what) {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return i;
  std::vector<std::string> names;
  for (const ReportChannel& channel : channels) names.push_back(channel.name);
  throw InputError("there is no " + std::string(what) + " '" + name + "'" +
                   suggestion(name, names));
}

/// The numbers of a motion, in the order of the driver's inputs.
double& part_of(PlanarMotion& motion, std::size_t i) {
  return i == 0 ? motion.forward : i == 1 ? motion.left : motion.yaw_rate;
}

}  // namespace

std::span<const ReportChannel> Simulation::inputs() const {
  return model_->inputs;
}

std::size_t Simulation::input(const std::string& name) const {
  return number_of(inputs(), name, "input");
}

double Simulation::input_value(std::size_t input) const {
  const std::size_t first = model_->mechanism_inputs;
  if (input < first) return mechanism_->input_value(input);
  PlanarMotion motion = rover_->driver().host_command().value_or(rover_->driver().commanded());
  return part_of(motion, input - first);
}

bool Simulation::is_set(std::size_t input) const {
  return mechanism_->commands().inputs[input].has_value();
}

void Simulation::set_input(std::size_t input, double value) {
  if (!std::isfinite(value))
    throw InputError("input '" + inputs()[input].name + "' must be a finite number");
  if (!begun_) begin();
  const std::size_t first = model_->mechanism_inputs;
  if (input >= first) {
    // The driver is asked when its period is over.
    PlanarMotion motion = rover_->driver().host_command().value_or(PlanarMotion{});
    part_of(motion, input - first) = value;
    rover_->driver().command(motion);
    return;
  }
  if (is_set(input) && mechanism_->input_value(input) == value) return;
  begin_anew();
  const double before = mechanism_->potential_energy();
  mechanism_->set_input(input, value);
  change_of_forces(before);
}

void Simulation::release_input(std::size_t input) {
  const std::size_t first = model_->mechanism_inputs;
  if (input >= first) {
    rover_->driver().release();
    return;
  }
  if (!is_set(input)) return;
  begin_anew();
  const double before = mechanism_->potential_energy();
  mechanism_->release_input(input);
  change_of_forces(before);
}

/// Other gravity is another potential energy, that nobody gained.
void Simulation::change_of_forces(double potential_before) {
  progress_.first_potential += mechanism_->potential_energy() - potential_before;
}

std::span<const ReportChannel> Simulation::outputs() const {
  return model_->outputs;
}

std::size_t Simulation::output(const std::string& name) const {
  return number_of(outputs(), name, "output");
}

double Simulation::output_value(std::size_t output) {
  return output_values()[output];
}

std::span<const double> Simulation::output_values() {
  if (!values_valid_) {
    if (!begun_) begin();
    if (progress_.open())
      integrator_->interpolate(progress_.time, state());
    else if (!progress_.anew)
      std::copy(integrator_->state().begin(), integrator_->state().end(), state().begin());
    fill_values(progress_.time, state(), false);
    values_valid_ = true;
  }
  return values_;
}

}  // namespace grouser
