#include "grouser/shape/rim_rod.h"

#include <algorithm>
#include <cmath>

#include "grouser/shape/rim_rod_clear.h"

namespace grouser {

namespace {

using Two = Eigen::Array2d;

/// Outwards: against x where the line comes in over the rim, along x where it goes out.
const Two kAway(-1.0, 1.0);

bool are_positive(const Two& both) {
  return both[0] >= 0.0 && both[1] >= 0.0;
}

}  // namespace

inline RimRod::RimRod(const RodLine& line, const Frustum& frustum, const MantleRod& over, Rim rim,
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
      up_nearest_(up_from_ + up_slope_ * line.nearest),
      smoothed_(kSmoothedShare * std::max(frustum.bottom_radius, frustum.top_radius)) {}

/// Precondition: the line crosses the cylinder over the rim.
inline void RimRod::find_lows(Lows& lows) const {
  // From there a step of third order (Chebyshev).
  const double beta = line_.beta, moment = line_.moment_squared, c_squared = line_.c_squared;
  const double radius_squared = radius_ * radius_, per_squared = 1.0 / radius_squared;
  const double bend = moment * per_squared, per_slope = 1.0 / (squared_length_ - bend);
  Two y = (std::sqrt(radius_squared * beta - moment) * line_.per_beta) * kAway;
  const Two first_step = (up_slope_ * per_slope) * (up_nearest_ + up_slope_ * y);
  y -= first_step * (1.0 + (1.5 * bend * per_squared * per_slope * beta) * y * first_step);

  // Newton's method. What the edges need comes along.
  const double hollow = radius_ * moment, reach_squared = reach_ * reach_;
  const double close = 1e-14 * radius_squared;
  for (int i = 0; i < 4; ++i) {
    const Two beta_y = beta * y, squared = c_squared + beta_y * y, rho = squared.sqrt();
    const Two out = rho - radius_, over = up_nearest_ + up_slope_ * y, cubed = squared * rho;
    const Two per_stiff = 1.0 / (squared_length_ * cubed - hollow), per_rho_squared = 1.0 / squared;
    const Two slope = beta_y * out + up_slope_ * over * rho;  // of d^2 / 2, times rho
    const Two ratio = slope * rho * per_stiff, step = ratio * rho;
    const Two bent = hollow * per_stiff * per_rho_squared;
    lows.at = {y - step, rho - beta_y * ratio};
    lows.gap_squared = out * out + over * over - slope * ratio;
    lows.per_stiff = per_stiff * cubed;
    lows.third = bent * beta_y;
    lows.fourth = bent * beta * (1.25 * c_squared * per_rho_squared - 1.0);
    // A low on the branch where it was looked for. The error is about the square of the last step.
    const Two found = (kAway * y).min(per_stiff).min(close - squared_length_ * step * step);
    lows.usable = found.min(reach_squared - lows.gap_squared);
    lows.found[0] = found[0] > 0.0;
    lows.found[1] = found[1] > 0.0;
    if (lows.found[0] && lows.found[1]) break;
    y = lows.at.y;
    const auto may_touch = [&](int k) {
      return !(squared_length_ * step[k] * step[k] <= close) &&
             lows.gap_squared[k] < 9.0 * reach_squared;
    };
    if (!may_touch(0) && !may_touch(1)) break;
  }
  // Within the segment. Over the mantle d is not the gap; close to the axis directions fade.
  const Two out = lows.at.rho - radius_, over = up_nearest_ + up_slope_ * lows.at.y;
  const Two x = line_.nearest + lows.at.y;
  lows.usable = lows.usable.min(x)
                    .min(1.0 - x)
                    .min(along_.x() * out + along_.y() * over)
                    .min(lows.at.rho - smoothed_);
}

/// Which of them touch; false if that cannot be said here.
inline bool RimRod::sort_lows(Lows& lows) const {
  for (int k = 0; k < 2; ++k) {
    const double x = spot(lows.at, k).x;
    lows.touch[k] = lows.found[k] && x > 0.0 && x < 1.0 && lows.gap_squared[k] < reach_ * reach_;
    if (lows.touch[k] && !(lows.usable[k] >= 0.0)) return false;
  }
  return true;
}

/// Newton's method for d = reach. `half` is about how far an edge is from its low.
inline bool RimRod::improve(Spots& edges, const Two& half) const {
  // With k = rho^2 + R^2 + up^2 - reach^2, a parabola, that is k = 2 R rho: roots of k^2 - 4 R^2
  // rho^2, without taking any.
  const double twice = 2.0 * radius_, four = twice * twice, half_per_radius = 0.5 / radius_;
  const double constant =
      line_.c_squared + radius_ * radius_ + up_nearest_ * up_nearest_ - reach_ * reach_;
  const double linear = up_nearest_ * up_slope_;
  for (int i = 0; i < 4; ++i) {
    const Two y = edges.y, beta_y = line_.beta * y;
    const Two half_slope = linear + squared_length_ * y, k = constant + y * (linear + half_slope);
    const Two value = k * k - four * (line_.c_squared + beta_y * y);
    const Two slope = 2.0 * k * half_slope - four * beta_y;
    const Two step = 0.5 * value / slope;
    edges = {y - step, half_per_radius * (k - 2.0 * half_slope * step)};
    // The error is about the square of the last step, over twice the way from the low.
    if (are_positive(1e-14 * half - step * step)) return true;
  }
  return false;
}

/// d^2 as a polynomial of fourth order, turned round.
inline RimRod::Start RimRod::start_edges(const Lows& lows) const {
  const double reach_squared = reach_ * reach_;
  const Two half_squared =
      (reach_squared - lows.gap_squared).max(1e-12 * reach_squared) * lows.per_stiff;
  const Two half = half_squared.sqrt(), bend = 0.5 * lows.third;
  return {lows.at.y - bend * half_squared,
          half * (1.0 + (2.5 * bend * bend - 0.5 * lows.fourth) * half_squared), half};
}

inline bool RimRod::is_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner) const {
  if (!(line_.nearest + outer.y[0] >= 0.0 && line_.nearest + outer.y[1] <= 1.0)) return false;
  // d grows up to the inner edges, which are beyond the rim.
  const Two out = inner.rho - radius_, over = up_nearest_ + up_slope_ * inner.y;
  const Two u = line_.beta * inner.y, u_low = line_.beta * lows.at.y;
  const Two left = kAway * u, grows = -kAway * (u * out + up_slope_ * over * inner.rho);
  const Two plain = left.min(grows).min(along_.x() * out + along_.y() * over);
  if (along_.x() < 0.0) {
    // The mantle goes in: all between is beyond the rim, and outwards the height grows.
    const Two over_low = up_nearest_ + up_slope_ * lows.at.y;
    const Two height = along_.y() * (lows.at.rho - radius_) - along_.x() * over_low;
    const Two rises = kAway * (along_.y() * u_low - along_.x() * up_slope_ * lows.at.rho);
    const Two beyond =
        along_.x() * (outer.rho - radius_) + along_.y() * (up_nearest_ + up_slope_ * outer.y);
    return are_positive(plain.min(height).min(rises).min(beyond));
  }
  // It goes out: all outwards is beyond the rim, and between it is behind the mantle.
  const double falling = along_.y() * up_slope_;
  const Two depth = along_.x() * over - along_.y() * out;
  const Two rises = kAway * (along_.x() * u_low + falling * lows.at.rho);
  const Two falls = kAway * (along_.x() * u + falling * inner.rho);
  return are_positive(plain.min(depth).min(rises).min(falls));
}

/// Of two lows around which all is beyond the rim.
inline void RimRod::add_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner,
                                   WitnessPairs& places) const {
  const Two middle = 0.5 * (outer.y + inner.y);
  const Two scale_foot = radius_ / (line_.c_squared + line_.beta * middle * middle).sqrt();
  const Two x_middle = line_.nearest + middle, x_low = line_.nearest + lows.at.y;
  const Two gap = lows.gap_squared.sqrt(), per_gap = 1.0 / gap;
  const Two scale = (lows.at.rho - radius_) * per_gap / lows.at.rho;
  const Two axial = sign_ * (up_nearest_ + up_slope_ * lows.at.y) * per_gap;
  for (int k = 0; k < 2; ++k) {
    WitnessPair& place = places.add();
    const Vec3 on_a = line_.at(x_middle[k]);
    place.on_a = on_a;
    place.on_b = {scale_foot[k] * on_a.x(), scale_foot[k] * on_a.y(), z_rim_};
    place.normal = {scale[k] * (line_.from.x() + x_low[k] * line_.way.x()),
                    scale[k] * (line_.from.y() + x_low[k] * line_.way.y()), axial[k]};
    place.gap = gap[k];
    place.share = 1.0;
  }
}

