// Soil: how hard it resists being pressed (Bekker, Reece) and sheared (Mohr-Coulomb with Janosi and
// Hanamoto), and what becomes of it afterwards. Functions of numbers; no grid and no shape.
#pragma once

#include <span>
#include <string>

#include "grouser/base/parameters.h"

namespace grouser {

/// Parameters of one soil.
struct SoilDef {
  /// Bekker (1969): p = (k_c / b + k_phi) z^n. Reece (1965): p = (c k_c + rho g b k_phi) (z / b)^n,
  /// the only one in which gravity appears.
  enum class Pressure { bekker, reece };
  /// Janosi-Hanamoto (1961): shear stress grows with shear displacement. Coulomb (Krenn 2008): all
  /// of it at any sliding.
  enum class Shear { janosi, coulomb };

  Pressure pressure = Pressure::bekker;
  double k_c = 0.0;          ///< Bekker [N/m^(n+1)], may be negative; Reece: no unit
  double k_phi = kRequired;  ///< Bekker [N/m^(n+2)]; Reece: no unit
  double n = 1.0;            ///< exponent of sinkage
  Shear shear = Shear::janosi;
  double cohesion = 0.0;              ///< [Pa]
  double friction_angle = kRequired;  ///< internal [rad]
  double shear_modulus = 0.02;        ///< K: shear displacement at 63 % of the full stress [m]
  double density = 1600.0;            ///< [kg/m^3]
  double elastic_stiffness = 0.0;     ///< of unloading [Pa/m]; 0: see elastic_stiffness_of
  double damping = 0.0;               ///< pressure per speed of penetration [Pa s/m]
  double compaction = 0.5;            ///< share of pressed volume that is compacted, not displaced
  double repose_angle = 0.0;          ///< of a pile [rad]; 0: the friction angle
  double failure_shear = 0.02;        ///< shear displacement over which soil fails in bearing [m]
  double slip_sinkage = 10.0;  ///< sheared soil lets things sink so many times as deep, at most
};
const ParameterTable<SoilDef>& soil_parameters();

/// Modulus k [Pa/m^n] so that p = k z^n, under a patch of characteristic width b [m]; never
/// negative. `gravity` [m/s^2] matters to Reece's form alone.
double pressure_modulus(const SoilDef& soil, double b, double gravity);

/// Pressure [Pa] at sinkage z [m]; zero above ground.
double soil_pressure(const SoilDef& soil, double b, double gravity, double z);

/// Soil that begins at a depth below the ground.
struct SoilLayer {
  double depth = 0.0;  ///< of its upper side [m]
  SoilDef soil;
};
/// Pressure [Pa] at sinkage z [m] in soil that lies in layers, the first at depth 0: every layer
/// adds its own as the object comes into it, up to that of its thickness.
double layered_pressure(std::span<const SoilLayer> layers, double b, double gravity, double z);

/// How much of a layer counts for the shear at sinkage z, 0 to 1: the layer the object is in, and
/// around the boundary of two layers, over `kLayerBlend`, something of both. Sums to one.
double layer_share(std::span<const SoilLayer> layers, std::size_t layer, double z);
inline constexpr double kLayerBlend = 0.01;  ///< [m], less where a layer is thinner

/// Given, or twenty times the slope of the pressure at 10 mm under a patch of 0.1 m [Pa/m]. Zero
/// where a soil does not resist there: Reece's form without cohesion and gravity, k_c < -k_phi b.
double elastic_stiffness_of(const SoilDef& soil, double gravity);

/// Greatest shear stress under pressure p: c + p tan(phi) [Pa].
double shear_strength(const SoilDef& soil, double p);

/// Share of the strength after a shear displacement j >= 0 [m] in one direction: 1 - exp(-j / K),
/// whatever `shear` says.
double janosi_share(const SoilDef& soil, double j);

/// Given, or the friction angle [rad].
double repose_angle_of(const SoilDef& soil);

}  // namespace grouser
