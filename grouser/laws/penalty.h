// Penalty contact of points, lines and surfaces: a spring that stiffens with depth, damping that
// fades in, and friction that sticks below a small speed and slips above a greater one.
//
// Zhu and others, "A Penalty Function-based Modelica Library for Multi-body Contact Collision"
// (2023), equations 1 to 6, with its misprints put right: stiffness is in N/m^n with depths in
// metres, and the sign of friction goes over from -1 to 1 between -V_s and V_s.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"
#include "grouser/math/types.h"

namespace grouser {

/// From h0 at x <= x0 to h1 at x >= x1 along a cubic without slope at its ends.
/// Precondition: x0 < x1.
inline double step(double x, double x0, double h0, double x1, double h1) {
  GROUSER_ASSERT(x0 < x1);
  const double per_width = 1.0 / (x1 - x0);  // ready before x is
  return h0 + (h1 - h0) * smooth_step((x - x0) * per_width);
}

struct PenaltyNormal {
  double stiffness = 0.0;       ///< K [N/m^n]
  double exponent = 1.5;        ///< n, at least 1: below, the slope at first touch is infinite
  double damping = 0.0;         ///< C_m [N s/m], at depths of d_m and more
  double damping_depth = 1e-4;  ///< d_m [m]
};

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
  double damper = 0.0;  ///< C(d) = step(d, 0, 0, d_m, C_m) [N s/m]

  double force(double depth_rate) const { return std::max(0.0, spring + damper * depth_rate); }
};
/// Nothing when apart (depth <= 0).
inline PenaltyParts penalty_parts(const PenaltyNormal& law, double depth) {
  if (depth <= 0.0) return {};
  GROUSER_ASSERT(law.exponent >= 1.0 && law.stiffness >= 0.0 && law.damping >= 0.0);
  const double share = depth < law.damping_depth ? smooth_step(depth / law.damping_depth) : 1.0;
  return {law.stiffness * depth_power(depth, law.exponent), law.damping * share};
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

struct StickSlip {
  double static_coefficient = 0.0;   ///< C_st, at the speed V_s
  double dynamic_coefficient = 0.0;  ///< C_dy, from the speed V_tr on
  double stick_speed = 0.1;          ///< V_s [m/s]
  double slip_speed = 1.0;           ///< V_tr [m/s], greater than V_s
};

/// Coefficient of friction at a sliding speed v >= 0, divided by the speed [s/m]: times a sliding
/// velocity it gives a vector, also at rest. It is mu(v) = step(v, -V_s, -1, V_s, 1) *
/// step(v, V_s, C_st, V_tr, C_dy), whose first factor is (3 x - x^3) / 2 with x = v / V_s. So it
/// starts with the slope 3/2 C_st / V_s, peaks at V_s, and creeps under load.
inline double stick_slip_per_speed(const StickSlip& f, double v, double v_squared) {
  GROUSER_ASSERT(!(v < 0.0) && f.stick_speed > 0.0);
  if (v < f.stick_speed) {
    const double per_stick = 1.0 / f.stick_speed, x = v * per_stick;
    return f.static_coefficient * (1.5 - 0.5 * x * x) * per_stick;
  }
  const double per_speed = v * (1.0 / v_squared);  // the division need not wait for the root
  if (v >= f.slip_speed) return f.dynamic_coefficient * per_speed;
  return per_speed *
         step(v, f.stick_speed, f.static_coefficient, f.slip_speed, f.dynamic_coefficient);
}

inline double stick_slip_per_speed(const StickSlip& f, double v) {
  return stick_slip_per_speed(f, v, v * v);
}

/// Force [N] against a sliding velocity [m/s] under a normal force [N].
inline Vec3 stick_slip_force(const StickSlip& f, double normal_force, const Vec3& sliding) {
  return -normal_force * stick_slip_per_speed(f, sliding.norm()) * sliding;
}

}  // namespace grouser
