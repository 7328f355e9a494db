#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/math/powers.h"
#include "grouser/math/registers.h"
#include "grouser/math/smooth.h"
#include "grouser/soil/scm_footprint.h"

namespace grouser {
namespace {

using namespace registers;

/// Numbers per node that only find_stress() needs.
struct NodeMotion {
  std::span<double> x, y, z;  // lever from the origin of the body
  std::span<double> speed;    // of sliding
  std::span<double> sink;     // speed of penetration
  std::span<double> since;    // how long it has slid since the update, or since it was touched [s]
  std::span<double> fade;     // of the shear that was there at the update
  std::span<double> firm;     // how much of the bearing shear has not taken yet
  std::span<double> bearing;  // pressure at which soil that is not sheared gives way
  std::span<double> tangent_x, tangent_y, tangent_z;  // force of shear; empty where it acts on the
                                                      // underside itself
  // Only where soil lies in layers: what differs from node to node.
  std::span<double> cohesion, tan_friction, per_shear_modulus;
};

/// Where the nodes are seen from the body, and how the underside moves and slides there.
NodeMotion find_motion(const ScmMotion& motion, double spacing, double shear_height,
                       const ScmFootprint& f, ScmStress& out, Scratch& scratch) {
  const std::size_t count = f.count;
  NodeMotion m;
  for (std::span<double>* list :
       {&m.x, &m.y, &m.z, &m.speed, &m.sink, &m.since, &m.fade, &m.firm, &m.bearing})
    *list = scratch.take<double>(count + 1);
  const double x0 = spacing * static_cast<double>(f.window.ix0) - motion.X_TB.p.x();
  const double y0 = spacing * static_cast<double>(f.window.iy0) - motion.X_TB.p.y();
  const double z0 = motion.X_TB.p.z();
  m.x[count] = m.y[count] = m.z[count] = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    m.x[i] = x0 + spacing * static_cast<double>(f.x[i]);
    m.y[i] = y0 + spacing * static_cast<double>(f.y[i]);
    m.z[i] = f.underside[static_cast<std::size_t>(f.node[i])] - z0;
  }
  const Vec3 w = motion.V_TB.w, v = motion.V_TB.v;
  const Double2 since_update = two(motion.since_update), kTiny = two(1e-300);
  for (std::size_t i = 0; i < count; i += 2) {
    const Double2 gx = load2(&f.slope_x[i]), gy = load2(&f.slope_y[i]);
    const Double2 stretch = 1.0 + gx * gx + gy * gy;  // square of the area per area from above
    // Where soil slides: above the tips, square to the drum.
    const Double2 above = shear_height / sqrt(stretch);
    const Double2 x = load2(&m.x[i]) - above * gx, y = load2(&m.y[i]) - above * gy;
    const Double2 z = load2(&m.z[i]) + above;
    const Double2 vx = v.x() + w.y() * z - w.z() * y;
    const Double2 vy = v.y() + w.z() * x - w.x() * z;
    const Double2 vz = v.z() + w.x() * y - w.y() * x;
    const Double2 normal = (vz - gx * vx - gy * vy) / stretch;  // along (-gx, -gy, 1)
    const Double2 tx = vx + normal * gx, ty = vy + normal * gy, tz = vz - normal;
    store(&out.velocity_x[i], vx);
    store(&out.velocity_y[i], vy);
    store(&out.sliding_x[i], tx);
    store(&out.sliding_y[i], ty);
    store(&m.speed[i], sqrt(tx * tx + ty * ty + tz * tz));
    store(&m.sink[i], -normal * sqrt(stretch));
    // What is pressed since the update has slid no longer than it took to come so deep.
    const Double2 deepening = greater(-normal * stretch, kTiny);
    const Double2 fresh = load2(&f.fresh[i]);
    const Double2 deep = greater(lesser(load2(&f.depth[i]), load2(&f.sinkage[i])), Double2{});
    const Double2 pressed = lesser(deep / deepening, since_update);
    store(&m.since[i], since_update + fresh * (pressed - since_update));
  }
  return m;
}

/// Adds k z^n of one soil, k as the widths of the patches say.
void add_pressure(const SoilDef& soil, double gravity, std::span<const double> sinkage,
                  std::span<const double> per_width, std::span<double> sum, Scratch& scratch) {
  const std::size_t count = sinkage.size();
  const std::span<double> power = scratch.take<double>(count);
  powers(sinkage, soil.n, power);
  if (soil.pressure == SoilDef::Pressure::bekker) {
    const double k_c = soil.k_c, k_phi = soil.k_phi;
    for (std::size_t i = 0; i < count; ++i)
      sum[i] += std::max(0.0, k_c * per_width[i] + k_phi) * power[i];
    return;
  }
  // (c k_c + rho g b k_phi) / b^n
  const std::span<double> stretch = scratch.take<double>(count);
  powers(per_width, soil.n, stretch);
  const double cohesive = soil.cohesion * soil.k_c, weight = soil.density * gravity * soil.k_phi;
  for (std::size_t i = 0; i < count; ++i)
    sum[i] += std::max(0.0, (cohesive + weight / per_width[i]) * stretch[i]) * power[i];
}

/// Pressures at which the soil gives way: every layer adds its own, see layered_pressure().
void find_yield(const ScmSettings& settings, const ScmSoil& soil, std::span<const double> sinkage,
                std::span<const double> per_width, std::span<double> sum, Scratch& scratch) {
  const std::size_t count = sinkage.size();
  std::fill(sum.begin(), sum.end(), 0.0);
  if (soil.layers.size() == 1)
    return add_pressure(soil.def, settings.gravity, sinkage, per_width, sum, scratch);
  const std::span<double> inside = scratch.take<double>(count);
  for (std::size_t l = 0; l < soil.layers.size(); ++l) {
    const double top = soil.layers[l].depth;
    const bool last = l + 1 == soil.layers.size();
    const double end = last ? std::numeric_limits<double>::infinity() : soil.layers[l + 1].depth;
    for (std::size_t i = 0; i < count; ++i)
      inside[i] = std::max(0.0, std::min(sinkage[i], end) - top);
    add_pressure(soil.layers[l].soil, settings.gravity, inside, per_width, sum, scratch);
  }
}

/// The same under a tread: tips bear on their share of the area, the gaps between them on the rest.
void find_yield(const WheelTread& tread, const ScmSettings& settings, const ScmSoil& soil,
                std::span<const double> sinkage, std::span<const double> per_width,
                std::span<double> sum, Scratch& scratch) {
  const std::size_t count = sinkage.size();
  const std::span<double> gap = scratch.take<double>(count), between = scratch.take<double>(count);
  for (std::size_t i = 0; i < count; ++i) gap[i] = sinkage[i] - tread.height();
  find_yield(settings, soil, sinkage, per_width, sum, scratch);
  find_yield(settings, soil, gap, per_width, between, scratch);
  for (std::size_t i = 0; i < count; ++i)
    sum[i] = tread.share * sum[i] + (1.0 - tread.share) * between[i];
}

/// Strength and stiffness of shear at the depths of the nodes, of soil that lies in layers.
void find_layers(const ScmSoil& soil, const ScmFootprint& f, std::size_t first, std::size_t count,
                 NodeMotion& m, Scratch& scratch) {
  if (m.cohesion.empty())
    for (std::span<double>* list : {&m.cohesion, &m.tan_friction, &m.per_shear_modulus})
      *list = scratch.take<double>(f.count + 1);
  for (std::size_t i = first; i < first + count; ++i) {
    // Below the reference, loose soil or not.
    const double depth = f.sinkage[i] + soil.def.compaction * f.loose[i];
    m.cohesion[i] = m.tan_friction[i] = m.per_shear_modulus[i] = 0.0;
    for (std::size_t l = 0; l < soil.layers.size(); ++l) {
      const double share = layer_share(soil.layers, l, depth);
      if (share == 0.0) continue;
      const SoilDef& layer = soil.layers[l].soil;
      m.cohesion[i] += share * layer.cohesion;
      m.tan_friction[i] += share * soil.tan_layers[l];
      m.per_shear_modulus[i] += share / layer.shear_modulus;
    }
  }
}

/// Pressure of a footprint without damping, in the mean of the force it carries [Pa]. (In the mean
/// of the area it would jump whenever a row of nodes comes to touch without carrying anything yet.)
double mean_pressure(const ScmSettings& settings, const ScmFootprint& f,
                     std::span<const double> yield) {
  double force = 0.0, pressed = 0.0;
  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const double stiffness = settings.soils[s].stiffness;
    for (std::size_t i = f.first[s]; i < f.first[s + 1]; ++i) {
      const double p = std::min(stiffness * f.depth[i], yield[i]);
      force += f.area[i] * p;
      pressed += f.area[i] * p * p;
    }
  }
  return force > 0.0 ? pressed / force : 0.0;
}

