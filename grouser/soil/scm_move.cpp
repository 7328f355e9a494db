// How the soil of one object moves: it yields, fills hollows, piles up and slides.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"
#include "grouser/soil/scm_steps.h"
#include "grouser/soil/soil_patches.h"

namespace grouser::scm_detail {

namespace {

/// Around a footprint, ground that displaced soil may come to and slide on at most [m].
constexpr double kMargin = 0.1;
/// Much below this speed soil goes to all sides alike [m/s].
constexpr double kRest = 1e-4;
/// A node is pressed down if the object covers this share of its cell.
constexpr double kLeastPressed = 0.02;
/// Displaced soil is shared out from so many blocks across a footprint.
constexpr int kBlocks = 5;
/// What remains of a hollow that soil has filled, so that nothing touches, and what follows every
/// tremble of the object does not feed it [m].
constexpr double kClearance = 1e-5;
/// Mean shear of an object that slides nowhere.
constexpr double kNoShear = 1e-3;
/// How the soil before an object is looked at.
constexpr int kLanes = 5, kAheadPoints = 8;

/// Of the ground at a place in nodes, straight between them; 0 beyond the window.
double change_at(const SoilWindow& soil, const Vec2& place) {
  const auto ix = static_cast<std::int64_t>(std::floor(place.x())),
             iy = static_cast<std::int64_t>(std::floor(place.y()));
  if (!soil.nodes.contains(ix, iy) || !soil.nodes.contains(ix + 1, iy + 1)) return 0.0;
  const double a = place.x() - static_cast<double>(ix), b = place.y() - static_cast<double>(iy);
  const double* const low = &soil.change[soil.nodes.index(ix, iy)];
  const double* const high = low + soil.nodes.nx;
  return (1.0 - b) * ((1.0 - a) * low[0] + a * low[1]) + b * ((1.0 - a) * high[0] + a * high[1]);
}
/// Excess height over one edge that counts as settled [m]: a thousandth of slope on 10 mm.
constexpr double kSettled = 1e-5;

}  // namespace

/// Where soil may neither come nor go: under an object, wherever soil could come up to touch it. It
/// never slides higher than the highest soil there is around the object.
void Update::close_nodes(const Pressed& pressed, const SoilWindow& soil,
                         std::span<std::uint8_t> closed) const {
  const ScmFootprint& f = pressed.footprint;
  const GridWindow& w = soil.nodes;
  const std::int64_t x_begin = std::max(w.ix0, f.window.ix0);
  const std::int64_t x_end = std::min(w.ix0 + w.nx, f.window.ix0 + f.window.nx);
  const std::int64_t y_end = std::min(w.iy0 + w.ny, f.window.iy0 + f.window.ny);
  if (x_begin >= x_end) return;
  for (std::int64_t iy = std::max(w.iy0, f.window.iy0); iy < y_end; ++iy) {
    const double* const coverage = &f.coverage[f.window.index(x_begin, iy)];
    const double* const underside = &f.underside[f.window.index(x_begin, iy)];
    std::uint8_t* const row = &closed[w.index(x_begin, iy)];
    for (std::ptrdiff_t k = 0; k < x_end - x_begin; ++k) {
      const bool covered = (coverage[k] > 0.0) & (underside[k] < f.ceiling);
      row[k] = covered ? kSoilCovered : row[k];
    }
  }
}

double Update::heap_ahead(std::size_t object, const Pressed& pressed,
                          const SoilWindow& soil) const {
  const ScmFootprint& f = pressed.footprint;
  const double size = pressed.stress.mean_shear.norm();
  if (!(size > kNoShear)) return 0.0;
  const Vec2 way = pressed.stress.mean_shear / size, side(-way.y(), way.x());
  const Vec2 centre = u_.motions[object].X_TB.p.head<2>() + pressed.stress.centre;
  // Where the object ends, in lanes along its way.
  std::array<double, kLanes> end;
  end.fill(-std::numeric_limits<double>::infinity());
  const double per_lane = kLanes / pressed.stress.width;
  for (std::size_t n = 0; n < f.count; ++n) {
    const Vec2 p(spacing_ * static_cast<double>(f.window.ix0 + f.x[n]),
                 spacing_ * static_cast<double>(f.window.iy0 + f.y[n]));
    const double lane = per_lane * side.dot(p - centre) + 0.5 * kLanes;
    if (lane < 0.0 || lane >= kLanes) continue;
    double& last = end[static_cast<std::size_t>(lane)];
    last = std::max(last, way.dot(p - centre));
  }
  double sum = 0.0, count = 0.0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const double from = end[static_cast<std::size_t>(lane)] + 0.5 * spacing_;
    if (!std::isfinite(from)) continue;
    for (int k = 0; k < kAheadPoints; ++k) {
      const double ahead = from + (k + 0.5) / kAheadPoints * pressed.trace.deepest;
      const Vec2 p = centre + ahead * way + (lane + 0.5 - 0.5 * kLanes) / per_lane * side;
      sum += std::max(0.0, change_at(soil, p / spacing_));
      count += 1.0;
    }
  }
  return count > 0.0 ? sum / count : 0.0;
}

