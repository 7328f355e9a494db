// From the lows of the gap along a segment to places. Inside the geometry room only.
#pragma once

#include <array>

#include "grouser/shape/rod_line.h"

namespace grouser {

/// How much two neighbours are one: not at all where the high between them is out of reach, all
/// where it is no higher than one of the lows.
inline double unity(const RodCell& one, const RodCell& other, double reach) {
  if (one.high_gap >= reach) return 0.0;
  return (reach - one.high_gap) / (reach - std::max(one.gap, other.gap));
}

/// Places of cells, one for each, and one for what two neighbours have in common. `normal` is asked
/// with a cell, whose low it is about.
template <class Rod, class Normal>
void add_places(const Rod& rod, const Normal& normal, const RodCells& cells, double reach,
                WitnessPairs& places) {
  const auto add = [&](const RodCell& cell, double from, double to, double share) {
    WitnessPair& place = places.add();
    const double middle = 0.5 * (from + to);
    place.on_a = rod.at(middle);
    place.on_b = rod.foot(middle);
    place.normal = normal(cell);
    place.gap = cell.gap;
    place.share = share;
  };
  bool apart = true;
  for (std::size_t i = 0; i + 1 < cells.count; ++i) apart = apart && cells.all[i].high_gap >= reach;
  if (apart) {
    for (std::size_t i = 0; i < cells.count; ++i)
      add(cells.all[i], cells.all[i].from, cells.all[i].to, 1.0);
    return;
  }

  // Forces act at the middle of a cell. A neighbour that is about to merge lends its part, so a
  // segment along the mantle has its force in the middle, whichever end is lower.
  std::array<double, 12> from, to;
  for (std::size_t i = 0; i < cells.count; ++i) {
    const RodCell& cell = cells.all[i];
    from[i] = cell.from;
    if (i > 0) from[i] += unity(cells.all[i - 1], cell, reach) * (from[i - 1] - cell.from);
  }
  for (std::size_t i = cells.count; i-- > 0;) {
    const RodCell& cell = cells.all[i];
    to[i] = cell.to;
    if (i + 1 < cells.count) to[i] += unity(cell, cells.all[i + 1], reach) * (to[i + 1] - cell.to);
  }
  for (std::size_t i = 0; i < cells.count; ++i) {
    const RodCell& cell = cells.all[i];
    add(cell, from[i], to[i], 1.0);
    if (i + 1 < cells.count && cell.high_gap < reach) {
      const RodCell high{cell.to, cell.high_gap, rod.rho(cell.to), cell.to, cell.to, reach};
      add(high, from[i], to[i + 1], -1.0);
    }
  }
}

}  // namespace grouser
