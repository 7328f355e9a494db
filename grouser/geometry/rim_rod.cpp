#include "grouser/geometry/rim_rod.h"

#include <algorithm>
#include <cmath>

namespace grouser {

namespace {

/// Outwards: against x where the line comes in over the rim, along x where it goes out.
const Eigen::Array2d kAway(-1.0, 1.0);

}  // namespace

RimRod::RimRod(const RodLine& line, const Frustum& frustum, const MantleRod& over, Rim rim,
               const Approach& approach)
    : line_(line),
      frustum_(frustum),
      over_(over),
      reach_(approach.reach),
      side_(approach.side),
      radius_(rim == top ? frustum.top_radius : frustum.bottom_radius),
      z_rim_(rim == top ? frustum.height : 0.0),
      sign_(rim == top ? 1.0 : -1.0),
      along_(sign_ * frustum.up.x(), frustum.up.y()),
      up_from_(sign_ * (line.from.z() - z_rim_)),
      up_slope_(sign_ * line.way.z()),
      squared_length_(line.beta + up_slope_ * up_slope_),
      smoothed_(kSmoothedShare * std::max(frustum.bottom_radius, frustum.top_radius)) {}

bool RimRod::find_lows(Lows& lows) const {
  const double beta = line_.beta, radius_squared = radius_ * radius_;
  const double opening = radius_squared - line_.c_squared;
  if (!(opening > 0.01 * radius_squared)) return false;  // about to pass beside the rim

  // From where the line crosses the cylinder over the rim, a step of third order (Chebyshev).
  const double half = std::sqrt(opening * line_.per_beta), per_squared = 1.0 / radius_squared;
  const double bend = beta * line_.c_squared * per_squared;
  const double per_slope = 1.0 / (squared_length_ - bend);
  const Two way(-half, half);
  Two x = line_.nearest + way;
  const Two first_step = (up_slope_ * per_slope) * up(x);
  x -= first_step * (1.0 + (1.5 * bend * per_squared * beta * per_slope) * way * first_step);

  // Newton's method. What the edges need comes along.
  const double hollow = radius_ * beta * line_.c_squared, reach_squared = reach_ * reach_;
  const double close = 1e-14 * radius_squared, hopeless = 9.0 * reach_squared;
  for (int i = 0; i < 4; ++i) {
    const Two rho_squared = this->rho_squared(x), rho = rho_squared.sqrt();
    const Two out = rho - radius_, over = up(x), slope_rho = u(x);
    const Two stiff = squared_length_ * rho_squared * rho - hollow, per_stiff = 1.0 / stiff;
    const Two slope = slope_rho * out + up_slope_ * over * rho;  // of d^2 / 2, times rho
    const Two ratio = slope * rho * per_stiff, step = ratio * rho;
    const Two bent = hollow * per_stiff / rho_squared;
    lows.at = {x - step, rho - slope_rho * ratio};
    lows.gap_squared = out * out + over * over - slope * ratio;
    lows.per_stiff = per_stiff * rho_squared * rho;
    lows.third = bent * slope_rho;
    lows.fourth = 0.25 * bent * (beta - 5.0 * slope_rho * slope_rho / rho_squared);
    x = lows.at.x;
    // The error is about the square of the last step.
    const Two step_squared = squared_length_ * step * step;
    bool again = false;
    for (int k = 0; k < 2; ++k) {
      const bool is_close = step_squared[k] <= close;
      lows.found[k] = is_close && stiff[k] > 0.0 && slope_rho[k] * way[k] > 0.0;
      again = again || (!is_close && lows.gap_squared[k] < hopeless);
    }
    if (!again) break;
  }
  for (int k = 0; k < 2; ++k) {
    lows.touch[k] =
        lows.found[k] && x[k] > 0.0 && x[k] < 1.0 && lows.gap_squared[k] < reach_squared;
    // Over the mantle d is not the gap; close to the axis directions fade.
    if (lows.touch[k] && !(beyond(lows.at[k]) >= 0.0 && lows.at.rho[k] > smoothed_)) return false;
  }
  return lows.touch[0] || lows.touch[1];
}

bool RimRod::find_rim_edges(const Lows& lows, Spots& outer, Spots& inner) const {
  const double reach_squared = reach_ * reach_;
  const Two half_squared =
      (reach_squared - lows.gap_squared).max(1e-12 * reach_squared) * lows.per_stiff;
  const Two half = half_squared.sqrt(), bend = 0.5 * lows.third;
  const Two odd = kAway * half * (1.0 + (2.5 * bend * bend - 0.5 * lows.fourth) * half_squared);
  const Two even = lows.at.x - bend * half_squared;
  outer.x = even + odd;
  inner.x = even - odd;
  return improve_edges(lows, half, outer) && improve_edges(lows, half, inner);
}

bool RimRod::improve_edges(const Lows& lows, const Two& half, Spots& edges) const {
  for (int i = 0; i < 4; ++i) {
    const Two x = edges.x, rho = rho_squared(x).sqrt();
    const Two out = rho - radius_, over = up(x), slope_rho = u(x);
    const Two value = out * out + over * over - reach_ * reach_;
    const Two ratio = 0.5 * value / (slope_rho * out + up_slope_ * over * rho);
    const Two step = ratio * rho;
    edges = {x - step, rho - slope_rho * ratio};
    // The error is about the square of the last step, over twice the way from the low.
    const Two error = step * step, close = 1e-14 * half;
    if ((!lows.touch[0] || error[0] <= close[0]) && (!lows.touch[1] || error[1] <= close[1]))
      return true;
  }
  return false;
}

bool RimRod::is_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner) const {
  // Within the segment and one after the other, without a high between a low and its edge.
  if (!(outer.x[0] > 0.0 && outer.x[1] < 1.0 && inner.x[0] < inner.x[1])) return false;
  const Two out = inner.rho - radius_, over = up(inner.x), slope_rho = u(inner.x);
  const Two inward = kAway * (slope_rho * out + up_slope_ * over * inner.rho);
  const Two left = kAway * slope_rho;
  if (!(inward[0] < 0.0 && inward[1] < 0.0 && left[0] > 0.0 && left[1] > 0.0)) return false;
  const Two beyond = along_.x() * out + along_.y() * over;
  if (!(beyond[0] >= 0.0 && beyond[1] >= 0.0)) return false;
  if (along_.x() < 0.0) {
    // The mantle goes in: then all between is beyond the rim, and outside it the height grows.
    const auto is_clear = [&](int k) {
      return this->beyond(outer[k]) >= 0.0 && height(lows.at[k]) > 0.0 &&
             kAway[k] * height_slope(lows.at[k]) >= 0.0;
    };
    return is_clear(0) && is_clear(1);
  }
  // It goes out: then all outside is beyond the rim, and between it is behind the mantle.
  const Two height = along_.y() * out - along_.x() * over;
  const Two rises = kAway * (along_.x() * u(lows.at.x) + along_.y() * up_slope_ * lows.at.rho);
  const Two falls = kAway * (along_.x() * slope_rho + along_.y() * up_slope_ * inner.rho);
  return height[0] < 0.0 && height[1] < 0.0 && rises[0] >= 0.0 && rises[1] >= 0.0 &&
         falls[0] >= 0.0 && falls[1] >= 0.0;
}