/// Elastic soil is damped as a spring with a mass: pressure p (1 + lambda speed), but no more than
/// makes it yield. The mass is what the soil carries, p / g per area, so that of the ratio D,
/// lambda = 2 D sqrt(K_e / (p g)) with the mean pressure.
double damping_of(const ScmSettings& settings, const ScmSoil& soil, double pressure) {
  const double per_area = pressure * settings.gravity;
  if (!(per_area > 0.0)) return 0.0;
  return 2.0 * settings.damping_ratio * std::sqrt(soil.stiffness / per_area);
}

/// What the tread of an object makes of the strength of one soil.
struct Tread {
  TreadStrength along, across;
  double axis_x = 0.0, axis_y = 1.0;  // as seen from above
  double ends = 0.0;                  // of the wedge ahead add so much to passive pressure
};

/// So that climb + kToRight climb^3 is a right angle where the sine climb is 1; else within 9 %.
constexpr double kToRight = 0.5 * kPi - 1.0;
/// Mean shear of an object at which about half of the failure happens that it causes, and at which
/// all of it does.
constexpr double kLittleShear = 0.1, kFullShear = 0.4;
/// Cosine of the directions in which a node and the whole object slide, from which on they are one.
constexpr double kSameWay = 2.0 / 3.0;
/// Times the mean shear, times the sine of its slope: how far soil before a face has failed.
constexpr double kAhead = 1.7;
/// How much an object pushes soil ahead, from which on no bound holds it up.
constexpr double kPushing = 0.3;
/// Of friction on an object, that counts for the way after which it is there.
constexpr double kLeastFriction = 0.1;
/// Pressure at which cohesion and damping are half in force [Pa]: they do not begin with a jump.
constexpr double kOnset = 0.05;

