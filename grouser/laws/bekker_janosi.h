// The wheel of Bekker, Janosi and Hanamoto as a dynamic element: stresses of Wong and Reece at the
// sinkage of the pose, and shear displacement as a state that the rim carries through the contact.
//
// The contact is cut into N equal arcs. Cell k holds the shear displacement of the rim at their
// ends, a vector in the plane of the ground. The rim turns, so the displacement moves with it:
// dj/dt - spin dj/dangle = sliding velocity, upwind. The sliding velocity of a cell is its mean
// over the arc that the rim has just passed, so that in steady rolling cells hold exactly what the
// stress integral has there. Between cells runs one polynomial. Force depends on displacement, so
// soil holds a wheel at rest, and nothing drifts.
//
// Soil comes in ahead when the wheel goes forwards and behind when it goes backwards. A wheel that
// goes backwards is one that goes forwards, mirrored. Around rest, both are computed and mixed; at
// rest they count the same, so pressure alone pushes a wheel neither way. Cells are places from the
// front of the contact to its back in both: the mirrored wheel reads them from the last to the
// first, with the displacement along x turned round.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "grouser/laws/wong_reece.h"

namespace grouser {

/// Parameters of the model, beside those of soil and wheel.
struct BekkerJanosiDef : MovedSoilDef {
  double c1 = 0.4;                     ///< peak of pressure = (c1 + c2 slip) angle of entry
  double c2 = 0.15;                    ///< see c1
  double n_slip = 0.0;                 ///< growth of n with slip
  double n_skid = 0.0;                 ///< growth of n with skid
  double recovery = 0.0;               ///< share of the sinkage that springs back
  double tip_fraction = 0.0;           ///< share of the area that is tips of grousers
  double lateral_shear_modulus = 0.0;  ///< K across the wheel [m]; 0: the soil's
  double damping_ratio = 0.5;          ///< of the wheel on its soil, up and down
  double shear_damping = 0.05;         ///< sheared soil answers this far ahead [s]
  double rest_speed = 0.01;  ///< of rim and travel together, below which directions mix [m/s]
  int cells = 4;
  int earlier_passes = 0;     ///< of other wheels in the same rut
  double earlier_slip = 0.0;  ///< of these wheels
};
const ParameterTable<BekkerJanosiDef>& bekker_janosi_parameters();

/// Soil that wheels have passed over already: cohesion and density grow and K falls with the slip
/// of these wheels and their number (Senatore and Sandu 2011). Unchanged for no passes.
SoilDef soil_after_passes(const SoilDef& soil, int passes, double slip);

inline constexpr int kMostCells = 8;

/// Constants of one wheel on one soil. Plain numbers, free to copy.
struct BekkerJanosiWheel {
  BekkerJanosiDef def;
  WongReeceWheel stress;
  double gravity = 0.0;    ///< [m/s^2]
  double largest_K = 0.0;  ///< of along and across [m]
  SlipSinkage deeper;
  WheelWalls walls;
  /// Row m gives the factor of p^(m+1) of the polynomial through 0 at p = 0 and cell k at p = k /
  /// N.
  std::array<std::array<double, kMostCells>, kMostCells> polynomial{};
};
/// Preconditions: definitions passed the checks of their tables; gravity >= 0 [m/s^2]. Janosi's
/// shear is taken whatever the soil says of it.
BekkerJanosiWheel make_bekker_janosi_wheel(const BekkerJanosiDef& def, const SoilDef& soil,
                                           const WheelSize& size, double gravity);

/// Two for each cell, the slip, the share of soil that is sheared, and those of WallState.
inline std::size_t state_count(const BekkerJanosiWheel& wheel) {
  return 2 * static_cast<std::size_t>(wheel.def.cells) + 4;
}

/// Force on a wheel, and the rates of its states [m/s]. States are x and y of the shear
/// displacement [m] of the cells, from the front to the back, then the slip that the soil has seen,
/// positive if the wheel drives, whichever way it goes, then how
/// much of that soil is sheared (see SlipSinkage), and those of WallState. Both spans have
/// state_count() numbers; they may not be the same.
///
/// In the air the force is 0 and states fade within 20 ms. Slopes are continuous in all inputs.
/// Slip acts on the place of the peak and on n over a contact length. At once, it would feed every
/// surge: a wheel that slows down would be held back less.
WheelForce bekker_janosi_force(const BekkerJanosiWheel& wheel, const WheelMotion& motion,
                               std::span<const double> states, std::span<double> derivatives);

/// The same in steady motion under a load, by the stress integral.
SteadyWheel bekker_janosi_steady(const BekkerJanosiWheel& wheel, const SteadyQuery& query);

}  // namespace grouser
