// The gap between the points of a segment and the mantle of a frustum. Inside the geometry room
// only.
//
// The point at x of the segment (the length from its first end) has the distance rho(x) from the
// axis, the root of a parabola in x, and the height z(x), which is linear. Where
// its foot is on the mantle, the gap is the signed height over the mantle: convex outside, concave
// inside. Where it is on a rim, the gap is the distance from a circle. Of both, all lows and highs
// along the segment can be told apart beforehand.
//
// Each stretch of the segment over the mantle has its side. A stretch that goes through the mantle,
// or is behind it by less than half the reach, has the side that is remembered; others are where
// they seem to be (a long rod over the rim may well be over both sides).
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/base/inline_list.h"
#include "grouser/math/types.h"
#include "grouser/shape/elements.h"

namespace grouser {

/// A low or high of the gap along the segment, or a part where it is out of reach.
struct GapTurn {
  enum Kind { low, high, out_of_reach } kind;
  double x, gap;
};

class RodGap {
 public:
  RodGap(const Segment& rod, const Frustum& frustum, const Approach& approach);

  /// Whether no part of the segment can be within reach: a quick no. Nothing else may be asked
  /// then.
  bool is_far() const { return far_; }

  /// Lows and highs in turn, from one end to the other. Ends count as lows, if the gap grows from
  /// there; parts out of reach are only named between lows.
  using Turns = InlineList<GapTurn, 24>;
  void find_turns(Turns& turns) const;

  double begin() const { return 0.0; }
  double end() const { return end_; }
  Vec3 at(double x) const { return from_ + x * along_; }
  /// From the axis.
  double rho(double x) const { return std::sqrt(rho_squared(x)); }

  struct Sample {
    double gap, slope;
  };
  /// The gap at x and how it changes along the segment.
  Sample sample(double x) const;

  /// Between `low`, within reach, and `bound`, not within reach: where the gap is the reach.
  double edge_between(double low, double bound) const;

  /// Foot on the mantle, and the slope of the gap when the point at x is moved; close to the axis
  /// the radial part of both fades.
  Vec3 foot(double x) const;
  Vec3 normal(double x) const;

  /// Whether the segment and the mantle have a point in common.
  bool goes_through() const;
  /// The side to remember from now on; 0 until now at the start.
  double next_side() const;

 private:
  enum Part { bottom_rim, mantle, top_rim };
  struct Stretch {
    Part part;
    double from, to;
    double side;             ///< over the mantle
    double lowest, highest;  ///< height over the front, over the mantle
  };

  double rho_squared(double x) const {
    return std::max(from_squared_ + x * (2.0 * alpha_ + beta_ * x), least_squared_);
  }
  double z(double x) const { return z_from_ + z_slope_ * x; }
  double nearest_to_axis(double from, double to) const;
  double height(double x) const {
    return front_.x() * (rho(x) - frustum_.bottom_radius) + front_.y() * z(x);
  }
  double height_slope(double x) const {
    return front_.x() * (alpha_ + beta_ * x) / rho(x) + front_.y() * z_slope_;
  }
  /// Along the mantle from its bottom.
  double along_mantle(double x) const;
  Part part_at(double x) const;
  double side_at(double x) const;
  /// Where radial * rho + axial * z turns, if it does.
  bool turn_of(double radial, double axial, double& x) const;
  bool cannot_reach() const;
  void divide();
  using Roots = InlineList<double, 2>;
  /// Where radial * rho(x) + linear * x = right.
  Roots solve(double radial, double linear, double right) const;
  double rim_edge(Part rim, double low, double bound) const;
  using Marks = InlineList<double, 6>;
  void add_crossings(double level, Marks& marks) const;
  void choose_side(Stretch& stretch) const;
  bool out_of_reach(const Stretch& stretch) const;
  /// Half the slope of the squared distance from a rim.
  double rim_slope(Part rim, double x) const;
  /// Where the slope between low and high is 0; `rises` is 1, or -1 if it falls.
  double find_rim_turn(Part rim, double low, double high, double rises) const;
  void add_rim_turns(const Stretch& stretch, double slope_from, double slope_to,
                     Turns& turns) const;
  double most_over_mantle() const;
  double radius_of(Part rim) const {
    return rim == bottom_rim ? frustum_.bottom_radius : frustum_.top_radius;
  }
  double z_of(Part rim) const { return rim == bottom_rim ? 0.0 : frustum_.height; }

  const Frustum& frustum_;
  double reach_, side_;
  double largest_radius_;
  Vec3 from_, along_;                   ///< first end, direction of length 1
  double end_;                          ///< length of the segment
  double from_squared_, alpha_, beta_;  ///< rho^2 = from_squared + 2 alpha x + beta x^2
  double c_squared_, least_squared_;    ///< least rho^2 of the whole line; least that is used
  double z_from_, z_slope_;
  Vec2 up_, front_;  ///< along the mantle and to its front, (radial, axial)
  double length_;    ///< of the mantle
  bool far_;
  InlineList<Stretch, 5> stretches_;
};

}  // namespace grouser
