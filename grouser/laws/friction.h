// Friction of dry surfaces: one family of laws for all models of dry contact.
//
// Most laws are functions of the sliding speed: friction_per_speed() knows them all, and with it
// every model does. They are zero at rest, so they creep under load. Bristles and sliders hold a
// body at rest, by states or memory of the model that has them.
//
// A new law of the speed is an enumerator and a function here, a word in friction.cpp, and a line
// in docs/models/friction.md.
#pragma once

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/parameters.h"
#include "grouser/math/smooth.h"
#include "grouser/math/types.h"

namespace grouser {

/// Functions of the sliding speed come first.
enum class FrictionLaw {
  quadratic,      ///< regularised Coulomb friction
  tanh,           ///< the same, smooth
  stick_slip,     ///< cubics up to a peak and down from it
  bengisu_akay,   ///< with a peak
  brown_mcphee,   ///< with a peak, smooth
  bristle,        ///< Dahl: stretch up to `stroke`, then sliding
  spring_slider,  ///< a spring with a damper, in series with a slider
};

/// Friction as a scene or a program gives it.
struct FrictionDef {
  FrictionLaw friction_law = FrictionLaw::quadratic;
  std::optional<double> friction;         ///< mu; absent: that of the materials
  std::optional<double> static_friction;  ///< mu_s; absent: mu
  double friction_speed = 1e-3;           ///< v_d [m/s]
  std::optional<double> slip_speed;       ///< v_t [m/s]; absent: 10 v_d
  double peak_decay = 100.0;              ///< xi [s/m]
  double stroke = 1e-4;                   ///< [m]
  double tangential_stiffness = 0.0;      ///< [N/m]; 0: as Mindlin
  double friction_damping = 2e-3;         ///< damping / stiffness of bristle or spring [s]
};
const ParameterTable<FrictionDef>& friction_parameters();
/// Words of the laws that are functions of the speed, which every model can do, and of `others`.
std::vector<std::string> friction_words(std::initializer_list<FrictionLaw> others = {});

/// Friction with all numbers known: what the laws are functions of.
struct DryFriction {
  FrictionLaw law = FrictionLaw::quadratic;
  double sliding = 0.0;      ///< mu, far beyond the peak
  double peak = 0.0;         ///< mu_s, at the speed v_d; at least mu
  double speed = 1e-3;       ///< v_d [m/s]
  double slip_speed = 1e-2;  ///< v_t [m/s], from which stick-slip slides; greater than v_d
  double decay = 100.0;      ///< xi, with which the peak of Bengisu and Akay fades [s/m]

