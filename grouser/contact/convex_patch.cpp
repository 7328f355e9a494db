#include "grouser/contact/convex_patch.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_lens.h"

namespace grouser {
namespace {

// Mean distance of a disc's points from its centre under Hertz's pressure, by its radius.
constexpr double kHertzRadius = 3.0 * kPi / 16.0;

/// 1 / sqrt(product of the principal curvatures) at a point of an ellipsoid, in its frame.
double ellipsoid_radius(const Vec3& half_axes, const Vec3& point) {
  // Gauss's curvature is 1 / (a b c |(x/a^2, y/b^2, z/c^2)|^2)^2.
  const Vec3 gradient = point.cwiseQuotient(half_axes.cwiseAbs2());
  return half_axes.prod() * gradient.squaredNorm();
}

double radius_at(const ContactPart& part, const Pose& X_WS, const Vec3& point_W) {
  if (!part.is(ConvexKind::ellipsoid)) return part.radius;
  return ellipsoid_radius(part.shape.half_size, X_WS.inverse() * point_W);
}

/// Contact in a point, as Hertz has it.
void set_point(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
               const ConvexContact& contact, ConvexPatch& out) {
  out.normal_W = contact.normal_W;
  out.center_W = 0.5 * (contact.p_WA + contact.p_WB);
  out.depth = contact.depth;
  out.area = 0.0;
  out.hertz_radius = combined_radius(radius_at(a, X_WA, contact.p_WA), a.flat,
                                     radius_at(b, X_WB, contact.p_WB), b.flat);
  out.friction_radius = kHertzRadius * std::sqrt(out.hertz_radius * out.depth);
  out.points[0] = out.center_W;
  out.point_count = 1;
}

/// Two directions across the normal that turn with body A and hardly ever jump: the one normal at
/// which they must is one that no face of a reasonable part has.
void tangents(const Vec3& n_W, const Mat3& R_WA, Vec3& e1, Vec3& e2) {
  static const Mat3 kOdd = rotation_from_vector(Vec3(0.61, -1.13, 0.37));
  const Mat3 R = R_WA * kOdd;
  const Vec3 n = R.transpose() * n_W;
  // Duff et al. (2017), without the change of branch.
  const double s = n.z() >= 0.0 ? 1.0 : -1.0;
  const double p = -1.0 / (s + n.z());
  const double q = n.x() * n.y() * p;
  e1 = R * Vec3(1.0 + s * n.x() * n.x() * p, s * q, -s * n.x());
  e2 = R * Vec3(q, s + n.y() * n.y() * p, -n.y());
}

/// Points around the centre of a lens that have its covariance across the normal.
void spread_points(const ConvexLens& lens, const Mat3& R_WA, int count, ConvexPatch& out) {
  Vec3 e1, e2;
  tangents(lens.normal_W, R_WA, e1, e2);
  const Vec3 c1 = lens.covariance_W * e1, c2 = lens.covariance_W * e2;
  const double c11 = e1.dot(c1), c12 = e1.dot(c2), c22 = e2.dot(c2);
  const double trace = std::max(c11 + c22, 0.0);
  const double root = std::sqrt(std::max(c11 * c22 - c12 * c12, 0.0));
  // Mean distance from the centre: 0.943 of the root mean square for a disc (and 0.937 for a
  // square), 0.866 for a thin strip.
  const double roundness = trace > 0.0 ? 2.0 * root / trace : 0.0;
  const double disc = 2.0 / 3.0 * std::sqrt(2.0), strip = 0.5 * std::sqrt(3.0);
  out.friction_radius = (strip + (disc - strip) * roundness * roundness) * std::sqrt(trace);

  out.point_count = count;
  out.points[0] = lens.center_W;
  if (count == 1) return;
  // The symmetric square root of the covariance.
  const double scale = std::sqrt(trace + 2.0 * root);
  const double inverse = scale > 0.0 ? 1.0 / scale : 0.0;
  const double m11 = (c11 + root) * inverse, m12 = c12 * inverse, m22 = (c22 + root) * inverse;
  const Vec3 x = std::sqrt(2.0) * (m11 * e1 + m12 * e2), y = std::sqrt(2.0) * (m12 * e1 + m22 * e2);
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * kPi * i / count;
    out.points[static_cast<std::size_t>(i)] =
        lens.center_W + std::cos(angle) * x + std::sin(angle) * y;
  }
}

/// Contact over an area: the overlap of two parts with faces.
void set_area(const ContactPart& a, const ContactPart& b, const Mat3& R_WA, const ConvexLens& lens,
              int points, ConvexPatch& out) {
  out.normal_W = lens.normal_W;
  out.center_W = lens.center_W;
  out.depth = lens.depth;
  out.area = lens.area;
  out.hertz_radius = combined_radius(a.radius, a.flat, b.radius, b.flat);
  spread_points(lens, R_WA, points, out);
}

ConvexContact swapped(ConvexContact contact) {
  contact.normal_W = -contact.normal_W;
  std::swap(contact.p_WA, contact.p_WB);
  return contact;
}

/// Of two parts with faces.
ConvexLens find_lens(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                     const ConvexContact& contact, Scratch& scratch) {
  if (b.surface) return b.surface->lens(a.shape, X_WA, X_WB, scratch);
  if (!a.surface) return find_convex_lens(a.shape, X_WA, b.shape, X_WB, contact, scratch);
  ConvexLens lens = a.surface->lens(b.shape, X_WB, X_WA, scratch);
  lens.normal_W = -lens.normal_W;
  return lens;
}

/// A capsule is a row of spheres. How deep they are is a concave function along its axis; the row
/// touches between two ends, and two spheres (of Gauss's rule) stand for all in between.
class CapsuleRow {
 public:
  CapsuleRow(const ContactPart& capsule, const Pose& X_WC, const ContactPart& other,
             const Pose& X_WO)
      : other_(other), X_WO_(X_WO), X_WC_(X_WC), half_(capsule.shape.half_size.z()) {
    sphere_ = capsule;
    sphere_.shape = ConvexShape::sphere(capsule.shape.radius);
  }

