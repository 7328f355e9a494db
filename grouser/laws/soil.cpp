#include "grouser/laws/soil.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

constexpr double kSteepest = 1.4;  // [rad], 80 degrees: beyond it tangents say nothing about soil

// Where the slope of the pressure is taken that the elastic stiffness is a multiple of.
constexpr double kReferenceSinkage = 0.01;  // [m]
constexpr double kReferenceWidth = 0.1;     // [m]
constexpr double kElasticFactor = 20.0;

}  // namespace

const ParameterTable<SoilDef>& soil_parameters() {
  using Soil = SoilDef;
  constexpr Range exponents{.lower = 0.0, .upper = 3.0, .lower_open = true, .upper_open = true};
  static const auto table =
      ParameterTable<Soil>()
          .choice("pressure", &Soil::pressure, {"bekker", "reece"},
                  "Bekker's (k_c / b + k_phi) z^n, or Reece's (c k_c + rho g b k_phi) (z / b)^n")
          .number("k_c", &Soil::k_c, "N/m^(n+1)", any_number(),
                  "cohesive modulus; without unit for Reece")
          .number("k_phi", &Soil::k_phi, "N/m^(n+2)", positive(),
                  "frictional modulus; without unit for Reece")
          .number("n", &Soil::n, "", exponents, "exponent of sinkage")
          .choice("shear", &Soil::shear, {"janosi", "coulomb"},
                  "stress that grows with shear displacement, or all of it at any sliding")
          .number("cohesion", &Soil::cohesion, "Pa", non_negative(), "c of c + p tan(phi)")
          .number("friction_angle", &Soil::friction_angle, "rad", within(0.0, kSteepest),
                  "phi of c + p tan(phi)")
          .number("shear_modulus", &Soil::shear_modulus, "m", positive(),
                  "shear displacement at 63 % of the full stress, Janosi's K")
          .number("density", &Soil::density, "kg/m^3", positive(), "of undisturbed soil")
          .number("elastic_stiffness", &Soil::elastic_stiffness, "Pa/m", non_negative(),
                  "of unloading; 0: 20 times the slope of the pressure at 10 mm under a patch of "
                  "0.1 m")
          .number("damping", &Soil::damping, "Pa s/m", non_negative(),
                  "pressure per speed of penetration")
          .number("compaction", &Soil::compaction, "", within(0.0, 1.0),
                  "share of the pressed volume that is compacted, not displaced")
          .number("repose_angle", &Soil::repose_angle, "rad", within(0.0, kSteepest),
                  "of a pile; 0: the friction angle")
          .number("failure_shear", &Soil::failure_shear, "m", positive(),
                  "shear displacement after which 63 % of the pressure beyond what sheared soil "
                  "bears is lost: small where wheels that slip dig in soon")
          .number("slip_sinkage", &Soil::slip_sinkage, "", at_least(1.0),
                  "things that slide sink at most so many times as deep as without; 1: no deeper");
  return table;
}

double pressure_modulus(const SoilDef& soil, double b, double gravity) {
  GROUSER_ASSERT(b > 0.0 && gravity >= 0.0);
  if (soil.pressure == SoilDef::Pressure::bekker) return std::max(0.0, soil.k_c / b + soil.k_phi);
  const double pressure = soil.cohesion * soil.k_c + soil.density * gravity * b * soil.k_phi;
  return std::max(0.0, pressure / std::pow(b, soil.n));
}

double soil_pressure(const SoilDef& soil, double b, double gravity, double z) {
  if (z <= 0.0) return 0.0;
  return pressure_modulus(soil, b, gravity) * std::pow(z, soil.n);
}

double layered_pressure(std::span<const SoilLayer> layers, double b, double gravity, double z) {
  GROUSER_ASSERT(std::ranges::is_sorted(layers, {}, &SoilLayer::depth));
  double sum = 0.0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double end = i + 1 < layers.size() ? layers[i + 1].depth : z;
    sum += soil_pressure(layers[i].soil, b, gravity, std::min(z, end) - layers[i].depth);
  }
  return sum;
}

double layer_share(std::span<const SoilLayer> layers, std::size_t layer, double z) {
  GROUSER_ASSERT(layer < layers.size());
  GROUSER_ASSERT(std::ranges::is_sorted(layers, {}, &SoilLayer::depth));
  // How far z is below the upper side of a layer, as a share of the blend.
  const auto below = [&](std::size_t i) {
    if (i == 0) return 1.0;
    if (i == layers.size()) return 0.0;
    double thinner = layers[i].depth - layers[i - 1].depth;
    if (i + 1 < layers.size()) thinner = std::min(thinner, layers[i + 1].depth - layers[i].depth);
    const double blend = std::min(kLayerBlend, thinner);
    return std::clamp((z - layers[i].depth) / blend + 0.5, 0.0, 1.0);
  };
  return below(layer) - below(layer + 1);
}

double elastic_stiffness_of(const SoilDef& soil, double gravity) {
  if (soil.elastic_stiffness > 0.0) return soil.elastic_stiffness;
  const double slope =
      soil.n / kReferenceSinkage * soil_pressure(soil, kReferenceWidth, gravity, kReferenceSinkage);
  return kElasticFactor * slope;
}

double shear_strength(const SoilDef& soil, double p) {
  return soil.cohesion + p * std::tan(soil.friction_angle);
}

double janosi_share(const SoilDef& soil, double j) {
  GROUSER_ASSERT(!(j < 0.0) && soil.shear_modulus > 0.0);
  return -std::expm1(-j / soil.shear_modulus);
}

double repose_angle_of(const SoilDef& soil) {
  return soil.repose_angle > 0.0 ? soil.repose_angle : soil.friction_angle;
}

}  // namespace grouser