bool RimRod::find_edge(const RodSpot& low, double direction, RodSpot& edge) const {
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

bool RimRod::find_mantle_edge(const RodSpot& low, double direction, RodSpot& edge) const {
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
bool RimRod::comes_over_far(const RodSpot& low, double direction, double side) const {
  const double far = 0.5 * reach_;
  if (side * height(low) >= far) return true;  // from there on it is further

  const MantleRod::Edges edges = over_.find_crossings(sign_ > 0.0 ? frustum_.length : 0.0, low.x);
  return side * height(direction > 0.0 ? edges.after : edges.before) >= far;
}

/// In front of the mantle, and more so all the way.
bool RimRod::rises_clear(const RodSpot& edge, double direction) const {
  return height(edge) > 0.0 && direction * height_slope(edge) >= 0.0;
}

/// Beyond the rim all the way.
bool RimRod::stays_beyond(const RodSpot& edge, double direction) const {
  return beyond(edge) >= 0.0 && beyond(end(direction)) >= 0.0 &&
         (along_.x() <= 0.0 || direction * beyond_slope(edge) >= 0.0);
}

bool RimRod::is_clear_outward(const RodSpot& edge, double direction) const {
  // Outwards d only grows, so it is about what is over the mantle. Where that begins the height is
  // d. Behind the mantle it stays behind by as much, if that is so at the end.
  const RodSpot last = end(direction);
  if (edge.x == last.x) return true;
  if (height(edge) < 0.0 && height(last) <= -reach_) return true;
  return rises_clear(edge, direction) || stays_beyond(edge, direction);
}

bool RimRod::is_clear_inward(const RodSpot& edge, double direction, const Lows& lows, int other,
                             RodCell& end_cell) const {
  const RodSpot last = end(direction);
  if (edge.x == last.x) return true;
  // Inwards d grows up to a high, then falls to the other low.
  const bool has_other = lows.found[other] && lows.at.x[other] > 0.0 && lows.at.x[other] < 1.0;
  const bool before_axis = direction * (line_.nearest - last.x) >= 0.0;
  const bool before_other =
      before_axis || (lows.found[other] && direction * (lows.at.x[other] - last.x) >= 0.0);
  const bool deep_at_axis = height({line_.nearest, std::sqrt(line_.c_squared)}) <= -reach_;
  if (height(edge) < 0.0 && (has_other || before_other || deep_at_axis)) {
    if (height(last) <= -reach_) return true;
    if (find_end_low(edge, direction, end_cell)) return true;
  }
  const bool off_rim = has_other || (before_other && distance_squared(last) >= reach_ * reach_);
  return off_rim && (rises_clear(edge, direction) || stays_beyond(edge, direction));
}

bool RimRod::is_clear_between(const RodSpot& one, const RodSpot& other) const {
  // Both behind the mantle, or all of it beyond the rim of a mantle that goes in.
  if (height(one) < 0.0 && height(other) < 0.0) return true;
  return along_.x() <= 0.0 && beyond(one) >= 0.0 && beyond(other) >= 0.0;
}

/// A low at the end of the segment, which leans on the inside of the mantle.
bool RimRod::find_end_low(const RodSpot& edge, double direction, RodCell& cell) const {
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

bool RimRod::find_edges(const Lows& lows, int k, RodSpot& outer, RodSpot& inner) const {
  const RodSpot low = lows.at[k];
  return find_edge(low, kAway[k], outer) && find_edge(low, -kAway[k], inner) &&
         is_clear_outward(outer, kAway[k]);
}

// Flat: calls of short functions would take longer than what they do.
[[gnu::flatten]] bool RimRod::find_cells(RodCells& cells) const {
  Lows lows;
  Spots outer, inner;
  if (!find_lows(lows) || !find_rim_edges(lows, outer, inner)) return false;
  const Two gap = lows.gap_squared.sqrt();
  const auto add = [&](int k, double from, double to) {
    cells.add({lows.at.x[k], gap[k], lows.at.rho[k], from, to, reach_});
  };
  if (lows.touch[0] && lows.touch[1]) {
    if (!is_plain_pair(lows, outer, inner)) {
      RodSpot ends[2] = {outer[0], outer[1]}, between[2] = {inner[0], inner[1]};
      if (!find_edges(lows, 0, ends[0], between[0]) || !find_edges(lows, 1, ends[1], between[1]) ||
          between[0].x >= between[1].x || !is_clear_between(between[0], between[1]))
        return false;
      add(0, ends[0].x, between[0].x);
      add(1, between[1].x, ends[1].x);
      return true;
    }
    add(0, outer.x[0], inner.x[0]);
    add(1, inner.x[1], outer.x[1]);
    return true;
  }
  const int k = lows.touch[0] ? 0 : 1;
  RodSpot away = outer[k], towards = inner[k];
  RodCell end_cell;
  end_cell.gap = reach_;
  if (!find_edges(lows, k, away, towards) ||
      !is_clear_inward(towards, -kAway[k], lows, 1 - k, end_cell))
    return false;
  if (k == 1 && end_cell.gap < reach_) cells.add(end_cell);
  add(k, std::min(away.x, towards.x), std::max(away.x, towards.x));
  if (k == 0 && end_cell.gap < reach_) cells.add(end_cell);
  return true;
}

}  // namespace grouser
