#include "grouser/laws/friction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/laws/slopes.h"

namespace grouser {
namespace {

constexpr double kRegularisation = 5e-4;  // [m/s]
constexpr double kStroke = 1e-4;          // [m]

double share(double x) {
  const double v = x * kRegularisation;
  return quadratic_friction_per_speed(v, kRegularisation) * v;
}

TEST(QuadraticFriction, RisesFromNothingToAll) {
  EXPECT_EQ(share(0.0), 0.0);
  EXPECT_DOUBLE_EQ(share(0.5), 0.75);
  EXPECT_DOUBLE_EQ(share(1.0), 1.0);
  EXPECT_DOUBLE_EQ(share(1e6), 1.0);
  for (double x = 0.0; x < 1.5; x += 0.01)
    EXPECT_LE(share(x), share(x + 0.01) + 1e-15);  // rounding
}

TEST(PeakFrictionLaws, HaveTheirPeakAndTheirTail) {
  const DryFriction f{FrictionLaw::bengisu_akay, 0.3, 0.5, 1e-3, 1e-2, 200.0};
  const auto bengisu = [&](double v) { return v * bengisu_akay_per_speed(f, v); };
  const auto brown = [&](double v) { return v * brown_mcphee_per_speed(f, v); };
  EXPECT_DOUBLE_EQ(bengisu(1e-3), 0.5);
  EXPECT_DOUBLE_EQ(bengisu(0.5e-3), 0.375);
  EXPECT_NEAR(bengisu(0.1), 0.3, 1e-12);
  // The formula at x = 1: mu tanh 4 + (mu_s - mu).
  EXPECT_NEAR(brown(1e-3), 0.3 * std::tanh(4.0) + 0.2, 1e-15);
  EXPECT_NEAR(brown(10.0), 0.3, 1e-6);
  // Smooth: differences of slopes over 1e-9 m/s are small everywhere, also at v_d.
  for (double v = 1e-5; v < 4e-3; v += 1e-5) {
    const auto slope = [&](auto&& law, double at) { return (law(at + 1e-9) - law(at)) / 1e-9; };
    // Second derivatives are below 2 mu_s / v_d^2 = 1e6; rounding of differences 1e-7.
    EXPECT_NEAR(slope(bengisu, v), slope(bengisu, v - 1e-9), 2e-3) << v;
    EXPECT_NEAR(slope(brown, v), slope(brown, v - 1e-9), 5e-2) << v;
  }
}

TEST(PeakFrictionLaws, CreepUnderLoad) {
  // Where they carry 0.7 of the peak, and tanh 0.7 of all.
  const DryFriction f{FrictionLaw::bengisu_akay, 0.3, 0.5, 1e-3, 1e-2, 200.0};
  const double v = 1e-3 * (1.0 - std::sqrt(1.0 - 0.7));
  EXPECT_NEAR(v * bengisu_akay_per_speed(f, v), 0.35, 1e-15);
  const double w = 1e-3 * std::atanh(0.7);
  EXPECT_NEAR(w * tanh_friction_per_speed(w, 1e-3), 0.7, 1e-15);
  EXPECT_DOUBLE_EQ(tanh_friction_per_speed(0.0, 1e-3), 1e3);
}

// Coefficients of figure 4 of Zhu and others (2023).
const DryFriction kPaper{FrictionLaw::stick_slip, 0.1, 0.2, 0.1, 1.0};

double coefficient(const DryFriction& f, double v) {
  return v * stick_slip_per_speed(f, v, v * v);
}

TEST(StickSlip, PeaksAtTheStickSpeedAndFallsToTheSlipSpeed) {
  EXPECT_EQ(coefficient(kPaper, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 0.1), 0.2);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 0.55), 0.15);  // the middle between v_d and v_t
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(coefficient(kPaper, 50.0), 0.1);
  for (double v = 0.0; v < 2.0; v += 0.001)
    EXPECT_LE(coefficient(kPaper, v), 0.2 * (1.0 + 1e-15)) << v;  // rounding
}

