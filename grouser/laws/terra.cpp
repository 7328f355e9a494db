#include "grouser/laws/terra.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/bekker_wheel.h"
#include "grouser/math/smooth.h"

namespace grouser {
namespace {

constexpr double kTerraLength = 1e-6;  // over which lengths are smoothed [m]
constexpr double kTerraYield =
    1e-8;                           // the same of yielding, which would creep over longer ones [m]
constexpr double kTerraGap = 1e-4;  // above the ground at which states are forgotten in full [m]
constexpr double kTerraForget = 0.02;  // time in which they are [s]
constexpr double kLeastLift = 0.2;     // share of pressure that lifts where shear drags down
constexpr double kTouch = 1e-8;        // of the elastic line from which soil is worked in full [m]

/// x from smooth_positive(x, e) = y > 0.
double positive_from(double y, double e) {
  return y < 0.5 * e ? std::sqrt(2.0 * e * y) : y + 0.5 * e;
}

/// How the wheel slides over the soil.
struct Sliding {
  double v_s = 0.0;  // of the rim against the ground, forwards
  SlipVector slip;
};

Sliding sliding_of(const TerraWheel& w, const WheelMotion& motion, double depth) {
  const double rim = motion.spin * w.r_s;
  Sliding out;
  // The chord of the contact is shorter than its arc: by a sixth of the square of the angle of
  // entry, 2 z / r. A wheel that rolls shears soil forwards by as much.
  out.v_s = rim - motion.forward * (1.0 - depth / (3.0 * w.r));
  out.slip = slip_vector(rim, motion.forward, motion.lateral);
  return out;
}

/// Slip sinkage at which a wheel that goes on as it does comes to rest, over its sinkage without.
double dug_share(const TerraWheel& w, const WheelMotion& motion, const SlipVector& slip) {
  const double deeper = deeper_by_slip(w.deeper, slip);
  if (w.kappa_a == 0.0) return deeper;
  return deeper * std::exp(w.kappa_a * motion.slope * std::tanh(motion.forward / w.v_R));
}

/// Depth of the contact, and its length from entry to the deepest point.
double depth_of(const TerraWheel& w, double sinkage) {
  return contact_depth(smooth_positive(sinkage, kTerraLength), w.r);
}
double length_of(const TerraWheel& w, double depth) {
  return std::sqrt(depth * (2.0 * w.r - depth) + w.l0 * w.l0);
}

/// Forces from where everything is: depths, and the share of the shear strength by cell.
struct Situation {
  double depth = 0.0, L = 0.0, normal = 0.0;
  double dug = 0.0;  // share of the sinkage that is by slip
  Sliding sliding;
  WallState wall;
};

double cell_place(const TerraWheel& w, std::size_t k, double L) {
  const auto n = static_cast<double>(w.N);
  return L * (0.5 * (n - 1.0) - static_cast<double>(k)) / n;
}

WheelForce forces(const TerraWheel& w, const WheelMotion& motion, const Situation& at,
                  std::span<const Vec2> shares) {
  GROUSER_ASSERT(shares.size() == w.N);
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
  const double cohesion = faded(w.c * w.b * at.L, at.normal);

  // Soil presses on the front, which rises ahead by a tangent, and shear acts along it: shear lifts
  // a driven wheel and drags a braked one down. So pressure is that of the load over lift, and the
  // push back grows where shear drags.
  const double z = at.depth;
  // Where slip has dug, pressure moves ahead. By the state, since slip at once would feed surges: a
  // wheel that slows down would be held back more.
  const double ahead_share = w.lambda_c * (1.0 + w.lambda_s * at.dug);
  const double steep = ahead_share * std::sqrt(z / (2.0 * w.r));
  const double rise = steep * std::tanh(motion.forward / w.v_R);
  const double rubbed = w.mu * mean.x();
  const double lift = kLeastLift + smooth_ramp(1.0 + rubbed * rise - kLeastLift, kLeastLift);
  const double pressed = std::sqrt(1.0 + rise * rise) / lift;
  const double front = at.normal * rise * (1.0 + rubbed * rubbed) / lift;
  const double ahead = bounded_resistance(z * (w.R_linear + w.R_quadratic * z), at.normal, z, w.r) *
                       std::tanh(motion.forward / w.v_R);
  const Vec2 thrust((w.mu * at.normal + cohesion) * mean.x() + damping.x(),
                    (w.mu_y * at.normal + cohesion) * mean.y() + damping.y());
  const WallForce wall = wall_force(w.walls, motion, at.wall, z, at.L, at.normal);

  WheelForce out;
  out.normal = at.normal;
  out.thrust = thrust.x();
  out.drawbar = thrust.x() - front - ahead + wall.drawbar;
  out.side = pressed * thrust.y() + wall.side;
  out.torque = w.r_s * pressed * thrust.x() + wall.torque;
  out.yaw_torque = (w.mu_y * at.normal + cohesion) * per_cell * moment;
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
          .include(moved_soil_parameters())
          .number("recovery", &Def::recovery, "", positive(),
                  "how fast the wheel comes to the sinkage of its slip, per contact length")
          .number("slope_effect", &Def::slope_effect, "", non_negative(),
                  "how much deeper slip digs uphill: exp(slope_effect tan(slope))")
          .number("friction", &Def::friction, "", non_negative(),
                  "coefficient of wheel on soil along the wheel; 0: tan(friction_angle) of the "
                  "soil, as "
                  "grousers and wall_friction have it")
          .number("shear_modulus", &Def::shear_modulus, "m", non_negative(),
                  "Janosi's K; 0: of the soil")
          .number("sliding_damping", &Def::sliding_damping, "s/m", non_negative(),
                  "of soil that is not yet sheared in full: share of friction per sliding speed")
          .number("compaction_resistance", &Def::compaction_resistance, "", non_negative(),
                  "factor of sqrt(z / 2 r), the steepness of the front where soil presses on it")
          .number(
              "compaction_slip", &Def::compaction_slip, "", within(0.0, 10.0),
              "growth of that with the share of the sinkage that is by slip: pressure moves ahead")
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
  const WheelTreadStrength tread = tread_of(soil, size, gravity);
  w.deeper = make_slip_sinkage(def, tread, w.m);
  w.kappa_out = def.recovery;
  w.kappa_a = def.slope_effect;
  const double tan_phi = std::tan(soil.friction_angle);
  w.mu = def.friction > 0.0 ? def.friction : tan_phi * tread.along.friction;
  w.mu_y = w.mu * tread.across / tread.along.friction;
  w.c = soil.cohesion;
  w.K = def.shear_modulus > 0.0 ? def.shear_modulus : soil.shear_modulus * tread.shear_modulus;
  w.d_T = def.sliding_damping;
  w.lambda_c = def.compaction_resistance;
  w.lambda_s = def.compaction_slip;
  const double K_p = passive_coefficient(soil.friction_angle);
  const double c_R = def.resistance_cohesion >= 0.0 ? def.resistance_cohesion : soil.cohesion;
  w.R_linear = w.b * 2.0 * c_R * std::sqrt(K_p);
  w.R_quadratic = w.b * 0.5 * soil.density * gravity * K_p;
  w.v_R = def.rest_speed;
  w.l0 = def.least_length;
  w.walls = make_wheel_walls(def, soil, size, gravity, w.K);
  w.N = static_cast<std::size_t>(def.cells);
  GROUSER_ASSERT(w.N >= 1 && w.N <= static_cast<std::size_t>(TerraDef::kMostCells));
  GROUSER_ASSERT(w.K > 0.0 && w.tau_p > 0.0 && w.m > 0.0);
  return w;
}

WheelForce terra_force(const TerraWheel& w, const WheelMotion& motion,
                       std::span<const double> states, std::span<double> derivatives) {
  GROUSER_ASSERT(states.size() == w.state_count() && derivatives.size() == w.state_count());
  const double z_p = states[0], z_s = states[1];
  const double z_eff = motion.sinkage - z_s;
  const double virgin = smooth_positive(z_eff, kTerraLength);

  Situation at;
  at.depth = depth_of(w, motion.sinkage);
  at.L = length_of(w, at.depth);
  // Damped by a ratio of what is critical for the mass that the elastic line carries.
  const double stretch = smooth_positive(z_eff - z_p, kTerraLength);
  const double damping = 2.0 * w.zeta / std::sqrt(w.g * (stretch + kTerraLength));
  at.normal = w.k_e * stretch * smooth_ramp(1.0 + damping * motion.sinkage_rate, 0.5);
  at.sliding = sliding_of(w, motion, at.depth);
  at.dug = z_s / (z_s + virgin + kTerraLength);
  const double contact = smooth_step((z_eff - z_p) / kTouch);

  // In the air states are forgotten; on the ground, whether it carries or not, they are not.
  const double forget = smooth_step(-motion.sinkage / kTerraGap) / kTerraForget;
  const double speed = smooth_absolute(motion.forward, kSlowSpeed);
  const double e = virgin - (virgin > 0.0 ? w.C_N * std::pow(virgin, w.m) : 0.0) / w.k_e - z_p;
  derivatives[0] = smooth_positive(e, kTerraYield) / w.tau_p -
                   speed / at.L * smooth_positive(-e, kTerraYield) - forget * z_p;
  const double working =
      w.kappa_out * working_speed(motion.spin * w.r_s, motion.forward, motion.lateral) / at.L;
  derivatives[1] =
      contact * working * (dug_share(w, motion, at.sliding.slip) * virgin - z_s) - forget * z_s;

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

  // Soil beside and ahead.
  const std::size_t beside = 2 + 2 * w.N;
  at.wall = {states[beside], states[beside + 1]};
  derivatives[beside] = contact * displaced_rate(w.walls, motion, at.L, at.wall.displaced) -
                        loose * at.wall.displaced;
  derivatives[beside + 1] =
      contact * working * (at.sliding.slip.skid - at.wall.skid) - loose * at.wall.skid;
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

}  // namespace

SteadyWheel terra_steady(const TerraWheel& w, const SteadyQuery& query) {
  const WheelMotion motion = steady_motion(query, w.size);
  Situation at;
  at.normal = query.load;
  const double virgin = virgin_depth(w, query.load);
  const SlipVector slip = slip_vector(motion.spin * w.r_s, motion.forward, motion.lateral);
  const double z = positive_from(virgin, kTerraLength) + dug_share(w, motion, slip) * virgin;
  at.depth = depth_of(w, z);
  at.L = length_of(w, at.depth);
  at.sliding = sliding_of(w, motion, at.depth);
  const double z_s = dug_share(w, motion, slip) * virgin;
  at.dug = z_s / (z_s + virgin + kTerraLength);

  const double travel = smooth_absolute(motion.forward, kSlowSpeed);
  at.wall = {displaced_steadily(w.walls, motion.lateral, travel, at.L), slip.skid};
  const double n = static_cast<double>(w.N);
  const double passing = n / at.L * smooth_positive(motion.forward, kSlowSpeed);
  const Vec2 v(at.sliding.v_s, -motion.lateral);
  std::array<Vec2, TerraDef::kMostCells> shares;
  for (std::size_t k = 0; k < w.N; ++k) {
    const double number = static_cast<double>(k + 1);
    shares[k] = passing > 0.0 ? janosi_vector(number / passing * v, w.K) : Vec2(v.normalized());
  }
  const WheelForce force = forces(w, motion, at, std::span(shares).first(w.N));
  const bool carried = w.C_N > 0.0 && std::isfinite(z) && z <= w.r;
  return {z, force.drawbar, force.side, force.torque, carried};
}

}  // namespace grouser
