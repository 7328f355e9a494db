#include "grouser/soil/scm_footprint.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/math/registers.h"

namespace grouser {
namespace {

using namespace registers;

/// What is of interest of an object: the part below this height. Above the highest ground by two
/// spacings or a little more, so that neighbours of nodes in contact are known, and in steps, so
/// that a bank that grows seldom changes anything.
double ceiling_over(double ground, double spacing) {
  const double step = 0.5 * spacing;
  return step * (std::ceil(ground / step) + 4.0);
}

/// What the collector needs to know of all nodes of a window.
struct Levels {
  std::span<double> surface;  // heights of the ground
  std::span<double> weight;   // of the underside: at the rim it counts less and less
  // Height of the ground and what of it is loose, as they go from what they were before the last
  // update to what they are.
  std::span<double> level, loose;
  // Sinkage of nodes that stand in firm soil, and are not at the rim; else -1.
  std::span<double> firm;
};

/// Heights of the surface; returns the greatest.
double find_surface(const SoilWindow& soil, std::span<double> surface) {
  const std::size_t size = surface.size();
  const double *const ground = soil.ground.data(), *const change = soil.change.data();
  Double2 top = two(-std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + 2 <= size; i += 2) {
    const Double2 height = load2(ground + i) + load2(change + i);
    store(&surface[i], height);
    top = greater(height, top);
  }
  double highest = std::max(top[0], top[1]);
  for (; i < size; ++i) highest = std::max(highest, surface[i] = soil.height(i));
  return highest;
}

/// Less coverage is none: an edge along the border of cells covers neither of them by rounding.
/// From there it grows to its full size at twice as much.
constexpr double kLeastCoverage = 1e-6;

void find_levels(ScmFootprint& f, Levels& out) {
  const std::size_t size = f.window.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double cut = 2.0 * (f.coverage[i] - kLeastCoverage);
    f.coverage[i] = greater(lesser(f.coverage[i], cut), 0.0);
    f.underside[i] = cut > 0.0 ? f.underside[i] : std::numeric_limits<double>::infinity();
    out.weight[i] = lesser(1.0, 4.0 * f.coverage[i]);
  }
}

/// How ground and loose soil go from update to update.
void find_changes(const ScmFootprint& f, const ScmTrace& trace, double phase, Levels& out) {
  std::copy(out.surface.begin(), out.surface.end(), out.level.begin());
  std::copy(f.soil.loose.begin(), f.soil.loose.end(), out.loose.begin());
  const GridWindow &known = trace.nodes, &all = f.window;
  const std::int64_t left = std::max(known.ix0, all.ix0);
  const std::int64_t count = std::min(known.ix0 + known.nx, all.ix0 + all.nx) - left;
  const std::int64_t top = std::min(known.iy0 + known.ny, all.iy0 + all.ny);
  if (count <= 0) return;
  for (std::int64_t iy = std::max(known.iy0, all.iy0); iy < top; ++iy) {
    const std::size_t i = all.index(left, iy), j = known.index(left, iy);
    const double *const ground = &f.soil.ground[i], *const was = &trace.change_from[j],
                        *const loose_was = &trace.loose_from[j];
    double *const level = &out.level[i], *const loose = &out.loose[i];
    for (std::int64_t k = 0; k < count; ++k) {
      const double before = ground[k] + was[k];
      level[k] = before + phase * (level[k] - before);
      loose[k] = loose_was[k] + phase * (loose[k] - loose_was[k]);
    }
  }
}

/// Coverage that differs by less from that of a neighbour is no wall.
constexpr double kLeastWall = 1e-3;

/// Nodes around everything that an object covers.
constexpr int kMargin = 2;

/// No depth that counts [m]; keeps 0 / 0 away.
constexpr double kNoDepth = 1e-12;

/// Neighbours that count less than this together have no say about the slope.
constexpr double kLeastWeight = 1e-3;

/// Takes the nodes of one soil into the list.
class Collector {
 public:
  Collector(ScmFootprint& f, const ScmObject& object, const ScmSettings& settings,
            const ScmMotion& motion, const ScmTrace& trace, const SoilGround& ground,
            const Levels& levels, ScratchList<ScmFootprint::Wall>& walls)
      : f_(f),
        tread_(object.tread.get()),
        tallest_(2.0 * motion.X_TB.R.row(2).cwiseAbs().dot(object.half_size)),
        settings_(settings),
        motion_(motion),
        trace_(trace),
        ground_(ground),
        levels_(levels),
        all_on_map_(ground.contains(f.window)),
        nx_(f.window.nx),
        per_spacing_(1.0 / ground.spacing()),
        walls_(walls) {}

