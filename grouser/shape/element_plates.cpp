// A point near a disc or the mantle of a frustum: plates whose outline is around an axis.
#include <cmath>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/elements.h"

namespace grouser {

namespace {

/// A point as seen from the axis z. Close to the axis the radius is smoothed, and the direction,
/// of length `slope`, vanishes with it.
struct AroundAxis {
  double radius, height;
  Vec2 outward;
};

AroundAxis around_axis(const Vec3& p, double smoothed_radius) {
  const double r = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const auto [radius, slope] = smooth_distance(r, smoothed_radius);
  return {radius, p.z(), r > 0.0 ? Vec2((slope / r) * p.head<2>()) : Vec2::Zero()};
}

/// A point over or beside a straight profile that is turned around the axis.
struct OverProfile {
  double height;  ///< over the front
  double beside;  ///< outside the outline, 0 within
  Vec2 front;     ///< (radial, axial) of length 1
  Vec2 away;      ///< from the outline, where outside
  Vec2 foot;      ///< nearest point of the profile
};

OverProfile over_profile(const Disc& disc, double radius, double z) {
  if (radius > disc.radius) {
    return {z, radius - disc.radius, {0.0, 1.0}, {1.0, 0.0}, {disc.radius, 0.0}};
  }
  if (radius < disc.inner_radius) {
    return {z, disc.inner_radius - radius, {0.0, 1.0}, {-1.0, 0.0}, {disc.inner_radius, 0.0}};
  }
  return {z, 0.0, {0.0, 1.0}, {0.0, 0.0}, {radius, 0.0}};
}

OverProfile over_profile(const Frustum& frustum, double radius, double z) {
  const Vec2 bottom(frustum.bottom_radius, 0.0), top(frustum.top_radius, frustum.height);
  const double length = frustum.length;
  const Vec2 along = frustum.up, front(along.y(), -along.x());
  const Vec2 from_bottom = Vec2(radius, z) - bottom;
  const double height = from_bottom.dot(front), t = from_bottom.dot(along);
  if (t < 0.0) return {height, -t, front, -along, bottom};
  if (t > length) return {height, t - length, front, along, top};
  return {height, 0.0, front, {0.0, 0.0}, bottom + t * along};
}

// A disc without a hole has nothing special at its axis.
double smoothed_radius(const Disc& disc) {
  return kSmoothedShare * disc.inner_radius;
}
double smoothed_radius(const Frustum& frustum) {
  return kSmoothedShare * std::max(frustum.bottom_radius, frustum.top_radius);
}

template <class Plate>
void find_near_plate(const Vec3& a, const Plate& b, const Approach& approach,
                     WitnessPairs& places) {
  places.clear();
  const AroundAxis at = around_axis(a, smoothed_radius(b));
  const OverProfile over = over_profile(b, at.radius, at.height);
  const double height = approach.side * over.height;
  if (height >= approach.reach) return;
  const PlateGap found = plate_gap(height, over.beside, lip_width(approach.reach));
  if (found.gap >= approach.reach) return;

  const Vec2 slope = (found.by_height * approach.side) * over.front + found.by_beside * over.away;
  WitnessPair& place = places.add();
  place.on_a = a;
  // On the axis there is no direction of the foot: it goes through the axis.
  place.on_b << over.foot.x() * at.outward, over.foot.y();
  place.normal << slope.x() * at.outward, slope.y();
  place.gap = found.gap;
  place.share = 1.0;
}

template <class Plate>
OverProfile exactly_over(const Vec3& a, const Plate& b) {
  return over_profile(b, a.head<2>().norm(), a.z());
}

template <class Plate>
double plate_distance(const Vec3& a, const Plate& b) {
  const OverProfile over = exactly_over(a, b);
  return std::hypot(over.height, over.beside);
}

template <class Plate>
double next_side_of_plate(const Vec3& a, const Plate& b, const Approach& approach) {
  const AroundAxis at = around_axis(a, smoothed_radius(b));
  const OverProfile over = over_profile(b, at.radius, at.height);
  return next_plate_side(over.height, over.beside, approach.side, approach.reach);
}

}  // namespace

void find_near(const Vec3& a, const Disc& b, const Approach& approach, WitnessPairs& places) {
  find_near_plate(a, b, approach, places);
}

void find_near(const Vec3& a, const Frustum& b, const Approach& approach, WitnessPairs& places) {
  find_near_plate(a, b, approach, places);
}

double distance_between(const Vec3& a, const Disc& b) {
  return plate_distance(a, b);
}

double distance_between(const Vec3& a, const Frustum& b) {
  return plate_distance(a, b);
}

double next_side(const Vec3& a, const Disc& b, const Approach& approach) {
  return next_side_of_plate(a, b, approach);
}

double next_side(const Vec3& a, const Frustum& b, const Approach& approach) {
  return next_side_of_plate(a, b, approach);
}

}  // namespace grouser
