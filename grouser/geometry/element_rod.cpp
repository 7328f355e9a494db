// A segment near the mantle of a frustum.
//
// Every low of the gap along the segment is a place, and every high between two lows is one that
// takes away what both would count twice: at any depth, force is there once for each connected part
// of the segment that is as deep. So nothing happens when lows appear, merge or vanish.
#include <cmath>
#include <limits>

#include "grouser/geometry/mantle_rod.h"
#include "grouser/geometry/rod_gap.h"

namespace grouser {

namespace {

void find_cells(const RodGap& rod, const RodGap::Turns& turns, double reach, RodCells& cells) {
  for (std::size_t i = 0; i < turns.count; ++i) {
    const GapTurn& turn = turns.all[i];
    if (turn.kind != GapTurn::low || turn.gap >= reach) continue;
    RodCell& cell = cells.all[cells.count++];
    cell = {turn.x, turn.gap, turn.x, turn.x, reach};
    if (i > 0) {
      const GapTurn& before = turns.all[i - 1];
      cell.from = before.gap < reach ? before.x : rod.edge_between(turn.x, before.x);
    } else if (turn.x > rod.begin()) {
      cell.from =
          rod.sample(rod.begin()).gap < reach ? rod.begin() : rod.edge_between(turn.x, rod.begin());
    }
    if (i + 1 < turns.count) {
      const GapTurn& after = turns.all[i + 1];
      cell.to = after.gap < reach ? after.x : rod.edge_between(turn.x, after.x);
      cell.high_gap = after.gap;
    } else if (turn.x < rod.end()) {
      cell.to = rod.sample(rod.end()).gap < reach ? rod.end() : rod.edge_between(turn.x, rod.end());
    }
  }
}

/// How much two neighbours are one: not at all where the high between them is out of reach, all
/// where it is no higher than one of the lows.
double unity(const RodCell& one, const RodCell& other, double reach) {
  if (one.high_gap >= reach) return 0.0;
  return (reach - one.high_gap) / (reach - std::max(one.gap, other.gap));
}

/// Places of cells, one for each, and one for what two neighbours have in common.
template <class Rod, class Normal>
void add_places(const Rod& rod, const Normal& normal, const RodCells& cells, double reach,
                NearPlaces& places) {
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

  const auto add = [&](double x, double gap, double middle, double share) {
    NearPlace& place = places.add();
    place.on_a = rod.at(middle);
    place.on_b = rod.foot(middle);
    place.normal = normal(x);
    place.gap = gap;
    place.base_gap = std::numeric_limits<double>::infinity();
    place.share = share;
  };
  for (std::size_t i = 0; i < cells.count; ++i) {
    const RodCell& cell = cells.all[i];
    add(cell.x, cell.gap, 0.5 * (from[i] + to[i]), 1.0);
    if (i + 1 < cells.count && cell.high_gap < reach) {
      add(cell.to, cell.high_gap, 0.5 * (from[i] + to[i + 1]), -1.0);
    }
  }
}

}  // namespace

void find_near(const Segment& a, const Frustum& b, const Approach& approach, NearPlaces& places) {
  places.clear();
  RodCells cells;
  const MantleRod over(a, b);
  if (over.find_cells(approach, cells)) {
    const auto normal = [&](double x) { return over.normal(x, approach.side); };
    return add_places(over, normal, cells, approach.reach, places);
  }
  const RodGap rod(a, b, approach);
  if (rod.is_far()) return;
  RodGap::Turns turns;
  rod.find_turns(turns);
  find_cells(rod, turns, approach.reach, cells);
  add_places(
      rod, [&](double x) { return rod.normal(x); }, cells, approach.reach, places);
}

double next_side(const Segment& a, const Frustum& b, const Approach& approach) {
  const RodGap rod(a, b, approach);
  if (!rod.is_far()) return rod.next_side();
  // Far away the side means nothing; it is where the segment would come over the mantle first.
  return RodGap(a, b, {1e100, 0.0}).next_side();
}

double distance_between(const Segment& a, const Frustum& b) {
  const RodGap rod(a, b, {1e100, 0.0});
  if (rod.goes_through()) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  RodGap::Turns turns;
  rod.find_turns(turns);
  for (std::size_t i = 0; i < turns.count; ++i) least = std::min(least, turns.all[i].gap);
  return least;
}

}  // namespace grouser
