// Analytic elements and the places where two of them are near: a point or a segment on one side; a
// point, segment, disc, polygon, polyline, spline or frustum on the other. Radii are added by
// whoever asks: a sphere is a point with a radius, a rod is a segment with one.
//
// Element a is given in the frame of element b.
//
// Plates (disc, polygon, the mantle of a frustum) have two sides, and which one a touches is
// remembered by whoever asks: +1 in front, -1 behind. Within the outline the gap is the height over
// that side, negative once a has gone through, so that it is pushed back where it came from. Beside
// the outline it is the distance from the rim. Behind the plate and not more than half the reach
// beside it, at the lip, the gap goes over smoothly from one to the other.
//
// Where the direction of a distance vanishes (centres that coincide, a centre on a line, the axis
// of a frustum) a distance below 1e-3 of the reach, or of the radius, is smoothed: its slope falls
// to zero. Elsewhere gaps are exact.
#pragma once

#include <cmath>

#include "grouser/math/types.h"
#include "grouser/shape/polygon.h"
#include "grouser/shape/polyline.h"
#include "grouser/shape/spline.h"
#include "grouser/shape/witness_pairs.h"

namespace grouser {

struct Segment {
  Vec3 from, to;
};

/// In the plane z = 0 about the origin; its front is +z. An annulus if it has an inner radius.
struct Disc {
  double radius;
  double inner_radius = 0.0;
};

/// The mantle around the z axis, from z = 0 to z = height, without lids. Its front is the outside.
struct Frustum {
  Frustum(double at_bottom, double at_top, double tall)
      : bottom_radius(at_bottom),
        top_radius(at_top),
        height(tall),
        length(std::hypot(at_top - at_bottom, tall)),
        up(Vec2(at_top - at_bottom, tall) / length) {}

  double bottom_radius, top_radius;
  double height;
  // What follows from them, since every question begins with it: of the straight line that the
  // mantle is in the half plane of (radius, z).
  double length;
  Vec2 up;  ///< along it, of length 1
};

/// Throw InputError, without a place, for what is no element: numbers that are not finite, no
/// length, no radius, an inner radius that is not below the outer one.
void require_usable(const Segment& segment);
void require_usable(const Disc& disc);
void require_usable(const Frustum& frustum);

/// What is asked about a pair.
struct Approach {
  double reach;       ///< sum of the radii [m]; places with a larger gap have no force
  double side = 1.0;  ///< of a plate: +1 in front, -1 behind. Others do not look at it.
};

// Replace `places` by all places of the pair. Nothing is allocated.
void find_near(const Vec3& a, const Vec3& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Segment& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Disc& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Polygon& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Polyline& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Spline& b, const Approach& approach, WitnessPairs& places);
void find_near(const Vec3& a, const Frustum& b, const Approach& approach, WitnessPairs& places);
void find_near(const Segment& a, const Frustum& b, const Approach& approach, WitnessPairs& places);

/// The side to remember from now on, given the one until now (0 at the start: the side on which a
/// is). It only changes where a touches neither side, or where both give the same gap, so the force
/// does not notice.
double next_side(const Vec3& a, const Disc& b, const Approach& approach);
double next_side(const Vec3& a, const Polygon& b, const Approach& approach);
double next_side(const Vec3& a, const Frustum& b, const Approach& approach);
double next_side(const Segment& a, const Frustum& b, const Approach& approach);

/// Two segments span a plate too: which of them is on which side is remembered as a direction from
/// b to a (any length but 0).
struct SegmentApproach {
  double reach;  ///< sum of the radii [m]
  Vec3 side;     ///< from b to a
};
void find_near(const Segment& a, const Segment& b, const SegmentApproach& approach,
               WitnessPairs& places);
/// As for plates; a direction of length 0 until now means the start. Its length is 1.
Vec3 next_side(const Segment& a, const Segment& b, const SegmentApproach& approach);

// The distance between the elements as they are, whatever is remembered [m].
double distance_between(const Vec3& a, const Vec3& b);
double distance_between(const Vec3& a, const Segment& b);
double distance_between(const Vec3& a, const Disc& b);
double distance_between(const Vec3& a, const Polygon& b);
double distance_between(const Vec3& a, const Polyline& b);
double distance_between(const Vec3& a, const Spline& b);
double distance_between(const Vec3& a, const Frustum& b);
double distance_between(const Segment& a, const Segment& b);
double distance_between(const Segment& a, const Frustum& b);

}  // namespace grouser
