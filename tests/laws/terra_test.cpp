#include "grouser/laws/terra.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/math/smooth.h"

namespace grouser {
namespace {

/// A smooth wheel on sandy soil as fitted to Ding (2011): radius 0.157 m, 80 N.
TerraDef fitted() {
  TerraDef def;
  def.stiffness = 8.479e4;
  def.exponent = 1.25;
  def.elastic_stiffness = 4e5;
  def.slip_sinkage = 3.5;
  def.slip_reach = 0.6;
  def.shear_modulus = 0.00303;
  def.friction = 0.398;
  def.compaction_resistance = 0.822;
  def.resistance_cohesion = 189.0;
  def.sliding_damping = 0.0;
  return def;
}

SoilDef ding_sand() {
  SoilDef soil;
  soil.k_phi = 2.4e6;
  soil.n = 1.1;
  soil.density = 15750.0 / 9.81;
  // Passive coefficient 3.24.
  soil.friction_angle = 2.0 * (std::atan(1.8) - 0.25 * kPi);
  return soil;
}

constexpr double kLoad = 80.0;
const WheelSize kDingWheel{0.15735, 0.165};

TerraWheel wheel_of(const TerraDef& def, const WheelSize& size = kDingWheel) {
  return make_terra_wheel(def, ding_sand(), size, 9.81);
}

/// A wheel under its load that is led on until nothing changes.
struct Led {
  WheelMotion motion;
  std::vector<double> states;
  WheelForce force;
};

Led led(const TerraWheel& wheel, const SteadyQuery& query, double time) {
  Led out;
  out.motion = steady_motion(query, wheel.size);
  out.motion.sinkage = 0.003;
  out.states.assign(wheel.state_count(), 0.0);
  std::vector<double> rates(wheel.state_count());
  constexpr double kStep = 1e-4, kDamping = 60.0;  // [s], [1/s]
  const double mass = query.load / 9.81;
  double v = 0.0;
  for (int i = 0; i < static_cast<int>(time / kStep); ++i) {
    out.motion.sinkage_rate = v;
    out.force = terra_force(wheel, out.motion, out.states, rates);
    v = (v + kStep * (query.load - out.force.normal) / mass) / (1.0 + kStep * kDamping);
    out.motion.sinkage += kStep * v;
    for (std::size_t k = 0; k < rates.size(); ++k) out.states[k] += kStep * rates[k];
  }
  return out;
}

TEST(TerraSteady, IsWhatTheStatesComeTo) {
  TerraDef def = fitted();
  def.sliding_damping = 1.5;
  for (const int cells : {1, 2, 5}) {
    def.cells = cells;
    const TerraWheel wheel = wheel_of(def);
    for (const double slip : {-0.5, -0.1, 0.0, 0.1, 0.3, 0.6, 0.9})
      for (const double angle : {0.0, 0.2}) {
        const SteadyQuery query{kLoad, slip, angle, 0.2};
        // At least ten lengths of the contact, where the wheel travels slowest.
        const Led ode = led(wheel, query, 30.0);
        const SteadyWheel formula = terra_steady(wheel, query);
        EXPECT_TRUE(formula.carried);
        // 1e-4 of the sinkage and of the load: cells beyond 10 K differ by up to 5e-5.
        EXPECT_NEAR(ode.motion.sinkage, formula.sinkage, 1e-4 * formula.sinkage) << slip;
        EXPECT_NEAR(ode.force.drawbar, formula.drawbar, 1e-4 * kLoad) << slip;
        EXPECT_NEAR(ode.force.side, formula.side, 1e-4 * kLoad) << slip;
        EXPECT_NEAR(ode.force.torque, formula.torque, 1e-4 * kLoad * wheel.r) << slip;
      }
  }
}

TEST(TerraSteady, IsThePlainFormulaAtSpeed) {
  // Without smoothing: z = z_e (1 + a (1 - exp(-s^2 / reach^2))) with z_e = (W / C_N)^(1/m), and
  // j_k = k L / N times sliding over travel.
  const TerraWheel w = wheel_of(fitted());
  for (const double slip : {0.05, 0.2, 0.4, 0.6}) {
    const SteadyWheel steady = terra_steady(w, {kLoad, slip, 0.0, 20.0});
    const double sheared = 1.0 - std::exp(-slip * slip / 0.36);
    const double z = std::pow(kLoad / w.C_N, 1.0 / w.m) * (1.0 + 3.5 * sheared);
    const double L = std::sqrt(z * (2.0 * w.r - z) + w.l0 * w.l0);
    const double slid = 1.0 / (1.0 - slip) - (1.0 - z / (3.0 * w.r));
    double share = 0.0;
    for (int k = 1; k <= 2; ++k) share += 0.5 * (1.0 - std::exp(-0.5 * k * slid * L / w.K));
    // The front rises by a tangent; what shear lifts, pressure need not carry.
    const double dug = 3.5 * sheared / (1.0 + 3.5 * sheared);  // share of the sinkage by slip
    const double rise = w.lambda_c * (1.0 + w.lambda_s * dug) * std::sqrt(z / (2.0 * w.r));
    const double g = w.mu * share, lift = 1.0 + g * rise;
    const double ahead = z * (w.R_linear + w.R_quadratic * z);
    // Lengths are smoothed over 1e-6 m.
    EXPECT_NEAR(steady.sinkage, z, 1e-3 * z);
    EXPECT_NEAR(steady.drawbar, kLoad * (g - rise) / lift - ahead, 1e-4 * kLoad);
    EXPECT_NEAR(steady.torque, w.r_s * kLoad * g * std::sqrt(1.0 + rise * rise) / lift,
                1e-4 * kLoad * w.r);
  }
}

TEST(TerraSteady, SinksWithTheSlipVectorAndNeverBeyondItsBound) {
  const TerraDef def = fitted();
  const TerraWheel wheel = wheel_of(def);
  const double still = terra_steady(wheel, {kLoad, 0.0, 0.0, 0.05}).sinkage;
  const double most = still * (1.0 + def.slip_sinkage + def.skid_sinkage);
  for (const double slip : {-1.0, -0.999, -0.5, 0.0, 0.5, 0.999, 1.0})
    for (const double degrees : {-89.0, -30.0, 0.0, 30.0, 60.0, 89.0}) {
      const SteadyWheel steady = terra_steady(wheel, {kLoad, slip, degrees * kPi / 180.0, 0.05});
      EXPECT_GE(steady.sinkage, still * (1.0 - 1e-9)) << slip << " " << degrees;
      EXPECT_LE(steady.sinkage, most) << slip << " " << degrees;
      EXPECT_TRUE(std::isfinite(steady.drawbar) && std::isfinite(steady.side));
    }
  // Soil is sheared alike by slip along the wheel and across.
  const auto sheared = [&](double rim, double forward, double lateral) {
    return sheared_share(wheel.deeper, slip_vector(rim, forward, lateral));
  };
  EXPECT_NEAR(sheared(0.1, 0.05, 0.0),
              sheared(0.1, 0.1 * std::cos(0.50536), 0.1 * std::sin(0.50536)),
              5e-4);  // both are half as long as the speed, which is smoothed over 0.1 mm/s
}

TEST(TerraForce, RestsWhenTheWheelDoes) {
  // Nothing moves and the soil does not yield: no state may drift, by not a single bit.
  const TerraWheel wheel = wheel_of(fitted());
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    WheelMotion motion;
    motion.sinkage = random.uniform(1e-3, 0.03);
    const double z_s = random.uniform(0.0, 0.9 * motion.sinkage);
    const double z_p = random.uniform(motion.sinkage - z_s, 0.05);  // harder than it is pressed
    std::vector<double> states = {z_p, z_s};
    while (states.size() < wheel.state_count()) states.push_back(random.uniform(-0.02, 0.02));
    std::vector<double> rates(states.size(), 1.0);
    terra_force(wheel, motion, states, rates);
    EXPECT_EQ(rates[0], 0.0);
    EXPECT_EQ(rates[1], 0.0);
  }
  // With the wheel pressed on, the cells neither.
  WheelMotion motion;
  motion.sinkage = 0.006;
  const std::vector<double> states = {0.0052, 0.0, 0.001, 0.002, -0.001, 0.0005, 0.003, 0.2};
  std::vector<double> rates(states.size(), 1.0);
  const WheelForce force = terra_force(wheel, motion, states, rates);
  EXPECT_GT(force.normal, 0.0);
  for (std::size_t k = 1; k < rates.size(); ++k) EXPECT_EQ(rates[k], 0.0) << k;
}

TEST(TerraForce, IsFiniteAndContinuousAtItsLimits) {
  const TerraWheel wheel = wheel_of(fitted());
  std::vector<double> rates(wheel.state_count());
  const std::vector<double> states(wheel.state_count(), 0.0);
  for (const double z : {-1.0, -1e-9, 0.0, 1e-12, 1e-6, 0.1, wheel.r})
    for (const double v : {-1.0, -1e-12, 0.0, 1e-12, 1.0})
      for (const double w : {-3.0, 0.0, 3.0}) {
        WheelMotion motion;
        motion.sinkage = z;
        motion.forward = v;
        motion.lateral = v;
        motion.spin = w;
        const WheelForce f = terra_force(wheel, motion, states, rates);
        EXPECT_TRUE(std::isfinite(f.normal + f.drawbar + f.side + f.torque + f.yaw_torque));
        for (const double rate : rates) EXPECT_TRUE(std::isfinite(rate));
        if (z <= 0.0) {
          EXPECT_EQ(f.normal, 0.0);
          EXPECT_EQ(f.drawbar, 0.0);
        }
      }
}

/// Numbers that depend on motion and states, and how they may be perturbed.
struct Point {
  WheelMotion motion;
  std::vector<double> states;
};
std::vector<double> answers(const TerraWheel& wheel, const Point& at) {
  std::vector<double> rates(wheel.state_count());
  const WheelForce f = terra_force(wheel, at.motion, at.states, rates);
  std::vector<double> out = {f.normal, f.drawbar, f.side, f.torque, f.yaw_torque};
  out.insert(out.end(), rates.begin(), rates.end());
  return out;
}

TEST(TerraForce, HasAContinuousSlopeInAllInputs) {
  // The slope from the left and from the right of where formulas change, beside the slope half a
  // step further out: if it jumped there, the first difference would not shrink with the step.
  TerraDef def = fitted();
  def.sliding_damping = 1.5;
  def.slope_effect = 1.0;
  SoilDef soil = ding_sand();
  soil.cohesion = 300.0;
  const TerraWheel wheel = make_terra_wheel(def, soil, kDingWheel, 9.81);
  Point base;
  base.motion = {0.006, 0.0, 0.02, 0.004, 0.2, 0.1, 0.1};
  base.states = {0.004, 0.001, 0.001, 0.0005, 0.002, -0.0003, 0.001, 0.1};
  struct Case {
    const char* name;
    double WheelMotion::*member;
    double at;
    double step;
  };
  const Case cases[] = {
      {"sinkage, touching the virgin line", &WheelMotion::sinkage, 0.001, 1e-8},
      {"sinkage, touching", &WheelMotion::sinkage, 0.0, 1e-8},
      {"sinkage, elastic line", &WheelMotion::sinkage, 0.005, 1e-11},
      {"forward at rest", &WheelMotion::forward, 0.0, 1e-6},
      {"forward, smoothed", &WheelMotion::forward, 1e-4, 1e-6},
      {"forward, no slip", &WheelMotion::forward, 0.2 * wheel.r_s, 1e-6},
      {"lateral at rest", &WheelMotion::lateral, 0.0, 1e-6},
      {"spin at rest", &WheelMotion::spin, 0.0, 1e-6},
      {"yaw at rest", &WheelMotion::yaw, 0.0, 1e-6},
  };
  for (const Case& c : cases) {
    const auto slope = [&](double from, double to) {
      Point a = base, b = base;
      a.motion.*c.member = c.at + from;
      b.motion.*c.member = c.at + to;
      std::vector<double> out = answers(wheel, b);
      const std::vector<double> before = answers(wheel, a);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - before[i]) / (to - from);
      return out;
    };
    const std::vector<double> left = slope(-c.step, 0.0), right = slope(0.0, c.step);
    const std::vector<double> wide_left = slope(-8.0 * c.step, 0.0),
                              wide_right = slope(0.0, 8.0 * c.step);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double jump = std::abs(right[i] - left[i]);
      const double wide = std::abs(wide_right[i] - wide_left[i]);
      // A continuous slope: the difference shrinks with the step, here eightfold (rounding aside).
      EXPECT_LT(jump, 0.25 * wide + 1e-5 * (1.0 + std::abs(left[i]))) << c.name << ", " << i;
    }
  }
}

