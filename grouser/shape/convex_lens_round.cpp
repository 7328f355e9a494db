#include "grouser/shape/convex_lens_round.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace grouser {

namespace {

/// How far the facets reach, in depths: somewhat more than the overlap.
constexpr double kReach = 1.05;

double reach(const LensPlace& place) {
  return kReach * place.depth + 0.2 * place.rounding;
}

constexpr int kFacets = 16;  // of a cylinder, over the arc that takes part
constexpr int kColumns = kFacets + 1;

/// The arc of a circle that takes part: +-half about the direction u, in the plane of u and v.
struct Arc {
  Vec3 u, v;
  double half;
};

/// Axes across z: u points along the part of direction across z, where it is not too small to tell.
Arc arc_about(const Vec3& direction, double half) {
  const double across = std::hypot(direction.x(), direction.y());
  const double x = across > 1e-12 ? direction.x() / across : 1.0;
  const double y = across > 1e-12 ? direction.y() / across : 0.0;
  return {Vec3(x, y, 0.0), Vec3(-y, x, 0.0), half};
}

/// A body upright has its facets fixed to it, as the direction u is then but noise. `fullness` is
/// 1 - cos of the angle where the overlap ends: 2 when the circle becomes full, and more beyond.
void settle(Arc& arc, double fullness, int facets) {
  if (fullness <= 2.0) return;
  const double t = std::min((fullness - 2.0) / 6.0, 1.0);
  const double facet = 2.0 * kPi / facets;
  const double angle = std::atan2(arc.u.y(), arc.u.x());
  const double turn = -t * t * (3.0 - 2.0 * t) * (angle - facet * std::round(angle / facet));
  const Vec3 u = arc.u;
  arc.u = std::cos(turn) * u + std::sin(turn) * arc.v;
  arc.v = std::cos(turn) * arc.v - std::sin(turn) * u;
}

Arc arc_of_cylinder(double radius, const Vec3& direction, const LensPlace& place) {
  // The slab meets the lowest circle where radius * across * (1 - cos phi) is less than it.
  const double across = std::hypot(direction.x(), direction.y());
  const double fullness = reach(place) / std::max(radius * across, 1e-300);
  const double half = 2.0 * std::asin(std::sqrt(std::min(0.5 * fullness, 1.0)));
  Arc arc = arc_about(direction, half);
  settle(arc, fullness, kFacets);
  return arc;
}

/// Cosines and sines of 0, angle, 2 angle, ...
template <std::size_t n>
void turns(double angle, std::array<double, n>& cosines, std::array<double, n>& sines) {
  const double c = std::cos(angle), s = std::sin(angle);
  cosines[0] = 1.0;
  sines[0] = 0.0;
  for (std::size_t k = 1; k < n; ++k) {
    cosines[k] = c * cosines[k - 1] - s * sines[k - 1];
    sines[k] = s * cosines[k - 1] + c * sines[k - 1];
  }
}

/// sqrt(x / sin x): makes a triangle of two such radii as large as the sector of the angle x.
double swelling(double x) {
  return x < 1e-3 ? 1.0 + x * x / 12.0 : std::sqrt(x / std::sin(x));
}

}  // namespace

LensBody cylinder_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                       Scratch& scratch) {
  const Vec3 direction = X_WS.R.transpose() * place.direction_W;
  const Arc arc = arc_of_cylinder(shape.radius, direction, place);
  const double facet = 2.0 * arc.half / kFacets;
  const double radius = shape.radius * swelling(facet);
  const Vec3 u = X_WS.R * arc.u, v = X_WS.R * arc.v, axis = X_WS.R.col(2);
  const Vec3 center = X_WS.p - place.p_WO;
  const Vec3 rise = shape.half_size.z() * axis;

  // Even multiples of half a facet's angle lead to columns, odd ones to the facets between.
  std::array<double, kFacets + 1> cosines, sines;
  turns(0.5 * facet, cosines, sines);
  const std::span<Vec3> vertices = scratch.take<Vec3>(2 * kColumns);
  const std::span<LensPlane> planes = scratch.take<LensPlane>(kColumns + 2);
  const auto toward = [&](int half_facets) {
    const auto k = static_cast<std::size_t>(std::abs(half_facets));
    return Vec3(cosines[k] * u + (half_facets < 0 ? -sines[k] : sines[k]) * v);
  };
  const double inner = radius * cosines[1];
  for (int k = 0; k < kColumns; ++k) {
    const Vec3 spoke = center + radius * toward(2 * k - kFacets);
    vertices[static_cast<std::size_t>(k)] = spoke - rise;
    vertices[static_cast<std::size_t>(k + kColumns)] = spoke + rise;
    if (k == kFacets) break;
    const Vec3 normal = toward(2 * k + 1 - kFacets);
    planes[static_cast<std::size_t>(k)] = {normal, inner + normal.dot(center), false};
  }
  // The last side closes the prism behind the arc.
  planes[kFacets] = {-u, -radius * cosines[kFacets] - u.dot(center), true};
  planes[kColumns] = {-axis, shape.half_size.z() - axis.dot(center), false};
  planes[kColumns + 1] = {axis, shape.half_size.z() + axis.dot(center), false};
  LensBody body;
  body.form = LensBody::Form::prism;
  body.planes = body.cell_planes = planes;
  body.vertices = vertices;
  return body;
}

