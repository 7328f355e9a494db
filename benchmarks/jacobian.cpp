// What the structured Jacobian saves on a rover with 20 degrees of freedom and six PCM contacts.
#include "benchmarks/side_by_side.h"
#include "grouser/run/simulation.h"
#include "grouser/run/system.h"

namespace {

using namespace grouser;

Scene rover(const std::string& method, const std::string& jacobian, const std::string& duration) {
  return load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml",
                    {"simulation.integrator=" + method, "simulation.jacobian=" + jacobian,
                     "simulation.duration=" + duration});
}

/// Wall time of a whole run.
double run(const std::string& method, const std::string& jacobian, RunSummary& summary) {
  Simulation sim(rover(method, jacobian, "1.0"));
  summary = sim.run();
  return summary.wall_seconds;
}

}  // namespace

int main() {
  print_header();

  // One Jacobian, with the rover standing on its wheels.
  Simulation sim(rover("bdf", "structured", "0.3"));
  sim.run();
  System& system = sim.system();
  VecX y(static_cast<Eigen::Index>(system.size()));
  y << sim.mechanism().positions(), sim.mechanism().velocities();
  const std::span<const double> state(y.data(), system.size());
  MatX J;
  VecX moved = y, rates(y.size());
  Contender structured{"one Jacobian, structured", {}},
      plain{"one Jacobian, one evaluation per state", {}};
  for (int round = 0; round < 15; ++round) {
    structured.seconds.push_back(time_of(20, [&] { system.jacobian(0.3, state, J); }));
    plain.seconds.push_back(time_of(3, [&] {
      for (Eigen::Index j = 0; j < y.size(); ++j) {
        moved[j] += 1e-8;
        system.rhs(0.3, {moved.data(), system.size()}, {rates.data(), system.size()});
        moved[j] = y[j];
      }
    }));
  }
  print_line(structured, structured);
  print_line(plain, structured);

  // Whole runs of one second.
  for (const std::string method : {"implicit-euler", "esdirk", "bdf"}) {
    Contender a{method + ", structured", {}}, b{method + ", plain", {}};
    RunSummary sa, sb;
    for (int round = 0; round < 3; ++round) {
      a.seconds.push_back(run(method, "structured", sa));
      b.seconds.push_back(run(method, "plain", sb));
    }
    print_line(a, a);
    print_line(b, a);
    std::printf(
        "    structured: %llu steps, %llu evaluations, %llu Jacobians; plain: %llu steps, "
        "%llu evaluations, %llu Jacobians\n",
        static_cast<unsigned long long>(sa.integrator.steps),
        static_cast<unsigned long long>(sa.integrator.evaluations),
        static_cast<unsigned long long>(sa.integrator.jacobians),
        static_cast<unsigned long long>(sb.integrator.steps),
        static_cast<unsigned long long>(sb.integrator.evaluations),
        static_cast<unsigned long long>(sb.integrator.jacobians));
  }
}
