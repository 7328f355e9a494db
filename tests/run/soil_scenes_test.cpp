// Scenes with soil, run as users run them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "grouser/record/recording.h"
#include "grouser/run/simulation.h"
#include "grouser/soil/scm.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

std::string scene_file(const std::string& name) {
  return std::string(GROUSER_SCENES) + "/" + name + ".toml";
}

TEST(BoxOnSlope, ComesToRestAndStays) {
  Simulation simulation(load_scene(scene_file("box_on_slope")));
  double fastest = 0.0, least = 1e9, most = 0.0;
  RunOptions options;
  options.sample = [&](double t) {
    if (t < 7.0) return;
    const auto& mechanism = simulation.mechanism();
    const Twist& V = mechanism.kinematics()[1].V_WB;
    fastest = std::max({fastest, V.v.norm(), V.w.norm()});
    const double force = simulation.world().wrench(simulation.world().body("box")).force.norm();
    least = std::min(least, force);
    most = std::max(most, force);
  };
  const RunSummary summary = simulation.run(options);
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_LT(fastest, 1e-6);              // [m/s], [rad/s]
  EXPECT_LT(most - least, 1e-3 * most);  // no chattering force
}

TEST(SingleWheel, SinksAndSlipsAndItsRutIsRecorded) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("grouser-soil-" + std::to_string(::getpid()) + ".h5");
  Simulation simulation(load_scene(
      scene_file("single_wheel"),
      {"simulation.duration=3", "soil.0.spacing=0.01", "simulation.output_interval=0.1"}));
  RunOptions options;
  options.recording = path.string();
  const RunSummary summary = simulation.run(options);
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  {
    const Recording recording = open_recording(path.string());
    const std::string contact = "contacts/wheel_on_soil/";
    // Weight of arm and wheel: 100 N, of which damping on the slide takes nothing at rest.
    EXPECT_NEAR(recording.read_channel(contact + "normal_force", 14, 1)[0], 100.0, 2.0);
    EXPECT_GT(recording.read_channel(contact + "slip").back(), 0.6);  // of the rim with grousers
    EXPECT_GT(recording.read_channel(contact + "sinkage").back(), 0.005);
    ASSERT_EQ(recording.layout().soils.size(), 1u);
    const RecordingSoil& soil = recording.layout().soils[0];
    std::vector<double> heights = soil.heights;
    const std::vector<double> rows =
        recording.read_patch(soil.changes().path, 0, recording.sample_count());
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2)
      heights[static_cast<std::size_t>(rows[i])] = rows[i + 1];
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    EXPECT_LT(*low, -0.005);  // a rut
    EXPECT_GT(*high, 1e-4);   // and its banks
  }
  std::filesystem::remove(path);
}

TEST(SoilScenes, BekkerInLowGravityIsNoted) {
  const Scene scene = load_scene(scene_file("box_on_slope"), {"simulation.gravity=[0, 0, -1.62]"});
  const Simulation simulation(scene);
  const auto& notes = simulation.notes();
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("Bekker") != std::string::npos && note.find("1.62") != std::string::npos;
  }));
}

TEST(SoilScenes, SpheresOfAnySizeAreObjects) {
  for (const char* radius : {"0.05", "0.1", "0.123"})
    EXPECT_NO_THROW(Simulation(scene_from(R"(
[simulation]
duration = 1
[[soil]]
name = "ground"
type = "mars-drift"
[[body]]
name = "ball"
density = 500
position = [0, 0, 0.2]
[[contact]]
model = "scm"
soil = "ground"
objects = ["ball"]
[[shape]]
name = "ball"
body = "ball"
sphere.radius = )" + std::string(radius) + "\n")))
        << radius;
}

TEST(SoilScenes, AnObjectBelowTheGroundIsRefused) {
  const Scene scene = load_scene(scene_file("box_on_slope"), {"body.0.position=[0, 0, -3]"});
  try {
    const Simulation simulation(scene);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("below the soil 'slope'"), std::string::npos);
  }
}

}  // namespace
}  // namespace grouser
