#include "grouser/shape/rod_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/shape/element_gap.h"

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

  up_ = frustum.up;
  length_ = frustum.length;
  front_ = Vec2(up_.y(), -up_.x());
  far_ = cannot_reach();
  if (!far_) divide();
}

double RodGap::nearest_to_axis(double from, double to) const {
  if (alpha_ + beta_ * from >= 0.0) return from;
  return alpha_ + beta_ * to <= 0.0 ? to : -alpha_ / beta_;
}

double RodGap::along_mantle(double x) const {
  return up_.x() * (rho(x) - frustum_.bottom_radius) + up_.y() * z(x);
}

RodGap::Part RodGap::part_at(double x) const {
  const double t = along_mantle(x);
  return t < 0.0 ? bottom_rim : t > length_ ? top_rim : mantle;
}

double RodGap::side_at(double x) const {
  // The nearest stretch over the mantle, as x may be outside by rounding.
  double side = 1.0, least = std::numeric_limits<double>::infinity();
  for (const Stretch& stretch : stretches_) {
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

RodGap::Roots RodGap::solve(double radial, double linear, double right) const {
  Roots roots;
  if (radial == 0.0) {
    if (linear != 0.0) roots.add(right / linear);
    return roots;
  }
  // (radial rho)^2 = (right - linear x)^2, for the sign that rho has.
  const double squared = radial * radial;
  const double a = squared * beta_ - linear * linear, b = squared * alpha_ + right * linear;
  const double c = squared * from_squared_ - right * right;
  const auto add_if_real = [&](double x) {
    if ((right - linear * x) * radial >= 0.0) roots.add(x);
  };
  if (a == 0.0) {
    if (b != 0.0) add_if_real(-0.5 * c / b);
    return roots;
  }
  const double root = b * b - a * c;
  if (root < 0.0) return roots;
  const double q = -(b + std::copysign(std::sqrt(root), b));
  add_if_real(q / a);
  if (q != 0.0) add_if_real(c / q);
  return roots;
}

void RodGap::add_crossings(double level, Marks& marks) const {
  const double right = level + up_.x() * frustum_.bottom_radius - up_.y() * z_from_;
  for (const double x : solve(up_.x(), up_.y() * z_slope_, right))
    if (x > 0.0 && x < end_) marks.add(x);
}

void RodGap::divide() {
  Marks marks;
  marks.add(0.0);
  add_crossings(0.0, marks);
  add_crossings(length_, marks);
  std::sort(marks.begin() + 1, marks.end());
  marks.add(end_);
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
    const Part part = part_at(0.5 * (marks[i] + marks[i + 1]));
    if (!stretches_.empty() && stretches_[stretches_.size() - 1].part == part) {
      stretches_[stretches_.size() - 1].to = marks[i + 1];
    } else {
      stretches_.add({part, marks[i], marks[i + 1], 1.0, 0.0, 0.0});
    }
  }
  for (Stretch& stretch : stretches_)
    if (stretch.part == mantle) choose_side(stretch);
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

bool RodGap::goes_through() const {
  return std::any_of(stretches_.begin(), stretches_.end(), [](const Stretch& stretch) {
    return stretch.part == mantle && stretch.lowest <= 0.0 && stretch.highest >= 0.0;
  });
}

double RodGap::next_side() const {
  // While a stretch is near, its side must stay. Else the nearest says what comes next.
  const double near = 0.5 * reach_;
  double side = 0.0, least = std::numeric_limits<double>::infinity();
  for (const Stretch& stretch : stretches_) {
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
