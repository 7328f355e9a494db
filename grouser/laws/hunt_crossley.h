// Hertz stiffness with Hunt-Crossley damping that gives the wanted restitution exactly.
#pragma once

#include <optional>

#include "grouser/base/parameters.h"

namespace grouser {

/// Hertz stiffness [N/m^1.5] of a sphere of radius R [m] on a plane or sphere (R combined), with
/// effective modulus 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2: k = 4/3 E* sqrt(R).
double hertz_stiffness(double effective_modulus, double radius);

/// Damping factor a of F = k d^n (1 + a d' / v_impact) for which a free impact ends with the speed
/// e v_impact. Solves a (1 + e) = ln((1 + a) / (1 - a e)) on (0, 1/e); independent of k, n and
/// mass. Exact to rounding (1e-8 near e = 1, where a vanishes); e is raised to
/// kSmallestRestitution, below which a grows without bound.
double hunt_crossley_damping(double restitution);
inline constexpr double kSmallestRestitution = 0.01;

/// How a damping factor follows from the restitution that is wanted: the exact solution, or a
/// formula of the literature, most of which miss it (Flores 2011 compares them).
enum class RestitutionLaw {
  exact,
  hunt_crossley,        ///< 3/2 (1 - e), 1975
  lankarani_nikravesh,  ///< 3/4 (1 - e^2), 1990
  herbert_mcwhannell,   ///< 6 (1 - e) / ((2 e - 1)^2 + 3), 1977
  lee_wang,             ///< 3/4 (1 - e), 1983
  gonthier,             ///< (1 - e^2) / e, 2004
  flores,               ///< 8 (1 - e) / (5 e), 2011
  hu_guo,               ///< 3 (1 - e) / (2 e), 2015
};
/// The factor a by any of them; e is raised to kSmallestRestitution.
double damping_factor(RestitutionLaw law, double restitution);

/// Restitution as a scene or a program gives it.
struct RestitutionDef {
  std::optional<double> restitution;  ///< e; absent: that of the materials
  RestitutionLaw restitution_law = RestitutionLaw::exact;
};
const ParameterTable<RestitutionDef>& restitution_parameters();

/// The same for models that remember the speed of an impact.
struct ImpactDef : RestitutionDef {
  double smallest_impact = 1e-2;  ///< [m/s]
};
const ParameterTable<ImpactDef>& impact_parameters();

/// The restitution that a damping factor a >= 0 gives in a free impact: the inverse of
/// hunt_crossley_damping(), to rounding.
double restitution_of(double damping);

/// Force [N] at depth d [m] and depth rate d' [m/s]; zero when apart and never tensile.
double hunt_crossley_force(double stiffness, double damping, double impact_speed, double depth,
                           double depth_rate);

/// What damping makes of an elastic force: of any law, restitution is the one that `damping` is
/// for.
double hunt_crossley_factor(double damping, double impact_speed, double depth_rate);

/// Energy stored in the spring part [J]: 2/5 k d^2.5.
double hertz_energy(double stiffness, double depth);

}  // namespace grouser
