#include "grouser/mesh/mass_properties.h"

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/parameters.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {

namespace {

/// Integrals of 1, x and x x^T over the inside, x measured from `origin`.
struct Moments {
  Vec3 origin = Vec3::Zero();
  double zeroth = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

Moments moments_of(const TriangleMesh& mesh) {
  Moments out;
  out.origin = bounding_box(mesh).center();
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    // The tetrahedron between the origin and this triangle; six times its volume has a sign.
    const Vec3 a = mesh.corner(t, 0) - out.origin;
    const Vec3 b = mesh.corner(t, 1) - out.origin;
    const Vec3 c = mesh.corner(t, 2) - out.origin;
    const double six_volumes = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    out.zeroth += six_volumes / 6.0;
    out.first += six_volumes / 24.0 * sum;
    out.second +=
        six_volumes / 120.0 *
        (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return out;
}

/// Second moments (integral of x x^T about the centre) to inertia.
Mat3 inertia_from_second_moments(const Mat3& second) {
  return second.trace() * Mat3::Identity() - second;
}

/// A solid with its centre at `center` whose inertia is diagonal.
MassProperties on_axes(double mass, const Vec3& center, const Vec3& inertia) {
  return {mass, center, inertia.asDiagonal()};
}

void require_closed(const TriangleMesh& mesh, const std::string& name) {
  const MeshCensus census = take_census(mesh);
  if (census.closed()) return;
  throw InputError(name + ": mass properties need a closed mesh; of its " +
                   std::to_string(census.edges) + " edges " +
                   std::to_string(census.boundary_edges) + " have one triangle, " +
                   std::to_string(census.non_manifold_edges) + " have more than two and " +
                   std::to_string(census.flipped_edges) + " have two of opposite orientation");
}

void require_volume(double volume, const TriangleMesh& mesh, const std::string& name) {
  // Each tetrahedron is at most area times diagonal; less than its rounding is no volume.
  const double diagonal = 2.0 * bounding_box(mesh).half_size().norm();
  const double rounding = 1e-14 * surface_area(mesh) * diagonal;
  if (std::abs(volume) <= rounding) throw InputError(name + ": the mesh encloses no volume");
  if (volume < 0.0)
    throw InputError(name + ": the mesh is inside out, its volume is " + to_text(volume, 6) +
                     " m^3; reverse the order of its triangles' corners");
}

}  // namespace

double signed_volume(const TriangleMesh& mesh) {
  return moments_of(mesh).zeroth;
}

MassProperties mass_properties(const TriangleMesh& mesh, double density, const std::string& name) {
  parameters_detail::check_number(density, {}, name + ": density", positive());
  require_usable(mesh, name);
  require_closed(mesh, name);
  const Moments m = moments_of(mesh);
  require_volume(m.zeroth, mesh, name);

  const Vec3 center = m.first / m.zeroth;  // from the origin of the moments
  const Mat3 second = m.second - m.zeroth * center * center.transpose();
  return {density * m.zeroth, m.origin + center, density * inertia_from_second_moments(second)};
}

MassProperties box_mass_properties(const Vec3& size, double density) {
  const double mass = density * size.prod();
  const Vec3 second = mass / 12.0 * size.cwiseAbs2();
  return on_axes(mass, Vec3::Zero(), Vec3::Constant(second.sum()) - second);
}

MassProperties sphere_mass_properties(double radius, double density) {
  const double mass = density * 4.0 / 3.0 * kPi * std::pow(radius, 3);
  return on_axes(mass, Vec3::Zero(), Vec3::Constant(0.4 * mass * radius * radius));
}

MassProperties cylinder_mass_properties(double radius, double length, double density) {
  const double mass = density * kPi * radius * radius * length;
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  return on_axes(mass, Vec3::Zero(), {across, across, 0.5 * mass * radius * radius});
}

MassProperties cone_mass_properties(double base_radius, double top_radius, double length,
                                    double density) {
  // Integrals over s in [0, 1] of r^2, s r^2, s^2 r^2 and r^4 with r = a + (b - a) s.
  const double a = base_radius;
  const double b = top_radius;
  GROUSER_ASSERT(a >= 0.0 && b >= 0.0 && a + b > 0.0);
  const double r2 = (a * a + a * b + b * b) / 3.0;
  const double s_r2 = (a * a + 2.0 * a * b + 3.0 * b * b) / 12.0;
  const double s2_r2 = (a * a + 3.0 * a * b + 6.0 * b * b) / 30.0;
  const double r4 =
      (std::pow(a, 4) + std::pow(a, 3) * b + a * a * b * b + a * std::pow(b, 3) + std::pow(b, 4)) /
      5.0;

  const double mass = density * kPi * length * r2;
  const double height = s_r2 / r2;  // of the centre above the base, in lengths
  const double along = density * kPi * length * r4 / 4.0;  // integral of x^2, and of y^2
  const double upward = density * kPi * std::pow(length, 3) * (s2_r2 - r2 * height * height);
  return on_axes(mass, {0.0, 0.0, (height - 0.5) * length},
                 {along + upward, along + upward, 2.0 * along});
}

MassProperties capsule_mass_properties(double radius, double length, double density) {
  const MassProperties middle = cylinder_mass_properties(radius, length, density);
  const MassProperties ends = sphere_mass_properties(radius, density);
  // A half sphere has its centre 3/8 r from its flat side; moved from there to the end of the
  // cylinder, both together gain this much.
  const double gain = ends.mass * (0.25 * length * length + 0.375 * length * radius);
  const double across = middle.inertia(0, 0) + ends.inertia(0, 0) + gain;
  return on_axes(middle.mass + ends.mass, Vec3::Zero(),
                 {across, across, middle.inertia(2, 2) + ends.inertia(2, 2)});
}

MassProperties torus_mass_properties(double major_radius, double minor_radius, double density) {
  const double R2 = major_radius * major_radius;
  const double r2 = minor_radius * minor_radius;
  const double mass = density * 2.0 * kPi * kPi * major_radius * r2;
  const double across = mass * (0.5 * R2 + 0.625 * r2);
  return on_axes(mass, Vec3::Zero(), {across, across, mass * (R2 + 0.75 * r2)});
}

MassProperties ellipsoid_mass_properties(const Vec3& half_axes, double density) {
  MassProperties out;
  out.mass = 4.0 / 3.0 * kPi * half_axes.prod() * density;
  const Vec3 squares = half_axes.cwiseAbs2();
  out.inertia.diagonal() = 0.2 * out.mass * (Vec3::Constant(squares.sum()) - squares);
  return out;
}

namespace {

/// Euler's beta function.
double beta(double x, double y) {
  return std::tgamma(x) * std::tgamma(y) / std::tgamma(x + y);
}

}  // namespace

// Integrals over superquadrics: Jaklic, Leonardis and Solina (2000), Segmentation and Recovery of
// Superquadrics, chapter 2.
MassProperties superellipsoid_mass_properties(const Vec3& half_axes, const Vec2& exponents,
                                              double density) {
  const double e1 = exponents.x(), e2 = exponents.y();
  const double scale = density * half_axes.prod() * e1 * e2;
  const Vec3 squares = half_axes.cwiseAbs2();
  // Of x^2 and y^2 per a^2 and b^2, and of z^2 per c^2.
  const double across = 0.5 * scale * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2.0 * e1 + 1.0);
  const double along = 2.0 * scale * beta(0.5 * e2, 0.5 * e2 + 1.0) * beta(1.5 * e1, e1 + 1.0);
  const Vec3 seconds(across * squares.x(), across * squares.y(), along * squares.z());
  MassProperties out;
  out.mass = 2.0 * scale * beta(0.5 * e1 + 1.0, e1) * beta(0.5 * e2, 0.5 * e2);
  out.inertia.diagonal() = Vec3::Constant(seconds.sum()) - seconds;
  return out;
}

MassProperties placed(const MassProperties& part, const Pose& X_BP) {
  GROUSER_ASSERT(is_rotation(X_BP.R, 1e-6));
  return {part.mass, X_BP * part.center, X_BP.R * part.inertia * X_BP.R.transpose()};
}

MassProperties joined(const MassProperties& a, const MassProperties& b) {
  GROUSER_ASSERT(a.mass >= 0.0 && b.mass >= 0.0);
  MassProperties out;
  out.mass = a.mass + b.mass;
  if (out.mass == 0.0) return out;
  out.center = (a.mass * a.center + b.mass * b.center) / out.mass;
  for (const MassProperties* part : {&a, &b}) {
    const Mat3 lever = cross_matrix(part->center - out.center);
    out.inertia += part->inertia - part->mass * lever * lever;
  }
  return out;
}

}  // namespace grouser
