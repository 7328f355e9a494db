// A way through waypoints: where on it the rover is, and which point ahead it steers for.
//
// Pure pursuit, Coulter (1992): the rover drives along the circle that touches its heading and
// leads to a point of the path at a fixed length ahead. The path falls into legs at corners so
// sharp that they lead back; every leg is driven to its end. An index moves along the path, so that
// a tick costs the same however long the path is.
#pragma once

#include <vector>

#include "grouser/base/archive.h"
#include "grouser/math/types.h"

namespace grouser {

/// Corners beyond this angle end a leg, and a target beyond it lies behind [rad].
inline constexpr double kBehind = 100.0 * kPi / 180.0;

class DrivePath {
 public:
  DrivePath() = default;
  /// At least one waypoint, no two alike in succession.
  DrivePath(std::vector<Vec2> waypoints, double lookahead);

  /// Length from the first waypoint to the last [m].
  double length() const { return to_end_.empty() ? 0.0 : to_end_[1]; }
  const Vec2& last() const { return points_.back(); }

  /// Begins where the rover is. False if it is at the only waypoint already.
  bool start(const Vec2& position);
  /// Finds the place on the current leg that is nearest to the rover, from the last one on.
  void locate(const Vec2& position);
  /// Way along the path to the end of the current leg [m]; negative behind it.
  double remaining() const {
    return segment_length_ - along_ + to_end_[segment_ + 1] - to_end_[leg_end_];
  }
  /// Distance from the current segment, positive on its left [m].
  double offset() const { return offset_; }
  /// The point ahead: a lookahead from here, or at the end of the leg but at least a part of the
  /// lookahead away, then on the straight prolongation of the leg.
  Vec2 target() const;
  bool on_last_leg() const { return leg_end_ + 1 == points_.size(); }
  /// Goes on to the next leg; false if this was the last.
  bool next_leg();

  /// Where on it the rover is.
  void archive(Archive& a) {
    a(points_, to_end_, segment_, leg_end_, along_segment_, segment_length_, along_, offset_);
  }

 private:
  void find_leg_end();
  void enter_segment(std::size_t segment);
  double distance_to_segment(std::size_t segment, const Vec2& position) const;

  std::vector<Vec2> points_;    // [0] is where the rover started
  std::vector<double> to_end_;  // way from each point to the last
  double lookahead_ = 1.0;
  std::size_t segment_ = 0;  // from point segment_ to segment_ + 1
  std::size_t leg_end_ = 0;  // a point
  Vec2 along_segment_ = Vec2::UnitX();
  double segment_length_ = 0.0;
  double along_ = 0.0;
  double offset_ = 0.0;
};

/// Curvature of the circle that touches the rover's x axis at its reference point and leads through
/// `target`, in the rover's frame [1/m]; positive to the left, for both ways of driving.
double pursuit_curvature(const Vec2& target);

}  // namespace grouser
