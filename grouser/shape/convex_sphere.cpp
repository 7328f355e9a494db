// Spheres and capsules against the rest, where the distance of a point or a segment is known in
// closed form.
#include <algorithm>
#include <cmath>

#include "grouser/shape/convex_gjk.h"
#include "grouser/shape/convex_pairs.h"

namespace grouser::convex {
namespace {

/// Where the surface of a body is next to a point p, in the body's frame.
struct SurfacePoint {
  double distance;  ///< of p from the surface; negative inside
  Vec3 normal;      ///< unit, outward
  Vec3 foot;        ///< p = foot + distance * normal
};

Vec3 unit_or(const Vec3& v, double length, const Vec3& otherwise) {
  return length > 0.0 ? Vec3(v / length) : otherwise;
}

/// The contact of sphere A with a body B, from the surface point of B next to A's centre, told in
/// the frame of B.
ConvexContact contact_of(const ConvexShape& sphere, const Pose& X_AB, const SurfacePoint& near_B) {
  const Vec3 normal = X_AB.R * near_B.normal;
  const double depth = sphere.radius - near_B.distance;
  return {depth, normal, -sphere.radius * normal, -near_B.distance * normal};
}

Vec3 center_in_b(const Pose& X_AB) {
  return -(X_AB.R.transpose() * X_AB.p);
}

SurfacePoint near_ball(const Vec3& p, const Vec3& center, double radius) {
  const Vec3 from = p - center;
  const double length = from.norm();
  const Vec3 normal = unit_or(from, length, Vec3::UnitX());
  return {length - radius, normal, center + radius * normal};
}

SurfacePoint near_box(const Vec3& p, const Vec3& half) {
  const Vec3 inside = p.cwiseMax(-half).cwiseMin(half);
  const Vec3 out = p - inside;
  const double length = out.norm();
  if (length > 0.0) return {length, out / length, inside};
  Eigen::Index axis = 0;
  const double distance = (p.cwiseAbs() - half).maxCoeff(&axis);
  Vec3 normal = Vec3::Zero();
  normal[axis] = std::copysign(1.0, p[axis]);
  return {distance, normal, p - distance * normal};
}

/// Body of revolution: p seen in the half-plane through it and the axis.
struct Meridian {
  explicit Meridian(const Vec3& point)
      : p(std::hypot(point.x(), point.y()), point.z()),
        out(unit_or(Vec3(point.x(), point.y(), 0.0), p.x(), Vec3::UnitX())) {}
  Vec3 lift(double r, double z) const { return r * out + Vec3(0.0, 0.0, z); }
  SurfacePoint lift(double distance, const Vec2& n) const {
    const Vec2 foot = p - distance * n;
    return {distance, lift(n.x(), n.y()), lift(foot.x(), foot.y())};
  }
  Vec2 p;  ///< distance from the axis, height
  Vec3 out;
};

SurfacePoint near_cylinder(const Vec3& point, double radius, double half_length) {
  const Meridian plane(point);
  const double across = plane.p.x() - radius, above = std::abs(plane.p.y()) - half_length;
  const double up = std::copysign(1.0, plane.p.y());
  if (across > 0.0 && above > 0.0) {
    const double distance = std::hypot(across, above);
    return plane.lift(distance, Vec2(across, up * above) / distance);
  }
  return across > above ? plane.lift(across, Vec2(1.0, 0.0)) : plane.lift(above, Vec2(0.0, up));
}

SurfacePoint near_cone(const Vec3& point, double radius, double half_length) {
  const Meridian plane(point);
  const Vec2 rim(radius, -half_length), apex(0.0, half_length);
  const Vec2 slant = (apex - rim).normalized(), normal(slant.y(), -slant.x());
  const double side = normal.dot(plane.p - rim), below = -half_length - plane.p.y();
  const double along = slant.dot(plane.p - rim);
  const auto corner = [&](const Vec2& c) {
    const double distance = (plane.p - c).norm();
    return distance > 0.0 ? plane.lift(distance, (plane.p - c) / distance)
                          : plane.lift(0.0, normal);
  };
  if (side <= 0.0 && below <= 0.0)
    return side > below ? plane.lift(side, normal) : plane.lift(below, Vec2(0.0, -1.0));
  if (along >= (apex - rim).norm()) return corner(apex);
  if (side > 0.0 && along >= 0.0) return plane.lift(side, normal);
  if (plane.p.x() >= radius) return corner(rim);
  return plane.lift(below, Vec2(0.0, -1.0));
}

/// The foot x of p has p - x along the surface's normal: x_i = e_i^2 p_i / (e_i^2 + t). With
/// s = t + e_min^2 the sum of (x_i / e_i)^2 - 1 is convex and falls in s > 0, so Newton's method
/// from the left closes in on its only root without overshooting. (Eberly 2013 bisects.)
SurfacePoint near_ellipsoid(const Vec3& p, const Vec3& e) {
  const double least = e.minCoeff();
  // A coordinate of zero hides where the surface is nearest inside; a shift of 1e-15 does not hurt.
  const Vec3 y = p.cwiseAbs().cwiseMax(1e-15 * least);
  const Vec3 beyond = e.cwiseAbs2().array() - least * least;
  const Vec3 scaled = e.cwiseProduct(y);
  double s = (scaled - beyond).maxCoeff();
  for (int i = 0; i < 100; ++i) {
    const Vec3 terms = scaled.cwiseQuotient(beyond.array().matrix() + Vec3::Constant(s));
    const double value = terms.squaredNorm() - 1.0;
    const double slope = -2.0 * (terms.array().square() / (beyond.array() + s)).sum();
    const double next = s - value / slope;
    if (!(next > s)) break;
    s = next;
  }
  Vec3 foot = e.cwiseProduct(scaled).cwiseQuotient(beyond + Vec3::Constant(s));
  // p - foot = t * foot / e^2, which keeps its digits where p is close to the surface.
  for (int k = 0; k < 3; ++k) foot[k] = std::copysign(foot[k], p[k]);
  const Vec3 gradient = foot.cwiseQuotient(e.cwiseAbs2());
  const double length = gradient.norm();
  const Vec3 normal = gradient / length;
  return {(p - foot).dot(normal), normal, foot};
}

/// Inside or in front of one face: exact. Else the face says false.
bool near_face(const ConvexHull& hull, const Vec3& p, SurfacePoint& out) {
  std::size_t face = 0;
  double distance = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const double d = hull.normals[f].dot(p) - hull.offsets[f];
    if (d > distance) distance = d, face = f;
  }
  const Vec3& normal = hull.normals[face];
  out = {distance, normal, p - distance * normal};
  if (distance <= 0.0) return true;
  const auto corners = hull.corners_of(face);
  const Vec3* last = &hull.vertices[static_cast<std::size_t>(corners.back())];
  for (const int corner : corners) {
    const Vec3* next = &hull.vertices[static_cast<std::size_t>(corner)];
    if ((*next - *last).cross(p - *last).dot(normal) < 0.0) return false;
    last = next;
  }
  return true;
}

double clamp_to(double x, double limit) {
  return std::clamp(x, -limit, limit);
}

/// Parameters of the nearest points of two segments through their middles: along z of A, |s| <=
/// half_a, and along unit d through c, |t| <= half_b.
Vec2 nearest_on_segments(double half_a, const Vec3& c, const Vec3& d, double half_b) {
  const double cosine = d.z(), sine_square = d.x() * d.x() + d.y() * d.y();
  // Lines: s - t cosine = c_z, s cosine - t = c . d; parallel ones overlap in their middle.
  double t = 0.0;
  if (sine_square > 1e-20) {
    t = clamp_to((cosine * c.z() - c.dot(d)) / sine_square, half_b);
  } else {
    const double reach = half_b * std::abs(cosine);
    const double low = std::max(c.z() - reach, -half_a), high = std::min(c.z() + reach, half_a);
    t = clamp_to((0.5 * (low + high) - c.z()) * cosine, half_b);
  }
  const double s = clamp_to(c.z() + t * cosine, half_a);
  return {s, clamp_to(s * cosine - c.dot(d), half_b)};
}

}  // namespace

