#include "grouser/rover/rover_placement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace grouser {
namespace {

constexpr double kRadius = 0.15;

std::vector<StandingWheel> six_wheels() {
  std::vector<StandingWheel> out;
  for (const double x : {-0.6, 0.0, 0.6})
    for (const double y : {-0.5, 0.5})
      out.push_back({Vec3(x, y, -0.3), Vec3::UnitY(), kRadius, 0.1});
  return out;
}

SoilGroundDef flat(const Pose& X_BT) {
  SoilGroundDef soil;
  soil.name = "ground";
  soil.X_BT = X_BT;
  return soil;
}

/// z = slope x + 0.1, on nodes of 5 cm.
SoilGroundDef hill(double slope) {
  SoilGroundDef soil = flat({});
  auto grid = std::make_shared<ElevationGrid>();
  grid->nx = 101;
  grid->ny = 101;
  grid->spacing = 0.05;
  grid->origin = Vec2(-2.5, -2.5);
  for (std::size_t iy = 0; iy < grid->ny; ++iy)
    for (std::size_t ix = 0; ix < grid->nx; ++ix)
      grid->heights.push_back(slope * (-2.5 + 0.05 * static_cast<double>(ix)) + 0.1);
  soil.heights = grid;
  return soil;
}

TEST(RoverPlacement, StandsOnItsRimsOnLevelGround) {
  const GroundHeight ground(flat({Mat3::Identity(), Vec3(0, 0, 0.7)}));
  const Pose X_WR = stand_on(ground, six_wheels(), Vec2(3.0, -2.0), 0.4);
  EXPECT_NEAR(X_WR.p.z(), 0.7 + kRadius + 0.3, 1e-12);
  EXPECT_NEAR(X_WR.p.x(), 3.0, 1e-12);
  EXPECT_NEAR(std::atan2(X_WR.R(1, 0), X_WR.R(0, 0)), 0.4, 1e-12);
  EXPECT_NEAR(X_WR.R(2, 2), 1.0, 1e-12);
}

TEST(RoverPlacement, LeansLikeTheHillWhateverItsHeading) {
  const double slope = 0.2;
  const GroundHeight ground(hill(slope));
  const Vec3 normal = Vec3(-slope, 0.0, 1.0).normalized();
  for (const double heading : {0.0, 0.7, -2.0}) {
    const Pose X_WR = stand_on(ground, six_wheels(), Vec2(0.3, 0.2), heading);
    // Rims are sampled every eighth of the radius, so a hill is touched a little too low.
    EXPECT_LT((X_WR.R.col(2) - normal).norm(), 2e-3) << heading;
    EXPECT_NEAR(std::atan2(X_WR.R(1, 0), X_WR.R(0, 0)), heading, 1e-12);
    for (const double depth : depths_at(ground, six_wheels(), X_WR)) {
      EXPECT_LE(depth, 1e-12);
      EXPECT_GT(depth, -2e-3);
    }
  }
}

TEST(RoverPlacement, GroundThatIsTiltedAsAWholeIsAsHighAsItsPlane) {
  const Mat3 R = Eigen::AngleAxisd(0.3, Vec3::UnitY()).toRotationMatrix();
  const GroundHeight ground(flat({R, Vec3(0, 0, 1)}));
  EXPECT_NEAR(ground.at(2.0, 5.0), 1.0 - 2.0 * std::tan(0.3), 1e-12);
}

TEST(RoverPlacement, WheelsInALineDoNotTurnTheRoverOver) {
  std::vector<StandingWheel> wheels = six_wheels();
  std::erase_if(wheels, [](const StandingWheel& wheel) { return wheel.p_RC.y() < 0.0; });
  const Pose X_WR = stand_on(GroundHeight(hill(0.1)), wheels, Vec2::Zero(), 0.0);
  EXPECT_NEAR(X_WR.R(2, 1), 0.0, 1e-12);  // no roll: nothing asks for one
}

TEST(RoverPlacement, TellsHowDeepWheelsAre) {
  const GroundHeight ground(flat({}));
  for (const double depth : depths_at(ground, six_wheels(), {Mat3::Identity(), Vec3(0, 0, 0.4)}))
    EXPECT_NEAR(depth, 0.05, 1e-12);
}

}  // namespace
}  // namespace grouser
