#include "grouser/geometry/rod_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/geometry/element_gap.h"

namespace grouser {

RodGap::RodGap(const Segment& rod, const Frustum& frustum, const Approach& approach)
    : frustum_(frustum),
      reach_(approach.reach),
      side_(approach.side),
      largest_radius_(std::max(frustum.bottom_radius, frustum.top_radius)) {
  const Vec3 way = rod.to - rod.from;
  const double length = std::sqrt(way.squaredNorm());
  along_ = way / length;
  from_ = rod.from;
  end_ = length;
  from_squared_ = from_.head<2>().squaredNorm();
  alpha_ = along_.head<2>().dot(from_.head<2>());
  beta_ = along_.head<2>().squaredNorm();
  // Through the axis rho would have a corner; a hair beside it has none.
  const double hair = 1e-10 * largest_radius_;
  least_squared_ = hair * hair;
  c_squared_ = least_squared_;
  if (beta_ > 0.0) c_squared_ = std::max(from_squared_ - alpha_ * alpha_ / beta_, c_squared_);
  z_from_ = from_.z();
  z_slope_ = along_.z();

  up_ = Vec2(frustum.top_radius - frustum.bottom_radius, frustum.height);
  length_ = std::sqrt(up_.squaredNorm());
  up_ /= length_;
  front_ = Vec2(up_.y(), -up_.x());
  far_ = cannot_reach();
  if (!far_) divide();
}

double RodGap::rho_squared(double x) const {
  return std::max(from_squared_ + x * (2.0 * alpha_ + beta_ * x), least_squared_);
}

double RodGap::rho(double x) const {
  return std::sqrt(rho_squared(x));
}

double RodGap::nearest_to_axis(double from, double to) const {
  if (alpha_ + beta_ * from >= 0.0) return from;
  return alpha_ + beta_ * to <= 0.0 ? to : -alpha_ / beta_;
}

double RodGap::along_mantle(double x) const {
  return up_.x() * (rho(x) - frustum_.bottom_radius) + up_.y() * z(x);
}

double RodGap::height(double x) const {
  return front_.x() * (rho(x) - frustum_.bottom_radius) + front_.y() * z(x);
}

double RodGap::height_slope(double x) const {
  return front_.x() * (alpha_ + beta_ * x) / rho(x) + front_.y() * z_slope_;
}

RodGap::Part RodGap::part_at(double x) const {
  const double t = along_mantle(x);
  return t < 0.0 ? bottom_rim : t > length_ ? top_rim : mantle;
}

double RodGap::side_at(double x) const {
  // The nearest stretch over the mantle, as x may be outside by rounding.
  double side = 1.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < stretch_count_; ++i) {
    const Stretch& stretch = stretches_[i];
    if (stretch.part != mantle) continue;
    const double off = std::max(stretch.from - x, x - stretch.to);
    if (off < least) least = off, side = stretch.side;
  }
  return side;
}

bool RodGap::cannot_reach() const {
  const double z_end = z(end_);
  if (std::min(z_from_, z_end) >= frustum_.height + reach_) return true;
  if (std::max(z_from_, z_end) <= -reach_) return true;
  const double outer = largest_radius_ + reach_;
  return rho_squared(nearest_to_axis(0.0, end_)) >= outer * outer;
}

RodGap::Sample RodGap::sample(double x) const {
  const double r = rho(x), r_slope = (alpha_ + beta_ * x) / r;
  const Vec2 from_bottom(r - frustum_.bottom_radius, z(x));
  const double t = up_.dot(from_bottom);
  if (t >= 0.0 && t <= length_) {
    const double side = side_at(x);
    return {side * front_.dot(from_bottom), side * (front_.x() * r_slope + front_.y() * z_slope_)};
  }
  const Part rim = t < 0.0 ? bottom_rim : top_rim;
  const double out = r - radius_of(rim), up = z(x) - z_of(rim);
  const double d = std::sqrt(out * out + up * up);
  return {d, (out * r_slope + up * z_slope_) / d};
}

Vec3 RodGap::foot(double x) const {
  const Vec3 p = at(x);
  const double r = rho(x);
  const double t = std::clamp(along_mantle(x), 0.0, length_);
  const double radius = frustum_.bottom_radius + t * up_.x();
  // On the axis there is no direction of the foot: it goes through the axis.
  const double smoothed = kSmoothedShare * largest_radius_;
  const double scale = radius / std::max(r, smoothed);
  return {scale * p.x(), scale * p.y(), t * up_.y()};
}

