// Bekker's wheel: sinkage, resistances and thrust of a rigid drum in closed form (Bekker 1969).
//
// The pressure under the wheel is that of a plate at the same depth. The force is a function of
// pose and velocities alone, without memory: cheap, and finite everywhere, but a wheel on a slope
// creeps.
#pragma once

#include <algorithm>

#include "grouser/laws/wheel_soil.h"
#include "grouser/math/smooth.h"

namespace grouser {

/// Depth over which a wheel that touches the ground comes into full contact [m]. It makes the slope
/// of forces continuous at touchdown.
inline constexpr double kTouchDepth = 2e-5;

/// Damping [s/m] that gives a wheel a damping ratio as it springs up and down where its force grows
/// as depth^exponent, whatever its load and the soil: 2 ratio sqrt(exponent / (gravity depth)).
inline double sinking_damping(double ratio, double exponent, double gravity, double depth) {
  return 2.0 * ratio * std::sqrt(exponent / (weighing_gravity(gravity) * (depth + kTouchDepth)));
}

/// Factor of the normal stress of a wheel that sinks at a rate [m/s]: 1 + damping * rate, never
/// below 0. Smooth; exactly the formula from 1/2 on.
inline double sinking_factor(double damping, double rate) {
  return smooth_ramp(1.0 + damping * rate, 0.5);
}

/// The depth that counts for the geometry of a contact: at most the radius, smoothly.
inline double contact_depth(double sinkage, double radius) {
  const double left = radius - sinkage, e = 0.02 * radius;
  return left >= e ? sinkage : radius - smooth_ramp(left, e);
}

/// Parameters of the model, beside those of soil and wheel.
struct BekkerWheelDef {
  /// Soil pushed ahead: not at all, by Hegedus (1960) with Terzaghi's bearing factors, or as
  /// Rankine's passive earth pressure on a wall as deep as the wheel.
  enum class Bulldozing { none, hegedus, rankine };

  Bulldozing bulldozing = Bulldozing::rankine;
  double rolling_friction = 0.0;  ///< resistance per normal force, beside that of the soil
  double damping_ratio = 0.5;     ///< of the wheel on its soil, up and down
  double rest_speed = 1e-3;       ///< below it resistance fades [m/s]
};
const ParameterTable<BekkerWheelDef>& bekker_wheel_parameters();

/// Terzaghi's (1943) factors of bearing capacity: N_q = exp(2 (3 pi / 4 - phi / 2) tan phi) / (2
/// cos^2(45 deg + phi / 2)), N_c = (N_q - 1) / tan phi, and Coduto's (2001) fit N_g = 2 (N_q + 1)
/// tan phi / (1 + 0.4 sin 4 phi) of Terzaghi's table.
struct BearingFactors {
  double N_c = 0.0, N_q = 0.0;
  double N_g_per_tan = 0.0;  ///< N_g / tan(phi), which has a limit at phi = 0
};
BearingFactors bearing_factors(double friction_angle);

/// Constants of one wheel on one soil. Plain numbers, free to copy.
struct BekkerWheel {
  BekkerWheelDef def;
  WheelSize size;
  double gravity = 0.0;            ///< [m/s^2]
  double normal = 0.0;             ///< F = normal * z^(n + 1/2) [N/m^(n+1/2)]
  double compaction = 0.0;         ///< R_c = compaction * z^(n + 1)
  double n = 0.0;                  ///< exponent of sinkage
  double cohesive_thrust = 0.0;    ///< per length of contact, grousers included [N/m]
  double frictional_thrust = 0.0;  ///< per normal force, grousers included
  double tan_phi = 0.0;            ///< of the angle of friction
  double shear_modulus = 0.0;      ///< K [m]
  double bulldozing_1 = 0.0, bulldozing_2 = 0.0;  ///< of the wall of soil ahead, times z and z^2
  double heap_2 = 0.0, heap_3 = 0.0;              ///< Hegedus' heap on top of it, times z^2 and z^3
  double side_thrust = 0.0;                       ///< of the strength along, across
  WheelWalls walls;
};
/// Preconditions: definitions passed the checks of their tables, n < 3; gravity >= 0 [m/s^2].
/// Janosi's shear is taken whatever the soil says of it.
BekkerWheel make_bekker_wheel(const BekkerWheelDef& def, const SoilDef& soil, const WheelSize& size,
                              double gravity);

// Pieces of the model at a sinkage z [m]. All are 0 for z <= 0 and finite for any z.

/// Normal force [N] of a wheel that neither sinks nor rises: (3 - n) / 3 b k sqrt(D) z^(n+1/2).
double bekker_normal_force(const BekkerWheel& wheel, double z);
/// Sinkage [m] at which that force is `load`: [3 W / ((3 - n) b k sqrt(D))]^(2 / (2 n + 1)).
/// Infinite where the soil has no modulus.
double bekker_sinkage(const BekkerWheel& wheel, double load);
/// D / 2 acos(1 - 2 z / D): from entry to the deepest point [m].
double bekker_contact_length(const BekkerWheel& wheel, double z);
/// Work of pressing the rut, per length [N]: b k z^(n+1) / (n + 1).
double compaction_resistance(const BekkerWheel& wheel, double z);
/// Resistance of soil pushed ahead [N], of the kind the definition asks for.
double bulldozing_resistance(const BekkerWheel& wheel, double z);
/// Thrust [N] at a slip >= 0 along a contact of length l under a normal force: (b l c (1 + 2 h / b)
/// + F tan phi [1 + 0.64 h / b acot(h / b)]) (1 - K / (s l) (1 - exp(-s l / K))), h the height of
/// grousers.
double bekker_thrust(const BekkerWheel& wheel, double normal, double length, double slip);

/// Force on a wheel. The slope along x is in the frame and not in the force.
///
/// Thrust follows the slip vector (rim - forward, -lateral) over the larger of rim speed and
/// travel. Its lateral part and, mobilised alike, the passive pressure on the side of the wheel are
/// the side force. The yaw torque is an estimate: friction of a patch of uniform pressure that
/// turns on the spot, limit sqrt(l^2 + b^2) / 4, mobilised by the slip of its ends.
///
/// Slopes are continuous in all inputs; the contact grows no longer below the axis.
WheelForce bekker_force(const BekkerWheel& wheel, const WheelMotion& motion);

/// The same under a load. Not carried: soil without a modulus, or a sinkage beyond the radius.
SteadyWheel bekker_steady(const BekkerWheel& wheel, const SteadyQuery& query);

}  // namespace grouser
