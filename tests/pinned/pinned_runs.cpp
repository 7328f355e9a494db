#include "grouser/run/run_scene.h"
#include "grouser/run/simulation.h"
#include "tests/pinned/pinned_cases.h"
#include "tests/pinned/world_hash.h"
#include "tests/support/model_variants.h"

namespace grouser {

PinnedResult run_result(const PinnedCase& pinned, int threads) {
  std::vector<std::string> overrides = pinned.overrides;
  // Long enough for a touch, updates of soil and some way.
  for (const char* setting :
       {"simulation.duration=0.03", "simulation.step=1e-4", "simulation.output_interval=0.01"})
    overrides.push_back(setting);
  overrides.push_back("simulation.threads=" + std::to_string(threads));
  Simulation simulation(load_scene(test::model_scene(pinned.model), overrides));
  ContactWorld& world = simulation.world();

  PinnedResult result;
  const StartWatch watch(world);
  result.has_states = watch.has_states();
  result.has_memory = watch.has_memory();

  Hash hash;
  double largest = 0.0;
  RunOptions options;
  options.progress = [&](double time) {
    hash.add(time);
    for (const BodyKinematics& body : simulation.mechanism().kinematics()) add_body(hash, body);
    add_answers(hash, world);
    const std::vector<std::byte> saved = world_bytes(world);
    add_bytes(hash, saved);
    const double force = greatest_force(world);
    largest = std::max(largest, force);
    ++(force > 0.0 ? result.touching : result.apart);
    result.states_moved |= watch.states_moved(saved);
    result.memory_changed |= watch.memory_changed(saved);
    return true;
  };
  const RunSummary summary = simulation.run(options);
  if (summary.status != RecordingStatus::complete) result.failure = summary.message;
  hash.add(summary.state_hash);
  hash.add(summary.integrator.steps);
  result.hash = hash.digest();

  const Mechanism& mechanism = simulation.mechanism();
  const int first = mechanism.body(simulation.scene().bodies[0].name, {}, "body");
  const BodyKinematics& body = mechanism.kinematics()[static_cast<std::size_t>(first)];
  result.numbers = {largest, body.X_WB.p.norm(), body.V_WB.v.norm()};
  return result;
}

}  // namespace grouser
