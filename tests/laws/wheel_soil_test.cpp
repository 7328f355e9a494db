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

TEST(SlipVector, HasSkidWhereTravelIsNotRolled) {
  constexpr double kSmoothed = 2e-3;  // speeds are smoothed over 0.1 mm/s, here of 0.1 m/s
  for (const double angle : {0.0, 0.5, 1.2, -1.2}) {
    const double v_x = 0.1 * std::cos(angle), v_y = 0.1 * std::sin(angle);
    // A locked wheel skids all its way, whichever way it goes.
    EXPECT_NEAR(slip_vector(0.0, v_x, v_y).skid, 1.0, kSmoothed);
    // One that rolls leaves out what is not along the wheel, and spinning does not change that.
    for (const double rim : {v_x, 0.1, 1.0})
      EXPECT_NEAR(slip_vector(rim, v_x, v_y).skid, std::sin(angle) * std::sin(angle), kSmoothed);
  }
  EXPECT_NEAR(slip_vector(0.03, 0.1, 0.0).skid, 0.7, kSmoothed);
  EXPECT_EQ(slip_vector(0.0, 0.0, 0.0).skid, 0.0);
}

/// Walls of a wheel on sand, and one that travels askew in it.
WheelWalls sand_walls() {
  SoilDef soil;
  soil.cohesion = 200.0;
  soil.friction_angle = 0.6;
  soil.density = 1600.0;
  return make_wheel_walls({}, soil, {0.1, 0.08, 0.0, 0.5, 0.0, 0.7}, 9.81, 0.01);
}
WheelMotion askew() {
  WheelMotion motion;
  motion.forward = 0.04;
  motion.lateral = 0.03;
  motion.spin = 0.5;
  return motion;
}
constexpr double kDeep = 0.02, kHalfChord = 0.06, kFirmly = 1e3;  // [m], [m], [N]

TEST(WheelWalls, HoldByWhatTheyHavePushedAside) {
  const WheelWalls walls = sand_walls();
  // Passive pressure over a parabola of depth, more by the ends of the wedge.
  const double full = walls.wall.along(2.0 * kHalfChord, kDeep) *
                      (1.0 + walls.ends / (1.0 + 5.0 * 2.0 * kHalfChord / kDeep));
  for (const double displaced : {-0.005, 0.0, 0.02}) {
    const double share = std::copysign(-std::expm1(-std::abs(displaced) / walls.K), displaced);
    // Whatever the speed, and at rest.
    for (const WheelMotion& motion : {askew(), WheelMotion{}})
      EXPECT_NEAR(wall_force(walls, motion, {displaced, 0.0}, kDeep, kHalfChord, kFirmly).side,
                  full * share, 1e-12 * full);
  }
}

TEST(WheelWalls, ComeToTheDisplacementOfSteadyTravel) {
  const WheelWalls walls = sand_walls();
  const WheelMotion motion = askew();
  double displaced = 0.0;
  constexpr double kStep = 1e-3;
  for (int i = 0; i < 60000; ++i)
    displaced += kStep * displaced_rate(walls, motion, kHalfChord, displaced);
  const double passing = 0.04 - kSlowSpeed;  // smoothed, to 1e-3 of that
  EXPECT_NEAR(displaced, displaced_steadily(walls, 0.03, passing, kHalfChord), 1e-5 * 0.045);
  EXPECT_NEAR(displaced, -0.06 * 0.75, 4e-3 * 0.045);  // chord times tangent of the slip angle
  EXPECT_EQ(displaced_rate(walls, {}, kHalfChord, displaced), 0.0);
  EXPECT_NEAR(displaced_steadily(walls, -0.03, 0.0, kHalfChord), 12.0 * walls.K, 1e-15);
  EXPECT_EQ(displaced_steadily(walls, 0.0, 0.0, kHalfChord), 0.0);  // spins on the spot
}

TEST(WheelWalls, TakePowerWhicheverWayTheWheelGoes) {
  // Friction and heap, without what the displacement stores.
  const WheelWalls walls = sand_walls();
  for (const double spin : {-1.0, 0.0, 0.3, 0.5, 2.0})
    for (const double forward : {-0.05, 0.0, 0.001, 0.04}) {
      WheelMotion motion = askew();
      motion.spin = spin;
      motion.forward = forward;
      const WallForce force = wall_force(walls, motion, {0.02, 0.5}, kDeep, kHalfChord, kFirmly);
      EXPECT_LE(force.drawbar * forward - force.torque * spin, 0.0) << spin << " " << forward;
    }
}

TEST(WheelWalls, KnowNoSpeed) {
  // Soil knows none, and wheels in testbeds go at 10 mm/s. There the wall slides by 3 mm/s, so that
  // smoothing over 0.5 mm/s takes a per cent of its friction.
  const WheelWalls walls = sand_walls();
  const auto force = [&](double scale) {
    WheelMotion motion = askew();
    motion.forward *= scale;
    motion.lateral *= scale;
    motion.spin *= 0.5 * scale;
    const double displaced = displaced_steadily(walls, motion.lateral, motion.forward, kHalfChord);
    return wall_force(walls, motion, {displaced, 0.5}, kDeep, kHalfChord, kFirmly);
  };
  const WallForce slow = force(0.2), fast = force(20.0);
  EXPECT_NEAR(slow.side, fast.side, 1e-12 * std::abs(fast.side));
  EXPECT_NEAR(slow.drawbar, fast.drawbar, 1e-2 * std::abs(fast.drawbar));
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
