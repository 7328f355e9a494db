// Two boxes: the 15 axes on which they can be told apart (Gottschalk, Lin, Manocha 1996).
//
// The body of all a - b is a polytope whose faces look along the faces of A, of B, and along the
// cross products of their edges. Its plane next to the origin is the way out.
#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/shape/convex_gjk.h"
#include "grouser/shape/convex_pairs.h"

namespace grouser::convex {
namespace {

/// Edges closer to parallel than this give no axis of their own; see kSlanted.
constexpr double kParallelEdges = 1e-12;
/// The fast formula for edges divides by the sine of their angle. Where that is smaller the answer
/// is computed along the unit axis instead.
constexpr double kSlanted = 1e-3;

struct Boxes {
  Vec3 half_a, half_b;
  Mat3 R;      // R_AB
  Vec3 p;      // p_AB
  Mat3 abs_R;  // of R, each number
};

/// A plane of the difference: index 0 to 2 a face of A, 3 to 5 of B, 6 to 14 an edge of A (first)
/// with one of B.
struct Axis {
  double gap;  // how far the boxes are apart along it
  int index;
};

/// Along a unit vector, with nothing left out.
double gap_along(const Boxes& s, const Vec3& m) {
  return std::abs(m.dot(s.p)) - m.cwiseAbs().dot(s.half_a) -
         (s.R.transpose() * m).cwiseAbs().dot(s.half_b);
}

/// Edge i of A and j of B. Its gap times the sine of their angle is cheap and, if negative, not
/// less than the gap: most need no more.
inline void try_edges(const Boxes& s, int i, int j, double margin, Axis& best) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double apart = std::abs(s.p[i2] * s.R(i1, j) - s.p[i1] * s.R(i2, j)) -
                       (s.half_a[i1] * s.abs_R(i2, j) + s.half_a[i2] * s.abs_R(i1, j) +
                        s.half_b[j1] * s.abs_R(i, j2) + s.half_b[j2] * s.abs_R(i, j1));
  if (apart <= best.gap) return;
  const double sine = std::sqrt(s.R(i1, j) * s.R(i1, j) + s.R(i2, j) * s.R(i2, j));
  if (sine < kParallelEdges) return;
  double gap = apart / sine;
  if (sine < kSlanted) {
    Vec3 m = Vec3::Zero();
    m[i1] = -s.R(i2, j) / sine;
    m[i2] = s.R(i1, j) / sine;
    gap = gap_along(s, m);
  }
  if (gap > best.gap + margin) best = {gap, 6 + 3 * i + j};
}

Axis find_axis(const Boxes& s, double margin) {
  Axis best{-std::numeric_limits<double>::infinity(), 0};
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(s.p[i]) - s.half_a[i] - s.abs_R.row(i).dot(s.half_b);
    if (gap > best.gap) best = {gap, i};
  }
  for (int j = 0; j < 3; ++j) {
    const double gap = std::abs(s.R.col(j).dot(s.p)) - s.half_b[j] - s.abs_R.col(j).dot(s.half_a);
    if (gap > best.gap + margin) best = {gap, 3 + j};
  }
  if (best.gap > 0.0) return best;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) try_edges(s, i, j, margin, best);
  return best;
}

/// Unit vector along an axis, towards B.
Vec3 direction_of(const Boxes& s, int index) {
  Vec3 m = Vec3::Zero();
  if (index < 3)
    m[index] = 1.0;
  else if (index < 6)
    m = s.R.col(index - 3);
  else
    m = Vec3(Vec3::Unit((index - 6) / 3).cross(s.R.col((index - 6) % 3))).normalized();
  return m.dot(s.p) < 0.0 ? Vec3(-m) : m;
}

