#include "grouser/laws/earth_pressure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/laws/wheel_soil.h"

namespace grouser {
namespace {

constexpr double kDegree = kPi / 180.0;

SoilDef sand(double friction_angle, double cohesion = 0.0) {
  SoilDef soil;
  soil.k_phi = 1e6;
  soil.friction_angle = friction_angle * kDegree;
  soil.cohesion = cohesion;
  soil.density = 1600.0;
  return soil;
}

TEST(PassiveCoefficient, IsRankinesOnASmoothWall) {
  for (const double phi : {0.0, 10.0, 30.0, 45.0})
    EXPECT_NEAR(passive_coefficient(sand(phi), 0.0), passive_coefficient(phi * kDegree), 1e-12);
}

TEST(PassiveCoefficient, HasValuesByHandOnARoughWall) {
  // Lancellotta: cos d / (1 - sin phi) (cos d + sqrt(sin^2 phi - sin^2 d)) exp(2 theta tan phi).
  const double wall = std::tan(20.0 * kDegree) / std::tan(30.0 * kDegree);
  EXPECT_NEAR(passive_coefficient(sand(30.0), wall), 4.633, 2e-3);
}

TEST(BearingFactor, IsPrandtlsWithoutFrictionAndFallsWithIt) {
  EXPECT_NEAR(bearing_factor(sand(30.0), 0.0), 18.401, 1e-3);
  // (1 + sin phi) exp((pi / 2 - phi) tan phi) on what is as rough as the soil.
  EXPECT_NEAR(bearing_factor(sand(30.0), 1.0), 1.5 * std::exp(kPi / 3.0 * std::tan(kPi / 6.0)),
              1e-12);
  double last = 1e9;
  for (double friction = 0.0; friction <= 1.0; friction += 0.05) {
    const double now = bearing_factor(sand(35.0), friction);
    EXPECT_LT(now, last) << friction;
    last = now;
  }
  EXPECT_EQ(bearing_factor(sand(0.0), 1.0), 1.0);
}

TEST(FaceFactor, GoesFromBearingToPassivePressureAsAFaceRises) {
  for (const double phi : {20.0, 30.0, 40.0})
    for (const double wall : {0.0, 0.5, 1.0}) {
      const SoilDef soil = sand(phi);
      EXPECT_NEAR(face_factor(soil, wall, 0.0), bearing_factor(soil, wall), 1e-12);
      const double upright = passive_coefficient(soil, wall);
      EXPECT_NEAR(face_factor(soil, wall, 0.5 * kPi), upright, 1e-12 * upright);
      // Without a jump where soil begins to be drawn in.
      EXPECT_NEAR(face_factor(soil, wall, 1e-9), face_factor(soil, wall, -1e-9), 1e-6);
      EXPECT_GT(face_factor(soil, wall, -0.5), bearing_factor(soil, wall));
    }
  // A smooth face: Prandtl's fan, less by twice the angle.
  EXPECT_NEAR(face_factor(sand(30.0), 0.0, 0.4), 18.401 * std::exp(-0.8 * std::tan(30.0 * kDegree)),
              1e-3);
}

TEST(PassiveEnds, AreOvesens) {
  // K_p - K_a = 3 - 1/3 on a smooth wall at 30 degrees.
  EXPECT_NEAR(passive_ends(sand(30.0), 0.0), 1.6 * std::pow(8.0 / 3.0, 2.0 / 3.0), 1e-12);
  EXPECT_EQ(passive_ends(sand(0.0), 0.0), 0.0);
  EXPECT_GT(passive_ends(sand(30.0), 1.0), passive_ends(sand(30.0), 0.5));
}

TEST(PassivePressure, IsOfWeightAndCohesion) {
  const PassivePressure clay = passive_pressure(sand(0.0, 1000.0), 1.0, 9.81);
  EXPECT_NEAR(clay.at_top, 2000.0, 1e-9);
  EXPECT_NEAR(clay.per_depth, 1600.0 * 9.81, 1e-9);
  // On a smooth wall the cohesive part is Rankine's 2 c sqrt(K_p).
  const PassivePressure both = passive_pressure(sand(30.0, 500.0), 0.0, 1.62);
  EXPECT_NEAR(both.at_top, 1000.0 * std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(both.per_depth, 3.0 * 1600.0 * 1.62, 1e-9);
  EXPECT_NEAR(both.over(0.1), 0.1 * 0.5 * (both.at(0.0) + both.at(0.1)), 1e-12);
}

TEST(TreadStrength, OfASmoothTreadIsTheFrictionOnIt) {
  const TreadStrength smooth = tread_strength(sand(32.0, 300.0), {}, 0.7, 9.81);
  EXPECT_EQ(smooth.friction, 0.7);
  EXPECT_EQ(smooth.cohesion, 0.7);
  EXPECT_EQ(smooth.weight, 0.0);
  EXPECT_EQ(smooth.level, 0.0);
}

TEST(TreadStrength, OfCloseGrousersIsThatOfABlockWithItsSides) {
  // Bekker (1969): 1 + 2 h / b of cohesion, 1 + 0.64 (h / b) arccot(h / b) of friction.
  const TreadStrength block = tread_strength(sand(32.0, 300.0), {0.02, 0.3, 0.2}, 0.7, 9.81);
  EXPECT_DOUBLE_EQ(block.cohesion, 1.2);
  EXPECT_NEAR(block.friction, 1.0 + 0.064 * std::atan(10.0), 1e-12);
  EXPECT_EQ(block.level, 1.0);
  EXPECT_EQ(block.weight, 0.0);
}

TEST(TreadStrength, GrowsFromOneToTheOtherWithoutAJump) {
  // Grousers that grow, 60 mm apart: first each has its wedge, then all move as a block.
  const SoilDef soil = sand(32.0, 300.0);
  TreadStrength last = tread_strength(soil, {}, 0.6, 9.81);
  int wedges = 0;
  for (double height = 1e-5; height < 0.02; height += 1e-5) {
    const TreadStrength now = tread_strength(soil, {height, height / 0.06, 0.2}, 0.6, 9.81);
    EXPECT_GE(now.friction, last.friction - 1e-12) << height;
    EXPECT_NEAR(now.friction, last.friction, 5e-3) << height;
    EXPECT_GE(now.level, last.level - 1e-12) << height;
    EXPECT_NEAR(now.level, last.level, 0.02) << height;
    wedges += now.level < 1.0 ? 1 : 0;
    last = now;
  }
  EXPECT_GT(wedges, 100);
  EXPECT_EQ(last.level, 1.0);
}

}  // namespace
}  // namespace grouser