/// The shear at the nodes `begin` to `end`, and how much of it is left to come.
template <bool kJanosi>
void find_shear(const ScmSettings& settings, const ScmFootprint& f, const NodeMotion& m,
                std::size_t begin, std::size_t end, ScmStress& out) {
  const Double2 zero{}, one = two(1.0), tiny = two(1e-300);
  const double per_friction_speed = 1.0 / settings.friction_speed;
  for (std::size_t i = begin; i < end; i += 2) {
    // Monotone sliding: 1 - exp(-j / K). The shear follows the direction of sliding over K.
    const Double2 tx = load2(&out.sliding_x[i]), ty = load2(&out.sliding_y[i]);
    const Double2 per_speed = 1.0 / sqrt(greater(tx * tx + ty * ty, tiny));
    const Double2 coulomb = lesser(load2(&m.speed[i]) * per_friction_speed, one);
    const Double2 keep = kJanosi ? load2(&m.fade[i]) : zero;
    const Double2 fresh = kJanosi ? 1.0 - keep : coulomb * (2.0 - coulomb);
    const Double2 qx = tx * per_speed * fresh + load2(&f.shear_x[i]) * keep;
    const Double2 qy = ty * per_speed * fresh + load2(&f.shear_y[i]) * keep;
    store(&out.shear_x[i], qx);
    store(&out.shear_y[i], qy);
    store(&m.firm[i], greater(1.0 - sqrt(qx * qx + qy * qy), zero));
  }
}

