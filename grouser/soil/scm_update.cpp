#include "grouser/soil/scm_update.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"
#include "grouser/soil/soil_flow.h"
#include "grouser/soil/soil_patches.h"

namespace grouser {
namespace {

/// Around a footprint, ground that displaced soil may come to and slide on at most [m].
constexpr double kMargin = 0.1;
/// Much below this speed soil goes to all sides alike [m/s].
constexpr double kRest = 1e-4;
/// A node is pressed down if the object covers this share of its cell.
constexpr double kLeastPressed = 0.02;
/// Displaced soil is shared out from so many blocks across a footprint.
constexpr int kBlocks = 5;
/// Of the depth, that sliding may carry away until the next update.
constexpr double kMostCarried = 0.6;
/// What remains of a hollow that soil has filled, so that nothing touches, and what follows every
/// tremble of the object does not feed it [m].
constexpr double kClearance = 1e-5;
/// Sinkages that differ by less are the same [m].
constexpr double kAsDeep = 1e-8;
/// Of a direction, that counts as none.
constexpr double kStraight = 1e-6;
/// Excess height over one edge that counts as settled [m]: a thousandth of slope on 10 mm.
constexpr double kSettled = 1e-5;

/// One object in one update.
struct Pressed {
  ScmFootprint footprint;
  ScmStress stress;
  std::span<std::int32_t> entry;  // of the window's nodes: number in the footprint, -1: not in it
  std::span<double> share;        // of the force that this object takes from now on, by entry
  ScmTrace trace;                 // for the next period
  GridWindow flow;                // where its soil moves
};

GridWindow joined(const GridWindow& a, const GridWindow& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  GridWindow out;
  out.ix0 = std::min(a.ix0, b.ix0);
  out.iy0 = std::min(a.iy0, b.iy0);
  out.nx = static_cast<int>(std::max(a.ix0 + a.nx, b.ix0 + b.nx) - out.ix0);
  out.ny = static_cast<int>(std::max(a.iy0 + a.ny, b.iy0 + b.ny) - out.iy0);
  return out;
}

bool overlap(const GridWindow& a, const GridWindow& b) {
  return !a.empty() && !b.empty() && a.ix0 < b.ix0 + b.nx && b.ix0 < a.ix0 + a.nx &&
         a.iy0 < b.iy0 + b.ny && b.iy0 < a.iy0 + a.ny;
}

/// Calls `visit(ix, iy, index in the window)` for the touched nodes of a trace.
template <class Visit>
void for_each_touched(const ScmTrace& trace, Visit&& visit) {
  GROUSER_ASSERT(trace.touched.size() == trace.nodes.size());
  for (int y = 0; y < trace.nodes.ny; ++y)
    for (int x = 0; x < trace.nodes.nx; ++x) {
      const auto i = static_cast<std::size_t>(y * trace.nodes.nx + x);
      if (trace.touched[i]) visit(trace.nodes.ix0 + x, trace.nodes.iy0 + y, i);
    }
}

struct Volumes {
  double compacted = 0.0, displaced = 0.0, lost = 0.0, highest = -1e300;
};

class Update {
 public:
  Update(const ScmUpdate& update, ScmMemory& memory, double elapsed)
      : u_(update),
        memory_(memory),
        elapsed_(elapsed),
        spacing_(memory.surface.ground().spacing()) {}

  /// What an object presses on now, with the soil as it was. Reads the memory only.
  void press(std::size_t object, Pressed& out, Scratch& scratch) const;
  /// Who carries where two objects stand on one node: the lower one.
  void settle_shares(Pressed& a, Pressed& b) const;
  /// Widths of the patches, shear and carrying of the next period.
  void remember(std::size_t object, Pressed& pressed, Scratch& scratch) const;
  /// Moves the soil of one object. `all` are the objects whose soil may meet.
  void move_soil(std::size_t object, std::span<Pressed> all, std::span<const std::size_t> group,
                 Scratch& scratch);
  std::vector<Volumes> volumes;  // by object

