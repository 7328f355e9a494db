#include "grouser/contact/convex_patch.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/hunt_crossley.h"
#include "grouser/math/false_position.h"
#include "grouser/math/gauss_rules.h"
#include "grouser/shape/convex_pressure.h"

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
               const ConvexContact& contact, double effective_modulus, ConvexPatch& out) {
  out.normal_W = contact.normal_W;
  out.center_W = 0.5 * (contact.p_WA + contact.p_WB);
  out.depth = contact.depth;
  out.area = 0.0;
  out.hertz_radius = point_radius(a, X_WA, b, X_WB, contact);
  out.normal_force =
      hertz_stiffness(effective_modulus, out.hertz_radius) * out.depth * std::sqrt(out.depth);
  out.stiffness = 1.5 * out.normal_force / out.depth;
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

/// Points around the centre that have a covariance across the normal.
void spread_points(const Mat3& covariance_W, const Mat3& R_WA, int count, ConvexPatch& out) {
  Vec3 e1, e2;
  tangents(out.normal_W, R_WA, e1, e2);
  const Vec3 c1 = covariance_W * e1, c2 = covariance_W * e2;
  const double c11 = e1.dot(c1), c12 = e1.dot(c2), c22 = e2.dot(c2);
  const double trace = std::max(c11 + c22, 0.0);
  const double root = std::sqrt(std::max(c11 * c22 - c12 * c12, 0.0));
  // Mean distance from the centre: 0.943 of the root mean square for a disc (and 0.937 for a
  // square), 0.866 for a thin strip.
  const double roundness = trace > 0.0 ? 2.0 * root / trace : 0.0;
  const double disc = 2.0 / 3.0 * std::sqrt(2.0), strip = 0.5 * std::sqrt(3.0);
  out.friction_radius = (strip + (disc - strip) * roundness * roundness) * std::sqrt(trace);

  out.point_count = count;
  out.points[0] = out.center_W;
  if (count == 1) return;
  // The symmetric square root of the covariance.
  const double scale = std::sqrt(trace + 2.0 * root);
  const double inverse = scale > 0.0 ? 1.0 / scale : 0.0;
  const double m11 = (c11 + root) * inverse, m12 = c12 * inverse, m22 = (c22 + root) * inverse;
  const Vec3 x = std::sqrt(2.0) * (m11 * e1 + m12 * e2), y = std::sqrt(2.0) * (m12 * e1 + m22 * e2);
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * kPi * i / count;
    out.points[static_cast<std::size_t>(i)] =
        out.center_W + std::cos(angle) * x + std::sin(angle) * y;
  }
}

/// Stiffness of the foundation [Pa/m]: columns of both parts under the same pressure.
double foundation_stiffness(const ContactPart& a, const ContactPart& b) {
  const double thickness_a = a.thickness > 0.0 ? a.thickness : b.thickness;
  const double thickness_b = b.thickness > 0.0 ? b.thickness : a.thickness;
  return 1.0 / (thickness_a * a.compliance + thickness_b * b.compliance);
}

/// Contact over an area.
void set_area(const ContactPart& a, const ContactPart& b, const Mat3& R_WA,
              const ConvexPressure& pressure, double stiffness, int points, ConvexPatch& out) {
  const double size = pressure.force_W.norm();
  out.normal_force = stiffness * size;
  if (!(size > 0.0)) return;
  out.normal_W = pressure.force_W / size;
  out.center_W = pressure.center_W;
  out.torque_W =
      stiffness * (pressure.moment_W - (pressure.center_W - pressure.p_WO).cross(pressure.force_W));
  out.area = pressure.area;
  out.stiffness = stiffness * pressure.area;
  out.hertz_radius = combined_radius(a.radius, a.flat, b.radius, b.flat);
  spread_points(pressure.covariance_W, R_WA, points, out);
}

ConvexContact swapped(ConvexContact contact) {
  contact.normal_W = -contact.normal_W;
  std::swap(contact.p_WA, contact.p_WB);
  return contact;
}

/// Of two parts with faces.
ConvexPressure find_pressure(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                             const Pose& X_WB, const ConvexContact& contact, Scratch& scratch) {
  if (b.surface) return b.surface->pressure(a.shape, X_WA, X_WB, scratch);
  if (!a.surface) return find_convex_pressure(a.shape, X_WA, b.shape, X_WB, contact, scratch);
  return a.surface->pressure(b.shape, X_WB, X_WA, scratch).swapped();
}

/// A capsule is a row of spheres. How deep they are is a concave function along its axis, so the
/// row touches between two ends.
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
    return find_crossing([&](double s) { return depth(s); }, in, out, depth_in, depth_out,
                         1e-12 * half_);
  }

 private:
  const ContactPart& other_;
  const Pose &X_WO_, &X_WC_;
  double half_;
  ContactPart sphere_;
};

