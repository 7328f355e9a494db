// A point near a polygon: over its face, or beside it and then near edges and corners.
#include <cmath>
#include <limits>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/elements.h"

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

/// One of two edges at the corner of a notch, seen from that corner.
struct NotchEdge {
  double inside, far;  ///< how far the foot is from the corner and from the other end
  double outside, length;
};

/// The share of an edge at such a corner, which is `distance` away. Deep in a sharp notch both
/// edges touch. Where the nearer one is about to be crossed, to the face of the plate, it has all.
double notch_share(const NotchEdge& own, const NotchEdge& other, double distance) {
  const double share = corner_share(own.inside, other.inside, distance, own.length);
  if (other.far <= 0.0 || own.outside >= other.outside) return share;
  const double crossing = 1.0 - smooth_step(2.0 * own.outside / other.outside);
  return share + (1.0 - share) * crossing * smooth_step(4.0 * other.far / other.length);
}

/// The places of the rim that face the point and are within reach. Not initialised.
struct Rim {
  std::array<RimPlace, WitnessPairs::kMost> places;
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
    const PlateGap found = plate_gap(height, beside, lip_width(approach.reach));
    if (found.gap < approach.reach && rim.count < rim.places.size()) {
      rim.places[rim.count++] = {away, beside, share, found};
    }
  };
  const auto distance = [&](const Vec2& from) {
    return std::sqrt(from.squaredNorm() + squared_height);
  };
  std::size_t i_before = count - 1;
  BesideEdge before = beside_edge(point.at, edges[i_before]);
  BesideEdge now = beside_edge(point.at, edges[0]);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t i_next = i + 1 < count ? i + 1 : 0;
    const BesideEdge next = beside_edge(point.at, edges[i_next]);
    const double from_corner = now.from.norm();
    if (from_corner <= 1e-13 * edges[i].length) {
      rim.faces = false;
      return;
    }
    if (now.past_begin <= 0.0) {
      if (before.past_end <= 0.0 && !edges[i].notch) add(now.from / from_corner, from_corner, 1.0);
    } else if (now.past_end > 0.0 && now.outside > 0.0) {
      double share = 1.0;
      const double length = edges[i].length;
      if (edges[i].notch && before.past_end > 0.0) {
        share *= notch_share(
            {now.past_begin, now.past_end, now.outside, length},
            {before.past_end, before.past_begin, before.outside, edges[i_before].length},
            distance(now.from));
      }
      if (edges[i_next].notch && next.past_begin > 0.0) {
        share *= notch_share({now.past_end, now.past_begin, now.outside, length},
                             {next.past_begin, next.past_end, next.outside, edges[i_next].length},
                             distance(next.from));
      }
      const Vec2& tangent = edges[i].tangent;
      add({tangent.y(), -tangent.x()}, now.outside, share);
    }
    i_before = i;
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

void find_near(const Vec3& a, const Polygon& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  const OverPlane point = over_plane(a, b);
  const double height = approach.side * point.height;
  if (height >= approach.reach) return;
  const Vec3 front = approach.side * b.normal();

  const auto add = [&](const PlateGap& found, const Vec2& away, double beside, double share) {
    const Vec3 sideways = away.x() * b.along() + away.y() * b.across();
    WitnessPair& place = places.add();
    place.on_a = a;
    place.on_b = a - point.height * b.normal() - beside * sideways;
    place.normal = found.by_height * front + found.by_beside * sideways;
    place.gap = found.gap;
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
