#include "grouser/contact/scm_footprint.h"

#include <algorithm>
#include <cmath>

#include "grouser/math/powers.h"

namespace grouser {
namespace {

/// What is of interest of an object: the part below this height. Above the highest ground by two
/// spacings or more, so that neighbours of nodes in contact are known, and in steps, so that a
/// grown bank changes nothing.
double ceiling_over(double ground, double spacing) {
  const double step = 2.0 * spacing;
  return step * (std::ceil(ground / step) + 1.0);
}

/// Greatest height of the surface in a window.
double highest(const SoilWindow& soil) {
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < soil.ground.size(); ++i) top = std::max(top, soil.height(i));
  return top;
}

/// The underside as its neighbours see it: heights as far as they are in the undisturbed ground
/// (which no update moves), and how much they count. At the rim they do less and less.
struct Levels {
  std::span<double> height, weight;
};
Levels levels_of(const ScmFootprint& f, Scratch& scratch) {
  const std::size_t size = f.window.size();
  const Levels out{scratch.take<double>(size), scratch.take<double>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    const double weight = std::min(1.0, 4.0 * f.coverage[i]);
    out.weight[i] = weight;
    out.height[i] = weight > 0.0 ? std::min(f.underside[i], f.soil.ground[i]) : 0.0;
  }
  return out;
}

/// A block of soil between walls holds more than the strength under it, by its sides: 7 to 20 % for
/// grousers of a tenth to a third of the width (Bekker 1969).
constexpr double kBlock = 1.2;
/// Walls are what differs from the slope over this distance to both sides [m].
constexpr double kWallReach = 0.03;

/// Neighbours that count less than this together have no say about the slope.
constexpr double kLeastWeight = 1e-3;

/// Takes the nodes of one soil into the list.
class Collector {
 public:
  Collector(ScmFootprint& f, const ScmSettings& settings, const ScmMotion& motion,
            const ScmTrace& trace, const SoilGround& ground, Scratch& scratch)
      : f_(f),
        settings_(settings),
        motion_(motion),
        trace_(trace),
        ground_(ground),
        levels_(levels_of(f, scratch)),
        per_spacing_(1.0 / ground.spacing()),
        reach_(std::max(2, static_cast<int>(std::lround(kWallReach * per_spacing_)))),
        per_reach_(per_spacing_ / (2.0 * reach_)) {}

  void collect(std::size_t soil) {
    const int nx = f_.window.nx;
    for (int y = 1; y < f_.window.ny - 1; ++y) {
      const auto row = static_cast<std::size_t>(y * nx);
      for (auto i = row + 1; i < row + static_cast<std::size_t>(nx) - 1; ++i) {
        // The first look, at most nodes the last one.
        if (f_.soil.height(i) <= f_.underside[i]) continue;
        if (!f_.soil.soil.empty() && f_.soil.soil[i] != soil) continue;
        add(i, y, soil);
      }
    }
  }

 private:
  /// Of the underside at node i: over both neighbours, as far as they count.
  double slope(std::size_t i, std::size_t step) const {
    const double before = levels_.weight[i - step], behind = levels_.weight[i + step];
    const double here = f_.underside[i];
    const double rise =
        before * (here - levels_.height[i - step]) + behind * (levels_.height[i + step] - here);
    return per_spacing_ * rise / std::max(kLeastWeight, before + behind);
  }
  /// Over kWallReach to both sides of node i, which is number `at` of `count` in its direction;
  /// `otherwise` as far as it does not reach so far.
  double mean_slope(std::size_t i, int at, int count, std::size_t step, double otherwise) const {
    if (at < reach_ || at + reach_ >= count) return otherwise;
    const std::size_t far = static_cast<std::size_t>(reach_) * step;
    const double weight = std::min(levels_.weight[i - far], levels_.weight[i + far]);
    const double mean = per_reach_ * (levels_.height[i + far] - levels_.height[i - far]);
    return otherwise + weight * (mean - otherwise);
  }