TEST(StickSlip, IsTheProductOfTwoSteps) {
  // Equation 6 of the paper with -v_d in the place of its first v_d, which divides by zero.
  for (double v = 0.0; v < 1.5; v += 0.0103)
    EXPECT_NEAR(coefficient(kPaper, v),
                smooth_step(v, -0.1, -1.0, 0.1, 1.0) * smooth_step(v, 0.1, 0.2, 1.0, 0.1), 1e-16)
        << v;  // rounding of 0.2
}

TEST(StickSlip, StartsWithAFiniteSlopeAndHasNoKink) {
  EXPECT_DOUBLE_EQ(stick_slip_per_speed(kPaper, 0.0, 0.0), 1.5 * 0.2 / 0.1);
  const auto mu = [](double v) { return coefficient(kPaper, v); };
  for (const double v : {0.1, 1.0}) EXPECT_LT(slope_jump(mu, v, 0.01), 1e-2) << v;
}

/// Laws of the speed come first.
std::vector<FrictionLaw> laws_of_speed() {
  std::vector<FrictionLaw> laws;
  for (std::size_t i = 0; i < friction_words().size(); ++i)
    laws.push_back(static_cast<FrictionLaw>(i));
  return laws;
}

TEST(FrictionPerSpeed, KnowsEveryLawOfTheSpeed) {
  EXPECT_GE(laws_of_speed().size(), 5u);
  for (const FrictionLaw law : laws_of_speed()) {
    const DryFriction f{law, 0.3, 0.3, 1e-3, 1e-2};
    // From nothing to all of mu F_n without a peak, and never more.
    EXPECT_GT(friction_per_speed(f, 10.0, 0.0), 0.0);
    EXPECT_NEAR(friction_per_speed(f, 10.0, 1.0), 3.0, 1e-12);
    for (double v = 0.0; v < 0.02; v += 1e-5)
      EXPECT_LE(v * friction_per_speed(f, 10.0, v), 3.0 * (1.0 + 1e-12)) << v;  // rounding
    EXPECT_EQ(friction_per_speed(f, 0.0, 1e-3), 0.0);
  }
  for (const FrictionLaw law : {FrictionLaw::bristle, FrictionLaw::spring_slider})
    EXPECT_EQ(friction_per_speed({law, 0.3, 0.3}, 10.0, 1.0), 0.0);
}

TEST(FrictionPerSpeed, HasItsSlope) {
  for (const FrictionLaw law : laws_of_speed()) {
    const DryFriction f{law, 0.3, 0.5, 1e-3, 1e-2};
    for (double v = 1.5e-4; v < 0.02; v += 1e-4) {
      const double h = 1e-8;
      const double slope =
          (friction_per_speed(f, 10.0, v + h) - friction_per_speed(f, 10.0, v - h)) / (2.0 * h);
      // Rounding of 1e-16 / h, by forces of 5e3 N s/m and more.
      EXPECT_NEAR(friction_per_speed_slope(f, 10.0, v), slope, 1e-6 * std::abs(slope) + 1.0) << v;
    }
    EXPECT_TRUE(std::isfinite(friction_per_speed_slope(f, 10.0, 0.0)));
  }
}

