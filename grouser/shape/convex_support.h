// Convex bodies as their support functions tell them: what GJK, EPA and the polish ask of a shape.
//
// A support function h(m), the reach of a body along m, is made of smooth pieces: a vertex, the
// rim of a disc, an ellipsoid. Each of the bodies below says which piece a support point belongs
// to, and a piece can be asked for its point and the second derivative of h along any m. Bodies
// with a round skin (capsule) are told by their core; the skin's radius is added afterwards.
#pragma once

#include <cmath>
#include <tuple>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_shape.h"

namespace grouser::convex {

struct SupportPoint {
  Vec3 p;
  int piece;
};

/// Point of a piece along unit m and the second derivative of its support function there.
struct PieceJet {
  Vec3 p;
  Mat3 curvature;
};

/// The jet of a vertex.
inline PieceJet vertex_jet(const Vec3& p) {
  return {p, Mat3::Zero()};
}

/// The jet of a circle about the z axis at height z. On the axis itself it has none: not a number.
inline PieceJet rim_jet(double radius, double z, const Vec3& m) {
  const double across = std::hypot(m.x(), m.y());
  const double x = m.x() / across, y = m.y() / across, k = radius / across;
  PieceJet jet{Vec3(radius * x, radius * y, z), Mat3::Zero()};
  jet.curvature.topLeftCorner<2, 2>() << k * y * y, -k * x * y, -k * x * y, k * x * x;
  return jet;
}

/// Point of a circle about the z axis along d; its centre if d is upright.
inline Vec3 rim_point(double radius, double z, const Vec3& d) {
  const double square = d.x() * d.x() + d.y() * d.y();
  const double scale = square > 0.0 ? radius / std::sqrt(square) : 0.0;
  return {scale * d.x(), scale * d.y(), z};
}

/// The core of a sphere: its centre.
struct PointCore {
  static constexpr bool kCurved = false;
  explicit PointCore(const ConvexShape& shape) : radius(shape.radius) {}
  double radius;
  double skin() const { return radius; }
  SupportPoint support(const Vec3&) const { return {Vec3::Zero(), 0}; }
  PieceJet jet(int, const Vec3&) const { return vertex_jet(Vec3::Zero()); }
};

/// The core of a capsule: the segment of its end spheres' centres.
struct SegmentCore {
  static constexpr bool kCurved = false;
  explicit SegmentCore(const ConvexShape& shape)
      : radius(shape.radius), half_length(shape.half_size.z()) {}
  double radius, half_length;
  double skin() const { return radius; }
  Vec3 end(int piece) const { return {0.0, 0.0, piece == 0 ? -half_length : half_length}; }
  SupportPoint support(const Vec3& d) const {
    const int piece = d.z() < 0.0 ? 0 : 1;
    return {end(piece), piece};
  }
  PieceJet jet(int piece, const Vec3&) const { return vertex_jet(end(piece)); }
};

struct BoxCore {
  static constexpr bool kCurved = false;
  static constexpr double skin() { return 0.0; }
  explicit BoxCore(const ConvexShape& shape) : half(shape.half_size) {}
  Vec3 half;
  SupportPoint support(const Vec3& d) const {
    const Vec3 p(std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()),
                 std::copysign(half.z(), d.z()));
    return {p, static_cast<int>(std::signbit(d.x())) | static_cast<int>(std::signbit(d.y())) << 1 |
                   static_cast<int>(std::signbit(d.z())) << 2};
  }
  PieceJet jet(int piece, const Vec3&) const {
    return vertex_jet({(piece & 1) != 0 ? -half.x() : half.x(),
                       (piece & 2) != 0 ? -half.y() : half.y(),
                       (piece & 4) != 0 ? -half.z() : half.z()});
  }
};

/// Climbs from neighbour to neighbour, starting where the last climb ended or, if the direction has
/// turned much since, where the hull's own table says.
struct HullCore {
  static constexpr bool kCurved = false;
  static constexpr double skin() { return 0.0; }
  explicit HullCore(const ConvexShape& shape) : hull(*shape.hull) {}
  const ConvexHull& hull;
  mutable int last = 0;
  mutable Vec3 last_direction = Vec3::Zero();

  /// `d`: a unit vector.
  SupportPoint support(const Vec3& d) const {
    const Vec3* vertices = hull.vertices.data();
    GROUSER_ASSERT(!(std::abs(d.norm() - 1.0) > 1e-6));
    const int* first = hull.first_neighbour.data();
    const int* neighbours = hull.neighbours.data();
    const bool small = hull.starts.empty();
    int best = small || last_direction.dot(d) > kNear ? last : hull.start_towards(d);
    double reach = vertices[best].dot(d);
    const auto try_vertex = [&](int v) {
      const double next = vertices[v].dot(d);
      best = next > reach ? v : best;  // without a jump, which could not be foreseen
      reach = next > reach ? next : reach;
    };
    if (small) {
      const int count = static_cast<int>(hull.vertices.size());
      for (int v = 0; v < count; ++v) try_vertex(v);
    } else {
      for (int from = -1; from != best;) {
        from = best;
        for (int k = first[from]; k < first[from + 1]; ++k) try_vertex(neighbours[k]);
      }
    }
    last = best;
    last_direction = d;
    return {vertices[best], best};
  }
  PieceJet jet(int piece, const Vec3&) const {
    return vertex_jet(hull.vertices[static_cast<std::size_t>(piece)]);
  }

