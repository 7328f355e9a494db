// The simplex of GJK: up to four points of a body and the point of their hull next to the origin.
#pragma once

#include <array>

#include "grouser/shape/convex_support.h"

namespace grouser::convex {

struct Simplex {
  int count = 0;
  Vec3 nearest = Vec3::Zero();

  /// Point i of those in use, and its share in the nearest point; shares add up to 1.
  const DifferencePoint& point(int i) const { return points_[order_[static_cast<std::size_t>(i)]]; }
  double weight(int i) const { return weights_[static_cast<std::size_t>(i)]; }
  const Vec3& q(int i) const { return point(i).q; }

  void add(const DifferencePoint& point) {
    points_[order_[static_cast<std::size_t>(count++)]] = point;
  }
  bool has(const Vec3& q) const {
    for (int i = 0; i < count; ++i)
      if (point(i).q == q) return true;
    return false;
  }
  /// Of four points: far from lying in one plane.
  bool is_thick() const;
  /// Finds the nearest point and drops the points it does not need. True if four points hold the
  /// origin between them: then nothing is dropped.
  bool reduce();

 private:
  std::array<DifferencePoint, 4> points_;
  std::array<double, 4> weights_;
  std::array<std::size_t, 4> order_ = {0, 1, 2, 3};  // places in use first
};

}  // namespace grouser::convex
