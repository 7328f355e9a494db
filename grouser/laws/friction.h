// Friction laws: how much of mu F_n acts at a given sliding speed or bristle deflection.
#pragma once

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

/// Regularised Coulomb friction: share of mu F_n at sliding speed v [m/s], rising as x (2 - x) up
/// to x = v / v_reg = 1, then 1; divided by v [s/m], so that times a sliding velocity it gives a
/// vector, also at rest. C1, zero at rest, so it creeps under load. Precondition: v >= 0,
/// v_reg > 0. Used by the author of PCM.
inline double quadratic_friction_per_speed(double v, double v_reg) {
  GROUSER_ASSERT(!(v < 0.0) && v_reg > 0.0);
  return v < v_reg ? (2.0 - v / v_reg) / v_reg : 1.0 / v;
}

/// Its derivative by the speed [s^2/m^2].
inline double quadratic_friction_per_speed_slope(double v, double v_reg) {
  GROUSER_ASSERT(!(v < 0.0) && v_reg > 0.0);
  return v < v_reg ? -1.0 / (v_reg * v_reg) : -1.0 / (v * v);
}

/// Friction that is smooth at rest: share of mu F_n, tanh(v / v_d), divided by v [s/m]. Creeps
/// under load at v_d artanh(share).
inline double tanh_friction_per_speed(double v, double v_d) {
  GROUSER_ASSERT(!(v < 0.0) && v_d > 0.0);
  const double x = v / v_d;
  return x < 1e-4 ? (1.0 - x * x / 3.0) / v_d : std::tanh(x) / v;
}

/// Coefficients of friction with a peak before sliding.
struct PeakFriction {
  double sliding = 0.0;  ///< mu, far beyond the peak
  double peak = 0.0;     ///< mu_s, at the speed v_d
  double speed = 1e-3;   ///< v_d [m/s]
  double decay = 100.0;  ///< xi, with which the peak fades [s/m]; Bengisu and Akay alone
};

/// Bengisu and Akay (1994), with the exponent squared so that the slope has no jump at v_d: mu_s (1
/// - (v / v_d - 1)^2) below v_d, mu + (mu_s - mu) exp(-(xi (v - v_d))^2) above; divided by v [s/m].
/// A function of the speed alone: under load it creeps at v_d (1 - sqrt(1 - load / mu_s)).
inline double bengisu_akay_per_speed(const PeakFriction& f, double v) {
  GROUSER_ASSERT(!(v < 0.0) && f.speed > 0.0);
  if (v < f.speed) return f.peak * (2.0 - v / f.speed) / f.speed;
  const double beyond = f.decay * (v - f.speed);
  return (f.sliding + (f.peak - f.sliding) * std::exp(-beyond * beyond)) / v;
}

/// Brown and McPhee (2016), smooth everywhere: mu tanh(4 x) + (mu_s - mu) x / (x^2 / 4 + 3/4)^2
/// with x = v / v_d; divided by v [s/m].
inline double brown_mcphee_per_speed(const PeakFriction& f, double v) {
  GROUSER_ASSERT(f.speed > 0.0);
  const double x = v / f.speed;
  const double bump = 0.25 * x * x + 0.75;
  return f.sliding * tanh_friction_per_speed(v, 0.25 * f.speed) +
         (f.peak - f.sliding) / (f.speed * bump * bump);
}

/// Bristle friction (Dahl): a deflection z [m] follows the sliding velocity and saturates at
/// `stroke` [m], z' = v - |v| z / stroke; the force is -mu F_n z / stroke. A function of the state,
/// so it holds a body at rest.
inline Vec2 bristle_rate(const Vec2& v, const Vec2& z, double stroke) {
  GROUSER_ASSERT(stroke > 0.0);
  return v - v.norm() / stroke * z;
}

}  // namespace grouser