TEST(QuadraticFriction, IsOnceDifferentiable) {
  // Slope 2 (1 - x) below one, zero above. A central difference over 2h is exact for a quadratic
  // and off by h / 2 where two of them meet; rounding adds 1e-16 / h.
  constexpr double kStep = 1e-6;
  for (double x = 0.05; x < 1.5; x += 0.05) {
    const double slope = (share(x + kStep) - share(x - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(slope, 2.0 * std::max(0.0, 1.0 - x), kStep) << "x = " << x;
  }
  const double at_the_joint = (share(1.0 + kStep) - share(1.0 - kStep)) / (2.0 * kStep);
  EXPECT_NEAR(at_the_joint, 0.0, kStep);
}

/// The bristle after a path is travelled with a speed that may vary along it. `velocity(t)` [m/s],
/// classical Runge-Kutta steps.
template <class Velocity>
Vec2 after(Velocity velocity, double duration, int steps) {
  const double h = duration / steps;
  Vec2 z = Vec2::Zero();
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Vec2 k1 = bristle_rate(velocity(t), z, kStroke);
    const Vec2 k2 = bristle_rate(velocity(t + 0.5 * h), z + 0.5 * h * k1, kStroke);
    const Vec2 k3 = bristle_rate(velocity(t + 0.5 * h), z + 0.5 * h * k2, kStroke);
    const Vec2 k4 = bristle_rate(velocity(t + h), z + h * k3, kStroke);
    z += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return z;
}

TEST(Bristle, FollowsItsExponentialAlongAStraightPath) {
  // dz/ds = 1 - z / stroke along a straight path s: z = stroke (1 - exp(-s / stroke)).
  const double speed = 0.01;
  for (const double strokes : {0.1, 1.0, 3.0}) {
    const Vec2 z = after([&](double) { return Vec2(speed, 0.0); }, strokes * kStroke / speed, 400);
    // Runge-Kutta: (step / stroke)^4 is below 1e-8.
    EXPECT_NEAR(z.x(), kStroke * (1.0 - std::exp(-strokes)), 1e-8 * kStroke);
    EXPECT_EQ(z.y(), 0.0);
  }
}

TEST(Bristle, SaturatesAtTheStroke) {
  const Vec2 direction = Vec2(3.0, -4.0) / 5.0;
  const Vec2 z = after([&](double) { return Vec2(0.01 * direction); }, 40.0 * kStroke / 0.01, 4000);
  EXPECT_LE((z - kStroke * direction).norm(), 1e-12 * kStroke);  // exp(-40) is below rounding
  // A saturated bristle stands still however fast the body slides on.
  EXPECT_LE(bristle_rate(100.0 * direction, z, kStroke).norm(), 100.0 * 1e-12);
}

TEST(Bristle, NeverLeavesItsStroke) {
  // (|z|^2)' = 2 (v . z - |v| |z|^2 / stroke) <= 0 on |z| = stroke, whatever the direction.
  for (int k = 0; k < 64; ++k) {
    const double angle = 2.0 * kPi * k / 64.0;
    const Vec2 z = kStroke * Vec2(std::cos(angle), std::sin(angle));
    for (const double speed : {1e-9, 1e-3, 10.0})
      EXPECT_LE(z.dot(bristle_rate(Vec2(speed, 0.0), z, kStroke)), 1e-15 * speed * kStroke);
  }
}

TEST(Bristle, HoldsAtRest) {
  const Vec2 z(0.3 * kStroke, -0.2 * kStroke);
  EXPECT_EQ(bristle_rate(Vec2::Zero(), z, kStroke), Vec2::Zero());
}

TEST(Bristle, DependsOnThePathAndNotOnItsRate) {
  // A quarter of a circle of three strokes, once at even speed, once with a halt on the way.
  const double radius = 3.0 * kStroke;
  const auto along = [&](double angle, double rate) {
    return Vec2(-radius * std::sin(angle) * rate, radius * std::cos(angle) * rate);
  };
  const double quarter = kPi / 2.0;
  const Vec2 even = after([&](double t) { return along(quarter * t, quarter); }, 1.0, 2000);
  // angle = quarter (s - sin(2 pi s) / (2 pi)), s = t / 100: a hundred times slower, at rest at
  // both ends and at no constant speed between.
  const Vec2 uneven = after(
      [&](double t) {
        const double s = t / 100.0;
        const double angle = quarter * (s - std::sin(2.0 * kPi * s) / (2.0 * kPi));
        return along(angle, quarter * (1.0 - std::cos(2.0 * kPi * s)) / 100.0);
      },
      100.0, 2000);
  // Runge-Kutta with steps of at most 1/200 stroke: errors of about (1/200)^4 = 6e-10.
  EXPECT_LE((even - uneven).norm(), 1e-8 * kStroke);
  EXPECT_GT(even.norm(), 0.5 * kStroke);  // there is something to compare
}

TEST(Bristle, GoesAsFastAsTheBody) {
  const Vec2 v(0.02, -0.05), z(0.1 * kStroke, 0.6 * kStroke);
  // A power of two is exact in every operation but the norm, which rounds alike.
  EXPECT_EQ(bristle_rate(4.0 * v, z, kStroke), 4.0 * bristle_rate(v, z, kStroke));
}

}  // namespace
}  // namespace grouser
