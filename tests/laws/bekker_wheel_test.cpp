#include "grouser/laws/bekker_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/laws/slopes.h"

namespace grouser {
namespace {

constexpr double kMoon = 1.62;

/// Lunar soil as the makers of the Lunar Roving Vehicle took it, and its wheel.
SoilDef lunar_soil() {
  SoilDef soil;
  soil.k_c = 1400.0;
  soil.k_phi = 820e3;
  soil.n = 1.0;
  soil.cohesion = 170.0;
  soil.friction_angle = 35.0 * kDegree;
  soil.shear_modulus = 0.0178;
  return soil;
}
WheelSize lrv_wheel() {
  WheelSize size;
  size.radius = 0.41;
  size.width = 0.23;
  return size;
}

BekkerWheelDef bulldozing(BekkerWheelDef::Bulldozing kind) {
  BekkerWheelDef def;
  def.bulldozing = kind;
  return def;
}
BekkerWheel lrv(const BekkerWheelDef& def = bulldozing(BekkerWheelDef::Bulldozing::none)) {
  return make_bekker_wheel(def, lunar_soil(), lrv_wheel(), kMoon);
}

WheelMotion rolling(double sinkage, double forward, double rim, double radius = 0.41) {
  WheelMotion motion;
  motion.sinkage = sinkage;
  motion.forward = forward;
  motion.spin = rim / radius;
  return motion;
}

TEST(BekkerWheel, HasTheValuesOfTheLunarRovingVehicle) {
  // W = 254 N, D = 0.82 m, b = 0.23 m, slip 0.2; four digits are given.
  const BekkerWheel wheel = lrv();
  const double z = bekker_sinkage(wheel, 254.0);
  EXPECT_NEAR(z, 16.99e-3, 0.5e-5);
  EXPECT_NEAR(compaction_resistance(wheel, z), 27.42, 0.005);
  const double length = bekker_contact_length(wheel, z);
  EXPECT_NEAR(length, 0.11844, 0.5e-5);
  EXPECT_NEAR(bekker_thrust(wheel, 254.0, length, 0.2), 81.60, 0.005);
  SteadyQuery query;
  query.load = 254.0;
  query.slip = 0.2;
  const SteadyWheel steady = bekker_steady(wheel, query);
  EXPECT_TRUE(steady.carried);
  EXPECT_NEAR(steady.sinkage, 16.99e-3, 0.5e-5);
  EXPECT_NEAR(steady.drawbar, 54.18, 0.005);
  EXPECT_NEAR(steady.torque, 0.41 * 81.60, 0.41 * 0.005);
}

TEST(BekkerWheel, CarriesTheLoadAtItsSinkage) {
  const BekkerWheel wheel = lrv();
  for (const double load : {1e-9, 1e-4, 1.0, 254.0, 3000.0}) {
    const double z = bekker_sinkage(wheel, load);
    // Two powers; below the touch depth a bisection to 1e-18 of it.
    EXPECT_NEAR(bekker_normal_force(wheel, z), load, 1e-12 * load) << load;
    EXPECT_NEAR(bekker_force(wheel, rolling(z, 0.05, 0.06)).normal, load, 1e-12 * load) << load;
  }
}

TEST(BekkerWheel, TakesReecesModulus) {
  SoilDef soil = lunar_soil();
  soil.pressure = SoilDef::Pressure::reece;
  soil.k_c = 10.0;
  soil.k_phi = 600.0;
  soil.n = 1.2;
  const WheelSize size = lrv_wheel();
  const BekkerWheel wheel = make_bekker_wheel({}, soil, size, kMoon);
  const double k = pressure_modulus(soil, size.width, kMoon);
  const double force = (3.0 - 1.2) / 3.0 * 0.23 * k * std::sqrt(0.82) * std::pow(0.02, 1.7);
  EXPECT_NEAR(bekker_normal_force(wheel, 0.02), force, 1e-12 * force);  // rounding
}

TEST(BearingFactors, AreTerzaghis) {
  const BearingFactors clay = bearing_factors(0.0);
  EXPECT_NEAR(clay.N_c, 1.5 * kPi + 1.0, 1e-12);  // 5.71, exact limit
  EXPECT_NEAR(clay.N_q, 1.0, 1e-12);
  EXPECT_NEAR(clay.N_g_per_tan, 4.0, 1e-12);
  // Terzaghi's table: 37.2, 22.5, 19.7; the fit of the last is some percent off.
  const BearingFactors sand = bearing_factors(30.0 * kDegree);
  EXPECT_NEAR(sand.N_c, 37.2, 0.05);
  EXPECT_NEAR(sand.N_q, 22.5, 0.05);
  EXPECT_NEAR(sand.N_g_per_tan * std::tan(30.0 * kDegree), 19.7, 0.05 * 19.7);
  // No jump on the way to 0: first order in phi.
  EXPECT_NEAR(bearing_factors(1e-7).N_c, clay.N_c, 1e-5);
}

TEST(Bulldozing, IsHegedusFormula) {
  const BekkerWheel wheel = lrv(bulldozing(BekkerWheelDef::Bulldozing::hegedus));
  const double phi = 35.0 * kDegree, c = 170.0, gamma = 1600.0 * kMoon, b = 0.23, D = 0.82;
  const BearingFactors N = bearing_factors(phi);
  const double cos2 = std::cos(phi) * std::cos(phi);
  const double K_c = (N.N_c - std::tan(phi)) * cos2;
  const double K_g = (2.0 * N.N_g_per_tan + 1.0) * cos2;
  for (const double z : {0.005, 0.02, 0.1}) {
    const double a = std::acos(1.0 - 2.0 * z / D);
    const double l0 = z * std::pow(std::tan(0.25 * kPi - 0.5 * phi), 2.0);
    const double expected = b * std::sin(a + phi) / (2.0 * std::sin(a) * std::cos(phi)) *
                                (2.0 * z * c * K_c + gamma * z * z * K_g) +
                            l0 * l0 * l0 * gamma * (0.5 * kPi - phi) / 3.0 +
                            c * l0 * l0 * (1.0 + std::tan(0.25 * kPi + 0.5 * phi));
    // The cotangent is held finite: 1 um of depth against z.
    EXPECT_NEAR(bulldozing_resistance(wheel, z), expected, 3e-6 / z * expected) << z;
  }
}

TEST(Bulldozing, IsRankinesPassivePressure) {
  const BekkerWheel wheel = lrv(bulldozing(BekkerWheelDef::Bulldozing::rankine));
  const double K_p = std::pow(std::tan((45.0 + 17.5) * kDegree), 2.0);
  const double z = 0.03;
  const double expected =
      0.23 * (0.5 * 1600.0 * kMoon * z * z * K_p + 2.0 * 170.0 * z * std::sqrt(K_p));
  EXPECT_NEAR(bulldozing_resistance(wheel, z), expected, 1e-12 * expected);  // rounding
  EXPECT_EQ(bulldozing_resistance(lrv(), z), 0.0);
}

TEST(BekkerWheel, HasMoreThrustWithGrousers) {
  WheelSize size = lrv_wheel();
  size.grouser_height = 0.02;
  const BekkerWheel wheel = make_bekker_wheel({}, lunar_soil(), size, kMoon);
  const double h = 0.02 / 0.23;
  const double full = 0.23 * 0.1 * 170.0 * (1.0 + 2.0 * h) +
                      100.0 * std::tan(35.0 * kDegree) * (1.0 + 0.64 * h * std::atan(1.0 / h));
  // All but K / l of the strength is mobilised at a slip of 1, and all at an endless one.
  EXPECT_NEAR(bekker_thrust(wheel, 100.0, 0.1, 1e9), full, 1e-8 * full);
}

TEST(BekkerWheel, ThrustHasNoStepBetweenSeriesAndFormula) {
  const BekkerWheel wheel = lrv();
  const double at = 3e-3 * 0.0178 / 0.1;  // slip at which q = 3e-3
  const double below = bekker_thrust(wheel, 100.0, 0.1, at * (1.0 - 1e-12));
  const double above = bekker_thrust(wheel, 100.0, 0.1, at * (1.0 + 1e-12));
  EXPECT_NEAR(below, above, 1e-11 * above);  // 2e-13 of the series, and cancellation in the formula
}

TEST(BekkerWheel, IsFiniteEverywhere) {
  for (const double phi : {0.0, 0.6, 1.4})
    for (const double c : {0.0, 170.0})
      for (const double n : {0.1, 1.0, 2.9})
        for (const auto kind :
             {BekkerWheelDef::Bulldozing::hegedus, BekkerWheelDef::Bulldozing::rankine}) {
          SoilDef soil = lunar_soil();
          soil.friction_angle = phi;
          soil.cohesion = c;
          soil.n = n;
          const BekkerWheel wheel = make_bekker_wheel(bulldozing(kind), soil, lrv_wheel(), kMoon);
          for (const double z : {-1.0, -1e-300, 0.0, 1e-300, 1e-12, 1e-5, 0.01, 0.41, 0.82, 5.0})
            for (const double v : {0.0, 1e-300, 1e-9, 0.05, -3.0})
              for (const double rim : {0.0, 1e-300, -1e-9, 0.05, 3.0}) {
                WheelMotion motion = rolling(z, v, rim);
                motion.lateral = 0.5 * v;
                motion.yaw = rim;
                motion.sinkage_rate = -v;
                const WheelForce f = bekker_force(wheel, motion);
                for (const double x :
                     {f.normal, f.drawbar, f.side, f.torque, f.yaw_torque, f.thrust, f.length}) {
                  ASSERT_TRUE(std::isfinite(x)) << phi << ' ' << c << ' ' << z << ' ' << v;
                  ASSERT_TRUE(z > 0.0 || x == 0.0) << z;
                }
                ASSERT_GE(f.normal, 0.0);
              }
        }
}

TEST(BekkerWheel, AtRestHasANormalForceOnly) {
  const WheelForce f = bekker_force(lrv({}), rolling(0.02, 0.0, 0.0));
  EXPECT_GT(f.normal, 0.0);
  EXPECT_EQ(f.drawbar, 0.0);
  EXPECT_EQ(f.side, 0.0);
  EXPECT_EQ(f.torque, 0.0);
  EXPECT_EQ(f.yaw_torque, 0.0);
}

TEST(BekkerWheel, IsTheSameBackwards) {
  const BekkerWheel wheel = lrv({});
  WheelMotion motion = rolling(0.02, 0.04, 0.05);
  motion.lateral = 0.003;
  motion.yaw = 0.1;
  const WheelForce ahead = bekker_force(wheel, motion);
  motion.forward *= -1.0;
  motion.spin *= -1.0;
  motion.yaw *= -1.0;
  const WheelForce back = bekker_force(wheel, motion);
  EXPECT_EQ(back.normal, ahead.normal);
  EXPECT_EQ(back.drawbar, -ahead.drawbar);
  EXPECT_EQ(back.torque, -ahead.torque);
  EXPECT_EQ(back.side, ahead.side);
  EXPECT_EQ(back.yaw_torque, -ahead.yaw_torque);
}

TEST(BekkerWheel, SlidesAndScrubsAgainstItsMotion) {
  const BekkerWheel wheel = lrv({});
  WheelMotion motion = rolling(0.02, 0.0, 0.0);
  motion.lateral = 0.05;
  motion.yaw = 2.0;
  const WheelForce f = bekker_force(wheel, motion);
  EXPECT_LT(f.side, 0.0);
  EXPECT_LT(f.yaw_torque, 0.0);
  EXPECT_EQ(f.thrust, 0.0);
  // No more than friction of the whole patch at its farthest corner.
  const double reach = 0.5 * std::hypot(f.length, 0.23);
  const double strength = 0.23 * f.length * 170.0 + f.normal * std::tan(35.0 * kDegree);
  EXPECT_GT(f.yaw_torque, -strength * reach);
}

TEST(BekkerWheel, IsDampedInTheNormalForceAndNeverPulls) {
  const BekkerWheel wheel = lrv({});
  WheelMotion motion = rolling(0.02, 0.05, 0.05);
  const double resting = bekker_force(wheel, motion).normal;
  // d F / d rate = 2 ratio sqrt(k m) for the mass that rests at this depth, k = (n + 1/2) F / z.
  const double k = (wheel.n + 0.5) * resting / 0.02, mass = resting / wheel.gravity;
  const double per_rate = 2.0 * wheel.def.damping_ratio * std::sqrt(k * mass);
  for (const double rate : {0.01, -0.01}) {
    motion.sinkage_rate = rate;
    // The depth counts as 20 um more, of 20 mm.
    EXPECT_NEAR(bekker_force(wheel, motion).normal - resting, per_rate * rate,
                1e-3 * per_rate * 0.01);
  }
  motion.sinkage_rate = -100.0;
  EXPECT_EQ(bekker_force(wheel, motion).normal, 0.0);
}

TEST(BekkerWheel, HasNoKinks) {
  SoilDef soil = lunar_soil();
  soil.n = 0.3;  // z^0.8 would have none at the touch
  BekkerWheelDef def;
  def.rolling_friction = 0.05;
  const BekkerWheel wheel = make_bekker_wheel(def, soil, lrv_wheel(), kMoon);
  const auto parts = {&WheelForce::normal, &WheelForce::drawbar, &WheelForce::side,
                      &WheelForce::torque, &WheelForce::yaw_torque};
  WheelMotion base = rolling(0.02, 0.04, 0.05);
  base.lateral = 0.004;
  base.yaw = 0.05;
  for (const auto part : parts) {
    const auto over = [&](double WheelMotion::*input) {
      return [=](double x) {
        WheelMotion motion = base;
        motion.*input = x;
        return bekker_force(wheel, motion).*part;
      };
    };
    const auto z = over(&WheelMotion::sinkage);
    // From 0 the force rises as z^1.6 at least: the slope at h is small against that at the depth
    // of the touch.
    EXPECT_LT(std::abs(z(1e-9) / 1e-9), 0.01 * std::abs(z(kTouchDepth) / kTouchDepth));
    EXPECT_LT(slope_jump(z, kTouchDepth, 1e-5), 2e-3);
    for (const double x : {0.98 * 0.41, 0.41}) EXPECT_LT(slope_jump(z, x, 5e-3), 2e-3) << x;
    for (const double x : {0.0, 1e-3, 0.05})
      EXPECT_LT(slope_jump(over(&WheelMotion::forward), x, 1e-3), 2e-3) << x;
    for (const double x : {0.0, 0.04 / 0.41})
      EXPECT_LT(slope_jump(over(&WheelMotion::spin), x, 1e-3), 2e-3) << x;
    EXPECT_LT(slope_jump(over(&WheelMotion::lateral), 0.0, 1e-3), 2e-3);
    EXPECT_LT(slope_jump(over(&WheelMotion::yaw), 0.0, 1e-3), 2e-3);
    for (const double x : {-5.0, -2.5, 0.0})
      EXPECT_LT(slope_jump(over(&WheelMotion::sinkage_rate), x, 1.0), 2e-3) << x;
  }
}

TEST(BekkerSteady, SaysWhenTheSoilDoesNotCarry) {
  SteadyQuery query;
  query.load = 1e6;
  EXPECT_FALSE(bekker_steady(lrv(), query).carried);
  SoilDef none = lunar_soil();
  none.k_c = -1e6;  // no modulus left at this width
  const BekkerWheel wheel = make_bekker_wheel({}, none, lrv_wheel(), kMoon);
  query.load = 1.0;
  EXPECT_FALSE(bekker_steady(wheel, query).carried);
}

TEST(BekkerWheelParameters, AreCheckedByName) {
  EXPECT_EQ(bekker_wheel_parameters().keys().size(), 4u);
  BekkerWheelDef def;
  def.rest_speed = 0.0;
  try {
    bekker_wheel_parameters().check(def, {}, "bekker");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "bekker.rest_speed must be positive, is 0");
  }
}

}  // namespace
}  // namespace grouser
