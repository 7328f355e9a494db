// The academic tests of wheel models in DLR's Contact Dynamics library (2023, section 4.3): impact,
// sliding, rolling and an inclined plane, with each model, against what mechanics expects.
#include <gtest/gtest.h>

#include <cmath>

#include "grouser/record/recording.h"
#include "tests/run/motion.h"
#include "tests/run/scene_text.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

// Of the scenes: wheels of 8 kg, radius 0.1 m, on sand with friction 0.5 into which they sink by
// half a millimetre.
constexpr double kSoilGravity = 9.81, kSandFriction = 0.5, kWheelRadius = 0.1, kWheelMass = 8.0,
                 kWheelInertia = 0.04;

Motion run_on_soil(const std::string& scene, const std::string& model,
                   std::vector<std::string> overrides = {}) {
  overrides.push_back("contact.0.model=" + model);
  return motion_of(
      load_scene(std::string(GROUSER_SCENES) + "/wheel_soil/" + scene + ".toml", overrides));
}

std::string model_name_of(const testing::TestParamInfo<const char*>& model) {
  std::string name = model.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class WheelModels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, WheelModels,
                         testing::Values("bekker", "bekker-janosi", "terra", "rheological"),
                         &model_name_of);

/// Where a wheel of 80 N stands on this sand: Bekker's formula, 0.56 mm. The models agree on it
/// within a quarter: the stress integral has its peak ahead of the axle and carries less.
double sinkage() {
  return std::pow(
      3.0 * kWheelMass * kSoilGravity / (2.0 * 0.1 * 2e8 * std::sqrt(2.0 * kWheelRadius)),
      2.0 / 3.0);
}

TEST_P(WheelModels, FallAndComeToRest) {
  const Motion motion = run_on_soil("impact", GetParam());
  const Track& wheel = motion["sliding"];
  // It falls freely for the first 0.1 s.
  EXPECT_NEAR(wheel.velocity[motion.at(0.1)].z(), -kSoilGravity * 0.1, 1e-6);
  // Loses energy.
  double highest = 0.0;
  for (std::size_t i = motion.at(0.12); i < motion.time.size(); ++i)
    highest = std::max(highest, wheel.position[i].z() - kWheelRadius);
  EXPECT_LT(highest, 0.05 * 0.1);
  EXPECT_NEAR(wheel.velocity.back().norm(), 0.0, 1e-3);
  // Rests where it should, or in the dent that it has made if the soil yields.
  double deepest = 0.0;
  for (const Vec3& p : wheel.position) deepest = std::max(deepest, kWheelRadius - p.z());
  const double rest = kWheelRadius - wheel.position.back().z();
  EXPECT_GT(rest, 0.7 * sinkage());
  const bool yields =
      GetParam() == std::string("terra") || GetParam() == std::string("rheological");
  EXPECT_LE(rest, yields ? deepest : 1.3 * sinkage());
}

TEST_P(WheelModels, SlideToAStop) {
  const Motion motion = run_on_soil("sliding", GetParam());
  // v^2 / (2 mu g) = 25.5 mm, less by what the sand ahead takes (f F with f = sqrt(z / 2 r) = 0.053
  // or less), more by the way on which shear builds up (K = 2 mm).
  const double way = motion["sliding"].position.back().x();
  const double expected = 0.25 / (2.0 * kSandFriction * kSoilGravity);
  EXPECT_GT(way, 0.8 * expected);
  EXPECT_LT(way, expected + 0.002);
  EXPECT_NEAR(motion["sliding"].velocity.back().x(), 0.0, 1e-3);
  // The other one starts to roll at v / (1 + J / (m r^2)), then is slowed down.
  const Track& rolling = motion["rolling"];
  const std::size_t i = motion.at(0.2);
  const double rolled = 0.5 / (1.0 + kWheelInertia / (kWheelMass * kWheelRadius * kWheelRadius));
  EXPECT_NEAR(rolling.velocity[i].x(), rolling.spin[i].y() * kWheelRadius, 0.02 * rolled);
  EXPECT_LT(rolling.velocity[i].x(), 1.02 * rolled);
  EXPECT_GT(rolling.velocity[i].x(), 0.6 * rolled);
}

TEST_P(WheelModels, RollAndAreSlowedDownByTheSandAhead) {
  const Motion motion = run_on_soil("rolling", GetParam());
  const Track& wheel = motion["rolling"];
  const std::size_t a = motion.at(0.3), b = motion.at(0.6);
  // The drag of the sand ahead slows mass and turning.
  const double slowing = (wheel.velocity[a].x() - wheel.velocity[b].x()) / 0.3;
  EXPECT_GT(slowing, 0.0);
  EXPECT_LT(slowing, 0.06 * kSoilGravity);  // less than f g with f = sqrt(z / 2 r)
  EXPECT_NEAR(wheel.velocity[b].x(), wheel.spin[b].y() * kWheelRadius,
              0.02 * wheel.velocity[b].x());
}