double Update::yield(const Pressed& pressed, SoilWindow& soil, std::span<double> down) const {
  const ScmFootprint& f = pressed.footprint;
  double volume = 0.0;
  for (std::size_t s = 0; s < u_.settings.soils.size(); ++s)
    for (std::size_t n = f.first[s]; n < f.first[s + 1]; ++n) {
      const auto i = static_cast<std::size_t>(f.node[n]);
      down[n] = 0.0;
      if (f.coverage[i] < kLeastPressed || pressed.share[n] == 0.0) continue;
      down[n] =
          std::max(0.0, f.depth[n] - pressed.stress.yield[n] / u_.settings.soils[s].stiffness);
      const std::size_t j = soil.nodes.index(f.window.ix0 + f.x[n], f.window.iy0 + f.y[n]);
      GROUSER_ASSERT(std::isfinite(down[n]));
      soil.change[j] -= down[n];
      soil.loose[j] = std::max(0.0, soil.loose[j] - down[n]);
      volume += down[n] * (spacing_ * spacing_);
    }
  return volume;
}

double Update::fill_hollows(std::size_t object, const Pressed& pressed, SoilWindow& soil,
                            double volume, Scratch& scratch) const {
  if (volume == 0.0) return 0.0;
  const ScmFootprint& f = pressed.footprint;
  const ScmMotion& motion = u_.motions[object];
  const int nx = f.window.nx;
  // A hollow is below the ground that was there, and the object goes down on it.
  const auto room = [&](int x, int y) {
    const auto i = static_cast<std::size_t>(y * nx + x);
    if (pressed.entry[i] >= 0 || f.coverage[i] < kHalfCovered) return 0.0;
    const std::size_t j = soil.nodes.index(f.window.ix0 + x, f.window.iy0 + y);
    const double gap = f.underside[i] - soil.height(j) - kClearance;
    if (!(gap > 0.0) || f.underside[i] > f.soil.reference[i]) return 0.0;
    const auto slope = [&](std::size_t left, std::size_t right) {
      const double s = (f.underside[right] - f.underside[left]) / (2.0 * spacing_);
      return std::isfinite(s) ? s : 0.0;
    };
    const Vec3 lever(spacing_ * static_cast<double>(f.window.ix0 + x) - motion.X_TB.p.x(),
                     spacing_ * static_cast<double>(f.window.iy0 + y) - motion.X_TB.p.y(),
                     f.underside[i] - motion.X_TB.p.z());
    const Vec3 v = motion.V_TB.at(lever);
    const double rising =
        v.z() - slope(i - 1, i + 1) * v.x() -
        slope(i - static_cast<std::size_t>(nx), i + static_cast<std::size_t>(nx)) * v.y();
    return rising <= 0.0 ? gap : 0.0;
  };
  struct Hollow {
    std::size_t node;
    double room;
  };
  ScratchList<Hollow> hollows(scratch);
  double all = 0.0;
  for (int y = f.y_begin; y < f.y_end; ++y)
    for (int x = f.x_begin; x < f.x_end; ++x) {
      const double free = room(x, y);
      if (free == 0.0) continue;
      hollows.add({soil.nodes.index(f.window.ix0 + x, f.window.iy0 + y), free});
      all += free * (spacing_ * spacing_);
    }
  if (all == 0.0) return 0.0;
  const double share = std::min(1.0, volume / all);
  double filled = 0.0;
  for (const Hollow& hollow : hollows.items()) {
    soil.change[hollow.node] += share * hollow.room;
    soil.loose[hollow.node] += share * hollow.room;
    filled += share * hollow.room * (spacing_ * spacing_);
  }
  return std::min(filled, volume);
}

void Update::add_sources(const Pressed& pressed, std::span<const double> down, double left,
                         const GridWindow& w, ScratchList<SoilSource>& sources,
                         Volumes& sums) const {
  const ScmFootprint& f = pressed.footprint;
  for (std::size_t s = 0; s < u_.settings.soils.size(); ++s)
    for (std::size_t n = f.first[s]; n < f.first[s + 1]; ++n) {
      const double volume = left * (down[n] * (spacing_ * spacing_));
      if (volume == 0.0) continue;
      const double compacted = u_.settings.soils[s].def.compaction * volume;
      sums.compacted += compacted;
      if (volume == compacted) continue;
      // Soil goes where the surface pushes it.
      Vec2 flow = Vec2::Zero();
      if (u_.ground.deposition == SoilGroundDef::Deposition::flow) {
        const Vec2 push(pressed.stress.velocity_x[n], pressed.stress.velocity_y[n]);
        flow = u_.ground.flow_concentration / std::sqrt(push.squaredNorm() + kRest * kRest) * push;
      }
      sources.add({static_cast<double>(f.window.ix0 + f.x[n] - w.ix0),
                   static_cast<double>(f.window.iy0 + f.y[n] - w.iy0), volume - compacted, flow});
    }
}