  void add(std::size_t i, int y, std::size_t soil) {
    const auto nx = static_cast<std::size_t>(f_.window.nx);
    const std::int64_t ix =
        f_.window.ix0 + static_cast<std::int64_t>(i - nx * static_cast<std::size_t>(y));
    const std::int64_t iy = f_.window.iy0 + y;
    if (!ground_.contains(ix, iy)) {
      ++f_.beyond_map;
      return;
    }
    const double spacing = ground_.spacing();
    double sunk = 0.0, share = 1.0, shear_x = 0.0, shear_y = 0.0;
    double per_width = trace_.new_per_width;
    if (const auto known = trace_.find(ix, iy)) {
      const std::size_t j = *known;
      const double a = motion_.phase;
      sunk = trace_.sink_rate[j] * motion_.since_update;
      per_width = (1.0 - a) * trace_.per_width_from[j] + a * trace_.per_width_to[j];
      share = (1.0 - a) * trace_.share_from[j] + a * trace_.share_to[j];
      shear_x = trace_.shear_x[j];
      shear_y = trace_.shear_y[j];
    }
    const double here = f_.underside[i];
    const double depth = f_.soil.height(i) - sunk - here;
    if (!(depth > 0.0)) return;
    const std::size_t n = f_.count++;
    const int x = static_cast<int>(ix - f_.window.ix0);
    f_.node[n] = static_cast<std::int32_t>(i);
    f_.x[n] = x;
    f_.y[n] = y;
    f_.x_begin = std::min(f_.x_begin, x);
    f_.x_end = std::max(f_.x_end, x + 1);
    f_.y_begin = std::min(f_.y_begin, y);
    f_.y_end = std::max(f_.y_end, y + 1);
    f_.depth[n] = depth;
    f_.sinkage[n] = f_.soil.reference[i] - sunk - here -
                    settings_.soils[soil].def.compaction * f_.soil.loose[i];
    f_.slope_x[n] = slope(i, 1);
    f_.slope_y[n] = slope(i, nx);
    f_.wall_x[n] = f_.slope_x[n] - mean_slope(i, x, f_.window.nx, 1, f_.slope_x[n]);
    f_.wall_y[n] = f_.slope_y[n] - mean_slope(i, y, f_.window.ny, nx, f_.slope_y[n]);
    f_.area[n] = spacing * spacing * f_.coverage[i] * share;
    f_.share[n] = share;
    f_.per_width[n] = per_width;
    f_.shear_x[n] = shear_x;
    f_.shear_y[n] = shear_y;
    f_.deepest = std::max(f_.deepest, depth);
  }