Vec3 RodGap::normal(double x) const {
  const Vec3 p = at(x);
  const double r = rho(x), t = along_mantle(x);
  const double smoothed = kSmoothedShare * largest_radius_;
  Vec2 slope = front_;
  if (t < 0.0 || t > length_) {
    const Part rim = t < 0.0 ? bottom_rim : top_rim;
    slope = Vec2(r - radius_of(rim), p.z() - z_of(rim));
    slope /= slope.norm();
  } else {
    slope *= side_at(x);
  }
  const double scale = slope.x() / std::max(r, smoothed);
  return {scale * p.x(), scale * p.y(), slope.y()};
}

bool RodGap::turn_of(double radial, double axial, double& x) const {
  // rho' = (alpha + beta x) / rho = slope
  if (radial == 0.0) return false;
  const double slope = -axial * z_slope_ / radial, rest = beta_ - slope * slope;
  if (rest <= 0.0) return false;
  x = (slope * std::sqrt(beta_ * c_squared_ / rest) - alpha_) / beta_;
  return true;
}

std::size_t RodGap::solve(double radial, double linear, double right,
                          std::array<double, 2>& roots) const {
  std::size_t count = 0;
  if (radial == 0.0) {
    if (linear != 0.0) roots[count++] = right / linear;
    return count;
  }
  // (radial rho)^2 = (right - linear x)^2, for the sign that rho has.
  const double squared = radial * radial;
  const double a = squared * beta_ - linear * linear, b = squared * alpha_ + right * linear;
  const double c = squared * from_squared_ - right * right;
  const auto add_if_real = [&](double x) {
    if ((right - linear * x) * radial >= 0.0) roots[count++] = x;
  };
  if (a == 0.0) {
    if (b != 0.0) add_if_real(-0.5 * c / b);
    return count;
  }
  const double root = b * b - a * c;
  if (root < 0.0) return count;
  const double q = -(b + std::copysign(std::sqrt(root), b));
  add_if_real(q / a);
  if (q != 0.0) add_if_real(c / q);
  return count;
}

void RodGap::add_crossings(double level, std::array<double, 6>& marks, std::size_t& count) const {
  std::array<double, 2> roots;
  const double right = level + up_.x() * frustum_.bottom_radius - up_.y() * z_from_;
  const std::size_t found = solve(up_.x(), up_.y() * z_slope_, right, roots);
  for (std::size_t i = 0; i < found; ++i) {
    if (roots[i] > 0.0 && roots[i] < end_) marks[count++] = roots[i];
  }
}

void RodGap::divide() {
  std::array<double, 6> marks;
  std::size_t count = 0;
  marks[count++] = 0.0;
  add_crossings(0.0, marks, count);
  add_crossings(length_, marks, count);
  for (std::size_t i = 2; i < count; ++i) {
    for (std::size_t k = i; k > 1 && marks[k] < marks[k - 1]; --k) {
      std::swap(marks[k], marks[k - 1]);
    }
  }
  marks[count++] = end_;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Part part = part_at(0.5 * (marks[i] + marks[i + 1]));
    if (stretch_count_ > 0 && stretches_[stretch_count_ - 1].part == part) {
      stretches_[stretch_count_ - 1].to = marks[i + 1];
    } else {
      stretches_[stretch_count_++] = {part, marks[i], marks[i + 1], 1.0, 0.0, 0.0};
    }
  }
  for (std::size_t i = 0; i < stretch_count_; ++i) {
    if (stretches_[i].part == mantle) choose_side(stretches_[i]);
  }
}

void RodGap::choose_side(Stretch& stretch) const {
  const double one = height(stretch.from), other = height(stretch.to);
  stretch.lowest = std::min(one, other);
  stretch.highest = std::max(one, other);
  double turn = stretch.from;
  if (turn_of(front_.x(), front_.y(), turn) && turn > stretch.from && turn < stretch.to) {
    const double between = height(turn);
    stretch.lowest = std::min(stretch.lowest, between);
    stretch.highest = std::max(stretch.highest, between);
  }
  const double near = 0.5 * reach_;
  stretch.side = stretch.highest + stretch.lowest >= 0.0 ? 1.0 : -1.0;
  if (side_ != 0.0 && stretch.lowest < near && stretch.highest > -near) stretch.side = side_;
}

