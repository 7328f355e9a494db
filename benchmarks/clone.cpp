// Copies of contact worlds and mechanisms beside those that are built anew: time and memory of
// each, and of many.
//
// clone [COPIES]: how many copies of the rover's world are held at the same time, 4096 by default.
#include <malloc.h>

#include <cstdlib>

#include "benchmarks/side_by_side.h"
#include "grouser/run/simulation.h"
#include "grouser/run/system.h"

namespace {

using namespace grouser;

/// Bytes in use on the heap.
double heap() {
  const struct mallinfo2 now = mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd);
}

struct Case {
  const char* name;
  const char* scene;
  double driven;  ///< [s] before copies are made
  std::vector<std::string> settings = {};
};

void measure(const Case& of, std::size_t copies) {
  std::vector<std::string> settings = of.settings;
  settings.push_back("simulation.duration=" + std::to_string(of.driven));
  const Scene scene = load_scene(std::string(GROUSER_SCENES) + "/" + of.scene, settings);
  Simulation simulation(scene);
  simulation.run();
  ContactWorld& world = simulation.world();

  Contender rebuild{"rebuild", {}}, clone{"clone", {}}, snapshot{"snapshot", {}},
      write{"write", {}};
  double rebuilt_bytes = 0.0, cloned_bytes = 0.0, written_bytes = 0.0;
  for (int round = 0; round < 7; ++round) {
    double before = heap();
    rebuild.seconds.push_back(time_of(1, [&] {
      const ContactWorld built(scene.contact);
      rebuilt_bytes = heap() - before;
    }));
    constexpr std::size_t kFew = 64;
    std::vector<ContactWorld> kept;
    kept.reserve(kFew);
    before = heap();
    clone.seconds.push_back(time_of(1,
                                    [&] {
                                      for (std::size_t i = 0; i < kFew; ++i) kept.push_back(world);
                                    }) /
                            kFew);
    cloned_bytes = (heap() - before) / kFew;
    WorldSnapshot moment = world.snapshot();
    snapshot.seconds.push_back(time_of(1,
                                       [&] {
                                         for (std::size_t i = 0; i < kFew; ++i) {
                                           moment = world.snapshot();
                                           world.rewind(moment);
                                         }
                                       }) /
                               kFew);
    // The first step of a copy, in which it gets memory of its own.
    before = heap();
    const double time = of.driven;
    write.seconds.push_back(time_of(1, [&] {
      kept[0].evaluate(time);
      kept[0].commit(time);
      kept[0].update(kept[0].next_update() < 1e9 ? kept[0].next_update() : time);
    }));
    written_bytes = heap() - before;
  }
  std::printf("%-24s %10.1f us %8.2f MB %9.2f us %8.1f kB %9.2f us %9.1f us %8.1f kB %9.0f x\n",
              of.name, 1e6 * rebuild.fastest(), 1e-6 * rebuilt_bytes, 1e6 * clone.fastest(),
              1e-3 * cloned_bytes, 1e6 * snapshot.fastest(), 1e6 * write.fastest(),
              1e-3 * written_bytes, rebuild.fastest() / clone.fastest());
  if (copies == 0) return;
  const double before = heap();
  std::vector<ContactWorld> many(copies, world);
  std::printf("%-24s %zu copies: %.0f MB\n", "", copies, 1e-6 * (heap() - before));
}

