#include "grouser/shape/closest_points.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

/// Eigenvalues of a symmetric matrix, smaller first.
Vec2 eigenvalues(const Mat2& m) {
  const double mean = 0.5 * (m(0, 0) + m(1, 1));
  const double off = 0.5 * (m(0, 1) + m(1, 0));
  const double spread = std::hypot(0.5 * (m(0, 0) - m(1, 1)), off);
  return {mean - spread, mean + spread};
}

/// Where a matrix of that size counts as singular: it is what rounding leaves of larger ones.
bool is_singular(const Mat2& m, double size) {
  return !(std::abs(m.determinant()) > 1e-12 * size * size);
}
double curvature_scale(const ClosestPoints& c) {
  return c.K1.norm() + c.K2.norm();
}

SurfaceJet moved(const Pose& X, SurfaceJet jet) {
  jet.p = X * jet.p;
  for (Vec3* x : {&jet.fu, &jet.fv, &jet.fuu, &jet.fuv, &jet.fvv}) *x = X.R * *x;
  return jet;
}

/// The equations of Newton's method at a pair of points: steps t1 with A t1 = b, and t2 from them.
struct Equations {
  Mat2 A, along;  // along = I + D K1
  Mat2 back;      // Q^-1, with Q from the tangent basis of the second surface to e1, e2
  Vec2 b, r1;

  Vec2 second(const Vec2& t1) const { return back * (along * t1 - r1); }
};

/// Both surfaces with tangent bases of their own: e1, e2 of the first, and a1, a2 of the second,
/// as nearly the same as its tangent plane allows.
struct Tangents {
  ClosestPoints at;
  Vec3 n2, a1, a2;
};

Tangents tangents_at(const SmoothSurface& first, const SmoothSurface& second, const Pose& X_12,
                     const SurfaceCoordinates& x1, const SurfaceCoordinates& x2) {
  const SurfaceJet jet1 = first.at(x1), jet2 = moved(X_12, second.at(x2));
  const GaussFrame one = gauss_frame(jet1);
  GaussFrame two = gauss_frame(jet2, one.e1);
  Tangents out;
  out.n2 = two.n;
  out.a1 = two.e1;
  out.a2 = -two.e2;  // normals are opposite, so the second basis is left-handed
  ClosestPoints& c = out.at;
  c.x1 = x1;
  c.x2 = x2;
  c.p1 = one.p;
  c.p2 = two.p;
  c.e1 = one.e1;
  c.e2 = one.e2;
  c.n = one.n;
  c.B1 = one.B;
  c.B2 = two.B;
  c.B2.row(1) *= -1.0;
  c.K1 = one.K;
  c.K2 = two.K;
  c.K2(0, 1) *= -1.0;
  c.K2(1, 0) *= -1.0;
  c.gap = c.n.dot(c.p2 - c.p1);
  c.status1 = jet1.status;
  c.status2 = jet2.status;
  return out;
}

std::optional<Equations> equations_of(const Tangents& pair) {
  const ClosestPoints& c = pair.at;
  Mat2 Q;
  Q << c.e1.dot(pair.a1), c.e1.dot(pair.a2), c.e2.dot(pair.a1), c.e2.dot(pair.a2);
  if (is_singular(Q, 1.0)) return std::nullopt;
  const Vec3 apart = c.p2 - c.p1;
  const double opposite = -pair.n2.dot(c.n);
  Equations out;
  out.back = Q.inverse();
  out.along = Mat2::Identity() + c.gap * c.K1;
  out.r1 = Vec2(c.e1.dot(apart), c.e2.dot(apart));
  const Vec2 r2(pair.a1.dot(c.n), pair.a2.dot(c.n));
  const Mat2 second = opposite * c.K2 * out.back;
  out.A = Q.transpose() * c.K1 + second * out.along;
  out.b = second * out.r1 - r2;
  return out;
}

/// A is made positive by what its smallest eigenvalue lacks, so that a step leads to a smaller gap.
Mat2 downhill(Mat2 A, double size) {
  GROUSER_ASSERT(size > 0.0);
  const double least = 1e-4 / size;
  const double smallest = eigenvalues(A)[0];
  if (smallest < least) A.diagonal().array() += std::max(least, -smallest) - smallest;
  return A;
}

/// A is made such that a step leads up along a direction and down across it.
Mat2 over_a_saddle(const Mat2& A, const Vec2& along, double size) {
  GROUSER_ASSERT(std::abs(along.norm() - 1.0) < 1e-9 && size > 0.0);
  Mat2 basis;
  basis << along.x(), -along.y(), along.y(), along.x();
  Mat2 turned = basis.transpose() * A * basis;
  if (turned(0, 0) < 0.0 && turned(1, 1) > 0.0 && turned.determinant() < 0.0) return A;
  const double least = 0.05 / size;
  turned(0, 0) = -std::max(std::abs(turned(0, 0)), least);
  turned(1, 1) = std::max(std::abs(turned(1, 1)), least);
  turned(0, 1) = turned(1, 0) = 0.0;
  return basis * turned * basis.transpose();
}