 private:
  void find_widths(Pressed& pressed, std::span<double> per_width, Scratch& scratch) const;
  void find_carrying(Pressed& pressed, Scratch& scratch) const;
  /// Soil in a hollow of the object, for the moment untouched, keeps its shear and may be filled
  /// up.
  void keep_hollows(const ScmTrace& before, Pressed& pressed) const;
  void close_nodes(const Pressed& pressed, const SoilWindow& soil,
                   std::span<std::uint8_t> closed) const;
  /// Lowers the ground by `down`, node by node of the footprint; the volume that takes [m^3].
  double yield(const Pressed& pressed, SoilWindow& soil, std::span<double> down) const;
  /// Hollows of an object that presses soil down, such as those between grousers, are filled by it,
  /// almost. How much of `volume` that takes [m^3].
  double fill_hollows(std::size_t object, const Pressed& pressed, SoilWindow& soil,
                      std::span<const double> sunk, double volume, Scratch& scratch) const;
  /// Soil that has come since `before` is loose. Returns in how many columns and rows at the sides
  /// of the window, in the order of ScmTrace::margin, nothing has happened.
  std::array<int, 4> loosen(std::span<const double> before, SoilWindow& soil,
                            double& highest) const;
  /// What is `left` of the soil pressed down, less what is compacted, has to go elsewhere.
  void add_sources(const Pressed& pressed, std::span<const double> down, double left,
                   const GridWindow& w, ScratchList<SoilSource>& sources, Volumes& sums) const;

  int most_margin() const {
    return std::max(ScmTrace::kLeastMargin, static_cast<int>(std::ceil(kMargin / spacing_)));
  }

