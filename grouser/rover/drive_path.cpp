#include "grouser/rover/drive_path.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

constexpr double kLeastLookahead = 0.4;  // of the lookahead, at the end of a leg

}  // namespace

DrivePath::DrivePath(std::vector<Vec2> waypoints, double lookahead) : lookahead_(lookahead) {
  GROUSER_ASSERT(!waypoints.empty() && lookahead > 0.0);
  points_.reserve(waypoints.size() + 1);
  points_.push_back(waypoints.front());
  points_.insert(points_.end(), waypoints.begin(), waypoints.end());
  to_end_.assign(points_.size(), 0.0);
  for (std::size_t i = points_.size() - 1; i-- > 1;)
    to_end_[i] = to_end_[i + 1] + (points_[i + 1] - points_[i]).norm();
  to_end_[0] = to_end_[1];
}

bool DrivePath::start(const Vec2& position) {
  constexpr double kSame = 1e-6;  // [m]: a segment so short has no direction worth following
  points_[0] = position;
  const double first = (points_[1] - position).norm();
  to_end_[0] = to_end_[1] + first;
  const std::size_t segment = first > kSame ? 0 : 1;
  if (segment + 1 >= points_.size()) return false;
  enter_segment(segment);
  find_leg_end();
  locate(position);
  return true;
}

void DrivePath::enter_segment(std::size_t segment) {
  GROUSER_ASSERT(segment + 1 < points_.size());
  segment_ = segment;
  const Vec2 d = points_[segment + 1] - points_[segment];
  segment_length_ = d.norm();
  GROUSER_ASSERT(segment_length_ > 0.0);
  along_segment_ = d / segment_length_;
}

void DrivePath::find_leg_end() {
  Vec2 before = along_segment_;
  leg_end_ = segment_ + 1;
  for (; leg_end_ + 1 < points_.size(); ++leg_end_) {
    const Vec2 after = (points_[leg_end_ + 1] - points_[leg_end_]).normalized();
    if (before.dot(after) < std::cos(kBehind)) return;
    before = after;
  }
}

double DrivePath::distance_to_segment(std::size_t segment, const Vec2& position) const {
  const Vec2 d = points_[segment + 1] - points_[segment];
  const Vec2 r = position - points_[segment];
  const double share = std::clamp(r.dot(d) / d.squaredNorm(), 0.0, 1.0);
  return (r - share * d).norm();
}

void DrivePath::locate(const Vec2& position) {
  while (true) {
    const Vec2 r = position - points_[segment_];
    along_ = r.dot(along_segment_);
    offset_ = along_segment_.x() * r.y() - along_segment_.y() * r.x();
    if (segment_ + 1 >= leg_end_) return;
    if (along_ < segment_length_ &&
        distance_to_segment(segment_ + 1, position) > distance_to_segment(segment_, position))
      return;
    enter_segment(segment_ + 1);
  }
}

Vec2 DrivePath::target() const {
  GROUSER_ASSERT(segment_ < leg_end_ && leg_end_ < points_.size());
  // Nearer towards the end, so that the rover really gets there.
  const double ahead = std::clamp(remaining(), kLeastLookahead * lookahead_, lookahead_);
  double way = std::max(0.0, along_) + ahead;
  if (way <= segment_length_ || segment_ + 1 == leg_end_)
    return points_[segment_] + way * along_segment_;
  way -= segment_length_;
  for (std::size_t i = segment_ + 1;; ++i) {
    const Vec2 d = points_[i + 1] - points_[i];
    const double length = d.norm();
    if (way <= length || i + 1 == leg_end_) return points_[i] + (way / length) * d;
    way -= length;
  }
}

bool DrivePath::next_leg() {
  if (leg_end_ + 1 >= points_.size()) return false;
  enter_segment(leg_end_);
  find_leg_end();
  along_ = 0.0;
  return true;
}

double pursuit_curvature(const Vec2& target) {
  const double square = target.squaredNorm();
  return square > 0.0 ? 2.0 * target.y() / square : 0.0;
}

}  // namespace grouser