inline bool RimRod::find_pair(const Lows& lows, WitnessPairs& places) const {
  const Start start = start_edges(lows);
  const Two odd = kAway * start.odd;
  Spots outer{start.even + odd, {}}, inner{start.even - odd, {}};
  if (!improve(outer, start.half) || !improve(inner, start.half)) return false;
  if (is_plain_pair(lows, outer, inner)) {
    add_plain_pair(lows, outer, inner, places);
    return true;
  }
  return find_any_pair(lows, outer, inner, places);
}

// Rare, and not to be in the way of the others.
[[gnu::noinline]] bool RimRod::find_any_pair(const Lows& lows, const Spots& outer,
                                             const Spots& inner, WitnessPairs& places) const {
  RodSpot first[2] = {spot(outer, 0), spot(inner, 1)}, last[2] = {spot(inner, 0), spot(outer, 1)};
  for (int k = 0; k < 2; ++k) {
    const RodSpot low = spot(lows.at, k);
    if (!find_edge(low, -1.0, first[k]) || !find_edge(low, 1.0, last[k])) return false;
  }
  if (!is_clear_outward(first[0], -1.0) || !is_clear_outward(last[1], 1.0) ||
      last[0].x >= first[1].x || !is_clear_between(last[0], first[1]))
    return false;
  for (int k = 0; k < 2; ++k) {
    const RodSpot low = spot(lows.at, k);
    const double gap = std::sqrt(lows.gap_squared[k]);
    add_place({low.x, gap, low.rho, first[k].x, last[k].x, reach_}, places);
  }
  return true;
}

