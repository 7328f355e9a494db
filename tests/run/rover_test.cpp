// Rovers as users write them: [rover] and [[drive]].
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "grouser/base/error.h"
#include "grouser/run/simulation.h"
#include "tests/run/figures.h"
#include "tests/run/motion.h"

namespace grouser {
namespace {

struct Drive {
  Figures figures;
  RunSummary summary;
};

Drive drive(const Scene& scene) {
  Drive out;
  RunOptions options;
  options.watcher = &out.figures;
  Simulation simulation(scene);
  out.summary = simulation.run(options);
  EXPECT_EQ(out.summary.status, RecordingStatus::complete) << out.summary.message;
  // Work of the motors is what bodies gained and contacts and dampers took.
  EXPECT_LT(std::abs(out.summary.energy.error), 0.01 * out.summary.energy.flow);
  return out;
}

/// Gravity on a slope that rises along x, for ground that stays level.
std::string slope(double degrees, double g) {
  const double a = degrees * std::numbers::pi / 180.0;
  return "simulation.gravity=[" + std::to_string(-g * std::sin(a)) + ", 0, " +
         std::to_string(-g * std::cos(a)) + "]";
}

std::string model_name(const testing::TestParamInfo<const char*>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

constexpr const char* kEveryModel[] = {"scm", "terra", "bekker-janosi", "bekker", "rheological"};

class RoverOn : public testing::TestWithParam<const char*> {
 protected:
  std::string model() const { return std::string("rover.model=") + GetParam(); }
  bool grid() const { return GetParam() == std::string("scm"); }
};

TEST_P(RoverOn, DrivesAndOneWordTakesAnotherModel) {
  const Drive d = drive(rover_scene("exomars", {model(), "simulation.duration=6"}));
  const std::vector<double> loads = d.figures.wheels("normal_force");
  ASSERT_EQ(loads.size(), 6u);
  // 310 kg on Mars; it still rocks a little when it drives off.
  EXPECT_NEAR(std::accumulate(loads.begin(), loads.end(), 0.0), 310.0 * 3.71, 0.1 * 310.0 * 3.71);
  // It was told 5 cm/s: 6 s with an acceleration of 0.1 m/s^2 are 0.2875 m less what it slips.
  // Bekker's closed formulas slip most.
  EXPECT_GT(d.figures.last("rover/distance"), GetParam() == std::string("bekker") ? 0.05 : 0.15);
  EXPECT_LT(d.figures.last("rover/distance"), 0.34);  // on the tips of its grousers
  EXPECT_GT(d.figures.last("rover/energy"), 0.0);
  EXPECT_EQ(d.figures.last("rover/manoeuvre"), 1.0);
}

TEST_P(RoverOn, StandsAndCarriesItsWeight) {
  Scene scene = rover_scene("exomars", {model(), "simulation.duration=15"});
  scene.rover->manoeuvres.clear();
  const Drive d = drive(scene);
  const std::vector<double> loads = d.figures.wheels("normal_force");
  EXPECT_NEAR(std::accumulate(loads.begin(), loads.end(), 0.0), 310.0 * 3.71, 1e-3 * 310.0 * 3.71);
}

INSTANTIATE_TEST_SUITE_P(Rovers, RoverOn, testing::ValuesIn(kEveryModel), model_name);

class RoverParkedOn : public RoverOn {};

TEST_P(RoverParkedOn, StaysOnASlopeOfTenDegrees) {
  std::vector<std::string> words = {model(), slope(10.0, 3.71), "simulation.duration=70"};
  if (grid()) words.emplace_back("soil.ground.spacing=0.02");  // takes a quarter of the time
  Scene scene = rover_scene("exomars", words);
  scene.rover->manoeuvres.clear();
  const Drive d = drive(scene);
  // It settles within ten seconds; then a minute counts.
  for (const char* axis : {"x", "y", "z"}) {
    const std::string name = std::string("bodies/rover/position.") + axis;
    EXPECT_LT(std::abs(d.figures.last(name) - d.figures.at(10.0, name)), 1e-3) << axis;
  }
}

INSTANTIATE_TEST_SUITE_P(Rovers, RoverParkedOn, testing::Values("scm", "terra", "bekker-janosi"),
                         model_name);

class RoverStraightOn : public RoverOn {};

TEST_P(RoverStraightOn, StaysSymmetricOnSymmetricGround) {
  const Drive d = drive(rover_scene("exomars", {model(), "simulation.duration=20"}));
  EXPECT_GT(d.figures.last("rover/distance"), 0.7);
  EXPECT_LT(std::abs(d.figures.last("bodies/rover/position.y")), 1e-6);
  EXPECT_LT(std::abs(d.figures.last("rover/heading")), 1e-6);
  for (const char* place : {"front", "middle", "rear"}) {
    const std::string wheel = std::string("bodies/wheel_") + place;
    EXPECT_NEAR(d.figures.last(wheel + "_left/position.z"),
                d.figures.last(wheel + "_right/position.z"), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Rovers, RoverStraightOn, testing::Values("scm", "terra", "bekker-janosi"),
                         model_name);

TEST(Rover, StaysSymmetricInRutsWithGrousersAsHighAsTheyAreDeep) {
  const Drive d =
      drive(rover_scene("viper_slope", {"rover.model=scm", "simulation.gravity=[0, 0, -1.62]",
                                        "simulation.duration=12"}));
  EXPECT_GT(d.figures.last("rover/distance"), 0.4);
  EXPECT_LT(std::abs(d.figures.last("bodies/rover/position.y")), 1e-6);
}

TEST(Rover, TurnsFurtherWhereSoilHoldsTogether) {
  const auto turned = [](double cohesion) {
    return drive(rover_scene("mmx_point_turn",
                             {"soil.ground.properties.cohesion=" + std::to_string(cohesion)}))
        .figures.last("rover/heading");
  };
  const double loose = turned(20.0), firm = turned(200.0);
  EXPECT_GT(firm, loose + 0.02);
  EXPECT_LT(firm, std::numbers::pi / 2);  // what it would be without slip
  EXPECT_GT(loose, 0.2);
}

TEST(Rover, ClimbsWithEveryModel) {
  // Ten degrees on the Moon. Wheel models take slip half way up the grousers, where on the grid
  // soil slides at their tips: that alone is 0.05 of slip, and they know nothing else of grousers.
  const auto slip = [](const std::string& model) {
    const Drive d =
        drive(rover_scene("viper_slope", {"rover.model=" + model, "simulation.duration=20"}));
    return d.figures.mean(12.0, "rover/slip");
  };
  const double grid = slip("scm");
  EXPECT_GT(grid, -0.05);
  EXPECT_LT(grid, 0.4);
  for (const char* model : {"terra", "bekker-janosi"}) {
    const double found = slip(model);
    EXPECT_GT(found, grid) << model;
    EXPECT_LT(found, grid + 0.3) << model;
  }
}

TEST(Rover, IsSetDownOnTheGround) {
  const Drive d = drive(rover_scene("rover_drive", {"rover.model=terra", "simulation.duration=1"}));
  // Nothing fell: wheels sink in by 4 cm each, and not all touched at first.
  EXPECT_LT(std::abs(d.figures.last("bodies/rover/position.z") -
                     d.figures.at(0.0, "bodies/rover/position.z")),
            0.08);
}

TEST(Rover, IsLiftedIfItsWheelsWouldStartUnderTheGround) {
  const Scene scene =
      rover_scene("exomars", {"rover.model=terra", "initial.rover_free.position=[0, 0, 0.3]"});
  ASSERT_EQ(scene.rover->notes.size(), 1u);
  EXPECT_NE(scene.rover->notes[0].find("the rover is lifted by 0.16"), std::string::npos)
      << scene.rover->notes[0];
  EXPECT_NE(scene.rover->notes[0].find("wheel_"), std::string::npos);
}

TEST(Rover, StandsOnSoilAndStoneAtOnce) {
  const Drive d = drive(rover_scene("rover_drive", {"simulation.duration=12"}));
  // Some wheel was on a rock, and soil carried the others.
  EXPECT_GT(d.figures.last("rover/distance"), 0.5);
  double stone = 0.0;
  for (const RunSummary::Contact& contact : d.summary.contacts)
    if (contact.name == "obstacles") stone = contact.greatest_penetration;
  EXPECT_GT(stone, 0.0);
  EXPECT_LT(stone, 5e-3);
}

TEST(Rover, SaysThatItIsStuckAndWhichWheelsSlip) {
  // Such soil does not carry it up 25 degrees.
  const Drive d = drive(
      rover_scene("exomars", {"rover.model=terra", slope(25.0, 3.71), "simulation.duration=15",
                              "rover.control={on_stuck=\"end\", stuck_time=2, "
                              "stuck_slip=0.9}"}));
  bool told = false;
  for (const std::string& warning : d.summary.warnings)
    told = told || (warning.find("the rover is stuck from t = ") != std::string::npos &&
                    warning.find("slip of wheel_") != std::string::npos);
  EXPECT_TRUE(told);
  EXPECT_LT(d.summary.time, 14.0);  // on_stuck: the run ends
}

TEST(Rover, TellsThatTheRunEndsBeforeTheDrive) {
  const Drive d = drive(rover_scene("exomars", {"rover.model=terra", "simulation.duration=2"}));
  bool told = false;
  for (const std::string& warning : d.summary.warnings)
    told = told || warning.find("before the drive does") != std::string::npos;
  EXPECT_TRUE(told);
}

std::string rover_refusal(const std::vector<std::string>& words) {
  try {
    rover_scene("exomars", words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Rover, RefusesWhatCannotBe) {
  EXPECT_NE(rover_refusal({"rover.wheels=[\"weel_*\"]"}).find("rover.wheels"), std::string::npos)
      << rover_refusal({"rover.wheels=[\"weel_*\"]"});
  EXPECT_NE(rover_refusal({"rover.model=convex"}).find("is no model of wheels on soil"),
            std::string::npos);
  EXPECT_NE(rover_refusal({"rover.soil=moon"}).find("there is no soil 'moon'"), std::string::npos);
  EXPECT_NE(rover_refusal({"rover.body=chassis"}).find("chassis"), std::string::npos);
  EXPECT_NE(rover_refusal({"rover.contact.soil=ground"}).find("follows from the rover itself"),
            std::string::npos);
  EXPECT_NE(rover_refusal({"rover.position=[1, 0]", "initial.rover_free.position=[0, 0, 1]"})
                .find("both say where the rover starts"),
            std::string::npos);
}

}  // namespace
}  // namespace grouser