TEST(TerraForce, IsMirroredWhenItDrivesBack) {
  const TerraWheel wheel = wheel_of(fitted());
  WheelMotion motion{0.006, 0.001, 0.02, 0.004, 0.2, 0.1, 0.0};
  const std::vector<double> states = {0.004, 0.001, 0.001, 0.0005, 0.002, -0.0003, 0.001, 0.1};
  std::vector<double> rates(8), mirrored_rates(8);
  const WheelForce f = terra_force(wheel, motion, states, rates);
  // Front and rear change places; x turns, y stays.
  motion.forward = -motion.forward;
  motion.spin = -motion.spin;
  motion.yaw = -motion.yaw;
  const std::vector<double> mirrored = {0.004, 0.001, -0.002, -0.0003, -0.001, 0.0005, 0.001, 0.1};
  const WheelForce g = terra_force(wheel, motion, mirrored, mirrored_rates);
  EXPECT_DOUBLE_EQ(g.normal, f.normal);
  EXPECT_DOUBLE_EQ(g.drawbar, -f.drawbar);
  EXPECT_DOUBLE_EQ(g.side, f.side);
  EXPECT_DOUBLE_EQ(g.torque, -f.torque);
  EXPECT_NEAR(g.yaw_torque, -f.yaw_torque, 1e-15);
  EXPECT_DOUBLE_EQ(mirrored_rates[1], rates[1]);
  EXPECT_DOUBLE_EQ(mirrored_rates[2], -rates[4]);
  EXPECT_DOUBLE_EQ(mirrored_rates[5], rates[3]);
}

