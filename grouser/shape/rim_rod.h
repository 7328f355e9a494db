// A segment that lies on one rim of a frustum, at one point or at two: a rod across a glass, or one
// that leans in it. Inside the geometry room only.
//
// Seen from the rim, out = rho - R and up (away from the mantle, along the axis) say where a point
// of the segment is. Beyond the rim the gap is d = |(out, up)|, whose slope
//
//   d d' = beta y (1 - R / rho) + up' up,   rho^2 = c^2 + beta y^2
//
// with y = x - x where the line is nearest to the axis, is zero at most at two lows, one where the
// line comes in over the rim (y < 0) and one where it goes out again (y > 0), with a high between
// them. Newton's method finds both at once, in two lanes, from where the line crosses the cylinder
// over the rim.
//
// That nothing else is within reach follows from a few heights: rho is a convex function of x, and
// with it the height over the mantle, drawn out beyond its rims. What cannot be shown in this way
// is left to others.
#pragma once

#include "grouser/shape/mantle_rod.h"

namespace grouser {

class RimRod {
 public:
  enum Rim { bottom, top };
  RimRod(const RodLine& line, const Frustum& frustum, const MantleRod& over, Rim rim,
         const Approach& approach);

  /// Adds the places and says true, or says false: then somebody else has to look.
  bool find_places(WitnessPairs& places) const;

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
    Two y, rho;
  };
  struct Lows {
    Spots at;
    Two gap_squared;
    Two per_stiff, third, fourth;  ///< d^2 - gap^2 = (1 + third y + fourth y^2) y^2 / per_stiff
    Two usable;  ///< positive if a low touches where nothing else is to be thought of
    bool found[2];
    bool touch[2];  ///< within the segment and within reach
  };
  void find_lows(Lows& lows) const;
  bool sort_lows(Lows& lows) const;
  /// Where d is the reach: at `even` - `odd` and `even` + `odd`, about `half` from the low.
  struct Start {
    Two even, odd, half;
  };
  Start start_edges(const Lows& lows) const;
  bool improve(Spots& edges, const Two& half) const;

  /// Both lows touch, only low k, or none.
  bool find_pair(const Lows& lows, WitnessPairs& places) const;
  bool find_any_pair(const Lows& lows, const Spots& outer, const Spots& inner,
                     WitnessPairs& places) const;
  bool find_single(const Lows& lows, int k, WitnessPairs& places) const;
  bool find_end(const Lows& lows, int k, WitnessPairs& places) const;
  /// Whether all around two lows is beyond the rim, and all else clear.
  bool is_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner) const;
  void add_plain_pair(const Lows& lows, const Spots& outer, const Spots& inner,
                      WitnessPairs& places) const;
  /// Of a low that has nothing in common with another.
  void add_place(const RodCell& cell, WitnessPairs& places) const {
    const double middle = 0.5 * (cell.from + cell.to);
    WitnessPair& place = places.add();
    place.on_a = at(middle);
    place.on_b = foot(middle);
    place.normal = normal(cell);
    place.gap = cell.gap;
    place.share = 1.0;
  }
  RodSpot spot(const Spots& spots, int k) const {
    return {line_.nearest + spots.y[k], spots.rho[k]};
  }

  /// From a low to where it is out of reach, or to the end of the segment; `edge` is where it would
  /// be if all were beyond the rim.
  bool find_edge(const RodSpot& low, double direction, RodSpot& edge) const;
  bool find_mantle_edge(const RodSpot& low, double direction, RodSpot& edge) const;
  bool comes_over_far(const RodSpot& low, double direction, double side) const;
  /// Whether all from an edge to the end of the segment is out of reach, but for a low at that end.
  bool is_clear_outward(const RodSpot& edge, double direction) const;
  bool is_clear_inward(const RodSpot& edge, double direction, bool has_other, double other,
                       RodCell& end_cell) const;
  bool is_clear_between(const RodSpot& one, const RodSpot& other) const;
  bool rises_clear(const RodSpot& edge, double direction) const;
  bool stays_beyond(const RodSpot& edge, double direction) const;
  bool find_end_low(const RodSpot& edge, double direction, RodCell& cell) const;

  double up(double x) const { return up_from_ + up_slope_ * x; }
  double u(double x) const { return line_.alpha + line_.beta * x; }
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
  double up_nearest_;             ///< up = up_nearest + up_slope y
  double smoothed_;               ///< distance from the axis below which directions fade
};

/// Adds the places of a segment on one of the rims and says true, or says false.
bool find_near_rim(const RodLine& line, const Frustum& frustum, const MantleRod& over,
                   const Approach& approach, WitnessPairs& places);

}  // namespace grouser
