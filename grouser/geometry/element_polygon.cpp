// A point near a polygon: over its face, or beside it and then near edges and corners.
#include <cmath>
#include <limits>

#include "grouser/geometry/element_gap.h"
#include "grouser/geometry/elements.h"

namespace grouser {

namespace {

/// A point in the frame of the plane.
struct OverPlane {
  Vec2 at;
  double height;  ///< over the front
};

OverPlane over_plane(const Vec3& p, const Polygon& polygon) {
  const Vec3 from_corner = p - polygon.points()[0];
  return {{from_corner.dot(polygon.along()), from_corner.dot(polygon.across())},
          from_corner.dot(polygon.normal())};
}

/// How far a point of the plane is from an edge and its ends.
struct BesideEdge {
  Vec2 from;          ///< from the first corner to the point
  double past_begin;  ///< along the edge
  double past_end;    ///< the same from the other end
  double outside;     ///< across the edge, negative on the inner side
};

BesideEdge beside_edge(const Vec2& at, const Polygon::Edge& edge) {
  const Vec2 from = at - edge.from;
  const double t = from.dot(edge.tangent);
  return {from, t, edge.length - t, from.x() * edge.tangent.y() - from.y() * edge.tangent.x()};
}

/// A place at the rim while it is looked for.
struct RimPlace {
  Vec2 away;  ///< of length 1, from the rim to the point
  double beside, share;
  PlateGap found;
};

/// At a corner in whose notch the point is: the share of the edge with `own`. Deep in a sharp notch
/// both edges touch; over the face of the plate there is one contact only, so the farther edge
/// fades as the nearer one is crossed.
double notch_share(double own, double other, double distance, double own_beside,
                   double other_beside) {
  const double share = corner_share(own, other, distance);
  const double fading =
      smooth_step(2.0 * std::min(own_beside, other_beside) / std::max(own_beside, other_beside));
  return own_beside <= other_beside ? 1.0 - (1.0 - share) * fading : share * fading;
}

/// The places of the rim that face the point and are within reach. Not initialised.
struct Rim {
  std::array<RimPlace, NearPlaces::kMost> places;
  std::size_t count;
  bool faces;  ///< whether any part of it faces the point; not if it is on the outline to rounding
};

void find_rim(const Polygon& polygon, const OverPlane& point, const Approach& approach, Rim& rim) {
  const std::vector<Polygon::Edge>& edges = polygon.edges();
  const std::size_t count = edges.size();
  const double height = approach.side * point.height, squared_height = height * height;
  rim.count = 0;
  rim.faces = false;
  const auto add = [&](const Vec2& away, double beside, double share) {
    rim.faces = true;
    const PlateGap found = plate_gap(height, beside);
    if (found.gap < approach.reach && rim.count < rim.places.size()) {
      rim.places[rim.count++] = {away, beside, share, found};
    }
  };
  BesideEdge before = beside_edge(point.at, edges[count - 1]);
  BesideEdge now = beside_edge(point.at, edges[0]);
  for (std::size_t i = 0; i < count; ++i) {
    const BesideEdge next = beside_edge(point.at, edges[i + 1 < count ? i + 1 : 0]);
    const double from_corner = now.from.norm();
    if (from_corner <= 1e-13 * edges[i].length) {
      rim.faces = false;
      return;
    }
    if (now.past_begin <= 0.0) {
      if (before.past_end <= 0.0) add(now.from / from_corner, from_corner, 1.0);
    } else if (now.past_end > 0.0 && now.outside > 0.0) {
      double share = 1.0;
      if (before.past_end > 0.0 && before.outside > 0.0) {
        const double distance = std::sqrt(now.from.squaredNorm() + squared_height);
        share *=
            notch_share(now.past_begin, before.past_end, distance, now.outside, before.outside);
      }
      if (next.past_begin > 0.0 && next.outside > 0.0) {
        const double distance = std::sqrt(next.from.squaredNorm() + squared_height);
        share *= notch_share(now.past_end, next.past_begin, distance, now.outside, next.outside);
      }
      const Vec2& tangent = edges[i].tangent;
      add({tangent.y(), -tangent.x()}, now.outside, share);
    }
    before = now;
    now = next;
  }
}

double beside_rim(const Polygon& polygon, const Vec2& at) {
  if (polygon.contains(at)) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const Polygon::Edge& edge : polygon.edges()) {
    const double t = std::clamp((at - edge.from).dot(edge.tangent), 0.0, edge.length);
    least = std::min(least, (at - edge.from - t * edge.tangent).squaredNorm());
  }
  return std::sqrt(least);
}

}  // namespace

void find_near(const Vec3& a, const Polygon& b, const Approach& approach, NearPlaces& places) {
  places.clear();
  const OverPlane point = over_plane(a, b);
  const double height = approach.side * point.height;
  if (height >= approach.reach) return;
  const Vec3 front = approach.side * b.normal();

  const auto add = [&](const PlateGap& found, const Vec2& away, double beside, double share) {
    const Vec3 sideways = away.x() * b.along() + away.y() * b.across();
    NearPlace& place = places.add();
    place.on_a = a;
    place.on_b = a - point.height * b.normal() - beside * sideways;
    place.normal = found.by_height * front + found.by_beside * sideways;
    place.gap = found.gap;
    place.base_gap = std::numeric_limits<double>::infinity();
    place.share = share;
  };

  Rim rim;
  const bool inside = b.contains(point.at);
  if (!inside) find_rim(b, point, approach, rim);
  if (inside || !rim.faces) return add({height, 1.0, 0.0}, Vec2::Zero(), 0.0, 1.0);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rim.count; ++i) least = std::min(least, rim.places[i].beside);
  for (std::size_t i = 0; i < rim.count; ++i) {
    // Others than the nearest fade as the point goes over the face, which is alone then.
    const RimPlace& place = rim.places[i];
    const double share = place.share * smooth_step(2.0 * least / place.beside);
    if (share > 0.0) add(place.found, place.away, place.beside, share);
  }
}

double distance_between(const Vec3& a, const Polygon& b) {
  const OverPlane point = over_plane(a, b);
  return std::hypot(point.height, beside_rim(b, point.at));
}

double next_side(const Vec3& a, const Polygon& b, const Approach& approach) {
  const OverPlane point = over_plane(a, b);
  return next_plate_side(point.height, beside_rim(b, point.at), approach.side, approach.reach);
}

}  // namespace grouser
