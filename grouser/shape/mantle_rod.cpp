#include "grouser/shape/mantle_rod.h"

#include <algorithm>
#include <cmath>

namespace grouser {

bool MantleRod::find_convex(const RodSpot& low, double gap, double gap_from, double gap_to,
                            double reach, RodCells& cells) const {
  if (gap >= reach) return true;  // nothing is nearer than the mantle drawn out beyond its rims
  if (gap < 0.0) return false;
  RodSpot first{0.0, line_.rho_from}, last{1.0, line_.rho_to};
  if (std::max(gap_from, gap_to) >= reach) {
    const Edges edges = find_edges(reach, low.x);
    if (gap_from >= reach) first = edges.before;
    if (gap_to >= reach) last = edges.after;
  }
  if (!(first.x >= 0.0 && last.x <= 1.0) || !is_over_mantle(first, last)) return false;
  cells.add({low.x, gap, low.rho, first.x, last.x, reach});
  return true;
}

bool MantleRod::find_cells(const Approach& approach, RodCells& cells) const {
  const double reach = approach.reach, side = approach.side;
  if (side == 0.0 || !(line_.beta > 0.0)) return false;
  const double nearest = line_.nearest;
  const RodSpot from{0.0, line_.rho_from}, to{1.0, line_.rho_to};
  const double gap_from = side * over_mantle(from), gap_to = side * over_mantle(to);
  if (side < 0.0 && std::min(gap_from, gap_to) < 0.0) return false;
  // Close to the axis directions fade: that is for others.
  const double smoothed = kSmoothedShare * std::max(frustum_.bottom_radius, frustum_.top_radius);
  const bool passes = nearest > 0.0 && nearest < 1.0;
  const double least_rho = std::min(from.rho, to.rho);
  if (!((passes ? line_.c_squared : least_rho * least_rho) > smoothed * smoothed)) return false;

  // Where the height over the mantle turns: rho' = slope. Along a generator it turns nowhere.
  const double slope = up_.x() * line_.way.z() / up_.y(), rest = line_.beta - slope * slope;
  const double falling = (gap_to < gap_from) == (side > 0.0) ? 2.0 : -1.0;
  const double x_turn =
      rest > 0.0 ? nearest + slope * std::sqrt(line_.c_squared * line_.beta / rest) * line_.per_beta
                 : falling;
  const bool turns = x_turn > 0.0 && x_turn < 1.0;
  const RodSpot turn{x_turn, turns ? line_.rho(x_turn) : 0.0};
  const double gap_turn = turns ? side * over_mantle(turn) : 0.0;

  if (side > 0.0) {  // convex: one low
    if (turns) return find_convex(turn, gap_turn, gap_from, gap_to, reach, cells);
    return x_turn <= 0.0 ? find_convex(from, gap_from, gap_from, gap_to, reach, cells)
                         : find_convex(to, gap_to, gap_from, gap_to, reach, cells);
  }

  // Concave: lows at the ends, a high between them.
  const double least = std::min(gap_from, gap_to);
  const double most = turns ? gap_turn : std::max(gap_from, gap_to);
  if (least >= reach) return is_over_mantle(from, to);
  RodSpot first = turns ? turn : to, last = turns ? turn : from;
  if (most < reach) {
    if (!is_over_mantle(from, to)) return false;
  } else {
    if (gap_from < reach) first = find_edges(-reach, 0.0).after;
    if (gap_to < reach) last = find_edges(-reach, 1.0).before;
    if (gap_from < reach && !(first.x <= 1.0 && is_over_mantle(from, first))) return false;
    if (gap_to < reach && !(last.x >= 0.0 && is_over_mantle(last, to))) return false;
  }
  const double high_gap = turns ? gap_turn : reach;
  if (gap_from < reach && x_turn > 0.0)
    cells.add({0.0, gap_from, from.rho, 0.0, first.x, high_gap});
  if (gap_to < reach && x_turn < 1.0) cells.add({1.0, gap_to, to.rho, last.x, 1.0, reach});
  return true;
}

}  // namespace grouser
