#include "grouser/laws/soil.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace grouser {
namespace {

constexpr double kGravityOnEarth = 9.81;
constexpr double kGravityOnMoon = 1.62;
// A handful of operations and one power.
constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();

SoilDef bekker(double k_c, double k_phi, double n) {
  SoilDef soil;
  soil.k_c = k_c;
  soil.k_phi = k_phi;
  soil.n = n;
  soil.friction_angle = 0.5;
  return soil;
}

SoilDef reece(double k_c, double k_phi, double n) {
  SoilDef soil = bekker(k_c, k_phi, n);
  soil.pressure = SoilDef::Pressure::reece;
  return soil;
}

/// What the range check says, empty if nothing.
std::string refusal(const SoilDef& soil) {
  try {
    soil_parameters().check(soil, {}, "soil");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BekkerPressure, HasValuesByHand) {
  const SoilDef soil = bekker(1000.0, 2e6, 1.0);
  EXPECT_DOUBLE_EQ(pressure_modulus(soil, 0.1, kGravityOnEarth), 1000.0 / 0.1 + 2e6);
  EXPECT_DOUBLE_EQ(soil_pressure(soil, 0.1, kGravityOnEarth, 0.01), 20100.0);
  // n = 1/2: the root of 0.04 is 0.2.
  EXPECT_DOUBLE_EQ(soil_pressure(bekker(0.0, 5e4, 0.5), 0.1, kGravityOnEarth, 0.04), 1e4);
}

TEST(BekkerPressure, DoesNotKnowGravity) {
  const SoilDef soil = bekker(1000.0, 2e6, 1.1);
  EXPECT_EQ(soil_pressure(soil, 0.1, kGravityOnEarth, 0.01),
            soil_pressure(soil, 0.1, kGravityOnMoon, 0.01));
}

TEST(BekkerPressure, OfANegativeModulusEndsAtZero) {
  // -155e3 / b + 3.66e6 is negative for patches narrower than 42 mm: no suction.
  const SoilDef soil = bekker(-155e3, 3.66e6, 1.29);
  EXPECT_GT(pressure_modulus(soil, 0.05, kGravityOnEarth), 0.0);
  EXPECT_EQ(pressure_modulus(soil, 0.04, kGravityOnEarth), 0.0);
  EXPECT_EQ(soil_pressure(soil, 0.04, kGravityOnEarth, 0.01), 0.0);
}

TEST(SoilPressure, IsZeroAboveGround) {
  for (const SoilDef& soil : {bekker(1e3, 1e6, 0.2), reece(10.0, 500.0, 1.4)}) {
    EXPECT_EQ(soil_pressure(soil, 0.1, kGravityOnEarth, 0.0), 0.0);
    EXPECT_EQ(soil_pressure(soil, 0.1, kGravityOnEarth, -0.01), 0.0);
  }
}

TEST(ReecePressure, HasValuesByHand) {
  SoilDef soil = reece(10.0, 50.0, 2.0);
  soil.cohesion = 200.0;
  soil.density = 1500.0;
  // (200 * 10 + 1500 * 10 * 0.2 * 50) (0.05 / 0.2)^2 = 152000 / 16
  EXPECT_NEAR(soil_pressure(soil, 0.2, 10.0, 0.05), 9500.0, 9500.0 * kRounding);
  EXPECT_NEAR(pressure_modulus(soil, 0.2, 10.0), 152000.0 / 0.04, 3.8e6 * kRounding);
}

TEST(ReecePressure, OfDrySandIsProportionalToGravity) {
  const SoilDef soil = reece(9.1, 500.8, 1.4);  // no cohesion
  const double earth = soil_pressure(soil, 0.1, kGravityOnEarth, 0.013);
  const double moon = soil_pressure(soil, 0.1, kGravityOnMoon, 0.013);
  EXPECT_NEAR(moon / earth, kGravityOnMoon / kGravityOnEarth, kRounding);
}

TEST(ReecePressure, KeepsTheGranularScaling) {
  // Slonaker (2017): without cohesion, p / (rho g L) depends on lengths over L alone. A world of
  // three times the size in a sixth of the gravity has half the pressure.
  const SoilDef soil = reece(0.0, 500.8, 1.4);
  const double size = 3.0;
  const double gravity = 1.0 / 6.0;
  const double here = soil_pressure(soil, 0.1, kGravityOnEarth, 0.013);
  const double there = soil_pressure(soil, 0.1 * size, kGravityOnEarth * gravity, 0.013 * size);
  EXPECT_NEAR(there / here, size * gravity, kRounding);
  // Bekker's form does not.
  const SoilDef other = bekker(0.0, 1e6, 1.4);
  const double ratio = soil_pressure(other, 0.1 * size, kGravityOnEarth * gravity, 0.013 * size) /
                       soil_pressure(other, 0.1, kGravityOnEarth, 0.013);
  EXPECT_NEAR(ratio, std::pow(size, 1.4), 5.0 * kRounding);
}

TEST(ReecePressure, OfCohesionAloneNeedsNoGravity) {
  SoilDef soil = reece(212.2, 677.5, 1.0);
  soil.cohesion = 600.0;
  EXPECT_NEAR(soil_pressure(soil, 0.1, 0.0, 0.01), 600.0 * 212.2 * 0.1, 12732.0 * kRounding);
}

TEST(ElasticStiffness, IsTheGivenOne) {
  SoilDef soil = bekker(0.0, 1e6, 1.0);
  soil.elastic_stiffness = 5e7;
  EXPECT_EQ(elastic_stiffness_of(soil, kGravityOnEarth), 5e7);
}

TEST(ElasticStiffness, IsTwentySlopesAtTenMillimetres) {
  // n = 1: the slope is the modulus, 1000 / 0.1 + 1e6.
  EXPECT_NEAR(elastic_stiffness_of(bekker(1000.0, 1e6, 1.0), kGravityOnEarth), 20.0 * 1.01e6,
              2e7 * kRounding);
  // n = 2: twice the modulus times 10 mm.
  EXPECT_NEAR(elastic_stiffness_of(bekker(0.0, 1e8, 2.0), kGravityOnEarth), 20.0 * 2e6,
              4e7 * kRounding);
  for (const SoilDef& soil : {bekker(1e5, 5.3e6, 0.79), reece(9.1, 500.8, 1.4)}) {
    const double step = 1e-6;
    const double slope = (soil_pressure(soil, 0.1, kGravityOnMoon, 0.01 + step) -
                          soil_pressure(soil, 0.1, kGravityOnMoon, 0.01 - step)) /
                         (2.0 * step);
    // Central difference, error of the order (step / z)^2 = 1e-8.
    EXPECT_NEAR(elastic_stiffness_of(soil, kGravityOnMoon), 20.0 * slope, 20.0 * slope * 2e-8);
  }
}

TEST(ElasticStiffness, OfReecesFormFollowsGravity) {
  const SoilDef soil = reece(0.0, 500.8, 1.4);
  EXPECT_NEAR(
      elastic_stiffness_of(soil, kGravityOnMoon) / elastic_stiffness_of(soil, kGravityOnEarth),
      kGravityOnMoon / kGravityOnEarth, kRounding);
}

TEST(ShearStrength, IsMohrAndCoulombs) {
  SoilDef soil = bekker(0.0, 1e6, 1.0);
  soil.cohesion = 170.0;
  soil.friction_angle = std::atan(0.75);
  EXPECT_EQ(shear_strength(soil, 0.0), 170.0);
  EXPECT_NEAR(shear_strength(soil, 4000.0), 3170.0, 3170.0 * kRounding);
}

TEST(JanosiShare, StartsWithSlopeOneOverKAndSaturates) {
  SoilDef soil = bekker(0.0, 1e6, 1.0);
  soil.shear_modulus = 0.01;
  EXPECT_EQ(janosi_share(soil, 0.0), 0.0);
  EXPECT_NEAR(janosi_share(soil, 0.01), 1.0 - std::exp(-1.0), kRounding);
  EXPECT_NEAR(janosi_share(soil, 0.02), 1.0 - std::exp(-2.0), kRounding);
  // x - x^2 / 2: nothing is lost to rounding however small the displacement.
  EXPECT_NEAR(janosi_share(soil, 1e-12), 1e-10 * (1.0 - 0.5e-10), 1e-10 * kRounding);
  EXPECT_EQ(janosi_share(soil, 1.0), 1.0);
}

TEST(ReposeAngle, IsTheGivenOneOrTheFrictionAngle) {
  SoilDef soil = bekker(0.0, 1e6, 1.0);
  EXPECT_EQ(repose_angle_of(soil), 0.5);
  soil.repose_angle = 0.6;
  EXPECT_EQ(repose_angle_of(soil), 0.6);
}

TEST(SoilParameters, AreAllOfTheStruct) {
  const std::vector<std::string> keys = soil_parameters().keys();
  const std::set<std::string> unique(keys.begin(), keys.end());
  EXPECT_EQ(keys.size(), 15u);
  EXPECT_EQ(unique.size(), 15u);
}

TEST(SoilParameters, NeedModulusAndFrictionAngle) {
  SoilDef soil;
  EXPECT_NE(refusal(soil).find("soil.k_phi"), std::string::npos);
  soil.k_phi = 1e6;
  EXPECT_NE(refusal(soil).find("soil.friction_angle"), std::string::npos);
  soil.friction_angle = 0.5;
  EXPECT_EQ(refusal(soil), "");
}

TEST(SoilParameters, RefuseWhatNoSoilHas) {
  const auto refusal_with = [](double SoilDef::*member, double value) {
    SoilDef soil = bekker(0.0, 1e6, 1.0);
    soil.*member = value;
    return refusal(soil);
  };
  EXPECT_EQ(refusal_with(&SoilDef::n, 0.0), "soil.n must lie in (0, 3), is 0");
  EXPECT_EQ(refusal_with(&SoilDef::n, 3.0), "soil.n must lie in (0, 3), is 3");
  EXPECT_EQ(refusal_with(&SoilDef::k_phi, -1.0), "soil.k_phi must be positive, is -1");
  EXPECT_EQ(refusal_with(&SoilDef::friction_angle, 30.0),
            "soil.friction_angle must lie in [0, 1.4], is 30");
  for (const auto member :
       {&SoilDef::cohesion, &SoilDef::friction_angle, &SoilDef::shear_modulus, &SoilDef::density,
        &SoilDef::elastic_stiffness, &SoilDef::damping, &SoilDef::compaction,
        &SoilDef::repose_angle, &SoilDef::failure_shear}) {
    EXPECT_NE(refusal_with(member, -1e-3), "");
    EXPECT_NE(refusal_with(member, std::numeric_limits<double>::infinity()), "");
  }
  EXPECT_NE(refusal_with(&SoilDef::shear_modulus, 0.0), "");
  EXPECT_NE(refusal_with(&SoilDef::density, 0.0), "");
  EXPECT_NE(refusal_with(&SoilDef::compaction, 1.1), "");
  EXPECT_NE(refusal_with(&SoilDef::k_c, std::nan("")), "");
  EXPECT_EQ(refusal_with(&SoilDef::k_c, -44055.4), "");  // measured, KLS-1
}

TEST(SoilLayers, AddTheirPressuresWithoutAJump) {
  SoilDef loose, firm;
  loose.k_phi = 1e5;
  firm.k_phi = 2e6;
  firm.n = 1.2;
  const std::vector<SoilLayer> layers = {{0.0, loose}, {0.03, firm}, {0.05, loose}};
  const auto p = [&](double z) { return layered_pressure(layers, 0.1, 9.81, z); };
  EXPECT_EQ(p(-0.01), 0.0);
  EXPECT_DOUBLE_EQ(p(0.02), 1e5 * 0.02);
  EXPECT_DOUBLE_EQ(p(0.04), 1e5 * 0.03 + 2e6 * std::pow(0.01, 1.2));
  EXPECT_DOUBLE_EQ(p(0.07), 1e5 * 0.03 + 2e6 * std::pow(0.02, 1.2) + 1e5 * 0.02);
  for (const double z : {0.03, 0.05}) EXPECT_NEAR(p(z - 1e-9), p(z + 1e-9), 1.0);
}

TEST(SoilLayers, SharesOfTheShearSumToOne) {
  const std::vector<SoilLayer> layers = {{0.0, {}}, {0.03, {}}, {0.034, {}}};
  for (double z = -0.01; z < 0.06; z += 1e-3) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double share = layer_share(layers, i, z);
      EXPECT_GE(share, 0.0) << z;
      sum += share;
    }
    EXPECT_NEAR(sum, 1.0, 1e-14) << z;
  }
  EXPECT_EQ(layer_share(layers, 0, 0.02), 1.0);
  EXPECT_EQ(layer_share(layers, 2, 0.04), 1.0);
  EXPECT_DOUBLE_EQ(layer_share(layers, 1, 0.03), 0.5);
}

TEST(SoilParameters, AreReadByName) {
  Value::Table table;
  const auto set = [&](const char* key, Value value) {
    Value::Entry& entry = table.emplace_back();
    entry.key = key;
    entry.value = std::move(value);
  };
  set("pressure", "reece");
  set("k_c", 9.1);
  set("k_phi", 500.8);
  set("n", 1.4);
  set("shear", "coulomb");
  set("friction_angle", 0.52);
  SoilDef soil;
  soil_parameters().read(Value(std::move(table)), soil, "soil");
  EXPECT_EQ(soil.pressure, SoilDef::Pressure::reece);
  EXPECT_EQ(soil.shear, SoilDef::Shear::coulomb);
  EXPECT_EQ(soil.k_phi, 500.8);
  EXPECT_EQ(soil.compaction, 0.5);
}

}  // namespace
}  // namespace grouser
