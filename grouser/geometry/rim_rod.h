// A segment that lies on one rim of a frustum, at one point or at two: a rod across a glass, or one
// that leans in it. Inside the geometry room only.
//
// Seen from the rim, out = rho - R and up (away from the mantle, along the axis) say where a point
// of the segment is. Beyond the rim the gap is d = |(out, up)|, whose slope
//
//   d d' = u (1 - R / rho) + up' up,   u = rho rho' = alpha + beta x
//
// is zero at most at two lows, one where the line comes in over the rim (u < 0) and one where it
// goes out again (u > 0), with a high between them. Newton's method finds both at once, in two
// lanes, from where the line crosses the cylinder over the rim.
//
// That nothing else is within reach follows from a few heights: rho is a convex function of x, and
// with it the height over the mantle, drawn out beyond its rims. What cannot be shown in this way
// is left to others.
#pragma once

#include "grouser/geometry/mantle_rod.h"

namespace grouser {

class RimRod {
 public:
  enum Rim { bottom, top };
  RimRod(const RodLine& line, const Frustum& frustum, const MantleRod& over, Rim rim,
         const Approach& approach);

  /// Fills in the cells and says true, or says false: then somebody else has to look.
  bool find_cells(RodCells& cells) const;

  Vec3 at(double x) const { return line_.at(x); }
  double rho(double x) const { return line_.rho(x); }
  Vec3 foot(double x) const {
    const RodSpot spot{x, line_.rho(x)};
    const double t = std::clamp(beyond(spot), -frustum_.length, 0.0);
    const double scale = (radius_ + t * along_.x()) / std::max(spot.rho, smoothed_);
    return {scale * (line_.from.x() + x * line_.way.x()),
            scale * (line_.from.y() + x * line_.way.y()), z_rim_ + sign_ * t * along_.y()};
  }
  Vec3 normal(const RodCell& cell) const {
    const RodSpot spot{cell.x, cell.rho};
    if (beyond(spot) < 0.0) return over_.normal(spot, side_);
    const double per_gap = 1.0 / cell.gap, scale = (cell.rho - radius_) * per_gap / cell.rho;
    return {scale * (line_.from.x() + cell.x * line_.way.x()),
            scale * (line_.from.y() + cell.x * line_.way.y()), sign_ * up(cell.x) * per_gap};
  }

 private:
  /// One value for each low: that where the line comes in, and that where it goes out.
  using Two = Eigen::Array2d;
  struct Spots {
    Two x, rho;
    RodSpot operator[](int k) const { return {x[k], rho[k]}; }
  };
  struct Lows {
    Spots at;
    Two gap_squared;
    Two per_stiff, third, fourth;  ///< d^2 - gap^2 = (1 + third y + fourth y^2) y^2 / per_stiff
    bool found[2];
    bool touch[2];  ///< within the segment and within reach
  };
  bool find_lows(Lows& lows) const;
  /// Where d is the reach, outwards and inwards of each low that touches.
  bool find_rim_edges(const Lows& lows, Spots& outer, Spots& inner) const;
  bool improve_edges(const Lows& lows, const Two& half, Spots& edges) const;
  /// Whether all around the lows is beyond the rim, and all else clear: the usual case of two.
  bool is_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner) const;
  bool find_edges(const Lows& lows, int k, RodSpot& outer, RodSpot& inner) const;

  /// From a low to where it is out of reach, or to the end of the segment; `edge` is where it would
  /// be if all were beyond the rim.
  bool find_edge(const RodSpot& low, double direction, RodSpot& edge) const;
  bool find_mantle_edge(const RodSpot& low, double direction, RodSpot& edge) const;
  bool comes_over_far(const RodSpot& low, double direction, double side) const;
  /// Whether all from an edge to the end of the segment is out of reach, but for a low at that end.
  bool is_clear_outward(const RodSpot& edge, double direction) const;
  bool is_clear_inward(const RodSpot& edge, double direction, const Lows& lows, int other,
                       RodCell& end_cell) const;
  bool is_clear_between(const RodSpot& one, const RodSpot& other) const;
  bool rises_clear(const RodSpot& edge, double direction) const;
  bool stays_beyond(const RodSpot& edge, double direction) const;
  bool find_end_low(const RodSpot& edge, double direction, RodCell& cell) const;

  // Numbers of one point, or of two at once.
  template <class Number>
  Number up(const Number& x) const {
    return up_from_ + up_slope_ * x;
  }
  template <class Number>
  Number u(const Number& x) const {
    return line_.alpha + line_.beta * x;
  }
  Two rho_squared(const Two& x) const {
    return line_.from_squared + x * (2.0 * line_.alpha + line_.beta * x);
  }
  /// How far the foot is beyond the rim, along the mantle; negative over it.
  double beyond(const RodSpot& s) const {
    return along_.x() * (s.rho - radius_) + along_.y() * up(s.x);
  }
  /// Over the front of the mantle, drawn out beyond its rims.
  double height(const RodSpot& s) const {
    return along_.y() * (s.rho - radius_) - along_.x() * up(s.x);
  }
  double distance_squared(const RodSpot& s) const {
    const double out = s.rho - radius_, over = up(s.x);
    return out * out + over * over;
  }
  // Slopes times rho: only their signs are asked for.
  double distance_slope(const RodSpot& s) const {
    return u(s.x) * (s.rho - radius_) + up_slope_ * up(s.x) * s.rho;
  }
  double beyond_slope(const RodSpot& s) const {
    return along_.x() * u(s.x) + along_.y() * up_slope_ * s.rho;
  }
  double height_slope(const RodSpot& s) const {
    return along_.y() * u(s.x) - along_.x() * up_slope_ * s.rho;
  }
  RodSpot end(double direction) const {
    return direction > 0.0 ? RodSpot{1.0, line_.rho_to} : RodSpot{0.0, line_.rho_from};
  }

  const RodLine& line_;
  const Frustum& frustum_;
  const MantleRod& over_;
  double reach_, side_;
  double radius_, z_rim_, sign_;  ///< of the rim; +1 at the top, -1 at the bottom
  Vec2 along_;                    ///< towards the rim along the mantle, (out, up)
  double up_from_, up_slope_;     ///< up = up_from + up_slope x
  double squared_length_;         ///< of the segment
  double smoothed_;               ///< distance from the axis below which directions fade
};

}  // namespace grouser
