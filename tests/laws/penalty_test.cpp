#include "grouser/laws/penalty.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/laws/slopes.h"

namespace grouser {
namespace {

const PenaltyNormal kSteel{1e8, 1.5, 1e5, 1e-4};

TEST(SmoothStep, IsACubicBetweenTwoLevels) {
  EXPECT_EQ(smooth_step(-1.0, 0.0, 3.0, 2.0, 7.0), 3.0);
  EXPECT_EQ(smooth_step(0.0, 0.0, 3.0, 2.0, 7.0), 3.0);
  EXPECT_EQ(smooth_step(1.0, 0.0, 3.0, 2.0, 7.0), 5.0);    // the middle
  EXPECT_EQ(smooth_step(0.5, 0.0, 0.0, 2.0, 64.0), 10.0);  // q = 1/4: q^2 (3 - 2 q) = 10/64
  EXPECT_EQ(smooth_step(2.0, 0.0, 3.0, 2.0, 7.0), 7.0);
  EXPECT_EQ(smooth_step(9.0, 0.0, 3.0, 2.0, 7.0), 7.0);
  EXPECT_EQ(smooth_step(0.0, -2.0, -1.0, 2.0, 1.0), 0.0);  // odd about its middle
  const auto f = [](double x) { return smooth_step(x, 0.0, 3.0, 2.0, 7.0); };
  for (const double x : {0.0, 2.0}) EXPECT_LT(slope_jump(f, x, 0.1), 1e-2) << x;
}

TEST(PenaltyForce, IsAPowerOfDepthAtRest) {
  for (const double n : {1.0, 1.2, 1.5, 2.0, 2.5}) {
    const PenaltyNormal law{1e6, n, 1e3, 1e-4};
    EXPECT_DOUBLE_EQ(penalty_force(law, 2e-3, 0.0), 1e6 * std::pow(2e-3, n)) << n;
    EXPECT_EQ(penalty_force(law, 0.0, 1.0), 0.0);
    EXPECT_EQ(penalty_force(law, -1e-3, 1.0), 0.0);
  }
}

TEST(PenaltyForce, UnitsAreMetres) {
  // The paper writes K in N/m beside depths in mm: 1e8 N/m^1.5 at 1 mm are 3162 N.
  EXPECT_NEAR(penalty_force(kSteel, 1e-3, 0.0), 3162.28, 5e-3);  // printed with two places
}

TEST(PenaltyForce, DampingFadesInWithDepthAndStays) {
  const auto damper = [](double depth) { return penalty_parts(kSteel, depth).damper; };
  EXPECT_EQ(damper(0.0), 0.0);
  EXPECT_DOUBLE_EQ(damper(0.5e-4), 0.5e5);
  EXPECT_DOUBLE_EQ(damper(1e-4), 1e5);
  EXPECT_DOUBLE_EQ(damper(1e-2), 1e5);
  EXPECT_DOUBLE_EQ(penalty_force(kSteel, 1e-4, 0.01), 100.0 + 1e3);  // both parts
  for (const double depth : {0.0, 1e-4}) EXPECT_LT(slope_jump(damper, depth, 1e-5), 1e-2) << depth;
}

TEST(PenaltyForce, NeverPulls) {
  EXPECT_EQ(penalty_force(kSteel, 1e-4, -0.01), 0.0);  // 100 N - 1000 N
  EXPECT_GT(penalty_force(kSteel, 1e-4, -0.0005), 0.0);
}

TEST(PenaltyEnergy, HasTheForceAsItsSlope) {
  for (const double n : {1.0, 1.3, 1.5, 2.0}) {
    const PenaltyNormal law{1e6, n, 0.0, 1e-4};
    const double d = 1e-3, h = 1e-7;
    const double slope = (penalty_energy(law, d + h) - penalty_energy(law, d - h)) / (2.0 * h);
    // Central difference: (h / d)^2 = 1e-8, times n (n - 1) / 6.
    EXPECT_NEAR(slope, penalty_force(law, d, 0.0), 1e-8 * slope) << n;
    EXPECT_EQ(penalty_energy(law, -d), 0.0);
  }
}

/// A mass of 1 kg that meets the contact at 1 m/s, by RK4 with about `steps` steps in contact.
struct Bounce {
  double speed;         // [m/s], away, at the end of the touch
  double energy_error;  // greatest relative deviation of kinetic and elastic energy
};
Bounce bounce(const PenaltyNormal& law, int steps) {
  // Compression takes about the depth at which the spring holds all energy, over the speed.
  const double deepest =
      std::pow((law.exponent + 1.0) / (2.0 * law.stiffness), 1.0 / (law.exponent + 1.0));
  const double h = 3.0 * deepest / steps;
  double d = 0.0, v = 1.0;
  Bounce out{0.0, 0.0};
  const auto rate = [&](double depth, double speed) { return -penalty_force(law, depth, speed); };
  while (d >= 0.0) {
    const double k1 = rate(d, v), k2 = rate(d + 0.5 * h * v, v + 0.5 * h * k1);
    const double k3 = rate(d + 0.5 * h * v + 0.25 * h * h * k1, v + 0.5 * h * k2);
    const double k4 = rate(d + h * v + 0.5 * h * h * k2, v + h * k3);
    d += h * v + h * h / 6.0 * (k1 + k2 + k3);
    v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    const double energy = 0.5 * v * v + penalty_energy(law, d);
    out.energy_error = std::max(out.energy_error, std::abs(energy / 0.5 - 1.0));
  }
  out.speed = -v;
  return out;
}

TEST(PenaltyForce, UndampedItKeepsEnergyAndRestitutionIsOne) {
  for (const double n : {1.0, 1.5, 2.0}) {
    const Bounce undamped = bounce({1e6, n, 0.0, 1e-4}, 20000);
    // RK4 is exact to 1e-12 inside; d^1.5 starts with an infinite second slope, so the first and
    // last step are good to (1/20000)^2.5 = 2e-11, the end of the touch to a step of a force ~0.
    EXPECT_LT(undamped.energy_error, 1e-7) << n;
    EXPECT_NEAR(undamped.speed, 1.0, 1e-7) << n;
  }
}

TEST(PenaltyForce, HuntAndCrossleyGiveTheRestitutionAtTheImpactSpeed) {
  for (const double n : {1.0, 1.5, 2.0})
    for (const double e : {0.3, 0.8}) {
      PenaltyDef def;
      def.normal_law = NormalLaw::hunt_crossley;
      def.exponent = n;
      def.damping = 1e3;  // of the other law
      // As the undamped bounce above, whose touch ends within a step.
      EXPECT_NEAR(bounce(penalty_normal(def, 1e6, e), 20000).speed, e, 1e-6) << n << " " << e;
    }
}

TEST(PenaltyForce, DampingTakesEnergyAway) {
  const Bounce light = bounce({1e6, 1.5, 50.0, 1e-4}, 20000);
  const Bounce heavy = bounce({1e6, 1.5, 200.0, 1e-4}, 20000);
  EXPECT_LT(light.speed, 0.99);
  EXPECT_LT(heavy.speed, light.speed);
  EXPECT_GT(heavy.speed, 0.0);
}

}  // namespace
}  // namespace grouser
