// Depth or distance of any two convex bodies by their support functions: GJK for bodies apart, EPA
// for bodies that overlap, and a polish for curved ones.
//
// GJK: Gilbert, Johnson, Keerthi (1988). EPA: van den Bergen (2001). Both work on the body of all
// a - b; the answer is the unit m with the least reach of that body, min h(m): minus the distance
// if the origin is outside, the depth if it is inside.
#pragma once

#include <algorithm>
#include <limits>

#include "grouser/shape/convex_contact.h"
#include "grouser/shape/convex_polish.h"
#include "grouser/shape/convex_polytope.h"
#include "grouser/shape/convex_simplex.h"

namespace grouser::convex {

/// Shares of the bodies' size. Rounding is some 1e-16 of it.
inline constexpr double kSharp = 1e-13;     ///< answers closer than this are the same
inline constexpr double kTouching = 1e-11;  ///< bodies closer than this overlap
inline constexpr double kUnsure = 1e-6;     ///< bodies closer than this may, if GJK is at its end

/// Three or four points around or at the origin from fewer; false if the body is flat.
template <class Body>
bool complete(const Body& body, Simplex& simplex, double size) {
  // The point farthest from what there is, of those in some directions and against them.
  const auto add_farthest = [&](std::initializer_list<Vec3> directions, auto&& distance_of) {
    DifferencePoint best = body.support(*directions.begin());
    double most = distance_of(best.q);
    for (const Vec3& direction : directions)
      for (const double sign : {1.0, -1.0}) {
        const DifferencePoint point = body.support(sign * direction);
        const double distance = distance_of(point.q);
        if (distance > most) {
          most = distance;
          best = point;
        }
      }
    simplex.add(best);
    return most > 1e-14 * size;
  };
  const auto q = [&](int i) -> const Vec3& { return simplex.q(i); };
  if (simplex.count < 2 && !add_farthest({Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
                                         [&](const Vec3& far) { return (far - q(0)).norm(); }))
    return false;
  if (simplex.count < 3) {
    const Vec3 along = (q(1) - q(0)).normalized(), side = along.unitOrthogonal();
    if (!add_farthest({side, along.cross(side)},
                      [&](const Vec3& far) { return along.cross(far - q(0)).norm(); }))
      return false;
  }
  if (simplex.count < 4) {
    const Vec3 normal = (q(1) - q(0)).cross(q(2) - q(0)).normalized();
    return add_farthest({normal},
                        [&](const Vec3& far) { return std::abs(normal.dot(far - q(0))); });
  }
  return true;
}

/// The touching points by the corners of the nearest face.
inline Extreme at_face(const Polytope& polytope, int face, double reach, double tolerance) {
  const int holder = polytope.face_with_foot(face, tolerance);
  std::array<double, 3> weights = polytope.foot_weights(holder);
  double sum = 0.0;
  for (double& weight : weights) sum += weight = std::max(weight, 0.0);
  Extreme out{reach, polytope.normal(face), Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < 3; ++i) {
    const double weight = weights[static_cast<std::size_t>(i)] / sum;
    const DifferencePoint& point = polytope.point(holder, i);
    out.a += weight * point.a;
    out.b += weight * (point.a - point.q);
  }
  return out;
}

/// EPA from any four points of the body's surface. Stops if the reach is below `enough` somewhere:
/// the origin is outside then, and there is a better way to the least reach.
template <class Body>
Extreme expand(const Body& body, const Simplex& simplex, double size, double enough) {
  const double tolerance = (Body::kCurved ? 10.0 : 1.0) * kSharp * size;
  Polytope polytope(simplex);
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Extreme best;
  best.reach = kNone;
  for (;;) {
    const int face = polytope.nearest_face();
    if (face < 0 || polytope.distance(face) >= best.reach - tolerance) return best;
    const Vec3 m = polytope.normal(face);
    const DifferencePoint point = body.support(m);
    const double reach = m.dot(point.q), gap = reach - polytope.distance(face);
    if (gap <= tolerance || reach < enough) return at_face(polytope, face, reach, tolerance);
    if constexpr (Body::kCurved) {
      // Where the surface is smooth the polytope closes in slowly. Newton's method does not, and
      // a small face that it leads to a known minimum has nothing more to tell.
      const bool small = gap < 0.001 * size;
      if (small || (gap < 0.05 * size && (best.one_of_many || best.reach == kNone))) {
        MeetingPieces pieces;
        for (int i = 0; i < 3; ++i) pieces.add(polytope.point(face, i));
        Extreme polished;
        if (polish(body, pieces, m, size, polished)) {
          if (polished.reach < best.reach) best = polished;
          if ((small || polished.one_of_many) && polished.m.dot(m) > 0.95 &&
              polished.reach <= reach + tolerance) {
            polytope.set_aside(face);
            continue;
          }
        }
      }
    }
    if (polytope.is_full() || !polytope.grow(face, point, 0.1 * tolerance))
      return reach < best.reach ? at_face(polytope, face, reach, tolerance) : best;
  }
}

/// The same for bodies that overlap or touch; `simplex` holds the origin.
template <class Body>
Extreme complete_and_expand(const Body& body, Simplex& simplex, double size) {
  if (complete(body, simplex, size))
    return expand(body, simplex, size, -std::numeric_limits<double>::infinity());
  // Flat: no depth, along the normal of the plane or any of the line.
  const DifferencePoint& at = simplex.point(0);
  Vec3 normal = Vec3::Zero();
  if (simplex.count > 2) normal = (simplex.q(1) - at.q).cross(simplex.q(2) - at.q);
  if (!(normal.norm() > 0.0)) normal = Vec3::UnitZ();
  return {0.0, normal.normalized(), at.a, at.a - at.q};
}

/// The least reach of A minus B, or any reach below `enough` if there is one.
template <class Body>
Extreme find_extreme(const Body& body, double enough) {
  Simplex simplex;
  Vec3 v = -body.X_AB.p;
  double length = v.norm(), size = 0.0;
  bool may_overlap = true;
  if (!(length > 0.0)) v = Vec3::UnitX(), length = 1.0;
  const auto apart = [&] {
    Extreme out{-length, v / -length, Vec3::Zero(), Vec3::Zero()};
    for (int i = 0; i < simplex.count; ++i) {
      out.a += simplex.weight(i) * simplex.point(i).a;
      out.b += simplex.weight(i) * (simplex.point(i).a - simplex.q(i));
    }
    return out;
  };
  for (int i = 0; i < 200; ++i) {
    const Vec3 m = v / -length;
    const DifferencePoint point = body.support(m);
    const double reach = m.dot(point.q);
    if (reach < enough) return {reach, m, point.a, point.a - point.q};
    may_overlap = may_overlap && reach >= 0.0;
    size = std::max(size, point.q.norm());
    if (simplex.count > 0) {
      const double gap = length + reach;
      if (gap <= kSharp * size) return apart();
      if (simplex.has(point.q)) {
        if (length > kUnsure * size) return apart();
        break;
      }
      if constexpr (Body::kCurved) {
        if (reach < 0.0 && gap < 0.2 * length) {
          MeetingPieces pieces;
          for (int k = 0; k < simplex.count; ++k) pieces.add(simplex.point(k));
          Extreme polished;
          if (polish(body, pieces, m, size, polished) && polished.reach < 0.0) return polished;
        }
      }
    }
    const bool first = simplex.count == 0;
    simplex.add(point);
    // EPA need not have the origin inside from the beginning: it soon has, or finds m with a
    // negative reach. Only then is it worth while to go on looking for the distance.
    if (simplex.count == 4 && may_overlap && simplex.is_thick()) {
      const Extreme found = expand(body, simplex, size, 0.0);
      if (found.reach >= 0.0) return found;
      may_overlap = false;
      simplex.count = 0;
      v = -found.m;
      length = 1.0;
      continue;
    }
    if (simplex.reduce()) break;
    const double before = length;
    v = simplex.nearest;
    length = v.norm();
    if (length <= kTouching * size) break;
    if (!first && length >= before) {  // as near as rounding lets it come
      if (length > kUnsure * size) return apart();
      break;
    }
  }
  return complete_and_expand(body, simplex, size);
}

/// Any two bodies, in the frame of A.
template <class CoreA, class CoreB>
ConvexContact general(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double reach) {
  const Difference<CoreA, CoreB> body{CoreA(a), CoreB(b), X_AB};
  const double skin_a = body.a.skin(), skin_b = body.b.skin();
  const Extreme found = find_extreme(body, -(reach + skin_a + skin_b));
  return {found.reach + skin_a + skin_b, -found.m, found.a + skin_a * found.m,
          found.b - skin_b * found.m};
}

}  // namespace grouser::convex
