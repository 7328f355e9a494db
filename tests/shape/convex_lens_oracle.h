// The overlap of two hulls in long form: every face of one clipped by every plane of the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/shape/convex_lens.h"
#include "tests/support/random_vector.h"

namespace grouser::test {

inline const ConvexShape kGround = ConvexShape::half_space();

inline ConvexLens lens_of(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                          const Pose& X_WB) {
  Scratch scratch;
  return find_convex_lens(a, X_WA, b, X_WB, find_convex_contact(a, X_WA, b, X_WB), scratch);
}

using Outline = std::vector<Vec3>;

struct PlacedHull {
  std::vector<Outline> polygons;
  std::vector<Vec3> normals;
  std::vector<double> offsets;
};

inline PlacedHull placed(const ConvexHull& hull, const Pose& X) {
  PlacedHull out;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    Outline polygon;
    for (const int v : hull.corners_of(f)) polygon.push_back(X * hull.vertices[std::size_t(v)]);
    out.polygons.push_back(polygon);
    out.normals.push_back(X.R * hull.normals[f]);
    out.offsets.push_back(hull.offsets[f] + out.normals.back().dot(X.p));
  }
  return out;
}

inline Outline clipped(const Outline& polygon, const Vec3& normal, double offset) {
  Outline out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double hp = normal.dot(p) - offset, hq = normal.dot(q) - offset;
    if (hp <= 0.0) out.push_back(p);
    if ((hp <= 0.0) != (hq <= 0.0)) out.push_back(p + hp / (hp - hq) * (q - p));
  }
  return out;
}

/// Sums over the faces of one body inside the other one.
struct FaceSums {
  Vec3 area = Vec3::Zero();
  Vec3 weighted_area = Vec3::Zero();
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

/// Tetrahedra to the point o; `fade` as the lens has it: a quarter of the contact's depth.
inline FaceSums sum_faces(const PlacedHull& of, const PlacedHull& in, const Vec3& o, double fade) {
  FaceSums sums;
  for (std::size_t f = 0; f < of.polygons.size(); ++f) {
    Outline piece = of.polygons[f];
    for (std::size_t g = 0; g < in.normals.size(); ++g)
      piece = clipped(piece, in.normals[g], in.offsets[g]);
    Vec3 area = Vec3::Zero(), middle = Vec3::Zero();
    for (std::size_t i = 2; i < piece.size(); ++i) {
      const Vec3 a = piece[0] - o, b = piece[i - 1] - o, c = piece[i] - o;
      const double volume = a.dot(b.cross(c)) / 6.0;
      const Vec3 sum = a + b + c, part = 0.5 * (b - a).cross(c - a);
      area += part;
      middle += part.norm() * sum / 3.0;
      sums.volume += volume;
      sums.first += volume / 4.0 * sum;
      sums.second +=
          volume / 20.0 *
          (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
    if (area.norm() == 0.0) continue;
    middle = o + middle / area.norm();
    double weight = 1.0;
    for (std::size_t g = 0; g < in.normals.size(); ++g) {
      const double full = fade * of.normals[f].dot(in.normals[g]);
      const double inside = std::max(in.offsets[g] - in.normals[g].dot(middle), 0.0);
      if (full > 0.0) weight = std::min(weight, inside / full);
    }
    sums.area += area;
    sums.weighted_area += weight * area;
  }
  return sums;
}

struct OracleLens {
  ConvexLens lens;
  Vec3 area_a, area_b;  ///< of the faces of either body, without weights
};

inline OracleLens oracle_lens(const ConvexHull& a, const Pose& X_WA, const ConvexHull& b,
                              const Pose& X_WB, const ConvexContact& contact) {
  const PlacedHull A = placed(a, X_WA), B = placed(b, X_WB);
  const Vec3 o = 0.5 * (contact.p_WA + contact.p_WB);
  const FaceSums of_a = sum_faces(A, B, o, 0.25 * contact.depth);
  const FaceSums of_b = sum_faces(B, A, o, 0.25 * contact.depth);
  OracleLens out;
  out.area_a = of_a.area;
  out.area_b = of_b.area;
  out.lens.volume = of_a.volume + of_b.volume;
  const Vec3 area = 0.5 * (of_b.weighted_area - of_a.weighted_area);
  out.lens.area = area.norm();
  out.lens.normal_W = area.normalized();
  out.lens.depth = out.lens.volume / out.lens.area;
  const Vec3 center = (of_a.first + of_b.first) / out.lens.volume;
  out.lens.center_W = o + center;
  out.lens.covariance_W =
      (of_a.second + of_b.second) / out.lens.volume - center * center.transpose();
  return out;
}

inline Mat3 even_rotation(Random& random) {
  return Quat(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
              random.uniform(-1.0, 1.0))
      .normalized()
      .toRotationMatrix();
}

/// Points on an ellipsoid of half axes between 0.3 and 1.
inline ConvexShape random_hull(Random& random, int points) {
  const Vec3 axes = Vec3::Constant(0.65) + 0.35 * random_vector(random, 1.0);
  std::vector<Vec3> cloud;
  while (static_cast<int>(cloud.size()) < points) {
    const Vec3 p = random_vector(random, 1.0);
    if (p.norm() > 0.1 && p.norm() < 1.0) cloud.push_back(p.normalized().cwiseProduct(axes));
  }
  return ConvexShape::from_hull(make_convex_hull(cloud));
}

/// B's pose turned at random and moved away along a random direction until it is `depth` inside A.
inline Pose pose_at_depth(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                          double depth, Random& random) {
  Pose X_WB{even_rotation(random), Vec3::Zero()};
  const Vec3 direction = b.kind == ConvexKind::half_space ? Vec3(-X_WB.R.col(2))
                                                          : random_vector(random, 1.0).normalized();
  double low = 0.0, high = 10.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    X_WB.p = X_WA.p + middle * direction;
    (find_convex_contact(a, X_WA, b, X_WB).depth > depth ? low : high) = middle;
  }
  return X_WB;
}

}  // namespace grouser::test
