// Where a low on a rim goes over to the mantle, and whether all else is out of reach. For
// rim_rod.cpp only: as part of its one flat function, points of the segment stay in registers.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/shape/rim_rod.h"

namespace grouser {

inline bool RimRod::find_edge(const RodSpot& low, double direction, RodSpot& edge) const {
  const RodSpot last = end(direction);
  const bool ends = direction * (edge.x - last.x) >= 0.0;
  const RodSpot reached = ends ? last : edge;
  // Up to there d must only grow: not over the high, nor beyond the other low.
  if (!(u(reached.x) * u(low.x) > 0.0 && direction * distance_slope(reached) > 0.0)) return false;
  if (ends && distance_squared(last) >= reach_ * reach_) return false;
  if (!(beyond(reached) >= 0.0)) return find_mantle_edge(low, direction, edge);
  // Beyond the rim at both, and between them?
  if (along_.x() > 0.0 && direction * beyond_slope(low) < 0.0 &&
      direction * beyond_slope(reached) > 0.0)
    return false;
  edge = reached;
  return true;
}

inline bool RimRod::find_mantle_edge(const RodSpot& low, double direction, RodSpot& edge) const {
  // On its way over the mantle, where the gap goes on to grow, on this side:
  const double side = height(low) > 0.0 ? 1.0 : -1.0;
  if (!(direction * beyond_slope(low) < 0.0)) return false;
  if (side != side_ && !comes_over_far(low, direction, side)) return false;
  const MantleRod::Edges edges = over_.find_edges(side * reach_, low.x);
  const RodSpot last = end(direction);
  edge = direction > 0.0 ? edges.after : edges.before;
  if (!(direction * (edge.x - last.x) < 0.0)) {
    if (side < 0.0 && direction * height_slope(last) > 0.0) return false;  // falls again
    edge = last;
  }
  const double t = beyond(edge);
  if (!(t <= 0.0 && t >= -frustum_.length)) return false;
  return along_.x() <= 0.0 || direction * beyond_slope(edge) <= 0.0;  // no lower between
}

/// Whether the segment is not near the side that is remembered, where it comes over the mantle.
inline bool RimRod::comes_over_far(const RodSpot& low, double direction, double side) const {
  const double far = 0.5 * reach_;
  if (side * height(low) >= far) return true;  // from there on it is further

  const MantleRod::Edges edges = over_.find_crossings(sign_ > 0.0 ? frustum_.length : 0.0, low.x);
  return side * height(direction > 0.0 ? edges.after : edges.before) >= far;
}

/// In front of the mantle, and more so all the way.
inline bool RimRod::rises_clear(const RodSpot& edge, double direction) const {
  return height(edge) > 0.0 && direction * height_slope(edge) >= 0.0;
}

/// Beyond the rim all the way.
inline bool RimRod::stays_beyond(const RodSpot& edge, double direction) const {
  return beyond(edge) >= 0.0 && beyond(end(direction)) >= 0.0 &&
         (along_.x() <= 0.0 || direction * beyond_slope(edge) >= 0.0);
}

inline bool RimRod::is_clear_outward(const RodSpot& edge, double direction) const {
  // Outwards d only grows, so it is about what is over the mantle. Where that begins the height is
  // d. Behind the mantle it stays behind by as much, if that is so at the end.
  const RodSpot last = end(direction);
  if (edge.x == last.x) return true;
  if (height(edge) < 0.0 && height(last) <= -reach_) return true;
  return rises_clear(edge, direction) || stays_beyond(edge, direction);
}

inline bool RimRod::is_clear_inward(const RodSpot& edge, double direction, bool found_other,
                                    double other, RodCell& end_cell) const {
  const RodSpot last = end(direction);
  if (edge.x == last.x) return true;
  // Inwards d grows up to a high, then falls to the other low.
  const bool has_other = found_other && other > 0.0 && other < 1.0;
  const bool before_axis = direction * (line_.nearest - last.x) >= 0.0;
  const bool before_other = before_axis || (found_other && direction * (other - last.x) >= 0.0);
  const bool deep_at_axis = height({line_.nearest, std::sqrt(line_.c_squared)}) <= -reach_;
  if (height(edge) < 0.0 && (has_other || before_other || deep_at_axis)) {
    if (height(last) <= -reach_) return true;
    if (find_end_low(edge, direction, end_cell)) return true;
  }
  const bool off_rim = has_other || (before_other && distance_squared(last) >= reach_ * reach_);
  return off_rim && (rises_clear(edge, direction) || stays_beyond(edge, direction));
}

inline bool RimRod::is_clear_between(const RodSpot& one, const RodSpot& other) const {
  // Both behind the mantle, or all of it beyond the rim of a mantle that goes in.
  if (height(one) < 0.0 && height(other) < 0.0) return true;
  return along_.x() <= 0.0 && beyond(one) >= 0.0 && beyond(other) >= 0.0;
}

/// A low at the end of the segment, which leans on the inside of the mantle.
inline bool RimRod::find_end_low(const RodSpot& edge, double direction, RodCell& cell) const {
  const RodSpot last = end(direction);
  const double gap = -height(last);
  if (side_ >= 0.0 || !(gap > 0.0 && gap < reach_)) return false;
  const MantleRod::Edges edges = over_.find_edges(-reach_, last.x);
  const RodSpot near = direction > 0.0 ? edges.before : edges.after;
  if (!(direction * (near.x - edge.x) >= 0.0)) return false;
  if (!(direction > 0.0 ? over_.is_over_mantle(near, last) : over_.is_over_mantle(last, near)))
    return false;
  cell = {last.x, gap, last.rho, std::min(near.x, last.x), std::max(near.x, last.x), reach_};
  return true;
}

}  // namespace grouser