  void collect(std::size_t soil) {
    compaction_ = settings_.soils[soil].def.compaction;
    find_firm();
    for (int y = kMargin; y < f_.window.ny - kMargin; ++y) {
      start_row(y);
      const double* const surface = &levels_.surface[row_];
      const double* const underside = &f_.underside[row_];
      const std::size_t before = f_.count;
      for (int x = kMargin; x < nx_ - kMargin; ++x) {
        // The first look, at most nodes the last one.
        if (surface[x] <= underside[x]) continue;
        if (!f_.soil.soil.empty() && f_.soil.soil[row_ + static_cast<std::size_t>(x)] != soil)
          continue;
        add(x, y);
      }
      if (f_.count == before) continue;
      f_.x_begin = std::min(f_.x_begin, f_.x[before]);
      f_.x_end = std::max(f_.x_end, f_.x[f_.count - 1] + 1);
      f_.y_begin = std::min(f_.y_begin, y);
      f_.y_end = std::max(f_.y_end, y + 1);
    }
  }

 private:
  /// Where the row lies in the trace.
  void start_row(int y) {
    const GridWindow& known = trace_.nodes;
    row_ = static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_);
    const std::int64_t iy = f_.window.iy0 + y - known.iy0, ix = f_.window.ix0 - known.ix0;
    const bool any = iy >= 0 && iy < known.ny;
    trace_begin_ = any ? -ix : 0;
    trace_end_ = any ? known.nx - ix : 0;
    trace_row_ = iy * known.nx + ix;
  }
  /// Below this the object presses on ground of some height: as low as that, but that tips of
  /// grousers go deeper than the ground between them. Soil of a heap carries nothing.
  double contact_height(std::size_t i, double ground) const {
    const double firm = firm_at(i);
    if (!tread_) return lesser(ground, firm);
    return firm - tread_->depth_of_imprint(greater(firm - ground, 0.0));
  }
  /// From where sinkage counts.
  double firm_at(std::size_t i) const {
    return f_.soil.reference[i] - compaction_ * levels_.loose[i];
  }
  /// One direction of the grid at a node: slope of the underside, and how much of the spacing the
  /// object presses on.
  struct Along {
    double slope, reach;
  };
  /// What one neighbour adds to that: how much it counts, and the slope on its side.
  struct Side {
    double reach = 1.0, weight = 0.0, rise = 0.0;
  };
  /// The list Levels::firm, two nodes at a time.
  void find_firm() {
    const double infinity = std::numeric_limits<double>::infinity();
    const double height = tread_ ? tread_->height() : 0.0, share = tread_ ? tread_->share : 1.0;
    const Double2 at_tread = two(tread_ ? share * height : infinity), zero{}, one = two(1.0);
    const double per_share = 1.0 / share, above = (1.0 - share) * height;
    const std::size_t size = levels_.firm.size();
    for (std::size_t i = 0; i < size; i += 2) {
      const std::size_t at = i + 2 <= size ? i : size - 2;  // windows have more than two nodes
      const Double2 under = load2(&f_.underside[at]);
      const Double2 firm = load2(&f_.soil.reference[at]) - compaction_ * load2(&levels_.loose[at]);
      // As contact_height() of the ground as it is.
      const Double2 imprint = greater(firm - load2(&levels_.surface[at]), zero);
      const Double2 tips = where_less(imprint, at_tread, per_share * imprint, imprint + above);
      const Double2 sinkage = firm - under, deep = lesser(sinkage - tips, sinkage);
      const Double2 standing = where_less(zero, deep, sinkage, two(-1.0));
      store(&levels_.firm[at], where_less(load2(&levels_.weight[at]), one, two(-1.0), standing));
    }
  }
  /// What a neighbour with less sinkage does not bear yet, but soil before it does, belongs to the
  /// node, whose soil bears all that it does from a sinkage of `all` on.
  static double not_borne(double its, double all, double sinkage) {
    return its < all ? (1.0 - its / all) * (sinkage - all) / (sinkage - its) : 0.0;
  }
  /// The node's soil bears all that it does from a sinkage of `deep` times its own on.
  Along along(std::size_t i, std::ptrdiff_t step, double sinkage, double deep) const {
    const double* const at = &f_.underside[i];
    const double* const firm = &levels_.firm[i];
    const double low = lesser(firm[-step], firm[step]), all = deep * sinkage;
    // Most nodes stand between two that bear as they do.
    const double slope = 0.5 * per_spacing_ * (at[step] - at[-step]);
    if (low > 0.0) {
      if (low >= all) return {slope, 1.0};
      const double before = 1.0 + not_borne(firm[-step], all, sinkage),
                   behind = 1.0 + not_borne(firm[step], all, sinkage);
      const double bend = (at[-step] - 2.0 * at[0] + at[step]) / 6.0;
      const double rise = behind * (at[step] - at[0] - bend) + before * (at[0] - at[-step] + bend);
      return {per_spacing_ * rise / (before + behind), 0.5 * (before + behind)};
    }
    const double* const weight = &levels_.weight[i];
    const double both = weight[-step] * weight[step];
    if (both == 1.0 && sinkage <= 0.0) return {slope, 1.0};
    // Second difference of the underside.
    const double bend = both > 0.0 ? both * (at[-step] - 2.0 * at[0] + at[step]) : 0.0;
    const Side before = side(i, i - step, bend, sinkage, deep),
               behind = side(i, i + step, bend, sinkage, deep);
    const double rise = behind.weight * behind.rise - before.weight * before.rise;
    return {per_spacing_ * rise / greater(kLeastWeight, before.weight + behind.weight),
            0.5 * (before.reach + behind.reach)};
  }
  /// Pressure falls to zero where the underside, a parabola between the nodes, comes out of the
  /// ground; `rise` is the mean slope up to there, weighted by pressure.
  Side side(std::size_t i, std::size_t j, double bend, double sinkage, double deep) const {
    const double weight = levels_.weight[j];
    if (weight == 0.0) return {};
    const double here = f_.underside[i], there = f_.underside[j];
    const double its = greater(firm_at(j) - there, 0.0), all = deep * sinkage;
    const double more = not_borne(its, all, sinkage);
    if (its > 0.0 && contact_height(j, levels_.surface[j]) > there)
      return {1.0 + weight * more, weight * (1.0 + more), there - here - bend / 6.0};
    const double ground = contact_height(j, levels_.level[j]);
    const double mine = greater(contact_height(i, levels_.level[i]) - here, 0.0);
    const double in = greater(greater(ground - here, mine), kNoDepth);
    const double fall = in + greater(there - ground, 0.0) - 0.5 * bend;
    const double root = std::sqrt(greater(fall * fall + 2.0 * bend * in, 0.0));
    const double out = lesser(2.0 * in / (fall + root), 1.0);
    const double pressed = out * (2.0 - out * (fall + bend * out / 3.0) / in);
    const double linear = lesser(greater(pressed, 0.0), 1.0);
    // Where it comes out of soil that springs back, pressure falls all the way.
    const double fading = deep + (1.0 - deep) * lesser(mine / in, 1.0);
    const double strip = lesser(fading * linear + (1.0 - fading) * 2.0 * out, 1.0 + more);
    const double steep = there - here - bend * (0.5 - out * (0.5 - fading / 6.0));
    // Ground that was pressed before bears at once: there the node takes its cell, no more. (How
    // soon, its elastic depth says; where an object leaves the ground, that is all there is.)
    const double again = lesser(greater(firm_at(j) - ground, 0.0) / greater(all, kNoDepth), 1.0);
    const double cell = again * (1.0 - lesser(again * mine / in, 1.0));
    const double reach = cell + (1.0 - cell) * strip;
    const double rise = cell * in + (1.0 - cell) * strip * steep;
    return {1.0 - weight * (1.0 - reach), weight * reach, rise / greater(reach, kNoDepth)};
  }
  /// Where the object ends at node number `entry`: outwards, and how much of the outline is there.
  void add_wall(std::size_t i, std::size_t entry) {
    const auto up = static_cast<std::size_t>(nx_);
    const double* const c = &f_.coverage[i];
    const double* const below = c - up;
    const double* const above = c + up;
    const double right = c[0] - c[1], left = c[0] - c[-1], ahead = c[0] - above[0],
                 behind = c[0] - below[0];
    if (lesser(lesser(-right, -left), lesser(-ahead, -behind)) > -kLeastWall) return;
    // The direction is that of coverage around; the length that of its steps, which add up.
    constexpr double kSmooth[] = {1.0, 4.0, 6.0, 4.0, 1.0}, kStep[] = {1.0, 2.0, 0.0, -2.0, -1.0};
    double x = 0.0, y = 0.0;
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 5; ++column) {
        const double covered = c[(row - 2) * nx_ + column - 2];
        x += kSmooth[row] * kStep[column] * covered;
        y += kStep[row] * kSmooth[column] * covered;
      }
    const double size = std::sqrt(x * x + y * y);
    if (!(size > kLeastWall)) return;
    x /= size;
    y /= size;
    const double steps = x * (greater(right, 0.0) - greater(left, 0.0)) +
                         y * (greater(ahead, 0.0) - greater(behind, 0.0));
    const double length = steps - 2.0 * kLeastWall;
    if (!(length > 0.0)) return;
    // Its foot is where the underside ends, as far as that is known beside the node.
    const double here = f_.underside[i];
    double all = 0.0, above_here = 0.0;
    const auto look = [&](double step, double part, std::size_t j) {
      const double counts = greater(step, 0.0) * std::abs(part), weight = levels_.weight[j];
      all += counts;
      if (weight > 0.0) above_here += counts * weight * (f_.underside[j] - here);
    };
    look(right, x, i + 1);
    look(left, x, i - 1);
    look(ahead, y, i + up);
    look(behind, y, i - up);
    const double foot = here + above_here / all;
    // The ground outside, where nothing presses it.
    const double outside = ground_beside(i, 2.0 * x, 2.0 * y);
    // Of what is pushed together there, the heap is known on any grid; its top beside the wall is
    // not.
    const double level = lesser(outside, f_.soil.reference[i] + f_.heap);
    const double depth = lesser(greater(level - foot, 0.0), tallest_);
    walls_.add({entry, x, y, length * f_.share[entry] / per_spacing_, depth});
  }
  /// Height of the ground, `x` and `y` nodes away from a node, up to 2; straight between nodes.
  double ground_beside(std::size_t i, double x, double y) const {
    const double x0 = lesser(std::floor(x), 1.0), y0 = lesser(std::floor(y), 1.0);
    const double a = x - x0, b = y - y0;
    const double* const low =
        &levels_.level[i] + static_cast<std::ptrdiff_t>(y0) * nx_ + static_cast<std::ptrdiff_t>(x0);
    const double* const high = low + nx_;
    return (1.0 - b) * ((1.0 - a) * low[0] + a * low[1]) + b * ((1.0 - a) * high[0] + a * high[1]);
  }

  void add(int x, int y) {
    const std::size_t i = row_ + static_cast<std::size_t>(x);
    if (!all_on_map_ && !ground_.contains(f_.window.ix0 + x, f_.window.iy0 + y)) {
      ++f_.beyond_map;
      return;
    }
    const double spacing = ground_.spacing();
    double share = 1.0, shear_x = 0.0, shear_y = 0.0, deep = 1.0;
    double per_width = trace_.new_per_width;
    const auto j = static_cast<std::size_t>(trace_row_ + x);
    const std::uint8_t touched = x >= trace_begin_ && x < trace_end_ ? trace_.touched[j] : 0;
    if (touched) {
      const double a = motion_.phase;
      per_width = (1.0 - a) * trace_.per_width_from[j] + a * trace_.per_width_to[j];
      share = (1.0 - a) * trace_.share_from[j] + a * trace_.share_to[j];
      deep = (1.0 - a) * trace_.deep_from[j] + a * trace_.deep_to[j];
      shear_x = trace_.shear_x[j];
      shear_y = trace_.shear_y[j];
    }
    const double here = f_.underside[i];
    const double sinkage = firm_at(i) - here;
    double depth = levels_.surface[i] - here;
    // Between grousers the ground stands higher than under them.
    if (tread_) depth -= sinkage - tread_->imprint(sinkage);
    if (!(depth > 0.0)) return;
    const Along in_x = along(i, 1, sinkage, deep), in_y = along(i, nx_, sinkage, deep);
    const double slope_x = in_x.slope, slope_y = in_y.slope;
    if (!touched) {
      // What comes in at an edge, deep at once, belongs to the wedge that is pushed ahead; what a
      // face that rises has reached since the last update, or a node further back, does not.
      const Vec2 lever(spacing * static_cast<double>(f_.window.ix0 + x) - motion_.X_TB.p.x(),
                       spacing * static_cast<double>(f_.window.iy0 + y) - motion_.X_TB.p.y());
      const double travel = motion_.since_update * motion_.V_TB.v.head<2>().norm();
      const double reached = std::hypot(slope_x, slope_y) * (spacing + travel);
      const double part = std::max(0.0, depth - reached) / std::max(depth, trace_.deepest);
      const double pushed = lever.dot(trace_.wedge) > 0.0 ? part * part : 0.0;
      shear_x = pushed * trace_.wedge.x();
      shear_y = pushed * trace_.wedge.y();
    }
    const std::size_t n = f_.count++;
    f_.node[n] = static_cast<std::int32_t>(i);
    f_.x[n] = x;
    f_.y[n] = y;
    f_.depth[n] = depth;
    f_.sinkage[n] = sinkage;
    f_.loose[n] = levels_.loose[i];
    f_.deep[n] = deep;
    f_.slope_x[n] = slope_x;
    f_.slope_y[n] = slope_y;
    f_.area[n] = spacing * spacing * f_.coverage[i] * in_x.reach * in_y.reach * share;
    f_.share[n] = share;
    f_.per_width[n] = per_width;
    f_.shear_x[n] = shear_x;
    f_.shear_y[n] = shear_y;
    f_.fresh[n] = touched == ScmTrace::kPressed ? 0.0 : 1.0;
    f_.deepest = std::max(f_.deepest, depth);
    add_wall(i, n);
  }

  ScmFootprint& f_;
  const WheelTread* tread_;  // null: none
  double tallest_;           // no wall is taller
  const ScmSettings& settings_;
  const ScmMotion& motion_;
  const ScmTrace& trace_;
  const SoilGround& ground_;
  const Levels& levels_;
  bool all_on_map_;
  int nx_;
  double per_spacing_;
  double compaction_ = 0.0;
  std::size_t row_ = 0;  // first node
  std::int64_t trace_row_ = 0, trace_begin_ = 0, trace_end_ = 0;
  ScratchList<ScmFootprint::Wall>& walls_;
};

}  // namespace