  bool acts() const { return peak > 0.0; }
};

/// Regularised Coulomb friction: share of mu F_n at sliding speed v [m/s], rising as x (2 - x) up
/// to x = v / v_d = 1, then 1; divided by v [s/m], so that times a sliding velocity it gives a
/// vector, also at rest. C1, zero at rest, so it creeps under load. Precondition: v >= 0,
/// v_d > 0. Used by the author of PCM.
inline double quadratic_friction_per_speed(double v, double v_d) {
  GROUSER_ASSERT(!(v < 0.0) && v_d > 0.0);
  return v < v_d ? (2.0 - v / v_d) / v_d : 1.0 / v;
}

/// Its derivative by the speed [s^2/m^2].
inline double quadratic_friction_per_speed_slope(double v, double v_d) {
  GROUSER_ASSERT(!(v < 0.0) && v_d > 0.0);
  return v < v_d ? -1.0 / (v_d * v_d) : -1.0 / (v * v);
}

/// Friction that is smooth at rest: share of mu F_n, tanh(v / v_d), divided by v [s/m]. Creeps
/// under load at v_d artanh(share).
inline double tanh_friction_per_speed(double v, double v_d) {
  GROUSER_ASSERT(!(v < 0.0) && v_d > 0.0);
  const double x = v / v_d;
  return x < 1e-4 ? (1.0 - x * x / 3.0) / v_d : std::tanh(x) / v;
}

/// Friction that sticks below a small speed and slips above a greater one. Coefficient divided by
/// the speed [s/m]: mu(v) = step(v, -v_d, -1, v_d, 1) step(v, v_d, mu_s, v_t, mu), whose first
/// factor is (3 x - x^3) / 2 with x = v / v_d. So it starts with the slope 3/2 mu_s / v_d, peaks at
/// v_d, and creeps under load. Zhu and others (2023), equations 4 to 6, with a misprint put right:
/// the sign of friction goes over from -1 to 1 between -v_d and v_d.
inline double stick_slip_per_speed(const DryFriction& f, double v, double v_squared) {
  if (v < f.speed) {
    const double per_stick = 1.0 / f.speed, x = v * per_stick;
    return f.peak * (1.5 - 0.5 * x * x) * per_stick;
  }
  const double per_speed = v * (1.0 / v_squared);  // the division need not wait for the root
  if (v >= f.slip_speed) return f.sliding * per_speed;
  return per_speed * smooth_step(v, f.speed, f.peak, f.slip_speed, f.sliding);
}

/// Bengisu and Akay (1994), with the exponent squared so that the slope has no jump at v_d: mu_s (1
/// - (v / v_d - 1)^2) below v_d, mu + (mu_s - mu) exp(-(xi (v - v_d))^2) above; divided by v [s/m].
/// A function of the speed alone: under load it creeps at v_d (1 - sqrt(1 - load / mu_s)).
inline double bengisu_akay_per_speed(const DryFriction& f, double v) {
  GROUSER_ASSERT(!(v < 0.0) && f.speed > 0.0);
  if (v < f.speed) return f.peak * (2.0 - v / f.speed) / f.speed;
  const double beyond = f.decay * (v - f.speed);
  return (f.sliding + (f.peak - f.sliding) * std::exp(-beyond * beyond)) / v;
}

/// Brown and McPhee (2016), smooth everywhere: mu tanh(4 x) + (mu_s - mu) x / (x^2 / 4 + 3/4)^2
/// with x = v / v_d; divided by v [s/m].
inline double brown_mcphee_per_speed(const DryFriction& f, double v) {
  GROUSER_ASSERT(f.speed > 0.0);
  const double x = v / f.speed;
  const double bump = 0.25 * x * x + 0.75;
  return f.sliding * tanh_friction_per_speed(v, 0.25 * f.speed) +
         (f.peak - f.sliding) / (f.speed * bump * bump);
}

/// Friction force by sliding speed [N s/m] under a normal force [N]: times a sliding velocity it
/// gives a vector, also at rest. Zero for laws that are no functions of the speed.
/// Precondition: v >= 0, v_squared = v^2 up to rounding.
inline double friction_per_speed(const DryFriction& f, double normal_force, double v,
                                 double v_squared) {
  switch (f.law) {
    case FrictionLaw::quadratic:
      return f.sliding * normal_force * quadratic_friction_per_speed(v, f.speed);
    case FrictionLaw::tanh:
      return f.sliding * normal_force * tanh_friction_per_speed(v, f.speed);
    case FrictionLaw::stick_slip:
      return normal_force * stick_slip_per_speed(f, v, v_squared);
    case FrictionLaw::bengisu_akay:
      return normal_force * bengisu_akay_per_speed(f, v);
    case FrictionLaw::brown_mcphee:
      return normal_force * brown_mcphee_per_speed(f, v);
    case FrictionLaw::bristle:
    case FrictionLaw::spring_slider:
      break;
  }
  return 0.0;
}
inline double friction_per_speed(const DryFriction& f, double normal_force, double v) {
  return friction_per_speed(f, normal_force, v, v * v);
}

/// Its derivative by the speed [N s^2/m^2]: by formula where there is one, else by differences.
double friction_per_speed_slope(const DryFriction& f, double normal_force, double v);

/// Bristle friction (Dahl): a deflection z [m] follows the sliding velocity and saturates at
/// `stroke` [m], z' = v - |v| z / stroke; the force is -mu F_n z / stroke. A function of the state,
/// so it holds a body at rest.
inline Vec2 bristle_rate(const Vec2& v, const Vec2& z, double stroke) {
  GROUSER_ASSERT(stroke > 0.0);
  return v - v.norm() / stroke * z;
}

}  // namespace grouser
