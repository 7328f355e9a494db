// What an object has touched, for the next period: widths, shear and carrying.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/soil/scm_steps.h"
#include "grouser/soil/soil_patches.h"

namespace grouser::scm_detail {

namespace {

/// Of the depth, that sliding may carry away until the next update.
constexpr double kMostCarried = 0.6;
/// Sinkages that differ by less are the same [m].
constexpr double kAsDeep = 1e-8;
/// Of a direction, that counts as none.
constexpr double kStraight = 1e-6;

}  // namespace

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
    GROUSER_ASSERT(std::isfinite(patch.area) && patch.perimeter >= 0.0);
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
        &trace.share_from, &trace.share_to, &trace.loose_from, &trace.sink_rate})
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
    trace.loose_from[i] = f.loose[n];
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
      trace.loose_from[i] = f.soil.loose[i];
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

}  // namespace grouser::scm_detail
