#include "grouser/laws/hunt_crossley.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace grouser {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

TEST(HertzStiffness, IsFourThirdsOfModulusAndRootOfRadius) {
  EXPECT_DOUBLE_EQ(hertz_stiffness(3e9, 0.04), 4.0 / 3.0 * 3e9 * 0.2);
}

TEST(HuntCrossleyDamping, HasTheExactValues) {
  // Roots of a (1 + e) = ln((1 + a) / (1 - a e)), solved elsewhere and rounded to five places.
  constexpr std::pair<double, double> kTable[] = {
      {0.1, 9.99816}, {0.2, 4.91917}, {0.3, 3.08708}, {0.4, 2.08250}, {0.5, 1.43275},
      {0.6, 0.97487}, {0.7, 0.63483}, {0.8, 0.37315}, {0.9, 0.16648}, {0.95, 0.07893}};
  for (const auto& [e, a] : kTable)
    EXPECT_NEAR(hunt_crossley_damping(e), a, 5e-6) << "e = " << e;  // half of the last digit
  EXPECT_NEAR(hunt_crossley_damping(0.05), 20.0, 0.05);             // printed with one place
}

TEST(RestitutionLaws, GiveWhatTheyGive) {
  // Restitution that the published formulas reach where 0.1, 0.2, ... 0.9 is wanted, three places.
  using Law = RestitutionLaw;
  const std::pair<Law, std::array<double, 9>> kTable[] = {
      {Law::hunt_crossley, {.516, .547, .581, .620, .663, .712, .768, .833, .909}},
      {Law::lankarani_nikravesh, {.665, .672, .684, .702, .725, .756, .796, .847, .913}},
      {Law::herbert_mcwhannell, {.491, .501, .520, .550, .594, .651, .723, .807, .901}},
      {Law::lee_wang, {.687, .712, .739, .768, .799, .833, .869, .909, .952}},
      {Law::gonthier, {.101, .205, .304, .398, .488, .577, .670, .768, .876}},
      {Law::flores, {.069, .156, .256, .363, .470, .577, .683, .789, .894}},
      {Law::hu_guo, {.074, .166, .271, .380, .488, .594, .697, .799, .900}},
      {Law::exact, {.1, .2, .3, .4, .5, .6, .7, .8, .9}}};
  for (const auto& [law, row] : kTable)
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double wanted = 0.1 * static_cast<double>(i + 1);
      EXPECT_NEAR(restitution_of(damping_factor(law, wanted)), row[i], 5.1e-4)
          << static_cast<int>(law) << " " << wanted;
    }
}

TEST(RestitutionLaws, TheExactOneIsInverted) {
  for (double e = 0.05; e < 0.995; e += 0.0173)
    EXPECT_NEAR(restitution_of(hunt_crossley_damping(e)), e, 1e-9) << e;  // flat near e = 1
  EXPECT_EQ(restitution_of(0.0), 1.0);
}

TEST(HuntCrossleyDamping, SolvesItsEquationToRounding) {
  for (double e = 0.05; e < 0.999; e += 0.0173) {
    const double a = hunt_crossley_damping(e);
    ASSERT_GT(a, 0.0);
    ASSERT_LT(a, 1.0 / e);
    const double left = a * (1.0 + e);
    const double right = std::log1p(a) - std::log1p(-a * e);
    // a itself is rounded, and 1 - a e magnifies that where it is small.
    const double rounding = kEpsilon * (left + a * e / (1.0 - a * e));
    EXPECT_NEAR(left, right, 8.0 * rounding) << "e = " << e;
  }
}

TEST(HuntCrossleyDamping, HasTheLimitsOfTheory) {
  EXPECT_EQ(hunt_crossley_damping(1.0), 0.0);
  // a = 3/2 (1 - e) + O((1 - e)^2) for hard rebounds.
  for (const double loss : {1e-2, 1e-3, 1e-4})
    EXPECT_NEAR(hunt_crossley_damping(1.0 - loss), 1.5 * loss, 2.0 * loss * loss);
  // a -> 1/e for soft ones: 1 - a e is about exp(-1/e).
  for (const double e : {0.01, 0.02})
    EXPECT_NEAR(hunt_crossley_damping(e) * e, 1.0, 4.0 * kEpsilon);
}

TEST(HuntCrossleyDamping, StaysSmallWhenNearlyNothingIsLost) {
  // Below 1e-8 of loss the equation itself drowns in rounding; a must stay of that size.
  for (const double loss : {1e-7, 1e-9, 1e-12, 1e-15}) {
    const double a = hunt_crossley_damping(1.0 - loss);
    EXPECT_GE(a, 0.0);
    EXPECT_LT(a, 1.6 * loss + 1e-7);
  }
}

TEST(HuntCrossleyDamping, FallsAsTheReboundGrows) {
  double before = std::numeric_limits<double>::infinity();
  for (double e = 0.02; e < 1.0; e += 0.01) {
    const double a = hunt_crossley_damping(e);
    EXPECT_LT(a, before);
    before = a;
  }
}

