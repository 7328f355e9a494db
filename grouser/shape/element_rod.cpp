// A segment near the mantle of a frustum.
//
// Every low of the gap along the segment is a place, and every high between two lows is one that
// takes away what both would count twice: at any depth, force is there once for each connected part
// of the segment that is as deep. So nothing happens when lows appear, merge or vanish.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "grouser/base/inline_list.h"
#include "grouser/shape/elements.h"
#include "grouser/shape/rod_gap.h"

namespace grouser {

namespace {

/// A low of the gap and the part of the segment that it stands for.
struct RodCell {
  double x, gap;
  double from, to;  ///< up to the high next to it, or to where the segment comes within reach
  double high_gap;  ///< of the high at `to`; at least the reach if there is none
};

/// All lows within reach, in turn.
using RodCells = InlineList<RodCell, 12>;

void find_cells(const RodGap& rod, const RodGap::Turns& turns, double reach, RodCells& cells) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const GapTurn& turn = turns[i];
    if (turn.kind != GapTurn::low || turn.gap >= reach) continue;
    RodCell cell{turn.x, turn.gap, turn.x, turn.x, reach};
    if (i > 0) {
      const GapTurn& before = turns[i - 1];
      cell.from = before.gap < reach ? before.x : rod.edge_between(turn.x, before.x);
    } else if (turn.x > rod.begin()) {
      cell.from =
          rod.sample(rod.begin()).gap < reach ? rod.begin() : rod.edge_between(turn.x, rod.begin());
    }
    if (i + 1 < turns.size()) {
      const GapTurn& after = turns[i + 1];
      cell.to = after.gap < reach ? after.x : rod.edge_between(turn.x, after.x);
      cell.high_gap = after.gap;
    } else if (turn.x < rod.end()) {
      cell.to = rod.sample(rod.end()).gap < reach ? rod.end() : rod.edge_between(turn.x, rod.end());
    }
    cells.add(cell);
  }
}

/// How much two neighbours are one: not at all where the high between them is out of reach, all
/// where it is no higher than one of the lows.
double unity(const RodCell& one, const RodCell& other, double reach) {
  if (one.high_gap >= reach) return 0.0;
  return (reach - one.high_gap) / (reach - std::max(one.gap, other.gap));
}

/// Places of cells, one for each, and one for what two neighbours have in common.
void add_places(const RodGap& rod, const RodCells& cells, double reach, WitnessPairs& places) {
  const auto add = [&](double x, double gap, double from, double to, double share) {
    const double middle = 0.5 * (from + to);
    places.add() = {rod.at(middle), rod.foot(middle), rod.normal(x), gap, share};
  };
  // Forces act at the middle of a cell. A neighbour that is about to merge lends its part, so a
  // segment along the mantle has its force in the middle, whichever end is lower.
  std::array<double, RodCells::room()> from, to;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const RodCell& cell = cells[i];
    from[i] = cell.from;
    if (i > 0) from[i] += unity(cells[i - 1], cell, reach) * (from[i - 1] - cell.from);
  }
  for (std::size_t i = cells.size(); i-- > 0;) {
    const RodCell& cell = cells[i];
    to[i] = cell.to;
    if (i + 1 < cells.size()) to[i] += unity(cell, cells[i + 1], reach) * (to[i + 1] - cell.to);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const RodCell& cell = cells[i];
    add(cell.x, cell.gap, from[i], to[i], 1.0);
    if (i + 1 < cells.size() && cell.high_gap < reach)
      add(cell.to, cell.high_gap, from[i], to[i + 1], -1.0);
  }
}

}  // namespace

void find_near(const Segment& a, const Frustum& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  const RodGap rod(a, b, approach);
  if (rod.is_far()) return;
  RodGap::Turns turns;
  rod.find_turns(turns);
  RodCells cells;
  find_cells(rod, turns, approach.reach, cells);
  add_places(rod, cells, approach.reach, places);
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
  for (const GapTurn& turn : turns) least = std::min(least, turn.gap);
  return least;
}

}  // namespace grouser
