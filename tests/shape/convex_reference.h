// The slow way to depth and distance of two convex bodies, and what random bodies to ask it of.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/shape/convex_contact.h"

namespace grouser {

inline Vec3 random_vector(Random& random) {
  const auto coordinate = [&] { return random.uniform(-1.0, 1.0); };
  for (;;) {
    const Vec3 v(coordinate(), coordinate(), coordinate());
    if (v.norm() < 1.0 && v.norm() > 0.01) return v;
  }
}

inline Mat3 random_rotation(Random& random) {
  const auto coordinate = [&] { return random.uniform(-1.0, 1.0); };
  return make_pose(Vec3::Zero(), Quat(coordinate(), coordinate(), coordinate(), coordinate())).R;
}

/// The hull of points on an ellipsoid.
inline ConvexShape random_hull(Random& random, int points, const Vec3& half_axes) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i)
    cloud.push_back(half_axes.cwiseProduct(random_vector(random).normalized()));
  return ConvexShape::from_hull(make_convex_hull(cloud));
}

/// Sizes between 0.1 and 1 m.
inline ConvexShape random_shape(ConvexKind kind, Random& random) {
  const auto size = [&] { return random.uniform(0.1, 1.0); };
  const auto sizes = [&] { return Vec3(size(), size(), size()); };
  switch (kind) {
    case ConvexKind::sphere:
      return ConvexShape::sphere(0.5 * size());
    case ConvexKind::capsule:
      return ConvexShape::capsule(0.3 * size(), size());
    case ConvexKind::ellipsoid:
      return ConvexShape::ellipsoid(0.5 * sizes());
    case ConvexKind::box:
      return ConvexShape::box(sizes());
    case ConvexKind::cylinder:
      return ConvexShape::cylinder(0.5 * size(), size());
    case ConvexKind::cone:
      return ConvexShape::cone(0.5 * size(), size());
    case ConvexKind::hull:
      return random_hull(random, 8 + static_cast<int>(random.below(13)), 0.5 * sizes());
    case ConvexKind::half_space:
      break;
  }
  return ConvexShape::half_space();
}

/// How far A minus B reaches along unit m; what A must move along -m to be clear of B, if positive.
inline double reach_along(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                          const Pose& X_WB, const Vec3& m) {
  const Vec3 on_a = X_WA * support_point(a, X_WA.R.transpose() * m);
  const Vec3 on_b = X_WB * support_point(b, -(X_WB.R.transpose() * m));
  return m.dot(on_a - on_b);
}

/// Least value of f between two places, for f that falls and then rises.
template <class Function>
double least_between(double low, double high, int steps, Function&& f) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = f(left), at_right = f(right);
  for (int i = 0; i < steps; ++i) {
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      at_left = f(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = f(right = low + golden * (high - low));
    }
  }
  return std::min(at_left, at_right);
}

/// An upper bound of the depth, within some 1e-3 of it: the least reach over a dense set of
/// directions, and around the best of them over sections in two directions, which no kink stops.
inline double brute_force_depth(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                const Pose& X_WB) {
  constexpr int kDirections = 1000, kStarts = 6, kSteps = 11;  // 0.16 * golden^11 = 8e-4 rad
  const auto reach = [&](const Vec3& m) { return reach_along(a, X_WA, b, X_WB, m); };
  std::vector<std::pair<double, Vec3>> all;
  for (int i = 0; i < kDirections; ++i) {  // Fibonacci's spiral
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections, turn = i * kPi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    const Vec3 m(r * std::cos(turn), r * std::sin(turn), z);
    all.push_back({reach(m), m});
  }
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<Vec3> starts;
  double least = all.front().first;
  for (const auto& candidate : all) {
    const Vec3& m = candidate.second;
    // Directions are 0.08 rad from one of these, and nothing reaches much farther than 1 m.
    if (starts.size() == kStarts || candidate.first > least + 0.08) break;
    if (std::any_of(starts.begin(), starts.end(), [&](const Vec3& s) { return m.dot(s) > 0.97; }))
      continue;
    starts.push_back(m);
    const Vec3 x = m.unitOrthogonal(), y = m.cross(x);
    const double here = least_between(-0.08, 0.08, kSteps, [&](double i) {
      return least_between(-0.08, 0.08, kSteps,
                           [&](double j) { return reach((m + i * x + j * y).normalized()); });
    });
    least = std::min(least, here);
  }
  return least;
}

/// The least reach on rings around a direction, from 0.1 to 1e-8 rad.
inline double least_reach_around(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                 const Pose& X_WB, const Vec3& m) {
  constexpr int kOnRing = 24;
  const Vec3 x = m.unitOrthogonal(), y = m.cross(x);
  double least = reach_along(a, X_WA, b, X_WB, m);
  for (double radius = 0.1; radius > 1e-8; radius *= 0.2)
    for (int i = 0; i < kOnRing; ++i) {
      const double turn = 2.0 * kPi * i / kOnRing;
      const Vec3 at = m + radius * (std::cos(turn) * x + std::sin(turn) * y);
      least = std::min(least, reach_along(a, X_WA, b, X_WB, at.normalized()));
    }
  return least;
}

/// How far a point is outside of a body, up to a factor of its proportions; negative inside.
inline double outside_by(const ConvexShape& shape, const Vec3& p) {
  const double across = std::hypot(p.x(), p.y()), h = shape.half_size.z(), r = shape.radius;
  switch (shape.kind) {
    case ConvexKind::sphere:
    case ConvexKind::capsule:
      return (p - Vec3(0.0, 0.0, std::clamp(p.z(), -h, h))).norm() - r;
    case ConvexKind::ellipsoid:
      return (p.cwiseQuotient(shape.half_size).norm() - 1.0) * shape.half_size.minCoeff();
    case ConvexKind::box:
      return (p.cwiseAbs() - shape.half_size).maxCoeff();
    case ConvexKind::cylinder:
      return std::max(across - r, std::abs(p.z()) - h);
    case ConvexKind::cone:
      return std::max(-h - p.z(),
                      (2.0 * h * (across - r) + r * (p.z() + h)) / std::hypot(2.0 * h, r));
    case ConvexKind::hull: {
      double most = -1e300;
      for (std::size_t f = 0; f < shape.hull->face_count(); ++f)
        most = std::max(most, shape.hull->normals[f].dot(p) - shape.hull->offsets[f]);
      return most;
    }
    case ConvexKind::half_space:
      break;
  }
  return p.z();
}

}  // namespace grouser