std::array<int, 4> Update::loosen(std::span<const double> before, SoilWindow& soil,
                                  double& highest) const {
  const GridWindow& w = soil.nodes;
  const auto nx = static_cast<std::size_t>(w.nx);
  std::array<int, 4> still = {w.nx, w.nx, w.ny, w.ny};
  for (int y = 0; y < w.ny; ++y) {
    const std::size_t first = static_cast<std::size_t>(y) * nx;
    const double *const was = &before[first], *const is = &soil.change[first];
    if (std::equal(is, is + nx, was)) continue;
    const auto left = static_cast<int>(std::mismatch(is, is + nx, was).first - is);
    int right = w.nx - 1;
    while (is[right] == was[right]) --right;
    still[0] = std::min(still[0], left);
    still[1] = std::min(still[1], w.nx - 1 - right);
    still[2] = std::min(still[2], y);
    still[3] = w.ny - 1 - y;
    double* const loose = &soil.loose[first];
    for (int k = left; k <= right; ++k) loose[k] = std::max(0.0, loose[k] + (is[k] - was[k]));
    double even = highest, odd = highest;  // two at once: each waits for the one before
    const auto last = first + static_cast<std::size_t>(right);
    for (auto k = first + static_cast<std::size_t>(left); k < last; k += 2) {
      even = std::max(even, soil.height(k));
      odd = std::max(odd, soil.height(k + 1));
    }
    highest = std::max({even, odd, soil.height(last)});
  }
  return still;
}

void Update::move_soil(std::size_t object, std::span<Pressed> all,
                       std::span<const std::size_t> group, Scratch& scratch) {
  Pressed& pressed = all[object];
  if (pressed.flow.empty()) return;
  const ScmFootprint& f = pressed.footprint;
  Volumes& sums = volumes[object];
  SoilWindow soil = memory_.surface.read_loose(pressed.flow, scratch);
  const GridWindow& w = soil.nodes;
  ScratchList<SoilSource> sources(scratch);
  pressed.trace.heap_to = heap_ahead(object, pressed, soil);

  // Yielding: what the elastic part cannot carry goes down for good. It fills hollows of the object
  // first; of the rest a share is compacted.
  const std::span<double> down = scratch.take<double>(f.count);
  const double pressed_volume = yield(pressed, soil, down);
  const double filled = fill_hollows(object, pressed, soil, pressed_volume, scratch);
  const double left = pressed_volume > 0.0 ? 1.0 - filled / pressed_volume : 0.0;
  GROUSER_ASSERT(is_share(left));
  add_sources(pressed, down, left, w, sources, sums);

  const std::span<std::uint8_t> closed = scratch.take<std::uint8_t>(w.size());
  std::fill(closed.begin(), closed.end(), kSoilOpen);
  for (const std::size_t other : group) close_nodes(all[other], soil, closed);
  const SoilGround& ground = memory_.surface.ground();
  if (!ground.contains(w))
    for (int y = 0; y < w.ny; ++y)
      for (int x = 0; x < w.nx; ++x)
        if (!ground.contains(w.ix0 + x, w.iy0 + y))
          closed[static_cast<std::size_t>(y * w.nx + x)] = kSoilBeyond;

  const std::span<double> before_flow = scratch.take<double>(w.size());
  std::copy(soil.change.begin(), soil.change.end(), before_flow.begin());
  SoilField field{w.nx, w.ny, spacing_, soil.change, soil.ground, closed};
  const int extent = std::max(f.window.nx, f.window.ny);
  const std::span<SoilSource> few =
      grouped(sources.items(), w.nx, w.ny, std::max(1, extent / kBlocks), scratch);
  for (const SoilSource& source : few) sums.displaced += source.volume;
  sums.lost += deposit(few, 2.0, field, scratch);

  if (u_.ground.erosion_sweeps > 0.0) {
    // On a map, only where something has happened; as steep as the steadiest of the soils allows.
    const std::span<std::uint8_t> active = scratch.take<std::uint8_t>(ground.flat() ? 0 : w.size());
    for (std::size_t j = 0; j < active.size(); ++j) active[j] = soil.change[j] != 0.0;
    double repose = 0.0;
    for (const ScmSoil& of : u_.settings.soils) repose = std::max(repose, of.tan_repose);
    const auto turns = static_cast<std::uint64_t>(std::ceil(2.0 * u_.ground.erosion_sweeps));
    erode(field, repose, {memory_.updates * turns, turns}, kSettled, scratch, active);
  }
  const std::array<int, 4> still = loosen(before_flow, soil, sums.highest);
  // As wide as soil moves, and a little more.
  const int most_margin =
      std::max(ScmTrace::kLeastMargin, static_cast<int>(std::ceil(kMargin / spacing_)));
  for (std::size_t k = 0; k < 4; ++k) {
    int& margin = pressed.trace.margin[k];
    if (still[k] < 2) margin = std::min(margin + 2, most_margin);
    if (still[k] > 4) margin = std::max(margin - 1, ScmTrace::kLeastMargin);
  }
  memory_.surface.write(soil, memory_.updates + 1);
}

}  // namespace grouser::scm_detail
