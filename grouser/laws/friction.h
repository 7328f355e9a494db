// Friction laws: how much of mu F_n acts at a given sliding speed or bristle deflection.
#pragma once

#include "grouser/math/types.h"

namespace grouser {

/// Regularised Coulomb friction: share of mu F_n at sliding speed v [m/s], rising as x (2 - x) up
/// to x = v / v_reg = 1, then 1; divided by v [s/m], so that times a sliding velocity it gives a
/// vector, also at rest. C1, zero at rest, so it creeps under load. Precondition: v >= 0,
/// v_reg > 0. Used by the author of PCM.
inline double quadratic_friction_per_speed(double v, double v_reg) {
  return v < v_reg ? (2.0 - v / v_reg) / v_reg : 1.0 / v;
}

/// Its derivative by the speed [s^2/m^2].
inline double quadratic_friction_per_speed_slope(double v, double v_reg) {
  return v < v_reg ? -1.0 / (v_reg * v_reg) : -1.0 / (v * v);
}

/// Bristle friction (Dahl): a deflection z [m] follows the sliding velocity and saturates at
/// `stroke` [m], z' = v - |v| z / stroke; the force is -mu F_n z / stroke. A function of the state,
/// so it holds a body at rest.
inline Vec2 bristle_rate(const Vec2& v, const Vec2& z, double stroke) {
  return v - v.norm() / stroke * z;
}

}  // namespace grouser
