#include "grouser/laws/terra.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"

namespace grouser {
namespace {

constexpr double kTerraLength = 1e-6;  // over which lengths are smoothed [m]
constexpr double kTerraYield =
    1e-8;                           // the same of yielding, which would creep over longer ones [m]
constexpr double kRatio = 1e-3;     // the same of ratios
constexpr double kTerraGap = 1e-4;  // above the ground at which states are forgotten in full [m]
constexpr double kTerraForget = 0.02;  // time in which they are [s]
constexpr double kTouch = 1e-8;        // of the elastic line from which soil is worked in full [m]

/// x from smooth_positive(x, e) = y > 0.
double positive_from(double y, double e) {
  return y < 0.5 * e ? std::sqrt(2.0 * e * y) : y + 0.5 * e;
}

/// Speeds that say how the soil is worked.
struct Sliding {
  double v_s = 0.0;                   // of the rim against the ground, forwards
  double driven = 0.0, braked = 0.0;  // how much of it is slip and how much skid, both >= 0
};

Sliding sliding_of(const TerraWheel& w, const WheelMotion& motion) {
  const double rim = motion.spin * w.r_s;
  Sliding out;
  out.v_s = rim - motion.forward;
  // A wheel drives if it slides the way it turns and travels, whether forwards or back.
  const double way = rim + motion.forward;
  const double v = out.v_s * way / std::sqrt(way * way + kSlowSpeed * kSlowSpeed);
  out.driven = smooth_positive(v, kSlowSpeed);
  out.braked = smooth_positive(-v, kSlowSpeed);
  return out;
}

/// Slip sinkage that fresh ground takes away, per slip sinkage and time.
double recovery_rate(const TerraWheel& w, const WheelMotion& motion, double L) {
  const double rate = w.kappa_out * smooth_absolute(motion.forward, kSlowSpeed) / L;
  if (w.kappa_a == 0.0) return rate;
  return rate * std::exp(-w.kappa_a * motion.slope * std::tanh(motion.forward / w.v_R));
}

/// Slip sinkage that skidding adds, per time.
double skid_rate(const TerraWheel& w, const WheelMotion& motion, double braked) {
  return w.kappa_b * braked * braked / (braked + std::abs(motion.forward) + kSlowSpeed);
}

/// Forces from where everything is: depths, and the share of the shear strength by cell.
struct Situation {
  double z = 0.0, L = 0.0, normal = 0.0;
  Sliding sliding;
};

double cell_place(const TerraWheel& w, std::size_t k, double L) {
  const auto n = static_cast<double>(w.N);
  return L * (0.5 * (n - 1.0) - static_cast<double>(k)) / n;
}

WheelForce forces(const TerraWheel& w, const WheelMotion& motion, const Situation& at,
                  std::span<const Vec2> shares) {
  GROUSER_ASSERT(shares.size() == w.N);
  const double strength = faded(w.c * w.b * at.L, at.normal) + w.mu * at.normal;
  Vec2 mean = Vec2::Zero();
  double moment = 0.0;
  for (std::size_t k = 0; k < w.N; ++k) {
    mean += shares[k];
    moment += cell_place(w, k, at.L) * shares[k].y();
  }
  const double per_cell = 1.0 / static_cast<double>(w.N);
  mean *= per_cell;
  // Damps soil that still gives way; soil that slides has its strength and no more.
  const Vec2 damping =
      w.d_T * w.mu * at.normal * (1.0 - mean.squaredNorm()) * Vec2(at.sliding.v_s, -motion.lateral);
  const Vec2 thrust = strength * mean + damping;

  const double z = smooth_positive(at.z, kTerraLength);
  const double front = bounded_resistance(
      w.lambda_c * at.normal * std::sqrt(z / (2.0 * w.r)) + z * (w.R_linear + w.R_quadratic * z),
      at.normal, z, w.r);
  const double wall = faded(w.wall.along(std::sqrt(2.0 * w.r * z), z), at.normal);

  WheelForce out;
  out.normal = at.normal;
  out.thrust = thrust.x();
  out.drawbar = thrust.x() - front * std::tanh(motion.forward / w.v_R);
  out.side = thrust.y() + wall * mean.y();
  out.torque = w.r_s * thrust.x();
  out.yaw_torque = strength * per_cell * moment;
  out.length = at.L;
  return out;
}

}  // namespace

const ParameterTable<TerraDef>& terra_parameters() {
  using Def = TerraDef;
  static const auto table =
      ParameterTable<Def>()
          .number("stiffness", &Def::stiffness, "N/m^m", non_negative(),
                  "C_N: force on virgin soil is C_N z^m; 0: (3 - n) / 3 b k sqrt(2 r) of the soil")
          .number("exponent", &Def::exponent, "", within(0.0, 4.0), "m; 0: n + 1/2 of the soil")
          .number("elastic_stiffness", &Def::elastic_stiffness, "N/m", non_negative(),
                  "of unloading; 0: 20 times force / sinkage at a twentieth of the radius")
          .number("damping_ratio", &Def::damping_ratio, "", non_negative(),
                  "of the wheel that springs up and down on the elastic line; 1: critical")
          .number("yield_time", &Def::yield_time, "s", positive(), "in which the soil yields")
          .number("slip_sinkage", &Def::slip_sinkage, "", non_negative(),
                  "depth dug per way slipped")
          .number("skid_sinkage", &Def::skid_sinkage, "", non_negative(),
                  "the same of a braked wheel, times skid")
          .number("slip_sinkage_limit", &Def::slip_sinkage_limit, "m", non_negative(),
                  "that a spinning wheel digs itself in; 0: 0.15 of the radius, with grousers all "
                  "of it")
          .number("recovery", &Def::recovery, "", positive(),
                  "how fast fresh ground replaces what was dug away, per contact length")
          .number("slope_effect", &Def::slope_effect, "", non_negative(),
                  "how much slower uphill: exp(-slope_effect tan(slope))")
          .number("friction", &Def::friction, "", non_negative(),
                  "coefficient of wheel on soil; 0: tan(friction_angle) of the soil")
          .number("shear_modulus", &Def::shear_modulus, "m", non_negative(),
                  "Janosi's K; 0: of the soil")
          .number("sliding_damping", &Def::sliding_damping, "s/m", non_negative(),
                  "of soil that is not yet sheared in full: share of friction per sliding speed")
          .number("compaction_resistance", &Def::compaction_resistance, "", non_negative(),
                  "factor of normal force sqrt(z / 2 r), the push of soil ahead of the wheel")
          .number("resistance_cohesion", &Def::resistance_cohesion, "Pa", any_number(),
                  "of soil that is pushed ahead; negative: of the soil")
          .number("rest_speed", &Def::rest_speed, "m/s", positive(),
                  "speed of travel below which resistance fades")
          .number("least_length", &Def::least_length, "m", positive(), "of the contact")
          .integer("cells", &Def::cells, {.lower = 1.0, .upper = Def::kMostCells},
                   "of sheared soil under the wheel, from front to rear");
  return table;
}

TerraWheel make_terra_wheel(const TerraDef& def, const SoilDef& soil, const WheelSize& size,
                            double gravity) {
  TerraWheel w;
  w.size = size;
  w.r = size.radius;
  w.b = size.width;
  w.r_s = size.shear_radius();
  w.m = def.exponent > 0.0 ? def.exponent : soil.n + 0.5;
  w.C_N = def.stiffness > 0.0 ? def.stiffness : bekker_stiffness(soil, size, gravity);
  constexpr double kElasticFactor = 20.0;
  w.k_e = def.elastic_stiffness > 0.0 ? def.elastic_stiffness
                                      : kElasticFactor * w.C_N * std::pow(0.05 * w.r, w.m - 1.0);
  w.zeta = def.damping_ratio;
  w.g = weighing_gravity(gravity);
  w.tau_p = def.yield_time;
  w.kappa_in = def.slip_sinkage;
  w.kappa_b = def.skid_sinkage;
  w.kappa_out = def.recovery;
  w.kappa_a = def.slope_effect;
  w.z_max = def.slip_sinkage_limit > 0.0 ? def.slip_sinkage_limit
                                         : (size.grouser_height > 0.0 ? 1.0 : 0.15) * w.r;
  w.mu = def.friction > 0.0 ? def.friction : std::tan(soil.friction_angle);
  w.c = soil.cohesion;
  w.K = def.shear_modulus > 0.0 ? def.shear_modulus : soil.shear_modulus;
  w.d_T = def.sliding_damping;
  w.lambda_c = def.compaction_resistance;
  const double K_p = passive_coefficient(soil.friction_angle);
  const double c_R = def.resistance_cohesion >= 0.0 ? def.resistance_cohesion : soil.cohesion;
  w.R_linear = w.b * 2.0 * c_R * std::sqrt(K_p);
  w.R_quadratic = w.b * 0.5 * soil.density * gravity * K_p;
  w.v_R = def.rest_speed;
  w.l0 = def.least_length;
  w.wall = side_wall(soil, gravity);
  w.N = static_cast<std::size_t>(def.cells);
  GROUSER_ASSERT(w.N >= 1 && w.N <= static_cast<std::size_t>(TerraDef::kMostCells));
  GROUSER_ASSERT(w.z_max > 0.0 && w.K > 0.0 && w.tau_p > 0.0 && w.m > 0.0);
  return w;
}

WheelForce terra_force(const TerraWheel& w, const WheelMotion& motion,
                       std::span<const double> states, std::span<double> derivatives) {
  GROUSER_ASSERT(states.size() == w.state_count() && derivatives.size() == w.state_count());
  const double z_p = states[0], z_s = states[1];
  const double z_eff = motion.sinkage - z_s;
  const double virgin = smooth_positive(z_eff, kTerraLength);

  Situation at;
  at.z = motion.sinkage;
  at.L = std::sqrt(2.0 * w.r * virgin + w.l0 * w.l0);
  // Damped by a ratio of what is critical for the mass that the elastic line carries.
  const double stretch = smooth_positive(z_eff - z_p, kTerraLength);
  const double damping = 2.0 * w.zeta / std::sqrt(w.g * (stretch + kTerraLength));
  at.normal = w.k_e * stretch * smooth_ramp(1.0 + damping * motion.sinkage_rate, 0.5);
  at.sliding = sliding_of(w, motion);
  const double contact = smooth_step((z_eff - z_p) / kTouch);

  // In the air states are forgotten; on the ground, whether it carries or not, they are not.
  const double forget = smooth_step(-motion.sinkage / kTerraGap) / kTerraForget;
  const double speed = smooth_absolute(motion.forward, kSlowSpeed);
  const double e = virgin - (virgin > 0.0 ? w.C_N * std::pow(virgin, w.m) : 0.0) / w.k_e - z_p;
  derivatives[0] = smooth_positive(e, kTerraYield) / w.tau_p -
                   speed / at.L * smooth_positive(-e, kTerraYield) - forget * z_p;
  const double dug = w.kappa_in * at.sliding.driven * smooth_positive(1.0 - z_s / w.z_max, kRatio) +
                     skid_rate(w, motion, at.sliding.braked);
  derivatives[1] = contact * dug - recovery_rate(w, motion, at.L) * z_s - forget * z_s;

  // Cells pass under the wheel, from the side that it travels to.
  const double n = static_cast<double>(w.N);
  const double ahead = n / at.L * smooth_positive(motion.forward, kSlowSpeed);
  const double back = n / at.L * smooth_positive(-motion.forward, kSlowSpeed);
  const double loose = (1.0 - contact) / kTerraForget;
  const auto cell = [&](std::size_t k) { return Vec2(states[2 + 2 * k], states[3 + 2 * k]); };
  std::array<Vec2, TerraDef::kMostCells> shares;
  for (std::size_t k = 0; k < w.N; ++k) {
    const Vec2 j = cell(k);
    const Vec2 v(at.sliding.v_s, -motion.lateral - motion.yaw * cell_place(w, k, at.L));
    Vec2 rate = contact * shear_rate(v, j, w.K) - loose * j;
    rate -= ahead * (k > 0 ? Vec2(j - cell(k - 1)) : j);
    rate -= back * (k + 1 < w.N ? Vec2(j - cell(k + 1)) : j);
    derivatives[2 + 2 * k] = rate.x();
    derivatives[3 + 2 * k] = rate.y();
    shares[k] = janosi_vector(j, w.K);
  }
  return forces(w, motion, at, std::span(shares).first(w.N));
}

namespace {

/// Depth below what slip has dug, smoothed, at which soil that has yielded carries a load.
double virgin_depth(const TerraWheel& w, double load) {
  const double plain = std::pow(load / w.C_N, 1.0 / w.m);
  if (plain >= 0.5 * kTerraLength && load >= 0.5 * kTerraLength * w.k_e) return plain;
  // Where the elastic line is smoothed; the force grows with the depth.
  double low = 0.0, high = std::max(plain, kTerraLength);
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    const double stretch =
        positive_from(middle, kTerraLength) - middle + w.C_N * std::pow(middle, w.m) / w.k_e;
    (w.k_e * smooth_positive(stretch, kTerraLength) < load ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Slip sinkage at which fresh ground takes away as much as slip or skid digs.
double dug_depth(const TerraWheel& w, const WheelMotion& motion, const Sliding& sliding, double L) {
  const double out = recovery_rate(w, motion, L);
  if (sliding.braked > 0.0) return skid_rate(w, motion, sliding.braked) / out;
  const double in = w.kappa_in * sliding.driven;
  const double z_s = in * (1.0 - 0.5 * kRatio) / (out + in / w.z_max);
  if (z_s <= (1.0 - kRatio) * w.z_max) return z_s;
  // Where the limit is smoothed.
  double low = (1.0 - kRatio) * w.z_max, high = w.z_max;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const double left = in * smooth_positive(1.0 - middle / w.z_max, kRatio);
    (left > out * middle ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

SteadyWheel terra_steady(const TerraWheel& w, const SteadyQuery& query) {
  const WheelMotion motion = steady_motion(query, w.size);
  Situation at;
  at.normal = query.load;
  at.sliding = sliding_of(w, motion);

  const double virgin = virgin_depth(w, query.load);
  at.L = std::sqrt(2.0 * w.r * virgin + w.l0 * w.l0);

  const double z_s = dug_depth(w, motion, at.sliding, at.L);
  at.z = positive_from(virgin, kTerraLength) + z_s;

  const double n = static_cast<double>(w.N);
  const double passing = n / at.L * smooth_positive(motion.forward, kSlowSpeed);
  const Vec2 v(at.sliding.v_s, -motion.lateral);
  std::array<Vec2, TerraDef::kMostCells> shares;
  for (std::size_t k = 0; k < w.N; ++k) {
    const double number = static_cast<double>(k + 1);
    shares[k] = passing > 0.0 ? janosi_vector(number / passing * v, w.K) : Vec2(v.normalized());
  }
  const WheelForce force = forces(w, motion, at, std::span(shares).first(w.N));
  return {at.z, force.drawbar, force.side, force.torque, w.C_N > 0.0 && std::isfinite(at.z)};
}

}  // namespace grouser