  /// Exact as far as it is asked: one sphere of the row touches, so none is farther from the
  /// other part than the row is long.
  ConvexContact contact(double s) const {
    return find_contact(sphere_, pose(s), other_, X_WO_, 2.0 * half_ + sphere_.shape.radius);
  }
  double depth(double s) const { return contact(s).depth; }
  Pose pose(double s) const { return {X_WC_.R, X_WC_ * Vec3(0.0, 0.0, s)}; }
  const ContactPart& sphere() const { return sphere_; }
  double half() const { return half_; }

  /// Where between `in` (touching) and `out` (apart) the row ceases to touch.
  double edge(double in, double out, double depth_in, double depth_out) const {
    GROUSER_ASSERT(!(depth_in < 0.0) && !(depth_out > 0.0));
    // Illinois: false position that halves a value which stays.
    for (int i = 0; i < 60 && std::abs(out - in) > 1e-12 * half_; ++i) {
      const double s = (in * depth_out - out * depth_in) / (depth_out - depth_in);
      const double d = depth(s);
      if (d == 0.0) return s;
      if (d > 0.0) {
        in = s;
        depth_in = d;
        depth_out *= 0.5;
      } else {
        out = s;
        depth_out = d;
        depth_in *= 0.5;
      }
      if (std::abs(d) < 1e-14 * half_) return s;
    }
    return 0.5 * (in + out);
  }

 private:
  const ContactPart& other_;
  const Pose &X_WO_, &X_WC_;
  double half_;
  ContactPart sphere_;
};

void set_capsule(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                 const ConvexContact& contact, bool swapped, ConvexPatches& out) {
  const CapsuleRow row(a, X_WA, b, X_WB);
  const double half = row.half();
  // The deepest sphere, where the shortest way out begins.
  const double deepest = std::clamp(
      (X_WA.inverse() * (contact.p_WA + a.shape.radius * contact.normal_W)).z(), -half, half);
  const double depth = row.depth(deepest);
  if (!(depth > 0.0)) return;
  const auto end = [&](double s) {
    const double d = row.depth(s);
    return d >= 0.0 ? s : row.edge(deepest, s, depth, d);
  };
  const double lower = end(-half), upper = end(half);
  GROUSER_ASSERT(!(lower > upper));
  const double middle = 0.5 * (lower + upper), reach = 0.5 * (upper - lower) / std::sqrt(3.0);
  out.count = 2;
  for (int k = 0; k < 2; ++k) {
    const double s = middle + (k == 0 ? -reach : reach);
    ConvexPatch& patch = out.patch[static_cast<std::size_t>(k)];
    ConvexContact at = row.contact(s);
    at.depth = std::max(at.depth, 0.0);
    set_point(row.sphere(), row.pose(s), b, X_WB, at, patch);
    patch.weight = 0.5;
    if (swapped) patch.normal_W = -patch.normal_W;
  }
}

}  // namespace

ConvexContact find_contact(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                           const Pose& X_WB, double reach) {
  if (b.surface) return b.surface->contact(a.shape, X_WA, X_WB, reach);
  if (a.surface) return swapped(a.surface->contact(b.shape, X_WB, X_WA, reach));
  return find_convex_contact(a.shape, X_WA, b.shape, X_WB, reach);
}

double combined_radius(double radius_a, bool flat_a, double radius_b, bool flat_b) {
  const bool both = flat_a && flat_b;
  double curvature = 0.0;
  if (radius_a > 0.0 && (both || !flat_a)) curvature += 1.0 / radius_a;
  if (radius_b > 0.0 && (both || !flat_b)) curvature += 1.0 / radius_b;
  GROUSER_ASSERT(curvature > 0.0);
  return 1.0 / curvature;
}

bool touches_in_a_point(const ContactPart& part) {
  return !part.surface && !has_lens(part.shape) && !part.is(ConvexKind::capsule);
}

ConvexContact find_patches(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                           const Pose& X_WB, int points, Scratch& scratch, ConvexPatches& out,
                           double reach) {
  out.count = 0;
  const ConvexContact contact = find_contact(a, X_WA, b, X_WB, reach);
  if (!(contact.depth > 0.0)) return contact;
  if (touches_in_a_point(a) || touches_in_a_point(b)) {
    set_point(a, X_WA, b, X_WB, contact, out.patch[0]);
    out.patch[0].weight = 1.0;
    out.count = 1;
  } else if (a.is(ConvexKind::capsule)) {
    set_capsule(a, X_WA, b, X_WB, contact, false, out);
  } else if (b.is(ConvexKind::capsule)) {
    set_capsule(b, X_WB, a, X_WA, swapped(contact), true, out);
  } else {
    const ConvexLens lens = find_lens(a, X_WA, b, X_WB, contact, scratch);
    if (!(lens.volume > 0.0)) return contact;
    set_area(a, b, X_WA.R, lens, points, out.patch[0]);
    out.patch[0].weight = 1.0;
    out.count = 1;
  }
  return contact;
}

}  // namespace grouser
