// Lows and highs of the gap along a segment, and where it comes within reach.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/shape/rod_gap.h"

namespace grouser {

double RodGap::rim_slope(Part rim, double x) const {
  return (1.0 - radius_of(rim) / rho(x)) * (alpha_ + beta_ * x) + (z(x) - z_of(rim)) * z_slope_;
}

double RodGap::find_rim_turn(Part rim, double low, double high, double rises) const {
  const double radius = radius_of(rim);
  // Far from the axis rho is almost linear: a good start where the line passes close to it.
  const double constant = alpha_ + (z_from_ - z_of(rim)) * z_slope_;
  const double root = radius * std::sqrt(beta_);
  const bool outward = alpha_ + beta_ * 0.5 * (low + high) > 0.0;
  double x = std::clamp((outward ? root : -root) - constant, low, high);
  if (rises < 0.0) x = 0.5 * (low + high);
  for (int i = 0; i < 60; ++i) {
    const double r = rho(x);
    const double value = x + constant - radius * (alpha_ + beta_ * x) / r;
    const double slope = 1.0 - radius * beta_ * c_squared_ / (r * r * r);
    (rises * value > 0.0 ? high : low) = x;
    double next = x - value / slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double step = std::abs(next - x);
    x = next;
    if (step < 1e-7 * (radius + length_)) break;  // the error is about the square of the last step
  }
  return x;
}

void RodGap::add_rim_turns(const Stretch& stretch, double slope_from, double slope_to,
                           Turns& turns) const {
  // The slope rises, falls between -turn and turn, and rises again; or it only rises.
  const double radius = radius_of(stretch.part), steepest = radius * beta_;
  InlineList<double, 4> marks;
  marks.add(stretch.from);
  if (c_squared_ < steepest * steepest) {
    const double r_turn = std::cbrt(steepest * c_squared_);
    const double turn = std::sqrt(beta_ * (r_turn * r_turn - c_squared_));
    for (const double u : {-turn, turn}) {
      const double x = (u - alpha_) / beta_;
      if (x > stretch.from && x < stretch.to) marks.add(x);
    }
  }
  marks.add(stretch.to);
  double before = slope_from;
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
    const double after = i + 2 == marks.size() ? slope_to : rim_slope(stretch.part, marks[i + 1]);
    if ((before > 0.0) != (after > 0.0)) {
      const double x =
          find_rim_turn(stretch.part, marks[i], marks[i + 1], before > 0.0 ? -1.0 : 1.0);
      turns.add({before > 0.0 ? GapTurn::high : GapTurn::low, x, sample(x).gap});
    }
    before = after;
  }
}

void RodGap::find_turns(Turns& turns) const {
  turns.clear();
  const auto add = [&](GapTurn::Kind kind, double x) {
    turns.add({kind, x, kind == GapTurn::out_of_reach ? reach_ : sample(x).gap});
  };
  double slope_from = sample(0.0).slope;
  if (slope_from > 0.0) add(GapTurn::low, 0.0);
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    // At a mark both stretches must agree whether the gap grows: the mantle says so. Only behind
    // the mantle they do not, as the rim knows no side.
    double slope_to = 0.0, slope_next = 0.0;
    if (i + 1 == stretches_.size()) {
      slope_to = slope_next = sample(end_).slope;
    } else {
      const bool is_mantle = stretch.part == mantle;
      const double side = is_mantle ? stretch.side : stretches_[i + 1].side;
      const double over_mantle = side * height_slope(stretch.to);
      const double over_rim = side * height(stretch.to) < 0.0 ? -over_mantle : over_mantle;
      slope_to = is_mantle ? over_mantle : over_rim;
      slope_next = is_mantle ? over_rim : over_mantle;
    }
    if (out_of_reach(stretch)) {
      if (!turns.empty()) add(GapTurn::out_of_reach, 0.5 * (stretch.from + stretch.to));
    } else if (stretch.part != mantle) {
      add_rim_turns(stretch, slope_from, slope_to, turns);
    } else if ((slope_from > 0.0) != (slope_to > 0.0)) {
      double x = 0.5 * (stretch.from + stretch.to);
      turn_of(front_.x(), front_.y(), x);
      add(slope_from > 0.0 ? GapTurn::high : GapTurn::low, std::clamp(x, stretch.from, stretch.to));
    }
    slope_from = slope_next;
  }
  if (!(slope_from > 0.0)) add(GapTurn::low, end_);
}

double RodGap::edge_between(double low, double bound) const {
  // The stretch in which the gap comes to the reach.
  const bool up = bound > low;
  std::size_t i = 0;
  while (i + 1 < stretches_.size() && (up ? stretches_[i].to <= low : stretches_[i].to < low)) ++i;
  double from = low, to = bound;
  while (true) {
    to = up ? std::min(stretches_[i].to, bound) : std::max(stretches_[i].from, bound);
    if (to == bound || sample(to).gap >= reach_) break;
    from = to;
    up ? ++i : --i;
  }
  const Stretch& stretch = stretches_[i];
  if (stretch.part != mantle) return rim_edge(stretch.part, from, to);
  const double right =
      stretch.side * reach_ + front_.x() * frustum_.bottom_radius - front_.y() * z_from_;
  const Roots roots = solve(front_.x(), front_.y() * z_slope_, right);
  const double least = std::min(from, to), most = std::max(from, to);
  const double middle = 0.5 * (least + most);
  // Of two, the one between; by rounding it may be a little outside.
  double x = !roots.empty() ? roots[0] : to;
  if (roots.size() > 1 && std::abs(roots[1] - middle) < std::abs(x - middle)) x = roots[1];
  return std::clamp(x, least, most);
}

double RodGap::rim_edge(Part rim, double low, double bound) const {
  // Newton's method within bounds for the squared distance, which is a parabola less 2 R rho.
  const double radius = radius_of(rim), above = z_from_ - z_of(rim);
  const double constant = from_squared_ + radius * radius + above * above - reach_ * reach_;
  const double linear = alpha_ + above * z_slope_;
  double x = bound;
  {
    // The parabola at `low` makes a good start, if it is one that opens.
    const double r = rho(low), per_r = 1.0 / r;
    const double value = constant + low * (low + 2.0 * linear) - 2.0 * radius * r;
    const double half_slope = low + linear - radius * (alpha_ + beta_ * low) * per_r;
    const double opening = 1.0 - radius * beta_ * c_squared_ * per_r * per_r * per_r;
    if (opening > 0.05) {
      const double root = std::sqrt(std::max(0.0, half_slope * half_slope - opening * value));
      const double way = ((bound > low ? root : -root) - half_slope) / opening;
      x = std::clamp(low + way, std::min(low, bound), std::max(low, bound));
    }
  }
  for (int i = 0; i < 60; ++i) {
    const double r = rho(x);
    const double value = constant + x * (x + 2.0 * linear) - 2.0 * radius * r;
    const double slope = 2.0 * (x + linear - radius * (alpha_ + beta_ * x) / r);
    (value < 0.0 ? low : bound) = x;
    double next = x - value / slope;
    if (!(next >= std::min(low, bound) && next <= std::max(low, bound))) next = 0.5 * (low + bound);
    const double step = std::abs(next - x);
    x = next;
    if (step < 1e-7 * length_) break;  // the error is about the square of the last step
  }
  return x;
}

}  // namespace grouser