namespace {

constexpr int kFine = 8;    // facets of a cone on either side, where most of the overlap is
constexpr int kCoarse = 4;  // and beyond
constexpr int kSide = kFine + kCoarse;
constexpr int kRing = 2 * kSide;

/// 1 - cos of the angle about u within which most of the overlap of a cone is; 2 and more: all
/// around.
///
/// On the circle of radius rho about the axis it is where cos phi > (K / rho + g) / across. It is
/// widest at the base if the apex stays out of it (K > 0), else at the apex, where it has no
/// volume: there the angle at a quarter of its length counts.
double main_fullness(const ConvexShape& shape, const Vec3& direction, const LensPlace& place) {
  const double radius = shape.radius, half_length = shape.half_size.z();
  const double across = std::max(std::hypot(direction.x(), direction.y()), 1e-12);
  const double at_apex = direction.z() * half_length;
  const double at_base = across * radius - at_apex;
  const double below = std::max(at_apex, at_base) - reach(place);
  const double K = below - at_apex, g = 2.0 * at_apex / radius;
  // cos phi = 1 there, if that is before the base.
  const double end = g > across && K < 0.0 ? std::min(radius, -K / (g - across)) : radius;
  const double cosine = std::min((K / radius + g) / across, (4.0 * K / end + g) / across);
  return std::max(1.0 - cosine, 0.0);
}

/// Angles of the ring on one side of u, from 0 to pi: in equal steps to the main angle, and in
/// growing ones beyond, unless it is so large that all can be equal.
std::array<double, kSide + 1> ring_angles(double fullness) {
  const double main = 2.0 * std::asin(std::sqrt(std::min(0.5 * fullness, 1.0)));
  const double fine = std::clamp(main, 1e-9, kPi * kFine / kSide);
  std::array<double, kSide + 1> angles;
  for (int k = 0; k <= kFine; ++k) angles[static_cast<std::size_t>(k)] = fine * k / kFine;
  const double power = std::log(kPi / fine) / std::log(static_cast<double>(kSide) / kFine);
  for (int k = kFine + 1; k <= kSide; ++k)
    angles[static_cast<std::size_t>(k)] = fine * std::pow(static_cast<double>(k) / kFine, power);
  return angles;
}

}  // namespace

LensBody cone_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                   Scratch& scratch) {
  const Vec3 direction = X_WS.R.transpose() * place.direction_W;
  const double fullness = main_fullness(shape, direction, place);
  Arc arc = arc_about(direction, kPi);
  settle(arc, fullness, kRing);
  const std::array<double, kSide + 1> angles = ring_angles(fullness);
  const Vec3 u = X_WS.R * arc.u, v = X_WS.R * arc.v, axis = X_WS.R.col(2);
  const Vec3 center = X_WS.p - place.p_WO;
  const Vec3 rise = shape.half_size.z() * axis;

  const std::span<Vec3> vertices = scratch.take<Vec3>(kRing + 1);
  for (std::size_t k = 0; k <= kSide; ++k) {
    const double before = k > 0 ? angles[k] - angles[k - 1] : angles[1];
    const double after = k < kSide ? angles[k + 1] - angles[k] : before;
    // As for a cylinder; with the smaller neighbour's angle the ring stays convex.
    const double radius = shape.radius * swelling(std::min(before, after));
    const Vec3 along = center - rise + radius * std::cos(angles[k]) * u;
    const Vec3 aside = radius * std::sin(angles[k]) * v;
    vertices[kSide + k == kRing ? 0 : kSide + k] = along + aside;
    vertices[kSide - k] = along - aside;
  }
  vertices[kRing] = center + rise;
  const std::span<LensPlane> planes = scratch.take<LensPlane>(kRing + 1);
  for (std::size_t k = 0; k < kRing; ++k) {
    const Vec3 from = vertices[k] - vertices[kRing];
    const Vec3 to = vertices[k + 1 < kRing ? k + 1 : 0] - vertices[kRing];
    const Vec3 normal = from.cross(to).normalized();
    planes[k] = {normal, normal.dot(vertices[kRing]), false};
  }
  planes[kRing] = {-axis, shape.half_size.z() - axis.dot(center), false};
  LensBody body;
  body.form = LensBody::Form::pyramid;
  body.planes = body.cell_planes = planes;
  body.vertices = vertices;
  return body;
}

}  // namespace grouser