/// Copies of a mechanism that has gone some way, beside one that is built from its file.
void measure_mechanism(const char* name, const Scene& scene) {
  MechanismExtras extras;
  Contender rebuild{"rebuild", {}}, clone{"clone", {}}, commands{"commands", {}};
  double rebuilt_bytes = 0.0, cloned_bytes = 0.0;
  constexpr std::size_t kFew = 64;
  for (int round = 0; round < 7; ++round) {
    double before = heap();
    rebuild.seconds.push_back(time_of(1, [&] {
      const std::unique_ptr<Mechanism> built = build_mechanism(scene, extras);
      rebuilt_bytes = heap() - before;
    }));
    const std::unique_ptr<Mechanism> mechanism = build_mechanism(scene, extras);
    const VecX &q = mechanism->initial_positions(), &v = mechanism->initial_velocities();
    std::vector<Wrench> wrenches(mechanism->body_names().size());
    std::vector<double> a(mechanism->nv());
    mechanism->set_state(0.0, {q.data(), mechanism->nq()}, {v.data(), mechanism->nv()});
    mechanism->accelerations(wrenches, a);
    std::vector<Mechanism> kept;
    kept.reserve(kFew);
    before = heap();
    const auto copy = [&] {
      for (std::size_t i = 0; i < kFew; ++i) kept.push_back(*mechanism);
    };
    clone.seconds.push_back(time_of(1, copy) / kFew);
    cloned_bytes = (heap() - before) / kFew;
    commands.seconds.push_back(time_of(1000, [&] {
      const MechanismCommands moment = mechanism->commands();
      mechanism->set_commands(moment);
    }));
  }
  std::printf("%-24s %10.1f us %8.2f MB %9.2f us %8.1f kB %9.2f us %35.0f x\n", name,
              1e6 * rebuild.fastest(), 1e-6 * rebuilt_bytes, 1e6 * clone.fastest(),
              1e-3 * cloned_bytes, 1e6 * commands.fastest(), rebuild.fastest() / clone.fastest());
}

/// Copies of a whole simulation, moments of it to go back to, and it as bytes.
void measure_simulation(const char* name, const Case& of) {
  const Scene scene = load_scene(std::string(GROUSER_SCENES) + "/" + of.scene, of.settings);
  Simulation simulation(scene);
  simulation.advance(of.driven);
  Contender rebuild{"rebuild", {}}, clone{"clone", {}}, snapshot{"snapshot", {}}, save{"save", {}};
  double rebuilt_bytes = 0.0, cloned_bytes = 0.0;
  std::size_t saved_bytes = 0;
  constexpr std::size_t kFew = 16;
  for (int round = 0; round < 7; ++round) {
    double before = heap();
    rebuild.seconds.push_back(time_of(1, [&] {
      const Simulation built(scene);
      rebuilt_bytes = heap() - before;
    }));
    std::vector<std::unique_ptr<Simulation>> kept;
    kept.reserve(kFew);
    before = heap();
    const auto copy = [&] {
      for (std::size_t i = 0; i < kFew; ++i)
        kept.push_back(std::make_unique<Simulation>(simulation));
    };
    clone.seconds.push_back(time_of(1, copy) / kFew);
    cloned_bytes = (heap() - before) / kFew;
    snapshot.seconds.push_back(time_of(kFew, [&] { simulation.rewind(simulation.snapshot()); }));
    save.seconds.push_back(time_of(1, [&] { saved_bytes = simulation.save().size(); }));
  }
  std::printf("%-24s %10.1f us %8.2f MB %9.2f us %8.1f kB %9.2f us %9.1f us %8.1f kB %9.0f x\n",
              name, 1e6 * rebuild.fastest(), 1e-6 * rebuilt_bytes, 1e6 * clone.fastest(),
              1e-3 * cloned_bytes, 1e6 * snapshot.fastest(), 1e6 * save.fastest(),
              1e-3 * static_cast<double>(saved_bytes), rebuild.fastest() / clone.fastest());
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t copies = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 4096;
  std::printf("%-24s %13s %11s %12s %11s %12s %12s %11s %11s\n", "", "rebuild", "", "clone", "",
              "snapshot", "first step", "", "gain");
  measure({"torus in torus", "torus_and_sphere.toml", 0.01}, 0);
  measure({"rover on soil", "rovers/benchmark.toml", 1.0, {"rover.model=scm"}}, copies);
  measure({"rover, terra", "rovers/benchmark.toml", 1.0, {"rover.model=terra"}}, copies);
  const auto mechanism = [](const char* name, const std::string& scene) {
    measure_mechanism(name, load_scene(std::string(GROUSER_SCENES) + "/" + scene));
  };
  mechanism("mechanism: rocker-bogie", "rover_on_plane.toml");
  mechanism("mechanism: two bodies", "torus_and_sphere.toml");
  std::printf("%-87s %9s %15s\n", "", "snapshot", "save");
  measure_simulation("simulation: rover, scm",
                     {"", "rovers/benchmark.toml", 1.0, {"rover.model=scm"}});
  measure_simulation("simulation: rover, terra",
                     {"", "rovers/benchmark.toml", 1.0, {"rover.model=terra"}});
}
