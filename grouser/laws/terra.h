// TerRA, after Barthelmes (2018): a wheel on soil by a few numbers that change with time, no grid.
//
// The soil under the wheel yields and springs back (plastic sinkage), is dug away by slip and comes
// back as the wheel moves on to fresh ground (slip sinkage), and is sheared in cells that pass
// under the wheel. Forces are functions of these states, so a parked wheel is held by friction that
// does not creep. The paper names the parts and not the equations; docs/models/terra.md has ours.
#pragma once

#include <cstddef>
#include <span>

#include "grouser/laws/wheel_soil.h"

namespace grouser {

struct TerraDef : MovedSoilDef {
  double stiffness = 0.0;              ///< C_N of C_N z^m [N/m^m]; 0: of the soil
  double exponent = 0.0;               ///< m; 0: n + 1/2
  double elastic_stiffness = 0.0;      ///< k_e of unloading [N/m]; 0: see make_terra_wheel
  double damping_ratio = 0.5;          ///< of the wheel on the elastic line
  double yield_time = 2e-3;            ///< tau_p [s]
  double recovery = 1.0;               ///< kappa_out: how fast fresh ground replaces it
  double slope_effect = 0.0;           ///< kappa_a: how much less uphill
  double friction = 0.0;               ///< mu; 0: tan(phi) of the soil
  double shear_modulus = 0.0;          ///< K [m]; 0: of the soil
  double sliding_damping = 1.5;        ///< d_T / (mu F_N) [s/m]
  double compaction_resistance = 0.6;  ///< lambda_c: steepness of the front where soil presses
  double compaction_slip = 0.5;        ///< its growth with the share of sinkage by slip
  double resistance_cohesion = -1.0;   ///< c_R [Pa]; negative: of the soil
  double rest_speed = 1e-3;            ///< v_R, below which resistance fades [m/s]
  double least_length = 5e-3;          ///< l0 of the contact [m]
  int cells = 2;                       ///< N

  static constexpr int kMostCells = 8;
};
const ParameterTable<TerraDef>& terra_parameters();

/// Everything that does not change, in the letters of the equations.
struct TerraWheel {
  WheelSize size;
  double r = 0.0, b = 0.0, r_s = 0.0;
  double C_N = 0.0, m = 0.0, k_e = 0.0, tau_p = 0.0;
  double zeta = 0.0, g = 0.0;
  SlipSinkage deeper;
  double kappa_out = 0.0, kappa_a = 0.0;
  double mu = 0.0, mu_y = 0.0, c = 0.0, K = 0.0, d_T = 0.0;
  double lambda_c = 0.0, lambda_s = 0.0, R_linear = 0.0, R_quadratic = 0.0, v_R = 0.0;
  double l0 = 0.0;
  WheelWalls walls;
  std::size_t N = 0;

  std::size_t state_count() const { return 4 + 2 * N; }
};
/// The elastic stiffness, if not given, is twenty times the secant of the virgin line at a sinkage
/// of a twentieth of the radius.
TerraWheel make_terra_wheel(const TerraDef& def, const SoilDef& soil, const WheelSize& size,
                            double gravity);

/// States: plastic sinkage z_p, slip sinkage z_s [m], then x and y of every shear cell [m], the
/// first at the front, then those of WallState. At rest all derivatives but those of yielding are
/// exactly zero.
WheelForce terra_force(const TerraWheel& wheel, const WheelMotion& motion,
                       std::span<const double> states, std::span<double> derivatives);

/// Where the states come to rest while the wheel goes on, by formula. Exact, with all smoothing,
/// but for cells beyond 10 K (5e-5 of the shear strength).
SteadyWheel terra_steady(const TerraWheel& wheel, const SteadyQuery& query);

}  // namespace grouser
