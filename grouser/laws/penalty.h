// Penalty contact: a spring that stiffens with depth, beside a damper that either fades in with
// depth or, after Hunt and Crossley, is as strong as the spring.
//
// Zhu and others, "A Penalty Function-based Modelica Library for Multi-body Contact Collision"
// (2023), equations 1 to 3, with a misprint put right: stiffness is in N/m^n with depths in metres.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/hunt_crossley.h"
#include "grouser/math/smooth.h"

namespace grouser {

enum class NormalLaw {
  power_law,      ///< F = K d^n + C(d) d'
  hunt_crossley,  ///< F = K d^n (1 + a d' / v)
};

/// A normal law as a scene or a program gives it.
struct PenaltyDef : RestitutionDef {
  NormalLaw normal_law = NormalLaw::power_law;
  double stiffness = 0.0;       ///< K [N/m^n]
  double exponent = 1.5;        ///< n, at least 1: below, the slope at first touch is infinite
  double damping = 0.0;         ///< power law: C_m [N s/m], at depths of d_m and more
  double damping_depth = 1e-4;  ///< power law: d_m [m]
  double impact_speed = 1.0;    ///< Hunt-Crossley: v, at which the restitution holds [m/s]
};
const ParameterTable<PenaltyDef>& penalty_parameters();

/// A normal law with all numbers known.
struct PenaltyNormal {
  double stiffness = 0.0;           ///< K [N/m^n]
  double exponent = 1.5;            ///< n
  double damping = 0.0;             ///< C_m [N s/m]
  double damping_depth = 1e-4;      ///< d_m [m]
  double damping_per_spring = 0.0;  ///< a / v of Hunt and Crossley [s/m]
};
PenaltyNormal penalty_normal(const PenaltyDef& def, double stiffness, double restitution);

/// d^n; quick for n = 1, 1.5 and 2. Precondition: d >= 0.
inline double depth_power(double depth, double exponent) {
  GROUSER_ASSERT(!(depth < 0.0));
  if (exponent == 1.5) return depth * std::sqrt(depth);
  if (exponent == 1.0) return depth;
  if (exponent == 2.0) return depth * depth;
  return std::pow(depth, exponent);
}

/// What the law makes of a depth: F = max(0, spring + damper d') at the depth rate d' [m/s].
struct PenaltyParts {
  double spring = 0.0;  ///< K d^n [N]
  double damper = 0.0;  ///< C(d) + a / v K d^n, C(d) a smooth step from 0 to C_m at d_m [N s/m]

  double force(double depth_rate) const { return std::max(0.0, spring + damper * depth_rate); }
};
/// Nothing when apart (depth <= 0).
inline PenaltyParts penalty_parts(const PenaltyNormal& law, double depth) {
  if (depth <= 0.0) return {};
  GROUSER_ASSERT(law.exponent >= 1.0 && law.stiffness >= 0.0 && law.damping >= 0.0);
  const double share = depth < law.damping_depth ? smooth_step(depth / law.damping_depth) : 1.0;
  const double spring = law.stiffness * depth_power(depth, law.exponent);
  return {spring, law.damping * share + law.damping_per_spring * spring};
}

/// Normal force [N] at a depth [m] that changes at a rate [m/s]; never pulls.
inline double penalty_force(const PenaltyNormal& law, double depth, double depth_rate) {
  return penalty_parts(law, depth).force(depth_rate);
}

/// Energy in the spring [J]: K d^(n+1) / (n + 1).
inline double penalty_energy(const PenaltyNormal& law, double depth) {
  if (depth <= 0.0) return 0.0;
  return law.stiffness * depth * depth_power(depth, law.exponent) / (law.exponent + 1.0);
}

}  // namespace grouser