 private:
  static constexpr double kNear = 0.95;  ///< cosine
};

struct EllipsoidCore {
  static constexpr bool kCurved = true;
  static constexpr double skin() { return 0.0; }
  explicit EllipsoidCore(const ConvexShape& shape) : squares(shape.half_size.cwiseAbs2()) {}
  Vec3 squares;
  SupportPoint support(const Vec3& d) const {
    const Vec3 scaled = squares.cwiseProduct(d);
    return {scaled / std::sqrt(scaled.dot(d)), 0};
  }
  PieceJet jet(int, const Vec3& m) const {
    const Vec3 scaled = squares.cwiseProduct(m);
    const double reach = std::sqrt(scaled.dot(m));
    const Vec3 p = scaled / reach;
    Mat3 curvature = -p * p.transpose();
    curvature.diagonal() += squares;
    return {p, curvature / reach};
  }
};

/// Two rims.
struct CylinderCore {
  static constexpr bool kCurved = true;
  static constexpr double skin() { return 0.0; }
  explicit CylinderCore(const ConvexShape& shape)
      : radius(shape.radius), half_length(shape.half_size.z()) {}
  double radius, half_length;
  double height(int piece) const { return piece == 0 ? -half_length : half_length; }
  SupportPoint support(const Vec3& d) const {
    const int piece = d.z() < 0.0 ? 0 : 1;
    return {rim_point(radius, height(piece), d), piece};
  }
  PieceJet jet(int piece, const Vec3& m) const { return rim_jet(radius, height(piece), m); }
};

/// An apex (piece 1) and the rim of the base (piece 0).
struct ConeCore {
  static constexpr bool kCurved = true;
  static constexpr double skin() { return 0.0; }
  explicit ConeCore(const ConvexShape& shape)
      : radius(shape.radius), half_length(shape.half_size.z()) {}
  double radius, half_length;
  SupportPoint support(const Vec3& d) const {
    const Vec3 apex(0.0, 0.0, half_length), rim = rim_point(radius, -half_length, d);
    if (apex.dot(d) > rim.dot(d)) return {apex, 1};
    return {rim, 0};
  }
  PieceJet jet(int piece, const Vec3& m) const {
    if (piece == 1) return vertex_jet({0.0, 0.0, half_length});
    return rim_jet(radius, -half_length, m);
  }
};

/// The cores, in the order of ConvexKind; a half-space has none.
using Cores =
    std::tuple<PointCore, SegmentCore, EllipsoidCore, BoxCore, CylinderCore, ConeCore, HullCore>;
template <ConvexKind kKind>
using Core = std::tuple_element_t<static_cast<std::size_t>(kKind), Cores>;
static_assert(std::tuple_size_v<Cores> == static_cast<std::size_t>(ConvexKind::half_space) &&
              std::tuple_size_v<Cores> + 1 == kConvexKinds);

/// The point of a body other than a half-space farthest along unit d; one of them if there are
/// many.
template <std::size_t kFirst = 0>
Vec3 farthest_point(const ConvexShape& shape, const Vec3& d) {
  if constexpr (kFirst < std::tuple_size_v<Cores>) {
    if (static_cast<std::size_t>(shape.kind) != kFirst) return farthest_point<kFirst + 1>(shape, d);
    const std::tuple_element_t<kFirst, Cores> core(shape);
    return core.support(d).p + core.skin() * d;
  }
  return Vec3::Zero();
}

/// A point of A minus B, in the frame of A.
struct DifferencePoint {
  Vec3 q;  ///< a - b
  Vec3 a;  ///< the point of A
  int piece_a, piece_b;
};

/// The body of all a - b, in the frame of A. The bodies overlap if it contains the origin.
template <class CoreA, class CoreB>
struct Difference {
  static constexpr bool kCurved = CoreA::kCurved || CoreB::kCurved;
  CoreA a;
  CoreB b;
  Pose X_AB;

  DifferencePoint support(const Vec3& d) const {
    const Mat3& R = X_AB.R;
    const SupportPoint on_a = a.support(d);
    const SupportPoint on_b = b.support({-R.col(0).dot(d), -R.col(1).dot(d), -R.col(2).dot(d)});
    const Vec3 b_A = on_b.p.x() * R.col(0) + on_b.p.y() * R.col(1) + on_b.p.z() * R.col(2) + X_AB.p;
    return {on_a.p - b_A, on_a.p, on_a.piece, on_b.piece};
  }
  PieceJet jet_a(int piece, const Vec3& m) const { return a.jet(piece, m); }
  /// Of the point of B itself; along -m its support function counts, with the same curvature.
  PieceJet jet_b(int piece, const Vec3& m) const {
    PieceJet jet = b.jet(piece, -(X_AB.R.transpose() * m));
    if constexpr (CoreB::kCurved) jet.curvature = X_AB.R * jet.curvature * X_AB.R.transpose();
    jet.p = X_AB * jet.p;
    return jet;
  }
};

}  // namespace grouser::convex
