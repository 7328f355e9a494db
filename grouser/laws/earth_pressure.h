// Passive earth pressure, and what grousers add to the shear strength of soil under a tread.
//
// A wall that is pushed into soil is held by the wedge of soil that has to move up and away before
// it. The coefficient is Lancellotta's (2002), a lower bound in closed form that is within a few
// per cent of log-spiral solutions, with friction on the wall; Rankine's without.
//
// Soil between grousers can fail in two ways, and the weaker one decides. Either all of it moves
// with the tread as one block and slides on the circle of the tips (close or high grousers), held
// at its sides too (Bekker 1969). Or each grouser pushes its own wedge, and between the wedges the
// tread slides on the soil (far apart or low ones).
#pragma once

#include "grouser/laws/soil.h"

namespace grouser {

/// Normal pressure on an upright wall per pressure of the soil above, with tan(wall friction) =
/// `wall_friction` tan(phi); `wall_friction` from 0 to 1.
double passive_coefficient(const SoilDef& soil, double wall_friction);

/// Bearing capacity of soil under what lies flat and slides with tan(friction) = `wall_friction`
/// tan(phi), per pressure of the soil beside it: N_q of Prandtl and Reissner without friction, 18
/// at 30 degrees; 3 at full friction.
double bearing_factor(const SoilDef& soil, double wall_friction);

/// The same before a face that is pushed ahead and rises at `angle` [rad] the way it goes, and down
/// again in soil that is drawn in under it (`angle` < 0). Between what lies flat and an upright
/// wall soil begins to climb on the face, so friction turns the stress the other way; at a right
/// angle it is the passive coefficient. The fan turns by pi - 2 angle - friction_turn cos(2 angle).
double face_factor(const SoilDef& soil, double wall_friction, double angle);
/// By how much friction turns the stress under a surface that slides [rad].
double friction_turn(const SoilDef& soil, double wall_friction);

/// Soil that a face pushes ahead is held at its ends too: passive pressure on one that is `wide`
/// and reaches `high` up through the soil is 1 + passive_ends() / (1 + 5 wide / high) times that on
/// a long wall (Ovesen 1964, anchor slabs).
double passive_ends(const SoilDef& soil, double wall_friction);

/// Passive pressure on an upright wall: at depth d it is `at_top` + `per_depth` d [Pa].
struct PassivePressure {
  double at_top = 0.0;     ///< of cohesion [Pa]
  double per_depth = 0.0;  ///< of weight [Pa/m]
  double at(double depth) const { return at_top + per_depth * depth; }
  /// Per width, of a wall that stands `depth` deep in the soil [N/m].
  double over(double depth) const { return depth * (at_top + 0.5 * per_depth * depth); }
};
PassivePressure passive_pressure(const SoilDef& soil, double wall_friction, double gravity);

/// Grousers of a tread in one direction of sliding.
struct Grousers {
  double height = 0.0;   ///< [m]
  double density = 0.0;  ///< their height per length along the direction: height / pitch
  double width = 0.0;    ///< of the tread across the direction [m]; 0: no sides
};

/// Shear strength under a tread, as a multiple of what soil holds on itself: cohesion c + friction
/// p tan(phi) + weight.
struct TreadStrength {
  double cohesion = 1.0;
  double friction = 1.0;
  double weight = 0.0;   ///< of the soil between grousers, where they push wedges [Pa]
  double bearing = 1.0;  ///< see bearing_factor
  double turn = 0.0;     ///< see friction_turn [rad]
  /// How much of the height of grousers lies between the tread and where soil slides: 0 on the
  /// tread, 1 on the circle of the tips.
  double level = 0.0;
};
/// `wall_friction`: tan of the friction of soil on the tread / tan(phi), also of adhesion /
/// cohesion. Without grousers it is the strength.
TreadStrength tread_strength(const SoilDef& soil, const Grousers& grousers, double wall_friction,
                             double gravity);

}  // namespace grouser