SurfaceCoordinates stepped(const SmoothSurface& surface, const SurfaceCoordinates& x, const Mat2& B,
                           const Vec2& t) {
  const Vec2 step = B.inverse() * t;
  return surface.recharted({x.u + step.x(), x.v + step.y(), x.chart});
}

}  // namespace

Vec2 gap_curvatures(const ClosestPoints& c) {
  const Mat2 M = c.relative_curvature();
  const double mean = 0.5 * M.trace();
  const double spread = std::sqrt(std::max(0.0, mean * mean - M.determinant()));
  return {mean - spread, mean + spread};
}

ContactKind kind_of(const ClosestPoints& c) {
  const Vec2 bend = gap_curvatures(c);
  if (bend[0] > 0.0) return ContactKind::nearest;
  return bend[1] > 0.0 ? ContactKind::saddle : ContactKind::farthest;
}

ClosestPoints pair_at(const SmoothSurface& first, const SmoothSurface& second, const Pose& X_12,
                      const SurfaceCoordinates& x1, const SurfaceCoordinates& x2) {
  return tangents_at(first, second, X_12, x1, x2).at;
}

std::optional<NewtonStep> newton_step(const SmoothSurface& first, const SmoothSurface& second,
                                      const Pose& X_12, const SurfaceCoordinates& x1,
                                      const SurfaceCoordinates& x2) {
  const Tangents pair = tangents_at(first, second, X_12, x1, x2);
  const std::optional<Equations> equations = equations_of(pair);
  if (!equations || is_singular(equations->A, curvature_scale(pair.at))) return std::nullopt;
  const Vec2 t1 = equations->A.inverse() * equations->b;
  return NewtonStep{t1, equations->second(t1)};
}

std::optional<ClosestPoints> find_closest(const SmoothSurface& first, const SmoothSurface& second,
                                          const Pose& X_12, SurfaceCoordinates x1,
                                          SurfaceCoordinates x2, const std::optional<Vec3>& over) {
  // Converges quadratically: after a step of this size there is rounding alone.
  constexpr double kLastStep = 1e-8, kInLine = 1e-2;
  const double size = std::min(first.size(), second.size());
  constexpr int kMostIterations = 20;
  for (int i = 0; i < kMostIterations; ++i) {
    const Tangents pair = tangents_at(first, second, X_12, x1, x2);
    const std::optional<Equations> equations = equations_of(pair);
    if (!equations) return std::nullopt;
    Mat2 A = equations->A;
    if (over) {
      const Vec2 along(pair.at.e1.dot(*over), pair.at.e2.dot(*over));
      if (!(along.norm() > 0.0)) return std::nullopt;
      A = over_a_saddle(A, along.normalized(), size);
    } else {
      A = downhill(A, size);
    }
    if (is_singular(A, curvature_scale(pair.at))) return std::nullopt;
    Vec2 t1 = A.inverse() * equations->b;
    Vec2 t2 = equations->second(t1);
    const double length = std::sqrt(std::max(t1.squaredNorm(), t2.squaredNorm()));
    if (!std::isfinite(length)) return std::nullopt;
    const bool is_last = length < kLastStep * size;
    if (const double most = 0.5 * size; length > most) {
      t1 *= most / length;
      t2 *= most / length;
    }
    x1 = stepped(first, x1, pair.at.B1, t1);
    x2 = stepped(second, x2, pair.at.B2, t2);
    // Bodies that fit each other have no nearest point; then one where they are in line will do.
    const bool gives_up = i + 1 == kMostIterations && length < kInLine * size;
    if (!is_last && !gives_up) continue;
    const ClosestPoints found = pair_at(first, second, X_12, x1, x2);
    if (!over && !gives_up && kind_of(found) != ContactKind::nearest) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

std::optional<ContactRates> contact_rates(const ClosestPoints& c, const Vec3& velocity,
                                          const Vec3& spin) {
  GROUSER_ASSERT(is_unit(c.n));
  const Mat2 M = c.relative_curvature();
  if (is_singular(M, curvature_scale(c))) return std::nullopt;
  const Vec3 turning = spin.cross(c.n);  // how the second normal turns, apart from its motion
  const Vec2 turn(c.e1.dot(turning), c.e2.dot(turning));
  const Vec2 slide(c.e1.dot(velocity), c.e2.dot(velocity));
  ContactRates out;
  out.gap = c.n.dot(velocity);
  out.t1 = M.inverse() * (turn + c.K2 * slide);
  out.t2 = (Mat2::Identity() + c.gap * c.K1) * out.t1 - slide;
  return out;
}

}  // namespace grouser
