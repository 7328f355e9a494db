#include "grouser/laws/wheel_soil.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grouser {
namespace {

TEST(Slip, IsOneForSpinningAndMinusOneForSliding) {
  EXPECT_EQ(slip_of(1.0, 0.0), 1.0);
  EXPECT_EQ(slip_of(0.0, 1.0), -1.0);
  EXPECT_EQ(slip_of(0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(slip_of(1.0, 0.8), 0.2);
  EXPECT_EQ(smooth_slip(0.0, 0.0, 1e-4), 0.0);
  EXPECT_NEAR(smooth_slip(1.0, 0.8, 1e-4), 0.2, 1e-7);  // the smoothing is of (1e-4)^2
  EXPECT_NEAR(smooth_slip(0.8, 1.0, 1e-4), -0.2, 1e-7);
}

TEST(JanosiVector, SaturatesInTheDirectionOfTheDisplacement) {
  const double K = 0.01;
  EXPECT_EQ(janosi_vector(Vec2::Zero(), K), Vec2(Vec2::Zero()));
  const Vec2 j(0.03, -0.04);
  EXPECT_NEAR((janosi_vector(j, K) - (1.0 - std::exp(-5.0)) * Vec2(0.6, -0.8)).norm(), 0.0, 1e-15);
  // The series meets the formula: both are there to rounding of the series' third term.
  const Vec2 near(1e-7 * (1.0 - 1e-9), 0.0), beyond(1e-7 * (1.0 + 1e-9), 0.0);
  EXPECT_NEAR(janosi_vector(near, K).x(), janosi_vector(beyond, K).x(), 1e-13);
}

TEST(ShearRate, FollowsTheSurfaceUntilTheStrengthIsUsed) {
  const double K = 0.01;
  const Vec2 v(0.1, 0.05);
  EXPECT_EQ(shear_rate(v, Vec2(0.02, 0.01), K), v);
  EXPECT_EQ(shear_rate(v, Vec2(Vec2::Zero()), K), v);
  // Stops growing beyond 12 K, at least by all but what smoothing of speeds leaves.
  EXPECT_NEAR(shear_rate(Vec2(0.1, 0.0), Vec2(0.12, 0.0), K).x(), 0.0, kSlowSpeed);
  // Across, it still turns.
  EXPECT_NEAR(shear_rate(Vec2(0.0, 0.1), Vec2(0.12, 0.0), K).y(), 0.1, 1e-15);
  // Pulled back, it gives way faster: eleven times where all strength is used, hardly where little
  // is, and not for the slowest motion.
  EXPECT_NEAR(shear_rate(Vec2(-0.1, 0.0), Vec2(0.08, 0.0), K).x(), -1.1, 1e-2);
  EXPECT_NEAR(shear_rate(Vec2(-0.1, 0.0), Vec2(1e-6, 0.0), K).x(), -0.1, 1e-4);
  EXPECT_NEAR(shear_rate(Vec2(-1e-9, 0.0), Vec2(0.08, 0.0), K).x(), -1e-9, 1e-13);
}

TEST(SideWall, IsIshigamisForHisSoil) {
  // c = 800 Pa, phi = 37.2 deg, 1600 kg/m^3: X = 26.4 deg, D1 = cot X + tan(X + phi), D2 = cot X +
  // cot^2 X tan phi.
  SoilDef soil;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kPi / 180.0;
  soil.density = 1600.0;
  const double X = 26.4 * kPi / 180.0, cot = 1.0 / std::tan(X);
  const double D1 = cot + std::tan(X + soil.friction_angle);
  const double D2 = cot + cot * cot * std::tan(soil.friction_angle);
  const double h = 0.02;
  EXPECT_NEAR(side_wall(soil, 9.81).at(h), D1 * (800.0 * h + D2 * 1600.0 * 9.81 * h * h / 2.0),
              1e-9);
}

TEST(SteadyMotion, HasTheSlipThatWasAskedFor) {
  const WheelSize size{0.1, 0.1, 0.01, 0.5};
  for (const double slip : {-0.7, 0.0, 0.4}) {
    const WheelMotion motion = steady_motion({100.0, slip, 0.1, 0.05}, size);
    EXPECT_NEAR(slip_of(motion.spin * 0.105, motion.forward), slip, 1e-12);
    EXPECT_NEAR(motion.lateral / motion.forward, std::tan(0.1), 1e-12);
  }
}

}  // namespace
}  // namespace grouser
