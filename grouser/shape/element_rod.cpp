// A segment near the mantle of a frustum.
//
// Every low of the gap along the segment is a place, and every high between two lows is one that
// takes away what both would count twice: at any depth, force is there once for each connected part
// of the segment that is as deep. So nothing happens when lows appear, merge or vanish.
#include "grouser/shape/element_rod.h"

#include <cmath>
#include <limits>

#include "grouser/shape/rim_rod.h"
#include "grouser/shape/rod_gap.h"
#include "grouser/shape/rod_places.h"

namespace grouser {

namespace {

void find_cells(const RodGap& rod, const RodGap::Turns& turns, double reach, RodCells& cells) {
  for (std::size_t i = 0; i < turns.count; ++i) {
    const GapTurn& turn = turns.all[i];
    if (turn.kind != GapTurn::low || turn.gap >= reach) continue;
    RodCell& cell = cells.all[cells.count++];
    cell = {turn.x, turn.gap, rod.rho(turn.x), turn.x, turn.x, reach};
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

}  // namespace

[[gnu::flatten]] bool find_near_simply(const Segment& a, const Frustum& b, const Approach& approach,
                                       WitnessPairs& places) {
  places.clear();
  const RodLine line(a);
  if (approach.side == 0.0 || !(line.beta > 0.0)) return false;
  RodCells cells;
  const MantleRod over(line, b);
  if (!over.find_cells(approach, cells)) return find_near_rim(line, b, over, approach, places);
  const auto normal = [&](const RodCell& cell) {
    return over.normal({cell.x, cell.rho}, approach.side);
  };
  add_places(over, normal, cells, approach.reach, places);
  return true;
}

void find_near_anyhow(const Segment& a, const Frustum& b, const Approach& approach,
                      WitnessPairs& places) {
  places.clear();
  const RodGap rod(a, b, approach);
  if (rod.is_far()) return;
  RodGap::Turns turns;
  rod.find_turns(turns);
  RodCells cells;
  find_cells(rod, turns, approach.reach, cells);
  add_places(
      rod, [&](const RodCell& cell) { return rod.normal(cell.x); }, cells, approach.reach, places);
}

void find_near(const Segment& a, const Frustum& b, const Approach& approach, WitnessPairs& places) {
  if (!find_near_simply(a, b, approach, places)) find_near_anyhow(a, b, approach, places);
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