TEST(HuntCrossleyDamping, IsLimitedForReboundsThatAreAlmostNone) {
  const double a = hunt_crossley_damping(kSmallestRestitution);
  EXPECT_EQ(hunt_crossley_damping(0.0), a);
  EXPECT_EQ(hunt_crossley_damping(-1.0), a);
  EXPECT_EQ(hunt_crossley_damping(2.0), 0.0);
}

TEST(HuntCrossleyForce, NeverPullsAndActsOnlyInside) {
  EXPECT_EQ(hunt_crossley_force(1e6, 1.0, 1.0, 0.0, 1.0), 0.0);
  EXPECT_EQ(hunt_crossley_force(1e6, 1.0, 1.0, -1e-3, 1.0), 0.0);
  EXPECT_EQ(hunt_crossley_force(1e6, 1.0, 1.0, 1e-3, -2.0), 0.0);
  EXPECT_DOUBLE_EQ(hunt_crossley_force(1e6, 0.5, 2.0, 1e-4, 0.0), 1e6 * 1e-6);
  EXPECT_DOUBLE_EQ(hunt_crossley_force(1e6, 0.5, 2.0, 1e-4, 1.0), 1e6 * 1e-6 * 1.25);
}

/// Rebound speed over impact speed of a free mass, integrated with classical Runge-Kutta steps.
double rebound(double e, double stiffness, double mass, double impact_speed) {
  const double a = hunt_crossley_damping(e);
  const auto acceleration = [&](double depth, double rate) {
    return -hunt_crossley_force(stiffness, a, impact_speed, depth, rate) / mass;
  };
  // Without damping it would last 2.94 d_max / v; at e = 0.1 some ten times as long.
  const double d_max = std::pow(1.25 * mass * impact_speed * impact_speed / stiffness, 0.4);
  const double h = d_max / impact_speed / 20000.0;
  double depth = 0.0, rate = impact_speed;
  for (int i = 0; i < 2000000; ++i) {
    const double k1 = acceleration(depth, rate);
    const double k2 = acceleration(depth + 0.5 * h * rate, rate + 0.5 * h * k1);
    const double k3 = acceleration(depth + 0.5 * h * rate + 0.25 * h * h * k1, rate + 0.5 * h * k2);
    const double k4 = acceleration(depth + h * rate + 0.5 * h * h * k2, rate + h * k3);
    depth += h * rate + h * h / 6.0 * (k1 + k2 + k3);
    rate += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    if (depth <= 0.0) return -rate / impact_speed;
  }
  return 0.0;  // still inside
}

TEST(HuntCrossley, FreeImpactEndsWithTheWantedRestitution) {
  for (const double e : {0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0})
    // d^1.5 bends at touch, which leaves Runge-Kutta about h^2.5: far below 1e-4 with 20000 steps
    // per d_max / v.
    EXPECT_NEAR(rebound(e, 1e7, 0.5, 1.3), e, 1e-4) << "e = " << e;
}

TEST(HuntCrossley, RestitutionDoesNotDependOnStiffnessMassOrSpeed) {
  for (const double stiffness : {1e3, 1e9})
    for (const double mass : {1e-3, 50.0})
      for (const double speed : {1e-2, 20.0})
        EXPECT_NEAR(rebound(0.6, stiffness, mass, speed), 0.6, 1e-4);  // as above
}

TEST(HertzEnergy, IsTheIntegralOfTheForce) {
  const double k = 3e7, depth = 2e-3;
  // Simpson's rule in s = sqrt(d), where the integrand is 2 k s^4: it is off by 2/3 (1/n)^4 of the
  // whole, 4e-10.
  const int n = 200;
  const double width = std::sqrt(depth) / n;
  const auto integrand = [&](double s) {
    return hunt_crossley_force(k, 0.0, 1.0, s * s, 0.0) * 2.0 * s;
  };
  double sum = 0.0;
  for (int i = 0; i < n; i += 2) {
    const double s = i * width;
    sum += width / 3.0 * (integrand(s) + 4.0 * integrand(s + width) + integrand(s + 2.0 * width));
  }
  EXPECT_NEAR(hertz_energy(k, depth), sum, 1e-8 * sum);
  EXPECT_EQ(hertz_energy(k, 0.0), 0.0);
  EXPECT_EQ(hertz_energy(k, -1e-3), 0.0);
}

TEST(HertzEnergy, HasTheForceAsItsSlope) {
  const double k = 3e7, depth = 2e-3, step = 1e-3 * depth;
  const double slope = (hertz_energy(k, depth + step) - hertz_energy(k, depth - step)) / (2 * step);
  const double force = hunt_crossley_force(k, 0.0, 1.0, depth, 0.0);
  EXPECT_NEAR(slope, force, 1e-6 * force);  // central difference, error O((step / depth)^2) / 8
}

}  // namespace
}  // namespace grouser