  const ScmUpdate& u_;
  ScmMemory& memory_;
  double elapsed_;
  double spacing_;
};

void Update::press(std::size_t object, Pressed& out, Scratch& scratch) const {
  if (u_.answers.empty()) {
    const ScmMotion& motion = u_.motions[object];
    out.footprint = find_footprint(u_.objects[object], u_.settings, motion, memory_.surface,
                                   memory_.traces[object], scratch);
    out.stress = find_stress(u_.settings, motion, spacing_, out.footprint, scratch);
  } else {
    GROUSER_ASSERT(object < u_.answers.size());
    out.footprint = u_.answers[object]->footprint;
    out.stress = u_.answers[object]->stress;
  }
  const ScmFootprint& f = out.footprint;
  out.entry = scratch.take<std::int32_t>(f.window.size());
  std::fill(out.entry.begin(), out.entry.end(), -1);
  out.share = scratch.take<double>(f.count);
  std::fill(out.share.begin(), out.share.end(), 1.0);

  for (std::size_t n = 0; n < f.count; ++n)
    out.entry[static_cast<std::size_t>(f.node[n])] = static_cast<std::int32_t>(n);

  // The soil that moves: around what the object covers now, and what it did.
  const ScmTrace& before = memory_.traces[object];
  out.flow = before.nodes;
  if (f.count > 0) out.flow = joined(out.flow, f.window);
  if (out.flow.empty()) return;
  out.flow.ix0 -= before.margin[0];
  out.flow.iy0 -= before.margin[2];
  out.flow.nx += before.margin[0] + before.margin[1];
  out.flow.ny += before.margin[2] + before.margin[3];
}

void Update::settle_shares(Pressed& a, Pressed& b) const {
  const ScmFootprint &fa = a.footprint, &fb = b.footprint;
  if (!overlap(fa.window, fb.window)) return;
  for (std::size_t n = 0; n < fa.count; ++n) {
    const std::int64_t ix = fa.window.ix0 + fa.x[n], iy = fa.window.iy0 + fa.y[n];
    if (!fb.window.contains(ix, iy)) continue;
    const std::size_t j = fb.window.index(ix, iy);
    if (b.entry[j] < 0) continue;
    const bool first_is_lower =
        fa.underside[static_cast<std::size_t>(fa.node[n])] <= fb.underside[j];
    (first_is_lower ? b.share[static_cast<std::size_t>(b.entry[j])] : a.share[n]) = 0.0;
  }
}

/// The widths of the patches that the nodes of the footprint belong to.
void Update::find_widths(Pressed& pressed, std::span<double> per_width, Scratch& scratch) const {
  const ScmFootprint& f = pressed.footprint;
  if (u_.settings.width > 0.0) {
    std::fill(per_width.begin(), per_width.end(), 1.0 / u_.settings.width);
    return;
  }
  const std::size_t size = f.window.size();
  const std::span<double> depth = scratch.take<double>(size);
  for (std::size_t i = 0; i < size; ++i) depth[i] = f.soil.height(i) - f.underside[i];
  for (std::size_t n = 0; n < f.count; ++n) depth[static_cast<std::size_t>(f.node[n])] = f.depth[n];
  const std::span<std::int32_t> labels = scratch.take<std::int32_t>(size);
  const std::span<SoilPatch> patches =
      find_patches({f.window.nx, f.window.ny, spacing_, depth, f.coverage}, labels, scratch);
  double area = 0.0, perimeter = 0.0;
  for (const SoilPatch& patch : patches) {
    area += patch.area;
    perimeter += patch.perimeter;
  }
  const auto inverse = [&](const SoilPatch& patch) {
    GROUSER_ASSERT(patch.area >= 0.0 && patch.perimeter >= 0.0);
    return 1.0 / std::max(patch.width(), 0.5 * spacing_);
  };
  if (perimeter > 0.0) pressed.trace.new_per_width = inverse({area, perimeter});
  const std::span<double> by_patch = scratch.take<double>(patches.size());
  std::transform(patches.begin(), patches.end(), by_patch.begin(), inverse);
  for (std::size_t n = 0; n < f.count; ++n) {
    const std::int32_t label = labels[static_cast<std::size_t>(f.node[n])];
    per_width[n] = label >= 0 ? by_patch[static_cast<std::size_t>(label)] : f.per_width[n];
  }
}

/// A sliding object carries a layer of soil along, as fast as it slides where it is deepest: every
/// node under it, hollows too, gives to the next ones downstream. It fills up on the way, as a body
/// wears off what it slides on (Archard 1953): by depth per way p / p_d, p_d the pressure of the
/// soil at a sinkage of the layer's thickness. So soil is taken from where the object comes to new
/// ground, and what leaves the footprint is deposited outside of it.
void Update::find_carrying(Pressed& pressed, Scratch& scratch) const {
  const ScmFootprint& f = pressed.footprint;
  ScmTrace& trace = pressed.trace;
  // Of nodes that are as deep, the mean.
  const double deepest = *std::max_element(
      f.sinkage.begin(), f.sinkage.begin() + static_cast<std::ptrdiff_t>(f.count));
  double slide[2] = {0.0, 0.0}, deep_count = 0.0;
  for (std::size_t n = 0; n < f.count; ++n) {
    if (f.sinkage[n] < deepest - kAsDeep) continue;
    slide[0] += pressed.stress.sliding_x[n];
    slide[1] += pressed.stress.sliding_y[n];
    deep_count += 1.0;
  }
  GROUSER_ASSERT(deep_count > 0.0);
  for (double& component : slide) component /= deep_count;
  const double both = std::abs(slide[0]) + std::abs(slide[1]);
  if (both == 0.0) return;
  const int nx = f.window.nx;
  const int sign[2] = {slide[0] > 0.0 ? 1 : -1, slide[1] > 0.0 ? 1 : -1};
  // Nearly along a row or column is along it.
  const double along_x = std::abs(slide[0]) / both;
  const double to_x = along_x < kStraight ? 0.0 : along_x > 1.0 - kStraight ? 1.0 : along_x;
  const double part[2] = {to_x, 1.0 - to_x};
  const double per_cell = both / spacing_, most = kMostCarried / u_.ground.update_period;
  const std::span<double> inflow = scratch.take<double>(f.window.size());
  std::fill(inflow.begin(), inflow.end(), 0.0);
  // Downstream: whoever gives to a node comes before it.
  for (int row = 0; row < f.y_end - f.y_begin; ++row)
    for (int column = 0; column < f.x_end - f.x_begin; ++column) {
      const int y = sign[1] > 0 ? f.y_begin + row : f.y_end - 1 - row;
      const int x = sign[0] > 0 ? f.x_begin + column : f.x_end - 1 - column;
      const auto i = static_cast<std::size_t>(y * nx + x);
      if (!trace.touched[i]) continue;
      const std::int32_t entry = pressed.entry[i];
      const ScmSoil& soil = u_.settings.soils[f.soil.soil.empty() ? 0 : f.soil.soil[i]];
      const double wanted = soil.def.drag_depth * per_cell;
      double taken = 0.0;
      if (entry >= 0) {
        const auto n = static_cast<std::size_t>(entry);
        const double p = std::min(soil.stiffness * f.depth[n], pressed.stress.yield[n]);
        taken = std::min(both * p * soil.wear, most * f.depth[n]);
      }
      const double given = std::min(wanted, inflow[i] + taken);
      GROUSER_ASSERT(given >= 0.0);
      trace.sink_rate[i] = given - inflow[i];
      for (int k = 0; k < 2; ++k) {
        const double amount = given * part[k];
        if (amount == 0.0) continue;
        const int next_x = x + (k == 0 ? sign[0] : 0), next_y = y + (k == 1 ? sign[1] : 0);
        const auto next = static_cast<std::size_t>(next_y * nx + next_x);
        if (trace.touched[next])
          inflow[next] += amount;
        else
          trace.outflows.push_back({static_cast<double>(f.window.ix0 + next_x),
                                    static_cast<double>(f.window.iy0 + next_y),
                                    amount * spacing_ * spacing_,
                                    k == 0 ? static_cast<double>(sign[0]) : 0.0,
                                    k == 1 ? static_cast<double>(sign[1]) : 0.0});
      }
    }
}

void Update::remember(std::size_t object, Pressed& pressed, Scratch& scratch) const {
  const ScmFootprint& f = pressed.footprint;
  const ScmTrace& before = memory_.traces[object];
  ScmTrace& trace = pressed.trace;
  trace.new_per_width = before.new_per_width;
  trace.margin = before.margin;
  trace.outflows.clear();
  trace.nodes = f.count > 0 ? f.window : GridWindow{};
  const std::size_t size = trace.nodes.size();
  for (std::vector<double>* list :
       {&trace.shear_x, &trace.shear_y, &trace.per_width_from, &trace.per_width_to,
        &trace.share_from, &trace.share_to, &trace.sink_rate})
    list->resize(size);  // what is not touched does not count
  trace.touched.assign(size, 0);
  if (f.count == 0) return;

  const std::span<double> per_width = scratch.take<double>(f.count);
  find_widths(pressed, per_width, scratch);
  GROUSER_ASSERT(std::ranges::all_of(per_width, [](double k) { return k > 0.0; }));
  for (std::size_t n = 0; n < f.count; ++n) {
    const auto i = static_cast<std::size_t>(f.node[n]);
    trace.touched[i] = 1;
    trace.shear_x[i] = pressed.stress.shear_x[n];
    trace.shear_y[i] = pressed.stress.shear_y[n];
    trace.per_width_from[i] = f.per_width[n];
    trace.per_width_to[i] = per_width[n];
    trace.share_from[i] = f.share[n];
    trace.share_to[i] = pressed.share[n];
    trace.sink_rate[i] = 0.0;
  }
  keep_hollows(before, pressed);
  find_carrying(pressed, scratch);
}

void Update::keep_hollows(const ScmTrace& before, Pressed& pressed) const {
  const ScmFootprint& f = pressed.footprint;
  ScmTrace& trace = pressed.trace;
  for (int y = f.y_begin; y < f.y_end; ++y)
    for (int x = f.x_begin; x < f.x_end; ++x) {
      const auto i = static_cast<std::size_t>(y * f.window.nx + x);
      if (trace.touched[i] || f.coverage[i] < kHalfCovered || f.underside[i] > f.soil.reference[i])
        continue;
      trace.touched[i] = 1;
      trace.share_from[i] = trace.share_to[i] = 1.0;
      trace.shear_x[i] = trace.shear_y[i] = trace.sink_rate[i] = 0.0;
      const auto known = before.find(f.window.ix0 + x, f.window.iy0 + y);
      if (known) {
        trace.shear_x[i] = before.shear_x[*known];
        trace.shear_y[i] = before.shear_y[*known];
      }
      trace.per_width_from[i] = trace.per_width_to[i] =
          known ? before.per_width_to[*known] : trace.new_per_width;
    }
}

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
                            std::span<const double> sunk, double volume, Scratch& scratch) const {
  if (volume == 0.0) return 0.0;
  const ScmFootprint& f = pressed.footprint;
  const ScmMotion& motion = u_.motions[object];
  const ScmTrace& before = memory_.traces[object];
  const int nx = f.window.nx;
  // A hollow is below the ground that was there, and the object goes down on it.
  const auto room = [&](int x, int y) {
    const auto i = static_cast<std::size_t>(y * nx + x);
    if (pressed.entry[i] >= 0 || f.coverage[i] < kHalfCovered) return 0.0;
    const std::size_t j = soil.nodes.index(f.window.ix0 + x, f.window.iy0 + y);
    const double gap = f.underside[i] - soil.height(j) - kClearance;
    const auto known = before.find(f.window.ix0 + x, f.window.iy0 + y);
    const double reference = f.soil.reference[i] - (known ? sunk[*known] : 0.0);
    if (!(gap > 0.0) || f.underside[i] > reference) return 0.0;
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
  const ScmTrace& before = memory_.traces[object];
  Volumes& sums = volumes[object];
  const double cell = spacing_ * spacing_;
  SoilWindow soil = memory_.surface.read_loose(pressed.flow, scratch);
  const GridWindow& w = soil.nodes;
  ScratchList<SoilSource> sources(scratch);

  // What the sliding object carried along since the last update.
  double carried = 0.0, outflow = 0.0;
  const std::span<double> sunk = scratch.take<double>(before.nodes.size());
  std::fill(sunk.begin(), sunk.end(), 0.0);
  for_each_touched(before, [&](std::int64_t ix, std::int64_t iy, std::size_t i) {
    const std::size_t j = w.index(ix, iy);
    sunk[i] = before.sink_rate[i] * elapsed_;
    soil.change[j] -= sunk[i];
    soil.loose[j] = std::max(0.0, soil.loose[j] - std::max(0.0, sunk[i]));
    carried += sunk[i] * cell;
  });
  memory_.surface.lower_reference(before.nodes, sunk);
  for (const ScmTrace::Outflow& out : before.outflows) outflow += out.rate * elapsed_;
  if (outflow > 0.0)
    for (const ScmTrace::Outflow& out : before.outflows)
      sources.add({out.x - static_cast<double>(w.ix0), out.y - static_cast<double>(w.iy0),
                   out.rate * elapsed_ / outflow * carried,
                   u_.ground.flow_concentration * Vec2(out.direction_x, out.direction_y)});

  // Yielding: what the elastic part cannot carry goes down for good. It fills hollows of the object
  // first; of the rest a share is compacted.
  const std::span<double> down = scratch.take<double>(f.count);
  const double pressed_volume = yield(pressed, soil, down);
  const double filled = fill_hollows(object, pressed, soil, sunk, pressed_volume, scratch);
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
  for (std::size_t k = 0; k < 4; ++k) {
    int& margin = pressed.trace.margin[k];
    if (still[k] < 2) margin = std::min(margin + 2, most_margin());
    if (still[k] > 4) margin = std::max(margin - 1, ScmTrace::kLeastMargin);
  }
  memory_.surface.write(soil, memory_.updates + 1);
}

/// Objects whose soil may meet, in groups; objects without any are in none.
std::vector<std::vector<std::size_t>> groups_of(std::span<const Pressed> all) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> group_of(all.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].flow.empty()) continue;
    std::size_t mine = groups.size();
    groups.push_back({i});
    for (std::size_t g = 0; g < mine; ++g) {
      const bool meets = std::any_of(groups[g].begin(), groups[g].end(), [&](std::size_t j) {
        return overlap(all[i].flow, all[j].flow);
      });
      if (!meets) continue;
      groups[mine].insert(groups[mine].end(), groups[g].begin(), groups[g].end());
      groups[g].clear();
    }
    std::sort(groups[mine].begin(), groups[mine].end());
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace

void update_soil(const ScmUpdate& u, double time, ScmMemory& memory, Workers workers) {
  GROUSER_ASSERT(time >= memory.time);
  GROUSER_ASSERT(u.motions.size() == u.objects.size() && memory.traces.size() == u.objects.size());
  GROUSER_ASSERT(workers.scratch.size() >= static_cast<std::size_t>(workers.pool.threads()));
  Update update(u, memory, time - memory.time);
  const std::size_t count = u.objects.size();
  std::vector<Pressed> all(count);
  update.volumes.resize(count);
  for (std::size_t i = 0; i < count; ++i) all[i].trace = std::move(memory.spare[i]);
  workers.pool.for_each(count, [&](std::size_t i, int worker) {
    update.press(i, all[i], workers.scratch[static_cast<std::size_t>(worker)]);
  });
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) update.settle_shares(all[i], all[j]);
  for (const Pressed& pressed : all)
    if (!pressed.flow.empty()) memory.surface.prepare(pressed.flow);

  const std::vector<std::vector<std::size_t>> groups = groups_of(all);
  workers.pool.for_each(groups.size(), [&](std::size_t g, int worker) {
    Scratch& scratch = workers.scratch[static_cast<std::size_t>(worker)];
    for (const std::size_t i : groups[g]) update.remember(i, all[i], scratch);
    for (const std::size_t i : groups[g]) update.move_soil(i, all, groups[g], scratch);
  });
  for (std::size_t i = 0; i < count; ++i) {
    memory.compacted += update.volumes[i].compacted;
    memory.displaced += update.volumes[i].displaced;
    memory.lost += update.volumes[i].lost;
    memory.surface.raise_highest(update.volumes[i].highest);
    if (all[i].footprint.beyond_map > 0) ++memory.beyond_map[i];
    if (!all[i].flow.empty()) std::swap(memory.traces[i], all[i].trace);
    memory.spare[i] = std::move(all[i].trace);
  }
  memory.time = time;
  ++memory.updates;
}

}  // namespace grouser
