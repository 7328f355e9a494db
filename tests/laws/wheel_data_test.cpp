// Measured wheels against the steady states of the fast models: one set of parameters for all.
//
// CMU: see tests/support/cmu_wheel.h.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "grouser/laws/bekker_janosi.h"
#include "grouser/laws/soil_library.h"
#include "grouser/laws/terra.h"
#include "tests/support/cmu_wheel.h"

namespace grouser {
namespace {

/// The query that a trial asks; slip there is of the speed along the wheel.
SteadyQuery query_of(const CmuTrial& trial) {
  const double angle = trial.angle * kPi / 180.0, forward = kCmuTravel * std::cos(angle);
  SteadyQuery out;
  out.load = trial.load;
  out.slip = slip_of(trial.rim, forward);
  out.slip_angle = angle;
  out.speed = std::max(trial.rim, forward);
  return out;
}

/// Roots of mean squares: [m], and shares of the load.
struct Errors {
  double sinkage = 0.0, drawbar = 0.0, side = 0.0;
};
template <class Steady>
Errors compare(const char* name, const Steady& steady) {
  std::printf("%s: rim [mm/s], angle; sinkage [mm], pull / load, side / load: measured, found\n",
              name);
  Errors out;
  double sides = 0.0;
  for (const CmuTrial& trial : kCmuTrials) {
    const SteadyWheel found = steady(query_of(trial));
    EXPECT_TRUE(found.carried);
    const double W = trial.load;
    std::printf("%5.1f %4.0f  %5.1f %5.1f  %6.2f %6.2f  %5.2f %5.2f\n", 1e3 * trial.rim,
                trial.angle, 1e3 * trial.sinkage, 1e3 * found.sinkage, trial.drawbar / W,
                found.drawbar / W, trial.side / W, -found.side / W);
    out.sinkage += std::pow(found.sinkage - trial.sinkage, 2) / kCmuTrials.size();
    out.drawbar += std::pow((found.drawbar - trial.drawbar) / W, 2) / kCmuTrials.size();
    if (trial.angle == 0.0) continue;
    out.side += std::pow((-found.side - trial.side) / W, 2);
    sides += 1.0;
  }
  out = {std::sqrt(out.sinkage), std::sqrt(out.drawbar), std::sqrt(out.side / sides)};
  std::printf("rms %.2f mm, %.3f and %.3f of load\n", 1e3 * out.sinkage, out.drawbar, out.side);
  return out;
}

constexpr WheelSize kCmuWheel{kCmuRadius, kCmuWidth, 0.0, 0.5, 0.0, 0.67};

/// The sand of the library, with what the wheel says of it.
SoilDef sand() {
  SoilDef soil = library_soil("cmu-sand", {}, "").soil;
  soil.friction_angle = 0.6;
  soil.cohesion = 50.0;
  soil.density = 1600.0;
  soil.n = 1.0;
  return soil;
}

TEST(CmuWheel, IsFollowedByTerra) {
  TerraDef def;
  def.slip_sinkage = 1.045;
  def.skid_sinkage = 2.713;
  def.slip_reach = 0.4747;
  def.heap = 0.1558;
  def.compaction_resistance = 0.3789;
  def.compaction_slip = 2.139;
  SoilDef soil = sand();
  soil.k_phi = 1.146e6;
  soil.shear_modulus = 0.05;
  const TerraWheel wheel = make_terra_wheel(def, soil, kCmuWheel, 9.81);
  const Errors error =
      compare("terra", [&](const SteadyQuery& query) { return terra_steady(wheel, query); });
  EXPECT_LT(error.sinkage, 2e-3);
  EXPECT_LT(error.drawbar, 0.06);
  EXPECT_LT(error.side, 0.15);
}

TEST(CmuWheel, IsFollowedByBekkerJanosi) {
  BekkerJanosiDef def;
  SoilDef soil = sand();
  soil.k_phi = 5.496e6;
  soil.n = 1.4;
  soil.shear_modulus = 0.05;
  def.slip_sinkage = 0.3799;
  def.skid_sinkage = 1.411;
  def.slip_reach = 0.3717;
  def.heap = 0.3252;
  def.c1 = 0.15;
  def.c2 = 0.3762;
  def.recovery = 0.1983;
  const BekkerJanosiWheel wheel = make_bekker_janosi_wheel(def, soil, kCmuWheel, 9.81);
  const Errors error = compare("bekker-janosi", [&](const SteadyQuery& query) {
    return bekker_janosi_steady(wheel, query);
  });
  EXPECT_LT(error.sinkage, 2e-3);
  EXPECT_LT(error.drawbar, 0.06);
  EXPECT_LT(error.side, 0.15);
}

// Ding: a smooth wheel and one with 30 lugs of 10 mm on a simulant, under 80 N, as in
// tests/soil/ding_test.cpp. L. Ding et al., Journal of Terramechanics 48, 2011; read off figures.
struct DingPoint {
  double slip, drawbar, sinkage, torque;
};
using Curve = std::array<DingPoint, 6>;
constexpr Curve kSmooth = {{{0.0, -6.5, 5.0e-3, 0.0},
                            {0.1, 11.0, 5.5e-3, 3.0},
                            {0.2, 14.5, 7.5e-3, 4.2},
                            {0.3, 15.0, 10.0e-3, 4.8},
                            {0.4, 15.0, 12.5e-3, 5.0},
                            {0.6, 15.0, 17.5e-3, 5.3}}};
constexpr Curve kLugged = {{{0.0, -6.5, 4.5e-3, 0.0},
                            {0.1, 14.0, 5.0e-3, 3.5},
                            {0.2, 20.0, 7.5e-3, 5.0},
                            {0.3, 22.0, 10.5e-3, 5.8},
                            {0.4, 23.0, 14.0e-3, 6.3},
                            {0.6, 24.5, 27.0e-3, 7.2}}};
constexpr double kDingLoad = 80.0;
/// Of the simulant on the rim. The smooth wheel tells its product with tan(phi) alone; with 0.75
/// the lugged wheel sinks by 3.7 mm (bekker-janosi) and 3.3 mm (terra) too deep, rms.
constexpr double kDingFriction = 0.8;

WheelSize ding_wheel(double lugs, double wall_friction) {
  return {0.15735, 0.165, lugs, 0.5, 30.0, wall_friction};
}

/// Shares of the load, metres, shares of the mean torque. `radius` is that of the authors' slip.
template <class Steady>
std::array<double, 3> compare_ding(const Curve& curve, const WheelSize& size, double radius,
                                   const Steady& steady) {
  std::array<double, 3> sum{};
  double torque = 0.0;
  constexpr double kSpeed = 0.05;  // of the rim at that radius [m/s]
  for (const DingPoint& point : curve) {
    SteadyQuery query;
    query.load = kDingLoad;
    const double rim = kSpeed * size.shear_radius() / radius, forward = kSpeed * (1.0 - point.slip);
    query.slip = slip_of(rim, forward);
    query.speed = std::max(rim, forward);
    const SteadyWheel found = steady(query);
    EXPECT_TRUE(found.carried);
    std::printf("%.1f  %5.1f %6.2f N  %5.1f %5.2f mm  %4.1f %5.2f Nm\n", point.slip, point.drawbar,
                found.drawbar, 1e3 * point.sinkage, 1e3 * found.sinkage, point.torque,
                found.torque);
    sum[0] += std::pow(found.drawbar - point.drawbar, 2) / 6.0;
    sum[1] += std::pow(found.sinkage - point.sinkage, 2) / 6.0;
    sum[2] += std::pow(found.torque - point.torque, 2) / 6.0;
    torque += point.torque / 6.0;
  }
  sum = {std::sqrt(sum[0]) / kDingLoad, std::sqrt(sum[1]), std::sqrt(sum[2]) / torque};
  std::printf("rms %.3f of load, %.2f mm, %.3f of torque\n", sum[0], 1e3 * sum[1], sum[2]);
  return sum;
}

void expect_within(const std::array<double, 3>& error, double drawbar, double sinkage,
                   double torque) {
  EXPECT_LT(error[0], drawbar);
  EXPECT_LT(error[1], sinkage);
  EXPECT_LT(error[2], torque);
}

SoilDef simulant(double k_phi, double friction_angle, double shear_modulus) {
  SoilDef soil;
  soil.k_phi = k_phi;
  soil.n = 1.1;
  soil.cohesion = 250.0;
  soil.friction_angle = friction_angle;
  soil.shear_modulus = shear_modulus;
  soil.density = 1605.0;
  return soil;
}

/// Slip of the lugged wheel is taken half way up the lugs; of the smooth one where no torque is.
constexpr double kHalfWay = 0.15735 + 0.005;

BekkerJanosiWheel ding_bekker_janosi(const std::array<double, 3>& soil, double slip_sinkage,
                                     double slip_reach, double c1, double c2,
                                     const WheelSize& size) {
  BekkerJanosiDef def;
  def.slip_sinkage = slip_sinkage;
  def.slip_reach = slip_reach;
  def.c1 = c1;
  def.c2 = c2;
  return make_bekker_janosi_wheel(def, simulant(soil[0], soil[1], soil[2]), size, 9.81);
}

TEST(DingWheels, LuggedOneIsPredictedBySoilOfTheSmoothOneBekkerJanosi) {
  const auto error = [](const Curve& curve, double lugs, double radius) {
    const WheelSize size = ding_wheel(lugs, kDingFriction);
    const BekkerJanosiWheel wheel =
        ding_bekker_janosi({8.928e6, 0.4785, 5.42e-3}, 2.005, 0.3825, 0.3553, 0.2117, size);
    return compare_ding(curve, size, radius,
                        [&](const SteadyQuery& q) { return bekker_janosi_steady(wheel, q); });
  };
  expect_within(error(kSmooth, 0.0, 0.1593), 0.04, 1.5e-3, 0.08);
  expect_within(error(kLugged, 0.01, kHalfWay), 0.08, 3e-3, 0.15);
}

TEST(DingWheels, LuggedOneIsMetWhenFittedBekkerJanosi) {
  const WheelSize size = ding_wheel(0.01, kDingFriction);
  const BekkerJanosiWheel wheel =
      ding_bekker_janosi({6.992e6, 0.4543, 4.444e-3}, 4.408, 0.7097, 0.1182, 0.3985, size);
  expect_within(compare_ding(kLugged, size, 0.1642,
                             [&](const SteadyQuery& q) { return bekker_janosi_steady(wheel, q); }),
                0.04, 1.5e-3, 0.08);
}

TEST(DingWheels, LuggedOneIsPredictedBySoilOfTheSmoothOneTerra) {
  const auto error = [](const Curve& curve, double lugs, double radius) {
    TerraDef def;
    def.slip_sinkage = 2.977;
    def.slip_reach = 0.4542;
    def.compaction_resistance = 0.7072;
    def.compaction_slip = 0.5575;
    const WheelSize size = ding_wheel(lugs, kDingFriction);
    const TerraWheel wheel = make_terra_wheel(def, simulant(6.662e6, 0.4561, 8.444e-3), size, 9.81);
    return compare_ding(curve, size, radius,
                        [&](const SteadyQuery& q) { return terra_steady(wheel, q); });
  };
  expect_within(error(kSmooth, 0.0, 0.1585), 0.04, 1.5e-3, 0.08);
  expect_within(error(kLugged, 0.01, kHalfWay), 0.08, 3e-3, 0.15);
}

TEST(FastWheels, SideForceRisesWithSlipAngleUpToSixtyDegrees) {
  const WheelSize size{0.0625, 0.06, 0.0, 0.5, 0.0, 0.8};
  const TerraWheel terra = make_terra_wheel({}, sand(), size, 9.81);
  const BekkerJanosiWheel janosi = make_bekker_janosi_wheel({}, sand(), size, 9.81);
  double before_terra = 0.0, before_janosi = 0.0;
  for (int degrees = 0; degrees <= 60; degrees += 5) {
    SteadyQuery query;
    query.load = 24.0;
    query.slip_angle = degrees * kPi / 180.0;
    const double a = -terra_steady(terra, query).side,
                 b = -bekker_janosi_steady(janosi, query).side;
    EXPECT_GE(a, before_terra) << degrees;
    EXPECT_GE(b, before_janosi) << degrees;
    before_terra = a;
    before_janosi = b;
  }
  std::printf("side force at 60 degrees over load: terra %.2f, bekker-janosi %.2f\n",
              before_terra / 24.0, before_janosi / 24.0);
}

/// Where a locked wheel of 24 N has come to sideways after a time [s], pushed by a share of its
/// load, by steps that rovers are run with.
template <class Force>
double parked_after(double time, std::size_t states, const Force& force) {
  constexpr double kPace = 2e-3, kWeight = 24.0, kMass = kWeight / 9.81, kPush = 0.3 * kWeight;
  WheelMotion motion;
  std::vector<double> state(states), rate(states);
  double y = 0.0;
  for (int i = 0; i < static_cast<int>(time / kPace); ++i) {
    const WheelForce f = force(motion, state, rate);
    for (std::size_t k = 0; k < states; ++k) state[k] += kPace * rate[k];
    motion.sinkage_rate += kPace * (kWeight - f.normal) / kMass;
    motion.lateral += kPace * (kPush + f.side) / kMass;
    motion.sinkage += kPace * motion.sinkage_rate;
    y += kPace * motion.lateral;
  }
  return y;
}

TEST(FastWheels, StayWhereTheyAreParkedOnASideSlope) {
  const WheelSize size{0.0625, 0.06, 0.0, 0.5, 0.0, 0.8};
  const TerraWheel terra = make_terra_wheel({}, sand(), size, 9.81);
  const BekkerJanosiWheel janosi = make_bekker_janosi_wheel({}, sand(), size, 9.81);
  const auto by_terra = [&](const WheelMotion& motion, const auto& states, auto& rates) {
    return terra_force(terra, motion, states, rates);
  };
  const auto by_janosi = [&](const WheelMotion& motion, const auto& states, auto& rates) {
    return bekker_janosi_force(janosi, motion, states, rates);
  };
  const double a = parked_after(20.0, terra.state_count(), by_terra),
               b = parked_after(20.0, state_count(janosi), by_janosi);
  std::printf("gives way by %.3f mm (terra), %.3f mm (bekker-janosi)\n", 1e3 * a, 1e3 * b);
  // Soil is sheared by less than its K, 21 mm, and then holds.
  EXPECT_LT(a, 0.021);
  EXPECT_LT(b, 0.021);
  EXPECT_NEAR(parked_after(60.0, terra.state_count(), by_terra), a, 1e-6);
  EXPECT_NEAR(parked_after(60.0, state_count(janosi), by_janosi), b, 1e-6);
}

TEST(FastWheels, AreMirroredInTheSlipAngle) {
  const WheelSize size{0.0625, 0.06, 0.0, 0.5, 0.0, 0.8};
  const TerraWheel terra = make_terra_wheel({}, sand(), size, 9.81);
  const BekkerJanosiWheel janosi = make_bekker_janosi_wheel({}, sand(), size, 9.81);
  for (const double slip : {-1.0, -0.3, 0.0, 0.5, 1.0})
    for (const double angle : {0.0, 0.3, 1.0})
      for (const bool by_terra : {true, false}) {
        const auto steady = [&](double slip_angle) {
          const SteadyQuery query{24.0, slip, slip_angle, 0.01};
          return by_terra ? terra_steady(terra, query) : bekker_janosi_steady(janosi, query);
        };
        const SteadyWheel left = steady(angle), right = steady(-angle);
        EXPECT_EQ(left.sinkage, right.sinkage);
        EXPECT_EQ(left.drawbar, right.drawbar);
        EXPECT_EQ(left.side, -right.side) << slip << " " << angle;
        // None without travel across: a wheel that spins on the spot has no slip angle.
        EXPECT_EQ(left.side == 0.0, angle == 0.0 || slip == 1.0) << slip;
      }
}

TEST(FastWheels, AreFiniteOnAllSoilsUnderAnyLoadAndSlip) {
  for (const LibrarySoil& entry : soil_library()) {
    const SoilDef soil = library_soil(std::string(entry.name), {}, "").soil;
    for (const WheelSize& size : {WheelSize{0.06, 0.05}, WheelSize{0.5, 0.4, 0.03, 0.5, 12, 0.7}})
      for (const double load : {1.0, 100.0, 1e4}) {
        const TerraWheel terra = make_terra_wheel({}, soil, size, 1.62);
        const BekkerJanosiWheel janosi = make_bekker_janosi_wheel({}, soil, size, 1.62);
        for (const double slip : {-1.0, -0.5, 0.0, 0.3, 1.0})
          for (const double angle : {0.0, 0.5, 1.5}) {
            const SteadyQuery query{load, slip, angle, 0.05};
            for (const SteadyWheel& w :
                 {terra_steady(terra, query), bekker_janosi_steady(janosi, query)}) {
              if (!w.carried) continue;
              ASSERT_TRUE(std::isfinite(w.sinkage) && std::isfinite(w.drawbar) &&
                          std::isfinite(w.side) && std::isfinite(w.torque))
                  << entry.name << load << slip << angle;
              // Shear drags a wheel down by no more than five times; walls are ten loads at most.
              const double most = 50.0 * load + 10.0 * soil.cohesion * size.width * size.radius;
              ASSERT_LT(std::abs(w.drawbar) + std::abs(w.side), most) << entry.name;
            }
          }
      }
  }
}

}  // namespace
}  // namespace grouser