  ScmFootprint& f_;
  const ScmSettings& settings_;
  const ScmMotion& motion_;
  const ScmTrace& trace_;
  const SoilGround& ground_;
  Levels levels_;
  double per_spacing_;
  int reach_;  // of walls, in nodes
  double per_reach_;
};

/// Numbers per node that only find_stress() needs.
struct NodeMotion {
  std::span<double> x, y, z;  // lever from the origin of the body
  std::span<double> speed;    // of sliding
  std::span<double> sink;     // speed of penetration
  std::span<double> fade;     // of the shear that was there at the update
  // Only where soil lies in layers: what differs from node to node.
  std::span<double> cohesion, tan_friction, per_shear_modulus;
};

/// Where the nodes are seen from the body, and how the underside moves and slides there.
NodeMotion find_motion(const ScmMotion& motion, double spacing, const ScmFootprint& f,
                       ScmStress& out, Scratch& scratch) {
  const std::size_t count = f.count;
  NodeMotion m;
  for (std::span<double>* list : {&m.x, &m.y, &m.z, &m.speed, &m.sink, &m.fade})
    *list = scratch.take<double>(count);
  const double x0 = spacing * static_cast<double>(f.window.ix0) - motion.X_TB.p.x();
  const double y0 = spacing * static_cast<double>(f.window.iy0) - motion.X_TB.p.y();
  const double z0 = motion.X_TB.p.z();
  for (std::size_t i = 0; i < count; ++i) {
    m.x[i] = x0 + spacing * static_cast<double>(f.x[i]);
    m.y[i] = y0 + spacing * static_cast<double>(f.y[i]);
    m.z[i] = f.underside[static_cast<std::size_t>(f.node[i])] - z0;
  }
  const Vec3 w = motion.V_TB.w, v = motion.V_TB.v;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) {
    const double vx = v.x() + w.y() * m.z[i] - w.z() * m.y[i];
    const double vy = v.y() + w.z() * m.x[i] - w.x() * m.z[i];
    const double vz = v.z() + w.x() * m.y[i] - w.y() * m.x[i];
    const double gx = f.slope_x[i], gy = f.slope_y[i];
    const double stretch = 1.0 + gx * gx + gy * gy;  // square of the area per area from above
    const double normal = (vz - gx * vx - gy * vy) / stretch;  // along (-gx, -gy, 1)
    const double tx = vx + normal * gx, ty = vy + normal * gy, tz = vz - normal;
    out.velocity_x[i] = vx;
    out.velocity_y[i] = vy;
    out.sliding_x[i] = tx;
    out.sliding_y[i] = ty;
    m.speed[i] = std::sqrt(tx * tx + ty * ty + tz * tz);
    m.sink[i] = -normal * std::sqrt(stretch);
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
void find_yield(const ScmSettings& settings, const ScmSoil& soil, const ScmFootprint& f,
                std::size_t first, std::size_t count, std::span<double> yield, Scratch& scratch) {
  const std::span<double> sum = yield.subspan(first, count);
  const std::span<const double> sinkage = f.sinkage.subspan(first, count);
  const std::span<const double> per_width = f.per_width.subspan(first, count);
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

/// Strength and stiffness of shear at the depths of the nodes, of soil that lies in layers.
void find_layers(const ScmSoil& soil, const ScmFootprint& f, std::size_t first, std::size_t count,
                 NodeMotion& m, Scratch& scratch) {
  if (m.cohesion.empty())
    for (std::span<double>* list : {&m.cohesion, &m.tan_friction, &m.per_shear_modulus})
      *list = scratch.take<double>(f.count);
  for (std::size_t i = first; i < first + count; ++i) {
    // Below the reference, loose soil or not: an update does not change it.
    const double depth =
        f.sinkage[i] + soil.def.compaction * f.soil.loose[static_cast<std::size_t>(f.node[i])];
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

/// Forces on the nodes `begin` to `end`, of one soil. Without branches, so that two nodes are
/// worked on at once.
template <bool kJanosi, bool kLayered>
void find_forces(const ScmSettings& settings, const ScmSoil& soil, const ScmFootprint& f,
                 const NodeMotion& m, std::size_t begin, std::size_t end, ScmStress& out) {
  constexpr double kTiny = 1e-300;  // keeps 0 / 0 away
  const double stiffness = soil.stiffness, damping = soil.def.damping;
  // Of the elastic depth, which an update leaves as it is.
  const double per_transition = 1.0 / (settings.transition * stiffness);
  const double rest_speed = settings.rest_speed;
  const double per_friction_speed = 1.0 / settings.friction_speed;
  const double damping_at_rest = settings.rest_damping * rest_speed;
  const double top_cohesion = soil.def.cohesion, top_friction = soil.tan_friction;
  const double per_top_modulus = 1.0 / soil.def.shear_modulus;
  // All lists are apart from each other.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = begin; i < end; ++i) {
    const double cohesion = kLayered ? m.cohesion[i] : top_cohesion;
    const double tan_friction = kLayered ? m.tan_friction[i] : top_friction;
    const double rest_damping =
        damping_at_rest * (kLayered ? m.per_shear_modulus[i] : per_top_modulus);
    const double gx = f.slope_x[i], gy = f.slope_y[i];
    const double elastic = std::min(stiffness * f.depth[i], out.yield[i]);
    const double onset = std::min(1.0, elastic * per_transition);
    const double p = std::max(0.0, elastic + damping * m.sink[i] * onset);

    // Monotone sliding: 1 - exp(-j / K). The shear follows the direction of sliding over K.
    const double tx = out.sliding_x[i], ty = out.sliding_y[i], speed = m.speed[i];
    const double per_speed = 1.0 / std::sqrt(std::max(kTiny, tx * tx + ty * ty));
    const double ux = tx * per_speed, uy = ty * per_speed;
    const double coulomb = std::min(1.0, speed * per_friction_speed);
    const double keep = kJanosi ? m.fade[i] : 0.0;
    const double fresh = kJanosi ? 1.0 - keep : coulomb * (2.0 - coulomb);
    const double qx = ux * fresh + f.shear_x[i] * keep;
    const double qy = uy * fresh + f.shear_y[i] * keep;
    // Close to rest, with a dashpot.
    const double near_rest = 1.0 / (rest_speed + speed);
    const double rx = qx + rest_damping * near_rest * tx, ry = qy + rest_damping * near_rest * ty;
    const double cut = 1.0 / std::max(1.0, std::sqrt(rx * rx + ry * ry));
    const double sx = cut * rx, sy = cut * ry;
    // From above the shear has this direction; along the underside it has this length.
    const double rise = gx * sx + gy * sy;
    const double tilt = 1.0 + rise * rise / std::max(kTiny, sx * sx + sy * sy);
    const double strength = cohesion * onset + p * tan_friction;
    const double shear = strength * std::sqrt((1.0 + gx * gx + gy * gy) / tilt);

    // A wall pushes no harder than the soil between walls holds, together with the shear. Else
    // grousers would pull more than the soil can carry.
    const double push = p * (f.wall_x[i] * ux + f.wall_y[i] * uy);
    const double room = std::max(0.0, kBlock * strength - shear * (sx * ux + sy * uy));
    const double held = std::min(room, std::max(-room, push));
    const double less = (push - held) * speed * near_rest;
    out.shear_x[i] = qx;
    out.shear_y[i] = qy;
    out.force_x[i] = f.area[i] * (-p * gx + less * ux - shear * sx);
    out.force_y[i] = f.area[i] * (-p * gy + less * uy - shear * sy);
    out.force_z[i] = f.area[i] * (p - shear * rise);
  }
}

}  // namespace

ScmFootprint find_footprint(const ScmObject& object, const ScmSettings& settings,
                            const ScmMotion& motion, const SoilSurface& surface,
                            const ScmTrace& trace, Scratch& scratch) {
  const double spacing = surface.ground().spacing();
  ScmFootprint f;
  f.first = scratch.take<std::size_t>(settings.soils.size() + 1);
  std::fill(f.first.begin(), f.first.end(), 0);
  if (!(object.envelope.lowest(motion.X_TB) < surface.highest())) return f;
  f.window = object.envelope.window(motion.X_TB, spacing, ceiling_over(surface.highest(), spacing));
  if (f.window.empty()) return f;

  f.soil = surface.read(f.window, scratch);
  const std::size_t size = f.window.size();
  f.underside = scratch.take<double>(size);
  f.coverage = scratch.take<double>(size);
  f.ceiling = ceiling_over(highest(f.soil), spacing);
  f.x_begin = f.window.nx;
  f.y_begin = f.window.ny;
  const LowerEnvelope::Request request{motion.X_TB, spacing, f.window, f.ceiling};
  if (object.by_vertices)
    object.envelope.find_by_vertices(request, scratch, f.underside, f.coverage);
  else
    object.envelope.find(request, scratch, f.underside, f.coverage);

  for (std::span<std::int32_t>* list : {&f.node, &f.x, &f.y})
    *list = scratch.take<std::int32_t>(size);
  for (std::span<double>* list :
       {&f.depth, &f.sinkage, &f.slope_x, &f.slope_y, &f.wall_x, &f.wall_y, &f.area, &f.share,
        &f.per_width, &f.shear_x, &f.shear_y})
    *list = scratch.take<double>(size);
  Collector collector(f, settings, motion, trace, surface.ground(), scratch);
  for (std::size_t soil = 0; soil < settings.soils.size(); ++soil) {
    collector.collect(soil);
    f.first[soil + 1] = f.count;
    if (f.soil.soil.empty()) {
      std::fill(f.first.begin() + static_cast<std::ptrdiff_t>(soil) + 1, f.first.end(), f.count);
      break;
    }
  }
  return f;
}

ScmStress find_stress(const ScmSettings& settings, const ScmMotion& motion, double spacing,
                      const ScmFootprint& f, Scratch& scratch) {
  ScmStress out;
  const std::size_t count = f.count;
  for (std::span<double>* list :
       {&out.yield, &out.velocity_x, &out.velocity_y, &out.sliding_x, &out.sliding_y, &out.shear_x,
        &out.shear_y, &out.force_x, &out.force_y, &out.force_z})
    *list = scratch.take<double>(count);
  if (count == 0) return out;
  NodeMotion m = find_motion(motion, spacing, f, out, scratch);

  for (std::size_t s = 0; s < settings.soils.size(); ++s) {
    const ScmSoil& soil = settings.soils[s];
    const std::size_t first = f.first[s], many = f.first[s + 1] - first;
    if (many == 0) continue;
    const bool layered = soil.layers.size() > 1;
    find_yield(settings, soil, f, first, many, out.yield, scratch);
    if (layered) find_layers(soil, f, first, many, m, scratch);
    const double per_way = -motion.since_update / soil.def.shear_modulus;
    for (std::size_t i = first; i < first + many; ++i)
      m.fade[i] = m.speed[i] * (layered ? -motion.since_update * m.per_shear_modulus[i] : per_way);
    const bool janosi = soil.def.shear == SoilDef::Shear::janosi;
    if (janosi) exponentials(m.fade.subspan(first, many), m.fade.subspan(first, many));
    const auto find = janosi ? (layered ? find_forces<true, true> : find_forces<true, false>)
                             : (layered ? find_forces<false, true> : find_forces<false, false>);
    find(settings, soil, f, m, first, first + many, out);
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
  out.wrench_T = {Vec3(mx, my, mz), Vec3(fx, fy, fz)};
  return out;
}

}  // namespace grouser