/// Of the shear under an object: its direction, and how much of failure it brings about.
struct MeanShear {
  double x = 0.0, y = 0.0;  // its direction
  double size = 0.0;
  double share = 0.0;
  double bound = 1.0;  // how much of the bound on sinkage holds: not what is ploughed
  Vec2 centre = Vec2::Zero();
  double width = 0.0;
  double ends = 0.0;  // 1 / (1 + 5 width / height) of what is pushed ahead
};
MeanShear mean_shear(const ScmFootprint& f, const NodeMotion& m, double spacing,
                     const ScmStress& stress) {
  Vec2 shear = Vec2::Zero(), place = Vec2::Zero();
  double force = 0.0, deepest = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < f.count; ++i) {
    const double weight = f.area[i] * m.bearing[i];
    const Vec2 p(m.x[i], m.y[i]);
    shear += weight * Vec2(stress.shear_x[i], stress.shear_y[i]);
    place += weight * p;
    xx += weight * p.x() * p.x();
    xy += weight * p.x() * p.y();
    yy += weight * p.y() * p.y();
    force += weight;
    deepest = std::max(deepest, f.sinkage[i]);
  }
  const double sum = shear.norm();
  if (!(sum > 0.0)) return {};
  MeanShear out;
  out.x = shear.x() / sum;
  out.y = shear.y() / sum;
  out.size = sum / force;
  const double square = out.size * out.size, little = kLittleShear * kLittleShear;
  out.share =
      std::min(1.0, (1.0 + little / (kFullShear * kFullShear)) * square / (square + little));
  // Where the surface rises the way it slides, it pushes soil ahead; where it falls, as at the
  // front of a driven wheel, it draws soil in. Locked wheels plough, driven ones do not.
  double push = 0.0;
  const Double2 zero{}, tiny = two(1e-300);
  for (std::size_t i = 0; i < f.count; i += 2) {
    const Double2 sx = load2(&stress.shear_x[i]), sy = load2(&stress.shear_y[i]);
    const Double2 rise = load2(&f.slope_x[i]) * sx + load2(&f.slope_y[i]) * sy;
    const Double2 level = sx * sx + sy * sy;
    const Double2 part = load2(&f.area[i]) * load2(&m.bearing[i]) * rise *
                         sqrt(level / greater(level + rise * rise, tiny));
    const Double2 forwards = where_less(zero, sx * out.x + sy * out.y, part, zero);
    push += forwards[0];
    if (i + 1 < f.count) push += forwards[1];
  }
  out.bound = 1.0 - smooth_step(push / force / kPushing);
  // As wide as a bar with the same spread across.
  out.centre = place / force;
  const double spread = out.y * out.y * (xx / force - out.centre.x() * out.centre.x()) -
                        2.0 * out.x * out.y * (xy / force - out.centre.x() * out.centre.y()) +
                        out.x * out.x * (yy / force - out.centre.y() * out.centre.y());
  out.width = std::sqrt(12.0 * std::max(0.0, spread) + spacing * spacing);
  const double high = deepest + f.heap;
  out.ends = high / (high + 5.0 * out.width);
  return out;
}