/// Along its side as a cylinder has it, pi / 4 E* depth per length; and as Hertz has it under its
/// ends, which is all there is when it stands on one.
void set_capsule(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                 const ConvexContact& contact, double effective_modulus, int points,
                 ConvexPatch& out) {
  const CapsuleRow row(a, X_WA, b, X_WB);
  const double half = row.half();
  // The deepest sphere, where the shortest way out begins.
  const double deepest = std::clamp(
      (X_WA.inverse() * (contact.p_WA + a.shape.radius * contact.normal_W)).z(), -half, half);
  const double depth = row.depth(deepest);
  if (!(depth > 0.0)) return;
  PressureSums sums;
  const Vec3 p_WO = contact.p_WA;
  const auto add = [&](const ConvexContact& at, double force) {
    const Vec3 p = 0.5 * (at.p_WA + at.p_WB) - p_WO;
    sums.force += force * at.normal_W;
    sums.moment += force * p.cross(at.normal_W);
    sums.total += force;
    sums.first += force * p;
    sums.second += force * p * p.transpose();
  };
  const auto end = [&](double s) {
    const ConvexContact at = row.contact(s);
    if (at.depth < 0.0) return row.edge(deepest, s, depth, at.depth);
    const double radius = combined_radius(a.radius, a.flat, b.radius, b.flat);
    add(at, hertz_stiffness(effective_modulus, radius) * at.depth * std::sqrt(at.depth));
    return s;
  };
  const double lower = end(-half), upper = end(half);
  GROUSER_ASSERT(!(lower > upper));
  // Where it is deepest the row may lie across an edge.
  for (const double other : {lower, upper}) {
    const double reach = 0.5 * std::abs(other - deepest), middle = 0.5 * (deepest + other);
    for (const GaussPoint& point : kGauss6) {
      const ConvexContact at = row.contact(middle + reach * point.place);
      const double line = 0.25 * kPi * effective_modulus * std::max(at.depth, 0.0);
      add(at, reach * point.weight * line);
      sums.area += reach * point.weight;
    }
  }
  if (!(sums.total > 0.0)) return;
  const double stiffness = 0.25 * kPi * effective_modulus * sums.area;  // area: so far a length
  sums.area *= 2.0 * std::sqrt(2.0 * a.shape.radius * depth);           // a strip
  set_area(a, b, X_WA.R, make_convex_pressure(sums, Mat3::Identity(), p_WO, false), 1.0, points,
           out);
  out.stiffness = stiffness + 1.5 * out.normal_force / depth;
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

double point_radius(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                    const ConvexContact& contact) {
  return combined_radius(radius_at(a, X_WA, contact.p_WA), a.flat, radius_at(b, X_WB, contact.p_WB),
                         b.flat);
}

bool touches_in_a_point(const ContactPart& part) {
  return !part.surface && !has_faces(part.shape) && !part.is(ConvexKind::capsule);
}

ConvexContact find_patch(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                         const Pose& X_WB, double effective_modulus, int points, Scratch& scratch,
                         ConvexPatch& out, double reach) {
  const ConvexContact contact = find_contact(a, X_WA, b, X_WB, reach);
  out.depth = contact.depth;
  out.normal_force = 0.0;
  if (!(contact.depth > 0.0)) return contact;
  out.torque_W.setZero();
  if (touches_in_a_point(a) || touches_in_a_point(b)) {
    set_point(a, X_WA, b, X_WB, contact, effective_modulus, out);
  } else if (a.is(ConvexKind::capsule)) {
    set_capsule(a, X_WA, b, X_WB, contact, effective_modulus, points, out);
  } else if (b.is(ConvexKind::capsule)) {
    set_capsule(b, X_WB, a, X_WA, swapped(contact), effective_modulus, points, out);
    out.normal_W = -out.normal_W;
    out.torque_W = -out.torque_W;
  } else {
    set_area(a, b, X_WA.R, find_pressure(a, X_WA, b, X_WB, contact, scratch),
             foundation_stiffness(a, b), points, out);
  }
  if (!(out.normal_force > 0.0)) out.depth = 0.0;
  return contact;
}

double patch_energy(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                    double effective_modulus, Scratch& scratch) {
  ConvexPatch patch;
  const ConvexContact contact = find_patch(a, X_WA, b, X_WB, effective_modulus, 1, scratch, patch);
  if (patch.area == 0.0) return 0.4 * patch.normal_force * std::max(patch.depth, 0.0);
  double energy = 0.0;
  for (const GaussPoint& point : kGauss6) {
    const double share = 0.5 * (1.0 + point.place);
    Pose X = X_WA;
    X.p += share * contact.depth * contact.normal_W;
    find_patch(a, X, b, X_WB, effective_modulus, 1, scratch, patch);
    energy += 0.5 * point.weight * contact.depth * patch.normal_force *
              contact.normal_W.dot(patch.normal_W);
  }
  return energy;
}

}  // namespace grouser
