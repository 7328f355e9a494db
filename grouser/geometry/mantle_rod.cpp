#include "grouser/geometry/mantle_rod.h"

namespace grouser {

/// Whether a part of the segment has its feet on the mantle. c_squared is the least rho^2 of the
/// line, at `nearest`.
bool MantleRod::is_over_mantle(double one, double other, double c_squared, double nearest) const {
  const double r_one = rho(one), r_other = rho(other), z_one = z(one), z_other = z(other);
  const double t_one = along_mantle(r_one, z_one), t_other = along_mantle(r_other, z_other);
  if (std::min(t_one, t_other) < 0.0 || std::max(t_one, t_other) > length_) return false;
  if (up_.x() == 0.0) return true;
  // Between the ends the way along the mantle may go beyond, as rho goes down: below the bottom of
  // a funnel, or above the top of a cone.
  const bool turns = nearest > one && nearest < other;
  const double least = turns ? c_squared : std::min(r_one * r_one, r_other * r_other);
  const double edge = up_.x() * frustum_.bottom_radius;
  const double needed = up_.x() > 0.0 ? edge - up_.y() * std::min(z_one, z_other)
                                      : up_.y() * std::max(z_one, z_other) - edge - length_;
  return needed <= 0.0 || up_.x() * up_.x() * least >= needed * needed;
}

/// Where the height over the mantle is `height`, in turn: the last before or at `low`, and the
/// first after it; infinite if there is none.
MantleRod::Edges MantleRod::find_edges(double height, double low) const {
  // up_y rho = right + linear x
  const double right = height + up_.y() * frustum_.bottom_radius + up_.x() * from_.z();
  const double linear = up_.x() * way_.z(), squared = up_.y() * up_.y();
  const double a = squared * beta_ - linear * linear, b = squared * alpha_ - right * linear;
  const double c = squared * from_squared_ - right * right;
  Edges out;
  const double root = b * b - a * c;
  if (!(root >= 0.0)) return out;
  const double q = -(b + std::copysign(std::sqrt(root), b));
  for (const double x : {q / a, c / q}) {
    if (!(right + linear * x >= 0.0)) continue;  // rho would be negative, or x is not a number
    if (x <= low) out.before = std::max(out.before, x);
    if (x >= low) out.after = std::min(out.after, x);
  }
  return out;
}

bool MantleRod::find_cells(const Approach& approach, RodCells& cells) const {
  const double reach = approach.reach, side = approach.side;
  if (side == 0.0 || !(beta_ > 0.0)) return false;
  const double per_beta = 1.0 / beta_, nearest = -alpha_ * per_beta;
  const double c_squared = std::max(0.0, from_squared_ + alpha_ * nearest);
  const double r_from = rho(0.0), r_to = rho(1.0);
  // Close to the axis directions fade: that is for others.
  const double smoothed = kSmoothedShare * std::max(frustum_.bottom_radius, frustum_.top_radius);
  const bool turns = nearest > 0.0 && nearest < 1.0;
  if (!((turns ? std::sqrt(c_squared) : std::min(r_from, r_to)) > smoothed)) return false;
  const double gap_from = side * over_mantle(r_from, z(0.0));
  const double gap_to = side * over_mantle(r_to, z(1.0));

  // Where the height over the mantle turns: rho' = slope. Along a generator it turns nowhere.
  const double slope = up_.x() * way_.z() / up_.y(), rest = beta_ - slope * slope;
  const double falling = (gap_to < gap_from) == (side > 0.0) ? 2.0 : -1.0;
  const double turn =
      rest > 0.0 ? nearest + slope * std::sqrt(c_squared * beta_ / rest) * per_beta : falling;
  const bool has_turn = turn > 0.0 && turn < 1.0;
  const double gap_turn = has_turn ? side * over_mantle(rho(turn), z(turn)) : 0.0;
  const auto over = [&](double one, double other) {
    return is_over_mantle(one, other, c_squared, nearest);
  };

  if (side > 0.0) {  // convex: one low
    const double low = std::clamp(turn, 0.0, 1.0);
    const double gap = has_turn ? gap_turn : low == 0.0 ? gap_from : gap_to;
    if (gap >= reach) return true;  // nothing is nearer than the mantle drawn out beyond its rims
    if (gap < 0.0) return false;
    double first = 0.0, last = 1.0;
    if (std::max(gap_from, gap_to) >= reach) {
      const Edges edges = find_edges(reach, low);
      if (gap_from >= reach) first = edges.before;
      if (gap_to >= reach) last = edges.after;
    }
    if (!(first >= 0.0 && last <= 1.0) || !over(first, last)) return false;
    cells.all[cells.count++] = {low, gap, first, last, reach};
    return true;
  }

  // Concave: lows at the ends, a high between them.
  const double least = std::min(gap_from, gap_to);
  const double most = has_turn ? gap_turn : std::max(gap_from, gap_to);
  if (least < 0.0) return false;
  if (least >= reach) return over(0.0, 1.0);
  double first = has_turn ? turn : 1.0, last = has_turn ? turn : 0.0;
  if (most < reach) {
    if (!over(0.0, 1.0)) return false;
  } else {
    if (gap_from < reach) first = find_edges(-reach, 0.0).after;
    if (gap_to < reach) last = find_edges(-reach, 1.0).before;
    if (gap_from < reach && !(first <= 1.0 && over(0.0, first))) return false;
    if (gap_to < reach && !(last >= 0.0 && over(last, 1.0))) return false;
  }
  const double high_gap = has_turn ? gap_turn : reach;
  if (gap_from < reach && turn > 0.0)
    cells.all[cells.count++] = {0.0, gap_from, 0.0, first, high_gap};
  if (gap_to < reach && turn < 1.0) cells.all[cells.count++] = {1.0, gap_to, last, 1.0, reach};
  return true;
}

}  // namespace grouser