TEST_P(WheelModels, DriveUphill) {
  // Turned at -1 rad/s the other wheel goes up at r w, less the slip that its thrust needs.
  const Motion motion = run_on_soil("incline", GetParam(), {"simulation.duration=4"});
  const double speed = motion["rolling"].velocity.back().x();
  EXPECT_NEAR(speed, -kWheelRadius, 0.12 * kWheelRadius);
}

TEST(WheelScenes, LetEveryWheelHaveItsOwnModel) {
  // One wheel presses ruts into the soil, the other one stands on it as it was; both are carried.
  const Scene scene = scene_from(R"(
[mechanism]
file = "two_wheels.xml"
[simulation]
duration = 0.6
output_interval = 0.1
integrator = "semi-implicit-euler"
step = 5e-4
[[shape]]
name = "sliding"
body = "sliding"
mesh.wheel = { radius = 0.1, width = 0.1 }
[[shape]]
name = "rolling"
body = "rolling"
mesh.wheel = { radius = 0.1, width = 0.1 }
[[soil]]
name = "ground"
type = "dry-sand"
properties = { damping = 2e4 }
spacing = 0.02
size = [4, 4]
[[contact]]
name = "fine"
model = "scm"
soil = "ground"
objects = ["sliding"]
[[contact]]
name = "fast"
model = "terra"
soil = "ground"
objects = ["rolling"]
)");
  const TemporaryFolder folder;
  RunOptions options;
  options.recording = folder / "run.h5";
  EXPECT_EQ(Simulation(scene).run(options).status, RecordingStatus::complete);
  EXPECT_EQ(open_recording(options.recording).layout().soils.size(),
            1u);  // the ground is shown once
  const Motion motion = motion_of(scene);
  for (const char* body : {"sliding", "rolling"}) {
    const double sunk = kWheelRadius - motion[body].position.back().z();
    EXPECT_GT(sunk, 0.005) << body;
    EXPECT_LT(sunk, 0.04) << body;
  }
}

class HoldingModels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, HoldingModels,
                         testing::Values("bekker-janosi", "terra", "rheological"), &model_name_of);

TEST_P(HoldingModels, StayOnASlopeForAHundredSeconds) {
  const Motion motion = run_on_soil("incline", GetParam());
  const Track& wheel = motion["sliding"];
  const double from = wheel.position[motion.at(20.0)].x();
  EXPECT_LT(std::abs(wheel.position.back().x() - from), 1e-6);
  EXPECT_GT(std::abs(wheel.position.back().x()), 0.0);
}

TEST_P(HoldingModels, SlideBeyondTheAngleOfFriction) {
  // Without resistance of the sand ahead, g (sin i - mu cos i) at 35 degrees.
  const double i = 35.0 * 3.14159265358979323846 / 180.0;
  const Motion motion = run_on_soil(
      "incline", GetParam(),
      {"simulation.gravity=[" + std::to_string(kSoilGravity * std::sin(i)) + ",0," +
           std::to_string(-kSoilGravity * std::cos(i)) + "]",
       "simulation.duration=2", "simulation.output_interval=0.01",
       "contact.0.terra={compaction_resistance=0, resistance_cohesion=0, sliding_damping=0}",
       "contact.0.bekker_janosi={slip_sinkage=0, skid_sinkage=0, heap=0}",
       "contact.0.rheological.rolling_resistance=0", "soil.0.properties.k_phi=2e10",
       "soil.0.properties.density=1"});
  const Track& wheel = motion["sliding"];
  const std::size_t a = motion.at(0.5), b = motion.at(1.5);
  const double acceleration = wheel.velocity[b].x() - wheel.velocity[a].x();
  double expected = kSoilGravity * (std::sin(i) - kSandFriction * std::cos(i));
  if (std::string(GetParam()) == "bekker-janosi") {
    // The pressure ahead cannot be switched off: here it is 0.021 mm deep, and pushes back by N
    // sqrt(z / 2 r) or a little less.
    const double z = std::pow(3.0 * kWheelMass * kSoilGravity * std::cos(i) /
                                  (2.0 * 0.1 * 2e10 * std::sqrt(2.0 * kWheelRadius)),
                              2.0 / 3.0);
    EXPECT_LT(acceleration, expected);
    expected -= kSoilGravity * std::cos(i) * std::sqrt(z / (2.0 * kWheelRadius));
    EXPECT_NEAR(acceleration, expected, 0.05 * expected);
  } else {
    EXPECT_NEAR(acceleration, expected, 0.01 * expected);
  }
}

}  // namespace
}  // namespace grouser
