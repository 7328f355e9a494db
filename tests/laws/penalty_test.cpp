#include "grouser/laws/penalty.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/laws/slopes.h"

namespace grouser {
namespace {

const PenaltyNormal kSteel{1e8, 1.5, 1e5, 1e-4};
const StickSlip kPaper{0.2, 0.1, 0.1, 1.0};  // coefficients of the paper's figure 4

double coefficient(const StickSlip& f, double v) {
  return v * stick_slip_per_speed(f, v);
}

TEST(Step, IsACubicBetweenTwoLevels) {
  EXPECT_EQ(step(-1.0, 0.0, 3.0, 2.0, 7.0), 3.0);
  EXPECT_EQ(step(0.0, 0.0, 3.0, 2.0, 7.0), 3.0);
  EXPECT_EQ(step(1.0, 0.0, 3.0, 2.0, 7.0), 5.0);    // the middle
  EXPECT_EQ(step(0.5, 0.0, 0.0, 2.0, 64.0), 10.0);  // q = 1/4: q^2 (3 - 2 q) = 10/64
  EXPECT_EQ(step(2.0, 0.0, 3.0, 2.0, 7.0), 7.0);
  EXPECT_EQ(step(9.0, 0.0, 3.0, 2.0, 7.0), 7.0);
  EXPECT_EQ(step(0.0, -2.0, -1.0, 2.0, 1.0), 0.0);  // odd about its middle
  const auto f = [](double x) { return step(x, 0.0, 3.0, 2.0, 7.0); };
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

TEST(PenaltyForce, DampingTakesEnergyAway) {
  const Bounce light = bounce({1e6, 1.5, 50.0, 1e-4}, 20000);
  const Bounce heavy = bounce({1e6, 1.5, 200.0, 1e-4}, 20000);
  EXPECT_LT(light.speed, 0.99);
  EXPECT_LT(heavy.speed, light.speed);
  EXPECT_GT(heavy.speed, 0.0);
}

TEST(StickSlip, PeaksAtTheStickSpeedAndFallsToTheSlipSpeed) {
  EXPECT_EQ(coefficient(kPaper, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 0.1), 0.2);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 0.55), 0.15);  // the middle between V_s and V_tr
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 50.0), 0.1);
  for (double v = 0.0; v < 2.0; v += 0.001)
    EXPECT_LE(coefficient(kPaper, v), 0.2 * (1.0 + 1e-15)) << v;  // rounding
}

TEST(StickSlip, IsTheProductOfTwoSteps) {
  // Equation 6 of the paper with -V_s in the place of its first V_s, which divides by zero.
  for (double v = 0.0; v < 1.5; v += 0.0103)
    EXPECT_NEAR(coefficient(kPaper, v),
                step(v, -0.1, -1.0, 0.1, 1.0) * step(std::abs(v), 0.1, 0.2, 1.0, 0.1), 1e-16)
        << v;  // rounding of 0.2
}

TEST(StickSlip, StartsWithAFiniteSlopeAndHasNoKink) {
  EXPECT_DOUBLE_EQ(stick_slip_per_speed(kPaper, 0.0), 1.5 * 0.2 / 0.1);
  const auto mu = [](double v) { return coefficient(kPaper, v); };
  for (const double v : {0.1, 1.0}) EXPECT_LT(slope_jump(mu, v, 0.01), 1e-2) << v;
}

TEST(StickSlip, PointsAgainstTheSlidingVelocity) {
  const Vec3 sliding(0.3, -0.4, 0.0);
  const Vec3 force = stick_slip_force(kPaper, 100.0, sliding);
  const double size = 100.0 * coefficient(kPaper, 0.5);
  EXPECT_NEAR((force + size * sliding / 0.5).norm(), 0.0, 1e-14);  // rounding of 15 N
  EXPECT_EQ(stick_slip_force(kPaper, 100.0, Vec3::Zero()).norm(), 0.0);
  EXPECT_EQ(stick_slip_force(kPaper, 0.0, sliding).norm(), 0.0);
}

}  // namespace
}  // namespace grouser