TEST(TerraForce, ForgetsInTheAir) {
  const TerraWheel wheel = wheel_of(fitted());
  WheelMotion motion;
  motion.sinkage = -0.01;
  motion.spin = 5.0;
  std::vector<double> states(wheel.state_count(), 0.004), rates(wheel.state_count());
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(terra_force(wheel, motion, states, rates).normal, 0.0);
    for (std::size_t k = 0; k < states.size(); ++k) states[k] += 1e-4 * rates[k];
  }
  for (const double state : states) EXPECT_NEAR(state, 0.0, 1e-6);  // ten times the time constant
  // Nor does it go on yielding there, however far it flies.
  motion.sinkage = -0.5;
  motion.forward = 2.0;
  terra_force(wheel, motion, states, rates);
  EXPECT_GE(rates[0], -1e-3);
}

TEST(TerraForce, TurnsItsThrustSoonAfterSpinningOnTheSpot) {
  // A metre of spinning, then back: the thrust turns within a few shear moduli.
  const TerraWheel wheel = wheel_of(fitted());
  WheelMotion motion;
  motion.sinkage = 0.02;
  std::vector<double> states(wheel.state_count(), 0.0), rates(wheel.state_count());
  states[0] = 0.019;
  const auto spin = [&](double rim, double way) {
    motion.spin = rim / wheel.r_s;
    constexpr double kStep = 1e-4;
    double thrust = 0.0;
    for (int i = 0; i < static_cast<int>(way / std::abs(rim) / kStep); ++i) {
      states[0] = motion.sinkage - states[1] - 0.0005;  // stays pressed on
      thrust = terra_force(wheel, motion, states, rates).thrust;
      for (std::size_t k = 2; k < states.size(); ++k) states[k] += kStep * rates[k];
    }
    return thrust;
  };
  const double forwards = spin(0.05, 1.0);
  EXPECT_GT(forwards, 0.0);
  EXPECT_LT(std::abs(states[2]), 12.5 * wheel.K);
  EXPECT_LT(spin(-0.05, 8.0 * wheel.K), -0.5 * forwards);
}

