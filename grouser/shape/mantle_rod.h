// A segment of which all that is within reach of a frustum lies over the mantle: the usual case,
// for which everything has a closed form. Inside the geometry room only.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/rod_line.h"

namespace grouser {

/// A segment on one side of the mantle.
class MantleRod {
 public:
  MantleRod(const RodLine& line, const Frustum& frustum)
      : line_(line), frustum_(frustum), up_(frustum.up) {}

  /// Fills in the cells and says true, or says false: then somebody else has to look.
  bool find_cells(const Approach& approach, RodCells& cells) const;

  Vec3 at(double x) const { return line_.at(x); }
  double rho(double x) const { return line_.rho(x); }
  Vec3 foot(double x) const {
    const Vec3 p = line_.at(x);
    const double r = line_.rho(x), t = along_mantle({x, r});
    const double scale = (frustum_.bottom_radius + t * up_.x()) / r;
    return {scale * p.x(), scale * p.y(), t * up_.y()};
  }
  Vec3 normal(const RodSpot& spot, double side) const {
    const double scale = side * up_.y() / spot.rho;
    return {scale * (line_.from.x() + spot.x * line_.way.x()),
            scale * (line_.from.y() + spot.x * line_.way.y()), -side * up_.x()};
  }

  /// From the bottom, of the foot.
  double along_mantle(const RodSpot& spot) const {
    return up_.x() * (spot.rho - frustum_.bottom_radius) + up_.y() * line_.z(spot.x);
  }
  /// Height over the front of the mantle, drawn out beyond its rims.
  double over_mantle(const RodSpot& spot) const {
    return up_.y() * (spot.rho - frustum_.bottom_radius) - up_.x() * line_.z(spot.x);
  }
  /// Whether all between two points, in turn, has its feet on the mantle.
  bool is_over_mantle(const RodSpot& one, const RodSpot& other) const;

  /// The last point before or at some x, and the first after it; infinite if there is none.
  struct Edges {
    RodSpot before{-std::numeric_limits<double>::infinity(), 0.0};
    RodSpot after{std::numeric_limits<double>::infinity(), 0.0};
  };
  /// Where the height over the mantle is `height`.
  Edges find_edges(double height, double x) const {
    return find_where(up_.y(), -up_.x(), height, x);
  }
  /// Where the foot is `t` along the mantle.
  Edges find_crossings(double t, double x) const { return find_where(up_.x(), up_.y(), t, x); }

 private:
  /// Where radial (rho - bottom radius) + axial z = level.
  Edges find_where(double radial, double axial, double level, double x) const;
  bool find_convex(const RodSpot& low, double gap, double gap_from, double gap_to, double reach,
                   RodCells& cells) const;

  const RodLine& line_;
  const Frustum& frustum_;
  Vec2 up_;  ///< along the mantle, (radial, axial)
};

inline bool MantleRod::is_over_mantle(const RodSpot& one, const RodSpot& other) const {
  const double t_one = along_mantle(one), t_other = along_mantle(other);
  if (std::min(t_one, t_other) < 0.0 || std::max(t_one, t_other) > frustum_.length) return false;
  if (up_.x() == 0.0) return true;
  // Between the ends the way along the mantle may go beyond, as rho goes down: below the bottom of
  // a funnel, or above the top of a cone.
  const bool turns = line_.nearest > one.x && line_.nearest < other.x;
  const double least_rho = std::min(one.rho, other.rho);
  const double least = turns ? line_.c_squared : least_rho * least_rho;
  const double edge = up_.x() * frustum_.bottom_radius;
  const double z_one = line_.z(one.x), z_other = line_.z(other.x);
  const double needed = up_.x() > 0.0 ? edge - up_.y() * std::min(z_one, z_other)
                                      : up_.y() * std::max(z_one, z_other) - edge - frustum_.length;
  return needed <= 0.0 || up_.x() * up_.x() * least >= needed * needed;
}

inline MantleRod::Edges MantleRod::find_where(double radial, double axial, double level,
                                              double at) const {
  Edges out;
  const auto add = [&](double x, double rho) {
    if (x <= at && x > out.before.x) out.before = {x, rho};
    if (x >= at && x < out.after.x) out.after = {x, rho};
  };
  // radial rho = right + linear x
  const double right = level + radial * frustum_.bottom_radius - axial * line_.from.z();
  const double linear = -axial * line_.way.z();
  if (radial == 0.0) {
    if (const double x = -right / linear; std::isfinite(x)) add(x, line_.rho(x));
    return out;
  }
  const double squared = radial * radial, a = squared * line_.beta - linear * linear;
  const double b = squared * line_.alpha - right * linear;
  const double c = squared * line_.from_squared - right * right;
  const double root = b * b - a * c;
  if (!(root >= 0.0)) return out;
  const double q = -(b + std::copysign(std::sqrt(root), b)), per_radial = 1.0 / radial;
  for (const double x : {q / a, c / q}) {
    const double rho = (right + linear * x) * per_radial;
    if (rho >= 0.0) add(x, rho);  // neither negative nor not a number
  }
  return out;
}

}  // namespace grouser