/// The share of the shear strength at work, and the pressure at which soil yields, on the nodes
/// `begin` to `end` of one soil, two at a time. Where their number is odd the node behind them gets
/// something that does not count.
template <bool kLayered>
void find_failure(const ScmSettings& settings, const ScmSoil& soil, const Tread& tread,
                  const ScmFootprint& f, const NodeMotion& m, const MeanShear& all,
                  std::size_t begin, std::size_t end, ScmStress& out) {
  const Double2 zero{}, one = two(1.0), tiny = two(1e-300);  // keeps 0 / 0 away
  const TreadStrength &along = tread.along, &across = tread.across;
  const double rest_speed = settings.rest_speed;
  const double damping_at_rest = settings.rest_damping * rest_speed;
  const double per_top_modulus = 1.0 / soil.def.shear_modulus;
  for (std::size_t i = begin; i < end; i += 2) {
    const Double2 tan_friction = kLayered ? load2(&m.tan_friction[i]) : two(soil.tan_friction);
    const Double2 rest_damping =
        damping_at_rest * (kLayered ? load2(&m.per_shear_modulus[i]) : two(per_top_modulus));
    const Double2 gx = load2(&f.slope_x[i]), gy = load2(&f.slope_y[i]);
    const Double2 tx = load2(&out.sliding_x[i]), ty = load2(&out.sliding_y[i]);
    const Double2 speed = load2(&m.speed[i]);
    const Double2 qx = load2(&out.shear_x[i]), qy = load2(&out.shear_y[i]);
    // Close to rest, with a dashpot.
    const Double2 near_rest = 1.0 / (rest_speed + speed);
    const Double2 rest = rest_damping * near_rest;
    const Double2 rx = qx + rest * tx, ry = qy + rest * ty;
    const Double2 cut = 1.0 / sqrt(greater(rx * rx + ry * ry, one));
    const Double2 sx = cut * rx, sy = cut * ry;
    const Double2 rise = gx * sx + gy * sy;
    const Double2 square = greater(sx * sx + sy * sy, tiny);

    // Soil that is sheared gives way at bearing capacity; before a face that is pushed ahead it
    // becomes passive pressure, and it is more where soil is drawn in under the object. See
    // face_factor(); a is the angle at which the face rises the way it slides, exp() a Pade
    // approximant.
    const Double2 climb = rise / sqrt(square + rise * rise);
    const Double2 a = climb * (1.0 + kToRight * climb * climb);
    const Double2 up = greater(climb, zero);
    const Double2 side = sx * tread.axis_x + sy * tread.axis_y;
    const Double2 sideways = side * side / square;
    const Double2 turn = along.turn + (across.turn - along.turn) * sideways;
    const Double2 x = 2.0 * tan_friction * (turn * up * up - a);
    const Double2 even = 12.0 + x * x, odd = 6.0 * x;
    const Double2 flat = along.bearing + (across.bearing - along.bearing) * sideways;
    const Double2 factor = (1.0 + tread.ends * up * up) * flat * ((even + odd) / (even - odd));
    const Double2 above = greater(load2(&f.sinkage[i]) + f.heap, zero);
    const Double2 weight = factor * soil.unit_weight * above;
    const Double2 capacity = weight + (factor - 1.0) * soil.cohesive;
    const Double2 bearing = load2(&m.bearing[i]);
    // Only where the object as a whole slides that way: what is pressed straight in does not.
    const Double2 with_all =
        lesser(greater(sx * all.x + sy * all.y, zero) / (kSameWay * sqrt(square)), one);
    // Soil before a steep face has been sheared already, as much as the object slides.
    const Double2 firm = load2(&m.firm[i]) * greater(1.0 - kAhead * all.size * up, zero);
    const Double2 fails = all.share * with_all * (1.0 - firm);
    const Double2 held = greater(capacity, all.bound * soil.least_yield * bearing);
    // A heap carries nothing, but it has to be pushed; it holds together by its weight alone.
    const Double2 yield = bearing - fails * greater(bearing - held, zero) +
                          fails * up * greater(weight - bearing, zero);
    store(&out.share_x[i], sx);
    store(&out.share_y[i], sy);
    store(&out.yield[i], yield);
    // Of the sinkage, the part over which soil bears less; a heap is pushed all the way.
    const Double2 pushed = fails * up * factor * soil.unit_weight * f.heap;
    const Double2 less = greater(1.0 - pushed / greater(yield, tiny), zero);
    store(&out.deep[i], less * less * lesser(greater(yield, zero) / greater(bearing, tiny), one));
  }
}