ConvexContact sphere_sphere(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double) {
  return contact_of(a, X_AB, near_ball(center_in_b(X_AB), Vec3::Zero(), b.radius));
}

ConvexContact sphere_capsule(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double) {
  const Vec3 p = center_in_b(X_AB);
  const Vec3 center(0.0, 0.0, clamp_to(p.z(), b.half_size.z()));
  return contact_of(a, X_AB, near_ball(p, center, b.radius));
}

ConvexContact sphere_ellipsoid(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                               double) {
  return contact_of(a, X_AB, near_ellipsoid(center_in_b(X_AB), b.half_size));
}

ConvexContact sphere_box(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double) {
  return contact_of(a, X_AB, near_box(center_in_b(X_AB), b.half_size));
}

ConvexContact sphere_cylinder(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                              double) {
  return contact_of(a, X_AB, near_cylinder(center_in_b(X_AB), b.radius, b.half_size.z()));
}

ConvexContact sphere_cone(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double) {
  return contact_of(a, X_AB, near_cone(center_in_b(X_AB), b.radius, b.half_size.z()));
}

ConvexContact sphere_hull(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                          double reach) {
  SurfacePoint near_B;
  if (near_face(*b.hull, center_in_b(X_AB), near_B)) return contact_of(a, X_AB, near_B);
  // In front of an edge or a corner.
  return general<PointCore, HullCore>(a, b, X_AB, reach);
}

ConvexContact capsule_capsule(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                              double) {
  const Vec3 axis = X_AB.R.col(2);
  const Vec2 at = nearest_on_segments(a.half_size.z(), X_AB.p, axis, b.half_size.z());
  const Vec3 on_a(0.0, 0.0, at.x()), on_b = X_AB.p + at.y() * axis;
  const Vec3 from = on_a - on_b;
  const double distance = from.norm();
  Vec3 normal = from / distance;
  if (!(distance > 1e-14 * (a.half_size.z() + b.half_size.z() + a.radius + b.radius))) {
    // The axes cross: out of their plane.
    const Vec3 across(-axis.y(), axis.x(), 0.0);
    normal = unit_or(across, across.norm(), Vec3::UnitX());
  }
  return {a.radius + b.radius - distance, normal, on_a - a.radius * normal,
          on_b + b.radius * normal};
}

}  // namespace grouser::convex
