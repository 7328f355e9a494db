#include "grouser/soil/scm_update.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/soil/scm_steps.h"

namespace grouser {

namespace scm_detail {

namespace {

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

}  // namespace

void Update::press(std::size_t object, Pressed& out, Scratch& scratch) const {
  if (u_.answers.empty()) {
    const ScmMotion& motion = u_.motions[object];
    out.footprint = find_footprint(u_.objects[object], u_.settings, motion, memory_.surface,
                                   memory_.traces[object], scratch);
    out.stress =
        find_stress(u_.objects[object], u_.settings, motion, spacing_, out.footprint, scratch);
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

}  // namespace scm_detail

namespace {

using scm_detail::Pressed;

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
        return scm_detail::overlap(all[i].flow, all[j].flow);
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
  scm_detail::Update update(u, memory);
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
    const ScmFootprint& f = all[i].footprint;
    if (f.beyond_map > 0) ++memory.beyond_map[i];
    for (std::size_t n = 0; n < f.count; ++n) {
      const auto node = static_cast<std::size_t>(f.node[n]);
      memory.deepest[i] = std::max(memory.deepest[i], f.soil.ground[node] - f.underside[node]);
    }
    if (!all[i].flow.empty()) std::swap(memory.traces[i], all[i].trace);
    memory.spare[i] = std::move(all[i].trace);
  }
  memory.time = time;
  ++memory.updates;
}

}  // namespace grouser
