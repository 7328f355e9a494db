// Drives of a rover with one wheel model after the other: how many times faster than real time, and
// where the time goes.
//
// rover [SCENE [MODELS [ROUNDS]]]: a scene with [rover], its models separated by commas. The
// models take turns, so that a noisy machine treats them alike.
#include <cstdlib>
#include <sstream>

#include "benchmarks/side_by_side.h"
#include "grouser/run/simulation.h"
#include "grouser/run/system.h"

namespace {

using namespace grouser;

/// Runs of the scene with one model.
struct Drive {
  std::string model;
  Contender wall;  // per second of simulated time
  RunSummary fastest;
};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) out.push_back(word);
  return out;
}

void run(const std::string& scene, Drive& drive) {
  std::vector<std::string> settings;
  if (!drive.model.empty()) settings.push_back("rover.model=" + drive.model);
  Simulation simulation(load_scene(scene, settings));
  const RunSummary summary = simulation.run();
  if (summary.status != RecordingStatus::complete) {
    std::fprintf(stderr, "%s\n", summary.message.c_str());
    std::exit(1);
  }
  const double seconds = summary.wall_seconds / summary.time;
  if (drive.wall.seconds.empty() || seconds < drive.wall.fastest()) drive.fastest = summary;
  drive.wall.seconds.push_back(seconds);
}

void print(const Drive& drive) {
  const RunSeconds& in = drive.fastest.seconds;
  const auto share = [&](double seconds) { return 100.0 * seconds / drive.fastest.wall_seconds; };
  const double step =
      drive.fastest.wall_seconds / static_cast<double>(drive.fastest.integrator.steps);
  std::printf("%-16s %9.1f x %9.1f x %9.2f us %8.1f %% %8.1f %% %8.1f %% %8.1f %%\n",
              drive.model.empty() ? "as the scene says" : drive.model.c_str(),
              1.0 / drive.wall.fastest(), 1.0 / drive.wall.median(), 1e6 * step, share(in.contact),
              share(in.mechanism), share(in.integrator + in.jacobian), share(in.recording));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scene =
      argc > 1 ? argv[1] : std::string(GROUSER_SCENES) + "/rovers/benchmark.toml";
  std::vector<Drive> drives;
  for (const std::string& model : words(argc > 2 ? argv[2] : "scm,terra"))
    drives.push_back({model == "-" ? "" : model, {}, {}});
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  for (int round = 0; round < rounds; ++round)
    for (Drive& drive : drives) run(scene, drive);
  std::printf("%-16s %11s %11s %12s %10s %10s %10s %10s\n", "times real time", "fastest", "median",
              "per step", "contact", "mechanism", "integrator", "recording");
  for (const Drive& drive : drives) print(drive);
}