bool RodGap::out_of_reach(const Stretch& stretch) const {
  if (stretch.part == mantle) return false;
  const double z_rim = z_of(stretch.part), r_rim = radius_of(stretch.part);
  const double z_from = z(stretch.from) - z_rim, z_to = z(stretch.to) - z_rim;
  if (std::min(z_from, z_to) >= reach_ || std::max(z_from, z_to) <= -reach_) return true;
  const double nearest = rho_squared(nearest_to_axis(stretch.from, stretch.to));
  if (nearest >= (r_rim + reach_) * (r_rim + reach_)) return true;
  const double farthest = std::max(rho_squared(stretch.from), rho_squared(stretch.to));
  return r_rim > reach_ && farthest <= (r_rim - reach_) * (r_rim - reach_);
}

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
  std::array<double, 4> marks{stretch.from, 0.0, 0.0, stretch.to};
  std::size_t count = 1;
  if (c_squared_ < steepest * steepest) {
    const double r_turn = std::cbrt(steepest * c_squared_);
    const double turn = std::sqrt(beta_ * (r_turn * r_turn - c_squared_));
    for (const double u : {-turn, turn}) {
      const double x = (u - alpha_) / beta_;
      if (x > stretch.from && x < stretch.to) marks[count++] = x;
    }
  }
  marks[count] = stretch.to;
  double before = slope_from;
  for (std::size_t i = 0; i < count; ++i) {
    const double after = i + 1 == count ? slope_to : rim_slope(stretch.part, marks[i + 1]);
    if ((before > 0.0) != (after > 0.0)) {
      const double x =
          find_rim_turn(stretch.part, marks[i], marks[i + 1], before > 0.0 ? -1.0 : 1.0);
      turns.all[turns.count++] = {before > 0.0 ? GapTurn::high : GapTurn::low, x, sample(x).gap};
    }
    before = after;
  }
}

void RodGap::find_turns(Turns& turns) const {
  turns.count = 0;
  const auto add = [&](GapTurn::Kind kind, double x) {
    turns.all[turns.count++] = {kind, x, kind == GapTurn::out_of_reach ? reach_ : sample(x).gap};
  };
  double slope_from = sample(0.0).slope;
  if (slope_from > 0.0) add(GapTurn::low, 0.0);
  for (std::size_t i = 0; i < stretch_count_; ++i) {
    const Stretch& stretch = stretches_[i];
    // At a mark both stretches must agree whether the gap grows: the mantle says so. Only behind
    // the mantle they do not, as the rim knows no side.
    double slope_to = 0.0, slope_next = 0.0;
    if (i + 1 == stretch_count_) {
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
      if (turns.count > 0) add(GapTurn::out_of_reach, 0.5 * (stretch.from + stretch.to));
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
  while (i + 1 < stretch_count_ && (up ? stretches_[i].to <= low : stretches_[i].to < low)) ++i;
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
  std::array<double, 2> roots{from, from};
  const std::size_t count = solve(front_.x(), front_.y() * z_slope_, right, roots);
  const double least = std::min(from, to), most = std::max(from, to);
  const double middle = 0.5 * (least + most);
  // Of two, the one between; by rounding it may be a little outside.
  double x = count > 0 ? roots[0] : to;
  if (count > 1 && std::abs(roots[1] - middle) < std::abs(x - middle)) x = roots[1];
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

bool RodGap::goes_through() const {
  return std::any_of(
      stretches_.begin(), stretches_.begin() + stretch_count_, [](const Stretch& stretch) {
        return stretch.part == mantle && stretch.lowest <= 0.0 && stretch.highest >= 0.0;
      });
}

double RodGap::next_side() const {
  // While a stretch is near, its side must stay. Else the nearest says what comes next.
  const double near = 0.5 * reach_;
  double side = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < stretch_count_; ++i) {
    const Stretch& stretch = stretches_[i];
    if (stretch.part != mantle) continue;
    if (side_ != 0.0 && stretch.lowest < near && stretch.highest > -near) return side_;
    const double distance = std::max(stretch.lowest, -stretch.highest);
    if (distance < least) {
      least = distance;
      side = stretch.highest + stretch.lowest >= 0.0 ? 1.0 : -1.0;
    }
  }
  if (side != 0.0) return side;
  return height(most_over_mantle()) >= 0.0 ? 1.0 : -1.0;
}

double RodGap::most_over_mantle() const {
  // Ends, and where the way along the mantle turns.
  std::array<double, 4> candidates{0.0, end_, nearest_to_axis(0.0, end_), 0.0};
  double turn = 0.0;
  if (turn_of(up_.x(), up_.y(), turn)) candidates[3] = std::clamp(turn, 0.0, end_);
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (const double x : candidates) {
    const double t = along_mantle(x), off = std::max({-t, t - length_, 0.0});
    if (off < least) least = off, best = x;
  }
  return best;
}

}  // namespace grouser
