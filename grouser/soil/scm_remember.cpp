// What an object has touched, for the next period: widths and shear.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/soil/scm_steps.h"
#include "grouser/soil/soil_patches.h"

namespace grouser::scm_detail {

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

void Update::remember(std::size_t object, Pressed& pressed, Scratch& scratch) const {
  const ScmFootprint& f = pressed.footprint;
  const ScmTrace& before = memory_.traces[object];
  ScmTrace& trace = pressed.trace;
  trace.new_per_width = before.new_per_width;
  trace.margin = before.margin;
  trace.wedge = pressed.stress.mean_shear;
  trace.heap_from = f.count > 0 ? f.heap : 0.0;
  trace.heap_to = trace.deepest = 0.0;
  for (const double sinkage : f.sinkage.first(f.count))
    trace.deepest = std::max(trace.deepest, sinkage);
  trace.nodes = f.count > 0 ? f.window : GridWindow{};
  const std::size_t size = trace.nodes.size();
  for (std::vector<double>* list :
       {&trace.shear_x, &trace.shear_y, &trace.per_width_from, &trace.per_width_to,
        &trace.share_from, &trace.share_to, &trace.deep_from, &trace.deep_to})
    list->resize(size);  // what is not touched does not count
  trace.touched.assign(size, 0);
  trace.change_from.assign(f.soil.change.begin(), f.soil.change.begin() + size);
  trace.loose_from.assign(f.soil.loose.begin(), f.soil.loose.begin() + size);
  if (f.count == 0) return;

  const std::span<double> per_width = scratch.take<double>(f.count);
  find_widths(pressed, per_width, scratch);
  GROUSER_ASSERT(std::ranges::all_of(per_width, [](double k) { return k > 0.0; }));
  for (std::size_t n = 0; n < f.count; ++n) {
    const auto i = static_cast<std::size_t>(f.node[n]);
    // Soil of a heap gives way as it comes: it is not sheared before it is pressed.
    const bool firm = f.sinkage[n] > 0.0;
    trace.touched[i] = firm ? ScmTrace::kPressed : ScmTrace::kHeap;
    trace.shear_x[i] = firm ? pressed.stress.shear_x[n] : 0.0;
    trace.shear_y[i] = firm ? pressed.stress.shear_y[n] : 0.0;
    trace.per_width_from[i] = f.per_width[n];
    trace.per_width_to[i] = per_width[n];
    trace.share_from[i] = f.share[n];
    trace.share_to[i] = pressed.share[n];
    trace.deep_from[i] = f.deep[n];
    trace.deep_to[i] = pressed.stress.deep[n];
  }
  keep_hollows(before, pressed);
}

void Update::keep_hollows(const ScmTrace& before, Pressed& pressed) const {
  const ScmFootprint& f = pressed.footprint;
  ScmTrace& trace = pressed.trace;
  for (int y = f.y_begin; y < f.y_end; ++y)
    for (int x = f.x_begin; x < f.x_end; ++x) {
      const auto i = static_cast<std::size_t>(y * f.window.nx + x);
      if (trace.touched[i] || f.coverage[i] < kHalfCovered || f.underside[i] > f.soil.reference[i])
        continue;
      trace.touched[i] = ScmTrace::kPressed;
      trace.share_from[i] = trace.share_to[i] = 1.0;
      trace.deep_from[i] = trace.deep_to[i] = 1.0;
      trace.shear_x[i] = trace.shear_y[i] = 0.0;
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