TEST(TerraForce, ResistsTurningOnTheSpot) {
  const TerraWheel wheel = wheel_of(fitted());
  WheelMotion motion;
  motion.sinkage = 0.006;
  motion.yaw = 2.0;
  std::vector<double> states(wheel.state_count(), 0.0), rates(wheel.state_count());
  states[0] = 0.0055;
  double torque = 0.0;
  for (int i = 0; i < 20000; ++i) {
    torque = terra_force(wheel, motion, states, rates).yaw_torque;
    for (std::size_t k = 2; k < states.size(); ++k) states[k] += 1e-4 * rates[k];
  }
  // Two cells a quarter of the length from the middle, all their friction used.
  const double length = terra_force(wheel, motion, states, rates).length;
  EXPECT_NEAR(torque, -wheel.mu * wheel.k_e * (0.0005 - 0.5e-6) * 0.25 * length, 2e-3 * -torque);
}

TEST(TerraParameters, TakeWhatIsNotGivenFromTheSoil) {
  const TerraWheel wheel = make_terra_wheel({}, ding_sand(), kDingWheel, 9.81);
  EXPECT_DOUBLE_EQ(wheel.m, 1.6);
  EXPECT_DOUBLE_EQ(wheel.mu, std::tan(ding_sand().friction_angle));
  EXPECT_DOUBLE_EQ(wheel.K, ding_sand().shear_modulus);
  EXPECT_NEAR(wheel.C_N, 1.9 / 3.0 * 0.165 * 2.4e6 * std::sqrt(2.0 * 0.15735), 1e-6 * wheel.C_N);
  // Grousers leave soil that bears less, so slip digs deeper.
  const TerraWheel lugged =
      make_terra_wheel({}, ding_sand(), {0.1, 0.1, 0.01, 0.5, 20, 0.75}, 9.81);
  const TerraWheel smooth = make_terra_wheel({}, ding_sand(), {0.1, 0.1, 0.0, 0.5, 0, 0.75}, 9.81);
  EXPECT_GT(lugged.deeper.slip, 1.5 * smooth.deeper.slip);
  EXPECT_GT(lugged.mu, 1.3 * smooth.mu);
}

}  // namespace
}  // namespace grouser
