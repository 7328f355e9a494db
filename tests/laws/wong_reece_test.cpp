#include "grouser/laws/wong_reece.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/laws/slopes.h"

namespace grouser {
namespace {

WongReeceWheel wheel_of(double r, double b, double k, double n, double c, double phi_degrees,
                        double K, double c1, double c2) {
  WongReeceWheel wheel;
  wheel.size.radius = r;
  wheel.size.width = b;
  wheel.modulus = k;
  wheel.n = n;
  wheel.cohesion = c;
  wheel.tan_phi = std::tan(phi_degrees * kDegree);
  wheel.K_x = wheel.K_y = K;
  wheel.c1 = c1;
  wheel.c2 = c2;
  return wheel;
}
WongReeceWheel small_wheel(double k = 4.1e5) {
  return wheel_of(0.15, 0.1, k, 0.8, 234.0, 30.0, 0.013, 0.18, 0.32);
}
WongReeceWheel compact_sand() {
  return wheel_of(0.62738, 0.1524, 5.842e5, 0.47, 689.5, 33.3, 0.0381, 0.43, 0.32);
}
WongReeceWheel loose_sand(double b, double k) {
  return wheel_of(0.62738, b, k, 1.15, 827.4, 31.1, 0.0381, 0.18, 0.32);
}
/// Ding (2011), smooth wheel.
WongReeceWheel wong_reece_wheel() {
  return wheel_of(0.15735, 0.165, 15.6e3 / 0.165 + 2407.4e3, 1.1, 250.0, 31.9, 0.011, 0.4, 0.15);
}

struct Reference {
  WongReeceWheel wheel;
  double load, slip;
  double entry_degrees, z, drawbar, torque, peak_stress;
};
/// Solutions with 64 points in another program, in digits as printed there.
std::vector<Reference> references() {
  WongReeceWheel no_peak = small_wheel();
  no_peak.c1 = no_peak.c2 = 0.0;
  return {
      {small_wheel(2.5869e5), 165.0, 0.2, 45.3060, 0.044502, 14.7728, 10.6371, 20372.7},
      {small_wheel(), 165.0, 0.0, 37.9330, 0.03169, -11.0271, 5.32967, 25215.2},
      {small_wheel(), 165.0, 0.2, 37.9410, 0.03170, 15.6228, 9.42284, 24635.9},
      {small_wheel(), 165.0, 0.6, 38.9977, 0.03342, 27.5489, 11.79661, 23899.3},
      {no_peak, 165.0, 0.2, 36.0246, 0.02869, 22.4901, 9.39260, 23928.3},
      {compact_sand(), 8923.1, 0.1, 36.4463, 0.1227, 673.76, 2154.16, 194019.0},
      {compact_sand(), 8923.1, 0.221, 36.5402, 0.1233, 1292.51, 2553.46, 189967.0},
      {compact_sand(), 8923.1, 0.4, 37.0599, 0.1267, 1659.46, 2831.05, 184724.0},
      {loose_sand(0.1524, 7.199e5), 8834.2, 0.2, 55.9667, 0.2763, 1058.03, 2875.06, 151925.0},
      {loose_sand(0.3048, 6.488e5), 9274.5, 0.2, 47.2004, 0.2011, 1522.01, 2914.37, 95209.0},
  };
}

TEST(WongReece, HasTheReferenceSolutions) {
  for (const int points : {8, 64})
    for (const Reference& row : references()) {
      const WongReeceSteady steady = wong_reece_under(row.wheel, row.load, row.slip, 0.0, points);
      ASSERT_TRUE(steady.carried);
      const auto near = [&](double value, double expected) {
        EXPECT_NEAR(value, expected, 1e-4 * std::abs(expected)) << row.load << ' ' << row.slip;
      };
      near(steady.patch.shape.entry / kDegree, row.entry_degrees);
      near(steady.patch.force.drawbar, row.drawbar);
      near(steady.patch.force.torque, row.torque);
      near(steady.patch.peak_stress, row.peak_stress);
      // Printed with four digits: half of the last.
      EXPECT_NEAR(steady.sinkage, row.z, row.z > 0.1 ? 5e-5 : 5e-6);
      EXPECT_NEAR(steady.patch.force.normal, row.load, 1e-12 * row.load);  // of the solver
    }
}

TEST(WongReece, NeedsEightPointsOnly) {
  for (const Reference& row : references()) {
    const WheelForce few = wong_reece_at(row.wheel, row.z, row.slip, 0.1, 8).force;
    const WheelForce more = wong_reece_at(row.wheel, row.z, row.slip, 0.1, 16).force;
    const WheelForce many = wong_reece_at(row.wheel, row.z, row.slip, 0.1, 64).force;
    // Worst found 7e-6 and 5e-9, where the entry is at 56 degrees.
    EXPECT_NEAR(few.normal, many.normal, 1e-5 * many.normal);
    EXPECT_NEAR(few.drawbar, many.drawbar, 1e-5 * many.normal);
    EXPECT_NEAR(few.torque, many.torque, 1e-5 * many.torque);
    EXPECT_NEAR(few.side, many.side, 1e-5 * many.normal);
    EXPECT_NEAR(more.drawbar, many.drawbar, 1e-7 * many.normal);
  }
}

TEST(WongReece, HasDingsWheelWithoutCalibration) {
  const double slips[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.6};
  const double drawbar[] = {-9.0, 1.8, 9.2, 14.4, 18.2, 22.9};
  const double torque[] = {0.85, 2.54, 3.72, 4.56, 5.18, 5.97};
  for (int i = 0; i < 6; ++i) {
    const WongReeceSteady steady = wong_reece_under(wong_reece_wheel(), 80.0, slips[i]);
    // Half of the last printed digit.
    EXPECT_NEAR(steady.patch.force.drawbar, drawbar[i], 0.051);
    EXPECT_NEAR(steady.patch.force.torque, torque[i], 0.0051);
    EXPECT_GT(steady.sinkage, 11.25e-3);
    EXPECT_LT(steady.sinkage, 11.85e-3);
  }
}

TEST(WongReece, HasDingsWheelWithSlipSinkage) {
  WongReeceWheel wheel = wong_reece_wheel();
  wheel.n = 0.85;
  wheel.n_slip = 0.56;
  wheel.K_x = wheel.K_y = 0.0036;
  wheel.c1 = 0.45;
  wheel.c2 = 0.34;
  wheel.tan_phi = std::tan(23.4 * kDegree);
  const double slips[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.6};
  const double drawbar[] = {-6.5, 6.9, 13.5, 16.0, 16.1, 12.9};
  const double z[] = {4.6e-3, 5.9e-3, 7.6e-3, 9.6e-3, 12.1e-3, 18.9e-3};
  const double torque[] = {0.45, 2.78, 4.07, 4.74, 5.08, 5.38};
  for (int i = 0; i < 6; ++i) {
    const WongReeceSteady steady = wong_reece_under(wheel, 80.0, slips[i]);
    // Parameters of the fit are printed with two digits, which is worth about a percent of z.
    EXPECT_NEAR(steady.patch.force.drawbar, drawbar[i], 0.2);
    EXPECT_NEAR(steady.patch.force.torque, torque[i], 0.01);
    EXPECT_NEAR(steady.sinkage, z[i], 0.011 * z[i]);
  }
}

/// Integral by the middles of many equal arcs.
double summed(const std::function<double(double)>& f, double from, double to) {
  constexpr int kArcs = 20000;
  double sum = 0.0;
  for (int i = 0; i < kArcs; ++i) sum += f(from + (to - from) * (i + 0.5) / kArcs);
  return sum * (to - from) / kArcs;
}

TEST(WongReece, HasTheTowedWheelOfPartTwo) {
  // Formulas of the paper as they stand, with its peak at the separation, which c1 = 0 gives.
  WongReeceWheel wheel = loose_sand(0.1524, 7.199e5);
  wheel.c1 = wheel.c2 = 0.0;
  const double z = 0.2, r = wheel.size.radius, b = wheel.size.width;
  for (const double slip : {-0.1, -0.15}) {
    const double skid = -slip / (1.0 + slip);  // v / (r omega) - 1
    const WongReecePatch patch = wong_reece_at(wheel, z, slip, 0.0, 64);
    const double f = std::acos(1.0 - z / r);
    const double o = patch.shape.separation;
    EXPECT_NEAR((std::cos(o) - 1.0 / (1.0 + skid)) / std::sin(o),
                std::tan(45.0 * kDegree - 0.5 * std::atan(wheel.tan_phi)), 1e-12);  // rounding
    EXPECT_NEAR(patch.shape.peak, o, 1e-12);
    const double K_v = ((1.0 + skid) * (std::sin(f) - std::sin(o)) / (f - o) - 1.0) / (1.0 + skid);
    const auto tau = [&](double sigma, double j) {
      const double strength = wheel.cohesion + sigma * wheel.tan_phi;
      return std::copysign(strength * -std::expm1(-std::abs(j) / wheel.K_x), j);
    };
    const auto sigma_front = [&](double a) {
      return wheel.modulus * std::pow(r * (std::cos(a) - std::cos(f)), wheel.n);
    };
    const auto tau_front = [&](double a) {
      return tau(sigma_front(a), r * ((f - a) * (1.0 + K_v * (1.0 + skid)) -
                                      (1.0 + skid) * (std::sin(f) - std::sin(a))));
    };
    const auto sigma_rear = [&](double a) { return sigma_front(f - a / o * (f - o)); };
    const auto tau_rear = [&](double a) {
      return tau(sigma_rear(a), r * ((o - a) - (1.0 + skid) * (std::sin(o) - std::sin(a))));
    };
    EXPECT_GT(tau_front(0.5 * (o + f)), 0.0);
    EXPECT_LT(tau_rear(0.5 * o), 0.0);
    const auto normal = [&](auto sigma, auto shear) {
      return [=](double a) { return sigma(a) * std::cos(a) + shear(a) * std::sin(a); };
    };
    const auto along = [&](auto sigma, auto shear) {
      return [=](double a) { return shear(a) * std::cos(a) - sigma(a) * std::sin(a); };
    };
    const double F_z = r * b *
                       (summed(normal(sigma_front, tau_front), o, f) +
                        summed(normal(sigma_rear, tau_rear), 0.0, o));
    const double F_x =
        r * b *
        (summed(along(sigma_front, tau_front), o, f) + summed(along(sigma_rear, tau_rear), 0.0, o));
    // The bend at the separation is rounded off over 1/20 of the entry.
    EXPECT_NEAR(patch.force.normal, F_z, 1e-3 * F_z);
    EXPECT_NEAR(patch.force.drawbar, F_x, 1e-3 * F_z);
  }
}

TEST(WongReece, HasNoKinkAtSlipZero) {
  WongReeceWheel wheel = wong_reece_wheel();
  wheel.n_slip = 0.5;
  wheel.n_skid = 0.8;
  const auto drawbar = [&](double s) { return wong_reece_at(wheel, 0.01, s).force.drawbar; };
  for (const double s : {-0.05, -0.02, 0.0, 0.02}) {
    const double h = 1e-6;
    const double right = (drawbar(s + h) - drawbar(s)) / h;
    const double left = (drawbar(s) - drawbar(s - h)) / h;
    // Second derivatives are of the order slope / 0.02, the width of the blend.
    EXPECT_NEAR(left, right, 1e-3 * std::abs(right)) << s;
  }
}

TEST(WongReece, LeavesTheSoilWhereTheRutHasRecovered) {
  WongReeceWheel wheel = wong_reece_wheel();
  wheel.recovery = 0.2;
  const WongReecePatch patch = wong_reece_at(wheel, 0.01, 0.2);
  EXPECT_NEAR(patch.shape.exit, -std::acos(1.0 - 0.2 * 0.01 / 0.15735), 1e-12);  // rounding
  EXPECT_NEAR(patch.force.length, 0.15735 * (patch.shape.entry - patch.shape.exit), 1e-12);
  // Pressure behind the axis pushes forwards and carries.
  const WongReecePatch without = wong_reece_at(wong_reece_wheel(), 0.01, 0.2);
  EXPECT_GT(patch.force.normal, without.force.normal);
}

TEST(WongReece, PressesHarderWithTipsOfGrousers) {
  WongReeceWheel wheel = wong_reece_wheel();
  wheel.size.grouser_height = 0.01;
  wheel.size.grouser_share = 1.0;
  const double smooth = wong_reece_at(wheel, 0.01, 0.2).peak_stress;
  wheel.tip_fraction = 0.3;
  const double expected = 0.7 + 0.3 * std::pow(0.16735 / 0.15735, 1.1);
  EXPECT_NEAR(wong_reece_at(wheel, 0.01, 0.2).peak_stress / smooth, expected, 1e-12);  // rounding
}

TEST(WongReece, HasIshigamisSideForce) {
  // Alone across, where the stress is c + sigma tan(phi) mobilised by j_y = r (1 - s) (f - a)
  // tan(beta): at a slip angle near 90 degrees the part along is nothing beside it.
  SoilDef soil;
  soil.k_c = 1370.0;
  soil.k_phi = 8.14e5;
  soil.cohesion = 800.0;
  soil.friction_angle = 37.2 * kDegree;
  soil.shear_modulus = 0.03;
  WheelSize size;
  size.radius = 0.092;
  size.width = 0.107;
  const WongReeceWheel wheel = make_wong_reece_wheel(soil, size, 9.81);
  const double z = 0.015, beta = 1.5607963;  // 0.01 rad from across
  const WongReecePatch patch = wong_reece_at(wheel, z, 0.0, beta, 64);
  const double f = patch.shape.entry, m = patch.shape.peak, r = 0.092;
  const auto sigma = [&](double a) {
    const double place = a > m ? a : f - a / m * (f - m);
    return wheel.modulus * r * (std::cos(place) - std::cos(f));
  };
  const auto across = [&](double a) {
    const double h = r * (std::cos(a) - std::cos(f));
    const double mobilised = -std::expm1(-r * (f - a) * std::tan(beta) / 0.03);
    return mobilised * (r * 0.107 * (800.0 + sigma(a) * wheel.tan_phi) +
                        wheel.wall.at(h) * (r - h * std::cos(a)));
  };
  const double expected = summed(across, 0.0, m) + summed(across, m, f);
  EXPECT_NEAR(patch.force.side, -expected, 1e-3 * expected);  // what is along, squared
  EXPECT_EQ(wong_reece_at(wheel, z, 0.2).force.side, 0.0);
  EXPECT_EQ(wong_reece_at(wheel, z, 0.2, -0.3).force.side,
            -wong_reece_at(wheel, z, 0.2, 0.3).force.side);
}

TEST(WongReece, KeepsTheGranularScaling) {
  // Slonaker (2017): in Reece's soil without cohesion forces go with rho g L^3, if K goes with L.
  SoilDef soil;
  soil.pressure = SoilDef::Pressure::reece;
  soil.k_phi = 500.8;
  soil.n = 1.4;
  soil.friction_angle = 0.52;
  soil.shear_modulus = 0.01;
  WheelSize size;
  size.radius = 0.1;
  size.width = 0.08;
  const double L = 3.0, g = 1.0 / 6.0;
  const WongReeceSteady here =
      wong_reece_under(make_wong_reece_wheel(soil, size, 9.81), 20.0, 0.3, 0.2);
  soil.shear_modulus *= L;
  size.radius *= L;
  size.width *= L;
  const WongReeceSteady there =
      wong_reece_under(make_wong_reece_wheel(soil, size, 9.81 * g), 20.0 * g * L * L * L, 0.3, 0.2);
  // Both are solved to 1e-13.
  EXPECT_NEAR(there.sinkage / here.sinkage, L, 1e-11);
  EXPECT_NEAR(there.patch.force.drawbar / here.patch.force.drawbar, g * L * L * L, 1e-10);
  EXPECT_NEAR(there.patch.force.side / here.patch.force.side, g * L * L * L, 1e-10);
}

TEST(WongReece, SaysWhenTheSoilDoesNotCarry) {
  EXPECT_FALSE(wong_reece_under(wong_reece_wheel(), 1e5, 0.2).carried);
  WongReeceWheel nothing = wong_reece_wheel();
  nothing.modulus = 0.0;
  nothing.cohesion = 0.0;
  EXPECT_FALSE(wong_reece_under(nothing, 1e-3, 0.2).carried);
  EXPECT_TRUE(wong_reece_under(wong_reece_wheel(), 0.0, 0.2).carried);
  EXPECT_EQ(wong_reece_under(wong_reece_wheel(), 0.0, 0.2).sinkage, 0.0);
}

TEST(WongReece, IsSolvedForAllSlipsAndLoads) {
  for (double slip = -1.0; slip <= 1.0; slip += 0.125)
    for (const double load : {1e-6, 0.01, 1.0, 80.0, 800.0})
      for (const double angle : {0.0, 0.5}) {
        const WongReeceSteady steady = wong_reece_under(wong_reece_wheel(), load, slip, angle);
        ASSERT_TRUE(steady.carried) << slip << ' ' << load;
        EXPECT_NEAR(steady.patch.force.normal, load, 1e-10 * load) << slip << ' ' << load;
        EXPECT_TRUE(std::isfinite(steady.patch.force.drawbar));
      }
}

TEST(WongReece, IsZeroAboveGroundAndFiniteAtAnyDepth) {
  EXPECT_EQ(wong_reece_at(wong_reece_wheel(), 0.0, 0.2).force.normal, 0.0);
  EXPECT_EQ(wong_reece_at(wong_reece_wheel(), -0.1, 0.2).force.drawbar, 0.0);
  for (const double z : {1e-300, 1e-15, 1e-9, 0.1573, 0.2, 10.0})
    for (const double slip : {-1.0, -0.5, 0.0, 1.0}) {
      const WheelForce force = wong_reece_at(wong_reece_wheel(), z, slip, 0.3).force;
      EXPECT_TRUE(std::isfinite(force.normal + force.drawbar + force.side + force.torque)) << z;
    }
}

}  // namespace
}  // namespace grouser