/// A point that the face of a box (axis k, |x| <= half across it) has in common with what another
/// box, at pose X, brings along -m: its corner, or the middle of what is over the face of an edge
/// or face that lies level.
Vec3 level_point(const Vec3& half, int k, const Vec3& other_half, const Pose& X, const Vec3& m) {
  const Vec3 along = X.R.transpose() * m;
  Vec3 corner;
  std::array<int, 2> level;
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    corner[i] = std::copysign(other_half[i], -along[i]);
    if (std::abs(along[i]) < kLevel && count < 2) level[static_cast<std::size_t>(count++)] = i;
  }
  if (count == 0) return X * corner;

  // The level edge or rectangle, cut by the four sides of the face.
  std::array<Vec3, 8> points, cut;
  std::size_t size = 0;
  const auto add = [&](double first, double second) {
    Vec3 p = corner;
    p[level[0]] = first * other_half[level[0]];
    if (count == 2) p[level[1]] = second * other_half[level[1]];
    points[size++] = X * p;
  };
  add(-1.0, -1.0);
  add(1.0, -1.0);
  if (count == 2) {
    add(1.0, 1.0);
    add(-1.0, 1.0);
  }
  for (const int axis : {(k + 1) % 3, (k + 2) % 3})
    for (const double side : {1.0, -1.0}) {
      std::size_t left = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const Vec3 &from = points[i], &to = points[(i + 1) % size];
        const double start = side * from[axis] - half[axis], end = side * to[axis] - half[axis];
        if (start <= 0.0) cut[left++] = from;
        if ((start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0))
          if (left < cut.size()) cut[left++] = from + start / (start - end) * (to - from);
        if (left == cut.size()) break;
      }
      if (left == 0) return X * corner;  // by rounding: a corner over an edge
      points = cut;
      size = left;
    }
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < size; ++i) sum += points[i];
  return sum / static_cast<double>(size);
}

/// Where edge i of A and j of B are closest, on A.
Vec3 point_on_edge(const Boxes& s, int i, int j, const Vec3& m) {
  Vec3 on_a, on_b;
  for (int k = 0; k < 3; ++k) {
    on_a[k] = k == i ? 0.0 : std::copysign(s.half_a[k], m[k]);
    on_b[k] = k == j ? 0.0 : std::copysign(s.half_b[k], -s.R.col(k).dot(m));
  }
  // on_a + x e_i and on_b + y u differ by a multiple of m.
  const Vec3 u = s.R.col(j), between = s.p + s.R * on_b - on_a;
  const double cosine = u[i], sine_square = 1.0 - cosine * cosine;
  const double x = (between[i] - cosine * u.dot(between)) / std::max(sine_square, 1e-30);
  on_a[i] = std::clamp(x, -s.half_a[i], s.half_a[i]);
  return on_a;
}

}  // namespace

ConvexContact box_box(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB, double reach) {
  const Boxes s{a.half_size, b.half_size, X_AB.R, X_AB.p, X_AB.R.cwiseAbs()};
  // Of two axes that are equal but for rounding the one of a face tells more.
  const double margin = 1e-14 * (s.half_a.sum() + s.half_b.sum());
  const Axis axis = find_axis(s, margin);
  if (axis.gap > 0.0 && axis.gap <= reach) return general<BoxCore, BoxCore>(a, b, X_AB, reach);

  const Vec3 m = direction_of(s, axis.index);
  const double depth = -axis.gap;
  ConvexContact out;
  out.depth = depth;
  out.normal_W = -m;
  if (axis.index < 3) {
    out.p_WB = level_point(s.half_a, axis.index, s.half_b, X_AB, m);
    out.p_WA = out.p_WB + depth * m;
  } else if (axis.index < 6) {
    // The same, seen from B.
    const Vec3 on_a =
        level_point(s.half_b, axis.index - 3, s.half_a, X_AB.inverse(), -(X_AB.R.transpose() * m));
    out.p_WA = X_AB * on_a;
    out.p_WB = out.p_WA - depth * m;
  } else {
    out.p_WA = point_on_edge(s, (axis.index - 6) / 3, (axis.index - 6) % 3, m);
    out.p_WB = out.p_WA - depth * m;
  }
  return out;
}

}  // namespace grouser::convex