inline bool RimRod::find_single(const Lows& lows, int k, WitnessPairs& places) const {
  const RodSpot low = spot(lows.at, k);
  const Start start = start_edges(lows);
  Spots edges{start.even[k] + start.odd[k] * kAway, {}};  // before and after the low
  if (!improve(edges, Two::Constant(start.half[k]))) return false;
  RodSpot first = spot(edges, 0), last = spot(edges, 1);
  if (!find_edge(low, -1.0, first) || !find_edge(low, 1.0, last)) return false;
  const RodSpot &outer = k == 0 ? first : last, &inner = k == 0 ? last : first;
  RodCell end_cell{0.0, reach_, 0.0, 0.0, 0.0, reach_};  // none
  const double other = spot(lows.at, 1 - k).x;
  if (!is_clear_outward(outer, kAway[k]) ||
      !is_clear_inward(inner, -kAway[k], lows.found[1 - k], other, end_cell))
    return false;
  const bool has_end = end_cell.gap < reach_;
  if (has_end && k == 1) add_place(end_cell, places);
  add_place({low.x, std::sqrt(lows.gap_squared[k]), low.rho, first.x, last.x, reach_}, places);
  if (has_end && k == 0) add_place(end_cell, places);
  return true;
}

/// A low passes over the rim out of reach: nothing else touches, but for an end of the segment.
inline bool RimRod::find_end(const Lows& lows, int k, WitnessPairs& places) const {
  const RodSpot low = spot(lows.at, k);
  RodCell end_cell{0.0, reach_, 0.0, 0.0, 0.0, reach_};  // none
  const double other = spot(lows.at, 1 - k).x;
  if (!(beyond(low) >= 0.0) || !is_clear_outward(low, kAway[k]) ||
      !is_clear_inward(low, -kAway[k], lows.found[1 - k], other, end_cell))
    return false;
  if (end_cell.gap < reach_) add_place(end_cell, places);
  return true;
}

inline bool RimRod::find_places(WitnessPairs& places) const {
  // Not where the line is about to pass beside the rim.
  if (!(line_.c_squared < 0.99 * radius_ * radius_)) return false;
  Lows lows;
  find_lows(lows);
  if (are_positive(lows.usable)) return find_pair(lows, places);
  if (!sort_lows(lows)) return false;
  if (lows.touch[0] && lows.touch[1]) return find_pair(lows, places);
  if (lows.touch[0] || lows.touch[1]) return find_single(lows, lows.touch[0] ? 0 : 1, places);
  for (int k = 0; k < 2; ++k) {
    const double x = spot(lows.at, k).x;
    if (lows.found[k] && x > 0.0 && x < 1.0) return find_end(lows, k, places);
  }
  return false;
}

// Flat: calls of short functions would take longer than what they do.
[[gnu::flatten]] bool find_near_rim(const RodLine& line, const Frustum& frustum,
                                    const MantleRod& over, const Approach& approach,
                                    WitnessPairs& places) {
  const double one = line.from.z(), other = line.z(1.0);
  const double lowest = std::min(one, other) - approach.reach;
  const double highest = std::max(one, other) + approach.reach;
  for (const RimRod::Rim rim : {RimRod::top, RimRod::bottom}) {
    const double z = rim == RimRod::top ? frustum.height : 0.0;
    if (lowest >= z || highest <= z) continue;
    if (RimRod(line, frustum, over, rim, approach).find_places(places)) return true;
  }
  return false;
}

}  // namespace grouser
