// One contact of a world, with all that belongs to it. Inside the contact room, for the world.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/contact/world.h"
#include "grouser/math/checks.h"

namespace grouser {

/// What a contact of a world remembers, and what it last answered.
struct ContactWorld::Contact {
  const ContactModelSet::Contact* of = nullptr;
  const ContactModel* model = nullptr;  // of `of`
  CopyOnWrite<ContactMemory> memory;
  std::span<const int> ports;              // bodies
  std::vector<BodyKinematics> kinematics;  // of the ports, as the model is asked
  std::vector<BodyMobility> mobilities;    // of the ports; empty: unknown
  std::vector<Wrench> wrenches;            // on the ports
  std::span<double> states;
  std::span<double> state_derivatives;
  // The same, of a perturbed evaluation; none before the first linearize().
  std::vector<Wrench> perturbed_wrenches;
  std::vector<double> perturbed_states;
  std::vector<double> perturbed_derivatives;
  double penetration = 0.0;  // in the last evaluation
  double greatest_penetration = 0.0;
  double softening = 1.0, greatest_softening = 1.0;  // see ContactOutput
  Status status = Status::ok;
  // Of a model that is evaluated in parts: a scratch and an answer each. A model with a clock is,
  // so that an update right after an evaluation can use what that one found.
  std::vector<Scratch> part_scratch;
  std::vector<const void*> part_answers;
  std::optional<double> evaluated;  // time of the answers, as long as they hold
  std::vector<BodyKinematics> evaluated_kinematics;

  bool in_parts() const { return !part_answers.empty(); }

  /// What every model promises of an answer: finite numbers, and wrenches that cancel. A host that
  /// diverges asks for things that no model can promise.
  bool is_sound(Status answer) const {
    constexpr double kMost = 1e6;  // [m], [m/s], [rad/s], and of states
    for (const BodyKinematics& body : kinematics)
      if (!(body.X_WB.p.norm() + body.V_WB.v.norm() + body.V_WB.w.norm() < kMost)) return true;
    for (const double state : states)
      if (!(std::abs(state) < kMost)) return true;
    if (answer == Status::impossible) return true;
    Wrench sum;  // about the origin of the first body
    double size = 0.0;
    for (std::size_t i = 0; i < wrenches.size(); ++i) {
      const Vec3 lever = kinematics[i].X_WB.p - kinematics[0].X_WB.p;
      sum += wrenches[i].moved_by(-lever);
      size += wrenches[i].torque.norm() + wrenches[i].force.norm() * (1.0 + lever.norm());
    }
    return penetration >= 0.0 && all_finite(state_derivatives) && std::isfinite(size) &&
           sum.force.norm() + sum.torque.norm() <= 1e-9 * size;
  }
};

}  // namespace grouser