/// Forces on the nodes of one soil, as above.
template <bool kLayered>
void find_forces(const ScmSoil& soil, const Tread& tread, const ScmFootprint& f,
                 const NodeMotion& m, double lambda, std::size_t begin, std::size_t end,
                 ScmStress& out) {
  const Double2 zero{}, tiny = two(1e-300);
  const double stiffness = soil.stiffness, damping = soil.def.damping;
  const TreadStrength &along = tread.along, &across = tread.across;
  for (std::size_t i = begin; i < end; i += 2) {
    const Double2 cohesion = kLayered ? load2(&m.cohesion[i]) : two(soil.def.cohesion);
    const Double2 tan_friction = kLayered ? load2(&m.tan_friction[i]) : two(soil.tan_friction);
    const Double2 gx = load2(&f.slope_x[i]), gy = load2(&f.slope_y[i]);
    const Double2 sx = load2(&out.share_x[i]), sy = load2(&out.share_y[i]);
    // From above the shear has this direction; along the underside it has this length.
    const Double2 rise = gx * sx + gy * sy;
    const Double2 square = greater(sx * sx + sy * sy, tiny);
    const Double2 stretch = 1.0 + gx * gx + gy * gy;
    const Double2 yield = load2(&out.yield[i]), sink = load2(&m.sink[i]);
    const Double2 side = sx * tread.axis_x + sy * tread.axis_y;
    const Double2 sideways = side * side / square;
    const Double2 elastic = lesser(stiffness * load2(&f.depth[i]), yield);
    const Double2 onset = elastic / (elastic + kOnset);
    const Double2 damped = lesser(elastic * (1.0 + lambda * sink), yield);
    const Double2 p = greater(damped + damping * sink * onset, zero);

    const Double2 cohesive = along.cohesion + (across.cohesion - along.cohesion) * sideways;
    const Double2 frictional = along.friction + (across.friction - along.friction) * sideways;
    const Double2 weight = along.weight + (across.weight - along.weight) * sideways;
    const Double2 strength =
        cohesive * cohesion * onset + p * tan_friction * frictional + weight * onset;
    const Double2 shear = strength * sqrt(stretch * square / (square + rise * rise));
    const Double2 area = load2(&f.area[i]);
    const Double2 dragged_x = area * shear * sx, dragged_y = area * shear * sy,
                  dragged_z = area * shear * rise;
    store(&out.force_x[i], -area * p * gx - dragged_x);
    store(&out.force_y[i], -area * p * gy - dragged_y);
    store(&out.force_z[i], area * p - dragged_z);
    if (m.tangent_x.empty()) continue;
    store(&m.tangent_x[i], -dragged_x);
    store(&m.tangent_y[i], -dragged_y);
    store(&m.tangent_z[i], -dragged_z);
  }
}

/// What the walls of an object add: passive earth pressure, as far as they are pushed into the
/// soil, and its friction where they slide along. It grows with depth, so it acts at a third of it
/// from below.
void add_walls(const ScmSettings& settings, const ScmFootprint& f, double ends, ScmStress& out,
               Wrench& lifted) {
  for (const ScmFootprint::Wall& wall : f.walls) {
    const std::size_t i = wall.entry;
    std::size_t s = 0;
    while (i >= f.first[s + 1]) ++s;
    const double into = wall.out_x * out.share_x[i] + wall.out_y * out.share_y[i];
    if (!(into > 0.0)) continue;
    // Little where it slides along: directions of walls are good to some degrees.
    const double pushed = into * into * (3.0 - 2.0 * into);
    const ScmSoil& soil = settings.soils[s];
    const double elastic = lesser(soil.stiffness * f.depth[i], out.yield[i]);
    const double force = pushed * elastic / (elastic + kOnset) * wall.length * settings.side_wall *
                         (1.0 + ends * soil.passive_ends) * soil.passive.over(wall.depth);
    const double rubbed = force * soil.wall_friction;
    const double fx = -force * wall.out_x - rubbed * (out.share_x[i] - into * wall.out_x),
                 fy = -force * wall.out_y - rubbed * (out.share_y[i] - into * wall.out_y);
    out.force_x[i] += fx;
    out.force_y[i] += fy;
    const double above = wall.depth / 3.0;
    lifted.torque += Vec3(-above * fy, above * fx, 0.0);
  }
}

}  // namespace

