#include "grouser/geometry/mantle_rod.h"

#include <algorithm>
#include <cmath>

namespace grouser {

bool MantleRod::is_over_mantle(const RodSpot& one, const RodSpot& other) const {
  const double t_one = along_mantle(one), t_other = along_mantle(other);
  if (std::min(t_one, t_other) < 0.0 || std::max(t_one, t_other) > frustum_.length) return false;
  if (up_.x() == 0.0) return true;
  // Between the ends the way along the mantle may go beyond, as rho goes down: below the bottom of
  // a funnel, or above the top of a cone.
  const bool turns = line_.nearest > one.x && line_.nearest < other.x;
  const double least_rho = std::min(one.rho, other.rho);
  const double least = turns ? line_.c_squared : least_rho * least_rho;
  const double edge = up_.x() * frustum_.bottom_radius;
  const double z_one = line_.z(one.x), z_other = line_.z(other.x);
  const double needed = up_.x() > 0.0 ? edge - up_.y() * std::min(z_one, z_other)
                                      : up_.y() * std::max(z_one, z_other) - edge - frustum_.length;
  return needed <= 0.0 || up_.x() * up_.x() * least >= needed * needed;
}

MantleRod::Edges MantleRod::find_where(double radial, double axial, double level, double at) const {
  Edges out;
  const auto add = [&](double x, double rho) {
    if (x <= at && x > out.before.x) out.before = {x, rho};
    if (x >= at && x < out.after.x) out.after = {x, rho};
  };
  // radial rho = right + linear x
  const double right = level + radial * frustum_.bottom_radius - axial * line_.from.z();
  const double linear = -axial * line_.way.z();
  if (radial == 0.0) {
    if (const double x = -right / linear; std::isfinite(x)) add(x, line_.rho(x));
    return out;
  }
  const double squared = radial * radial, a = squared * line_.beta - linear * linear;
  const double b = squared * line_.alpha - right * linear;
  const double c = squared * line_.from_squared - right * right;
  const double root = b * b - a * c;
  if (!(root >= 0.0)) return out;
  const double q = -(b + std::copysign(std::sqrt(root), b)), per_radial = 1.0 / radial;
  for (const double x : {q / a, c / q}) {
    const double rho = (right + linear * x) * per_radial;
    if (rho >= 0.0) add(x, rho);  // neither negative nor not a number
  }
  return out;
}

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