ScmFootprint find_footprint(const ScmObject& object, const ScmSettings& settings,
                            const ScmMotion& motion, const SoilSurface& surface,
                            const ScmTrace& trace, Scratch& scratch) {
  const double spacing = surface.ground().spacing();
  ScmFootprint f;
  f.first = scratch.take<std::size_t>(settings.soils.size() + 1);
  std::fill(f.first.begin(), f.first.end(), 0);
  if (!(object.envelope->lowest(motion.X_TB) < surface.highest())) return f;
  f.window =
      object.envelope->window(motion.X_TB, spacing, ceiling_over(surface.highest(), spacing));
  if (f.window.empty()) return f;
  // Two nodes around everything: the ground outside of walls.
  f.window = {f.window.ix0 - 1, f.window.iy0 - 1, f.window.nx + 2, f.window.ny + 2};

  f.soil = surface.read(f.window, scratch);
  const std::size_t size = f.window.size();
  f.underside = scratch.take<double>(size);
  f.coverage = scratch.take<double>(size);
  Levels levels;
  for (std::span<double>* list :
       {&levels.surface, &levels.weight, &levels.level, &levels.loose, &levels.firm})
    *list = scratch.take<double>(size);
  f.ceiling = ceiling_over(find_surface(f.soil, levels.surface), spacing);
  f.heap = (1.0 - motion.phase) * trace.heap_from + motion.phase * trace.heap_to;
  f.x_begin = f.window.nx;
  f.y_begin = f.window.ny;
  const LowerEnvelope::Request request{motion.X_TB, spacing, f.window, f.ceiling};
  if (object.by_vertices)
    object.envelope->find_by_vertices(request, scratch, f.underside, f.coverage);
  else
    object.envelope->find(request, scratch, f.underside, f.coverage);

  for (std::span<std::int32_t>* list : {&f.node, &f.x, &f.y})
    *list = scratch.take<std::int32_t>(size);
  for (std::span<double>* list :
       {&f.depth, &f.sinkage, &f.loose, &f.deep, &f.slope_x, &f.slope_y, &f.area, &f.share,
        &f.per_width, &f.shear_x, &f.shear_y, &f.fresh})
    *list = scratch.take<double>(size);
  find_levels(f, levels);
  find_changes(f, trace, motion.phase, levels);
  ScratchList<ScmFootprint::Wall> walls(scratch);
  Collector collector(f, object, settings, motion, trace, surface.ground(), levels, walls);
  for (std::size_t soil = 0; soil < settings.soils.size(); ++soil) {
    collector.collect(soil);
    f.first[soil + 1] = f.count;
    if (f.soil.soil.empty()) {
      std::fill(f.first.begin() + static_cast<std::ptrdiff_t>(soil) + 1, f.first.end(), f.count);
      break;
    }
  }
  f.walls = walls.items();
  return f;
}

}  // namespace grouser