ScmStress find_stress(const ScmObject& object, const ScmSettings& settings, const ScmMotion& motion,
                      double spacing, const ScmFootprint& f, Scratch& scratch) {
  ScmStress out;
  const std::size_t count = f.count;
  for (std::span<double>* list :
       {&out.yield, &out.deep, &out.velocity_x, &out.velocity_y, &out.sliding_x, &out.sliding_y,
        &out.shear_x, &out.shear_y, &out.share_x, &out.share_y, &out.force_x, &out.force_y,
        &out.force_z})
    *list = scratch.take<double>(count + 1);  // nodes are worked on in pairs
  if (count == 0) return out;
  const double shear_height = object.shear_height();
  NodeMotion m = find_motion(motion, spacing, shear_height, f, out, scratch);
  if (shear_height > 0.0)
    for (std::span<double>* list : {&m.tangent_x, &m.tangent_y, &m.tangent_z})
      *list = scratch.take<double>(count + 1);
  Tread tread;
  const Vec3 axis = motion.X_TB.R * object.axis;
  const double level = std::hypot(axis.x(), axis.y());
  if (level > 0.0) {
    tread.axis_x = axis.x() / level;
    tread.axis_y = axis.y() / level;
  }

  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const std::size_t first = f.first[s], many = f.first[s + 1] - first;
    if (many == 0) continue;
    const std::span<const double> sinkage = f.sinkage.subspan(first, many);
    const std::span<const double> per_width = f.per_width.subspan(first, many);
    const std::span<double> yield = m.bearing.subspan(first, many);
    if (object.tread)
      find_yield(*object.tread, settings, settings.soils[s], sinkage, per_width, yield, scratch);
    else
      find_yield(settings, settings.soils[s], sinkage, per_width, yield, scratch);
  }
  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const ScmSoil& soil = settings.soils[s];
    const std::size_t first = f.first[s], many = f.first[s + 1] - first;
    if (many == 0) continue;
    const bool layered = soil.layers.size() > 1;
    if (layered) find_layers(soil, f, first, many, m, scratch);
    // Soil slips on a smooth surface after less sliding than on itself.
    const double friction = std::clamp(object.along[s].friction, kLeastFriction, 1.0);
    const double less = friction * friction * friction;
    const double per_way = -1.0 / less, per_modulus = per_way / soil.def.shear_modulus;
    for (std::size_t i = first; i < first + many; ++i)
      m.fade[i] =
          m.since[i] * m.speed[i] * (layered ? per_way * m.per_shear_modulus[i] : per_modulus);
    const bool janosi = soil.def.shear == SoilDef::Shear::janosi;
    if (janosi) exponentials(m.fade.subspan(first, many), m.fade.subspan(first, many));
    (janosi ? find_shear<true> : find_shear<false>)(settings, f, m, first, first + many, out);
    // 1 - |q| is exp(-j / K); so this is exp(-j / failure_shear).
    const std::span<double> firm = m.firm.subspan(first, many);
    powers(firm, std::min(3.0, less * soil.def.shear_modulus / soil.def.failure_shear), firm);
  }
  const MeanShear all = mean_shear(f, m, spacing, out);
  out.mean_shear = all.size * Vec2(all.x, all.y);
  out.centre = all.centre;
  out.width = all.width;
  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const ScmSoil& soil = settings.soils[s];
    if (f.first[s] == f.first[s + 1]) continue;
    tread.along = object.along[s];
    tread.across = object.across[s];
    tread.ends = all.ends * soil.passive_ends;
    (soil.layers.size() > 1 ? find_failure<true> : find_failure<false>)(settings, soil, tread, f, m,
                                                                        all, f.first[s],
                                                                        f.first[s + 1], out);
  }
  const double pressure = mean_pressure(settings, f, out.yield);
  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const ScmSoil& soil = settings.soils[s];
    if (f.first[s] == f.first[s + 1]) continue;
    tread.along = object.along[s];
    tread.across = object.across[s];
    (soil.layers.size() > 1 ? find_forces<true>
                            : find_forces<false>)(soil, tread, f, m,
                                                  damping_of(settings, soil, pressure), f.first[s],
                                                  f.first[s + 1], out);
  }

  Wrench lifted;  // moments of what does not act at the underside
  add_walls(settings, f, all.ends, out, lifted);
  if (shear_height > 0.0)
    for (std::size_t i = 0; i < count; ++i) {
      const double gx = f.slope_x[i], gy = f.slope_y[i];
      const double above = shear_height / std::sqrt(1.0 + gx * gx + gy * gy);
      lifted.torque += Vec3(-above * gx, -above * gy, above)
                           .cross(Vec3(m.tangent_x[i], m.tangent_y[i], m.tangent_z[i]));
    }
  double fx = 0.0, fy = 0.0, fz = 0.0, mx = 0.0, my = 0.0, mz = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    fx += out.force_x[i];
    fy += out.force_y[i];
    fz += out.force_z[i];
    mx += m.y[i] * out.force_z[i] - m.z[i] * out.force_y[i];
    my += m.z[i] * out.force_x[i] - m.x[i] * out.force_z[i];
    mz += m.x[i] * out.force_y[i] - m.y[i] * out.force_x[i];
  }
  out.wrench_T = {Vec3(mx, my, mz) + lifted.torque, Vec3(fx, fy, fz)};
  return out;
}

}  // namespace grouser
