// Stresses under a rigid wheel: Bekker's or Reece's pressure that peaks ahead of the deepest point,
// and Janosi and Hanamoto's shear, summed over the contact (Wong and Reece 1967).
//
// Angles are from the vertical, positive ahead. Soil comes in at `entry`, the pressure is greatest
// at `peak`, and the wheel leaves the soil at `exit`. Two zones meet at the peak. The rim carries
// shear displacement from entry to exit.
#pragma once

#include <array>

#include "grouser/laws/wheel_soil.h"

namespace grouser {

/// Soil and wheel as the stress integral needs them. Plain numbers, free to copy.
struct WongReeceWheel {
  WheelSize size;
  double modulus = kRequired;  ///< k [Pa/m^n]: p = k z^n
  double n = 1.0;              ///< exponent of sinkage of a wheel that rolls without slip
  double n_slip = 0.0;         ///< n grows by this times slip: slip sinkage (Ding 2010)
  double n_skid = 0.0;         ///< n grows by this times skid, which is negative slip
  double cohesion = 0.0;       ///< [Pa]
  double tan_phi = kRequired;  ///< tangent of the angle of friction
  double K_x = 0.02;           ///< shear modulus along the wheel [m]
  double K_y = 0.02;           ///< and across
  double c1 = 0.4, c2 = 0.15;  ///< peak = (c1 + c2 slip) entry
  double recovery = 0.0;       ///< share of the sinkage that springs back behind the wheel
  double tip_fraction = 0.0;   ///< share of the area that is tips of grousers, at the shear radius
  SideWall wall;               ///< passive pressure on the side
  double strength_x = 1.0, strength_y = 1.0;  ///< of the tread, over that of soil on itself
  /// The wheel is carried by what its pressure bears alone, and the peak is at c1 + c2 times the
  /// share of soil that is `sheared`, by slip or by skid, along or across. Else it is Wong and
  /// Reece's: shear lifts a driven wheel and drags a braked one down, and soil ahead of a towed
  /// wheel flows along with it.
  bool carried_by_pressure = false;
  double sheared = 0.0;  ///< 0 to 1
};
/// With modulus, n, shear and side wall of a soil; gravity in [m/s^2].
WongReeceWheel make_wong_reece_wheel(const SoilDef& soil, const WheelSize& size, double gravity);

/// Where stresses are and how they rise.
///
/// Skid, slip < 0, is a towed or braked wheel. There soil ahead of the angle `separation` flows
/// forwards with the wheel, and its shear acts on the wheel forwards (Wong and Reece 1967, part
/// II). Their formulas and those of a driven wheel do not meet at slip 0. So the forward flow comes
/// in over the first 0.05 of skid, and the peak stays at c1 entry until the angle of separation,
/// where the towed wheel has it, comes up to it; it follows that up to half of the entry.
struct PatchShape {
  double depth = 0.0;                          ///< of the rim [m]
  double entry = 0.0, peak = 0.0, exit = 0.0;  ///< [rad], entry > peak >= 0 >= exit
  double cos_entry = 1.0;
  double n = 1.0;           ///< exponent of sinkage at this slip
  double separation = 0.0;  ///< angle of flow separation
  double flow = 0.0;  ///< speed of soil that flows forwards, over the forward speed of the wheel

  /// How much of the rim between an angle and the entry is ahead of the separation [rad]. Rounded
  /// off over 1/20 of the entry around it.
  double ahead(double angle) const;
};
/// Smooth in both; slip beyond -1 and 1 is held near them. Precondition: sinkage > 0.
PatchShape patch_shape(const WongReeceWheel& wheel, double sinkage, double slip, double sheared);
inline PatchShape patch_shape(const WongReeceWheel& wheel, double sinkage, double slip) {
  return patch_shape(wheel, sinkage, slip, wheel.sheared);
}

/// Points of quadrature in one zone, as shares of the zone: Gauss and Legendre's in t after angle =
/// (1 - cos(pi t)) / 2, which takes the root of the pressure at the ends (n < 1). Symmetric.
template <int N>
struct ZoneRule {
  std::array<double, N> share, weight;
};
template <int N>
const ZoneRule<N>& zone_rule();

/// The patch as points: N of the front zone, from the peak to the entry, then N of the rear, from
/// the exit to the peak.
template <int N>
struct PatchPoints {
  std::array<double, 2 * N> sine, cosine;
  std::array<double, 2 * N> depth;   ///< cosine less that of the entry: depth over radius
  std::array<double, 2 * N> normal;  ///< stress [Pa]
  std::array<double, 2 * N> weight;  ///< [rad]
};
template <int N>
void fill_points(const WongReeceWheel& wheel, const PatchShape& shape, PatchPoints<N>& out);

/// Sum of the stresses over the points. `x` and `y` are shear displacement over K_x and K_y at the
/// points; the stress is strength (1 - exp(-q)) (x, y) / q with q = |(x, y)|, and the pressure on
/// the side of the wheel is mobilised like its part across. Cohesion counts by `touch`, 0 to 1.
template <int N>
WheelForce sum_stresses(const WongReeceWheel& wheel, const PatchPoints<N>& points,
                        const std::array<double, 2 * N>& x, const std::array<double, 2 * N>& y,
                        double touch);

/// A wheel that goes on steadily at a sinkage.
struct WongReecePatch {
  PatchShape shape;
  WheelForce force;
  double peak_stress = 0.0;  ///< normal stress at the peak [Pa]
};
/// `slip` is that of slip_of at the shear radius, in [-1, 1]; `slip_angle` [rad] of travel,
/// positive to the left. `points` per zone are 8, 16 or 64. Eight err by 1e-5 of the load at slip
/// >= 0 and, where shear turns round within a zone, by up to 5e-3 at great skid.
WongReecePatch wong_reece_at(const WongReeceWheel& wheel, double sinkage, double slip,
                             double slip_angle = 0.0, int points = 8);

/// The same at the least sinkage that carries a load; sought up to the radius.
struct WongReeceSteady {
  double sinkage = 0.0;
  bool carried = true;  ///< false: no sinkage up to the radius carries it, the rest means nothing
  WongReecePatch patch;
};
WongReeceSteady wong_reece_under(const WongReeceWheel& wheel, double load, double slip,
                                 double slip_angle = 0.0, int points = 8);

}  // namespace grouser
