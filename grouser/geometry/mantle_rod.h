// A segment of which all that is within reach of a frustum lies over the mantle: the usual case,
// for which everything has a closed form. Inside the geometry room only.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "grouser/geometry/element_gap.h"
#include "grouser/geometry/elements.h"

namespace grouser {

/// A low of the gap and the part of the segment that it stands for.
struct RodCell {
  double x, gap;
  double from, to;  ///< up to the high next to it, or to where the segment comes within reach
  double high_gap;  ///< of the high at `to`; at least the reach if there is none
};

/// All lows within reach, in turn.
struct RodCells {
  std::array<RodCell, 12> all;
  std::size_t count = 0;
};

/// The point at x, from 0 to 1, of a segment on one side of the mantle.
class MantleRod {
 public:
  MantleRod(const Segment& rod, const Frustum& frustum)
      : frustum_(frustum), from_(rod.from), way_(rod.to - rod.from) {
    from_squared_ = from_.head<2>().squaredNorm();
    alpha_ = from_.head<2>().dot(way_.head<2>());
    beta_ = way_.head<2>().squaredNorm();
    up_ = frustum.up;
    length_ = frustum.length;
  }

  /// Fills in the cells and says true, or says false: then somebody else has to look.
  bool find_cells(const Approach& approach, RodCells& cells) const;

  Vec3 at(double x) const { return from_ + x * way_; }
  Vec3 foot(double x) const {
    const Vec3 p = at(x);
    const double r = rho(x), t = along_mantle(r, p.z());
    const double scale = (frustum_.bottom_radius + t * up_.x()) / r;
    return {scale * p.x(), scale * p.y(), t * up_.y()};
  }
  Vec3 normal(double x, double side) const {
    const Vec3 p = at(x);
    const double scale = side * up_.y() / rho(x);
    return {scale * p.x(), scale * p.y(), -side * up_.x()};
  }

 private:
  double rho(double x) const { return std::sqrt(from_squared_ + x * (2.0 * alpha_ + beta_ * x)); }
  double z(double x) const { return from_.z() + x * way_.z(); }
  double along_mantle(double r, double height) const {
    return up_.x() * (r - frustum_.bottom_radius) + up_.y() * height;
  }
  double over_mantle(double r, double height) const {
    return up_.y() * (r - frustum_.bottom_radius) - up_.x() * height;
  }
  bool is_over_mantle(double one, double other, double c_squared, double nearest) const;
  struct Edges {
    double before = -std::numeric_limits<double>::infinity();
    double after = std::numeric_limits<double>::infinity();
  };
  Edges find_edges(double height, double low) const;

  const Frustum& frustum_;
  Vec3 from_, way_;
  double from_squared_, alpha_, beta_;  ///< rho^2 = from_squared + 2 alpha x + beta x^2
  Vec2 up_;                             ///< along the mantle, (radial, axial)
  double length_;                       ///< of the mantle
};

}  // namespace grouser
