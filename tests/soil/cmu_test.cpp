// A smooth wheel on sand, driven, braked and dragged askew, as measured at Carnegie Mellon
// University: one soil for all slips from locked to 0.9 and for slip angles of 0 and 30 degrees.
// Trials of one kind differ by 1 mm and 1 N.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "grouser/assets/wheel.h"
#include "grouser/laws/soil_library.h"
#include "grouser/soil/testbed.h"
#include "tests/support/cmu_wheel.h"

namespace grouser {
namespace {

/// Fitted to all of them.
SoilDef cmu_fitted_soil() {
  SoilDef soil = library_soil("cmu-sand", {}, "").soil;
  soil.k_phi = 3.425e6;
  soil.n = 1.11;
  soil.friction_angle = 0.631;
  soil.cohesion = 492.0;
  soil.shear_modulus = 0.01493;
  soil.failure_shear = 0.00776;
  soil.compaction = 0.92;
  soil.slip_sinkage = 16.0;
  return soil;
}

/// Slip refers to the speed of the carriage.
double slip_of(const CmuTrial& trial) {
  return (trial.rim - kCmuTravel) / std::max(trial.rim, kCmuTravel);
}

TestbedSample measured_again(const CmuTrial& trial, double spacing, double period = 5e-3,
                             double heading = 0.0) {
  WheelDef wheel;
  wheel.radius = kCmuRadius;
  wheel.width = kCmuWidth;
  TestbedDef test;
  test.soil.name = "bed";
  test.soil.soil = cmu_fitted_soil();
  test.soil.spacing = spacing;
  test.soil.update_period = period;
  test.wheel = std::make_shared<const TriangleMesh>(make_wheel(wheel));
  test.rolling_radius = wheel.radius;
  test.load = trial.load;
  test.slip = slip_of(trial);
  test.slip_angle = trial.angle * kPi / 180.0;
  test.heading = heading * kPi / 180.0;
  test.speed = 0.05;
  // What ploughs is steady after half a metre.
  test.distance = (test.slip < -0.3 ? 0.5 : 0.35) / std::min(1.0, 1.0 - test.slip);
  test.settling = 0.5;
  test.steps_per_update = std::max(2.0, period / 5e-3);
  return run_testbed(test).mean;
}

TEST(CmuWheel, IsMetByOneSoilFromLockedToSpinning) {
  double sinkage = 0.0, pull = 0.0, side = 0.0, askew = 0.0;
  std::printf("slip  angle  sinkage [mm]   pull [N]        side [N]\n");
  for (const CmuTrial& trial : kCmuTrials) {
    const TestbedSample found = measured_again(trial, 6e-3);
    std::printf("%5.2f  %3.0f  %5.1f %5.1f   %6.1f %6.1f   %5.1f %5.1f\n", slip_of(trial),
                trial.angle, 1e3 * trial.sinkage, 1e3 * found.sinkage, trial.drawbar, found.drawbar,
                trial.side, -found.side);
    sinkage += std::pow(found.sinkage - trial.sinkage, 2) / kCmuTrials.size();
    pull += std::pow((found.drawbar - trial.drawbar) / trial.load, 2) / kCmuTrials.size();
    if (trial.angle == 0.0) continue;
    side += std::pow((-found.side - trial.side) / trial.load, 2);
    askew += 1.0;
  }
  std::printf("rms          %.2f mm       %.3f of load    %.3f of load\n", 1e3 * std::sqrt(sinkage),
              std::sqrt(pull), std::sqrt(side / askew));
  EXPECT_LT(std::sqrt(sinkage), 3e-3);
  EXPECT_LT(std::sqrt(pull), 0.06);
  EXPECT_LT(std::sqrt(side / askew), 0.15);
}

TEST(CmuWheel, IsHeldBackByMoreThanItsLoadWhenLocked) {
  const TestbedSample locked = measured_again(kCmuTrials[0], 6e-3);
  EXPECT_LT(locked.drawbar, -1.4 * kCmuTrials[0].load);  // friction alone is 0.75 of it
  EXPECT_GT(locked.sinkage, 0.04);
  EXPECT_LT(locked.sinkage, kCmuRadius);
}

TEST(CmuWheel, IsTheSameWhateverThePeriodOfUpdates) {
  for (const std::size_t number : {2u, 4u, 5u}) {  // skid 0.5, rolling, slip 0.23
    const CmuTrial& trial = kCmuTrials[number];
    const TestbedSample often = measured_again(trial, 6e-3, 2e-3),
                        seldom = measured_again(trial, 6e-3, 50e-3);
    // In 50 ms the wheel goes on by half a spacing: soil before it is pressed late, by a quarter.
    EXPECT_NEAR(seldom.drawbar, often.drawbar, 0.025 * trial.load) << slip_of(trial);
    EXPECT_NEAR(seldom.sinkage, often.sinkage, 0.04 * often.sinkage) << slip_of(trial);
  }
}

TEST(CmuWheel, IsTheSameOnEveryGrid) {
  // From a sixth of its radius to a twentieth: soil between the last node that it presses and the
  // line where it comes out of the ground counts. Its sinkage grows with the square of the spacing.
  for (const std::size_t number : {2u, 4u, 6u}) {  // skid 0.5, rolling, slip 0.5
    const CmuTrial& trial = kCmuTrials[number];
    const TestbedSample coarse = measured_again(trial, 10e-3), fine = measured_again(trial, 3e-3);
    EXPECT_NEAR(coarse.drawbar, fine.drawbar, 0.025 * trial.load) << slip_of(trial);
    EXPECT_NEAR(coarse.sinkage, fine.sinkage, 0.5e-3) << slip_of(trial);
  }
}

TEST(CmuWheel, IsTheSameInEveryDirection) {
  for (const std::size_t number : {2u, 4u, 6u}) {
    const CmuTrial& trial = kCmuTrials[number];
    const TestbedSample straight = measured_again(trial, 6e-3);
    for (const double heading : {10.0, 25.0, 45.0}) {
      const TestbedSample turned = measured_again(trial, 6e-3, 5e-3, heading);
      EXPECT_NEAR(turned.drawbar, straight.drawbar, 0.015 * trial.load) << heading;
      EXPECT_NEAR(turned.sinkage, straight.sinkage, 0.02 * straight.sinkage) << heading;
      EXPECT_LT(std::abs(turned.side), 5e-3 * trial.load) << heading;
    }
  }
}

TEST(CmuWheel, IsHeldFromTheSideAlikeOnEveryGrid) {
  CmuTrial askew{kCmuTravel, 0.0, 22.0, 0.0, 0.0, 0.0};
  double last = 0.0;
  for (const double angle : {15.0, 30.0, 45.0, 60.0}) {
    askew.angle = angle;
    const double side = -measured_again(askew, 6e-3).side;
    EXPECT_GT(side, last) << angle;
    last = side;
  }
  // The wheel is ten spacings wide.
  EXPECT_NEAR(-measured_again(askew, 3e-3).side, last, 0.05 * askew.load);
}

}  // namespace
}  // namespace grouser
