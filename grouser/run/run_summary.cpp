#include "grouser/run/run_summary.h"

#include "grouser/base/text.h"

namespace grouser {

TextPairs RunSummary::text() const {
  TextPairs out;
  const auto number = [](double x) { return grouser::to_text(x, 4); };
  const auto count = [](std::uint64_t x) { return std::to_string(x); };
  out.emplace_back("simulated time [s]", number(time));
  out.emplace_back("wall time [s]", number(wall_seconds));
  out.emplace_back("real-time factor", number(wall_seconds > 0.0 ? time / wall_seconds : 0.0));
  out.emplace_back("samples", count(samples));
  out.emplace_back("steps", count(integrator.steps));
  out.emplace_back("rejected steps", count(integrator.rejected));
  out.emplace_back("convergence failures", count(integrator.convergence_failures));
  out.emplace_back("evaluations", count(integrator.evaluations));
  out.emplace_back("Jacobians", count(integrator.jacobians));
  out.emplace_back("restarts at events", count(integrator.restarts));
  out.emplace_back("smallest step [s]", number(integrator.smallest_step));
  out.emplace_back("largest step [s]", number(integrator.largest_step));
  out.emplace_back("time in contact [s]", number(seconds.contact));
  out.emplace_back("time in mechanism [s]", number(seconds.mechanism));
  out.emplace_back("time in Jacobians [s]", number(seconds.jacobian));
  out.emplace_back("time in integrator [s]", number(seconds.integrator));
  out.emplace_back("time in recording [s]", number(seconds.recording));
  out.emplace_back("energy gained [J]", number(energy.kinetic + energy.potential));
  out.emplace_back("work of motors [J]", number(energy.work.motors));
  out.emplace_back("work of contacts [J]", number(energy.work.contacts));
  out.emplace_back("work of joint dampers [J]", number(energy.work.joints));
  out.emplace_back("work of prescribed motion [J]", number(energy.work.prescribed));
  out.emplace_back("work of external forces [J]", number(energy.work.forces));
  out.emplace_back("energy error [J]", number(energy.error));
  out.emplace_back("energy error [% of flow]",
                   number(energy.flow > 0.0 ? 100.0 * energy.error / energy.flow : 0.0));
  out.insert(out.end(), rover.begin(), rover.end());
  for (const Contact& contact : contacts)
    out.emplace_back("greatest penetration of " + contact.name + " [m]",
                     number(contact.greatest_penetration));
  for (const Contact& contact : contacts)
    if (contact.greatest_softening > 1.0)
      out.emplace_back("greatest softening of " + contact.name + " by the step",
                       number(contact.greatest_softening));
  return out;
}

}  // namespace grouser
