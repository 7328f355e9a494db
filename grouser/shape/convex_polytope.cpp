#include "grouser/shape/convex_polytope.h"

#include <algorithm>

#include "grouser/base/assert.h"

namespace grouser::convex {
namespace {

/// A face is too narrow to have a normal if its area is this part of its edges' product.
constexpr double kNarrow = 1e-12;

}  // namespace

Polytope::Polytope(const Simplex& tetrahedron) {
  for (int i = 0; i < 4; ++i) points_[index(i)] = tetrahedron.point(i);
  point_count_ = 4;
  const Vec3& a = points_[0].q;
  const double volume = (points_[1].q - a).cross(points_[2].q - a).dot(points_[3].q - a);
  if (volume > 0.0) std::swap(points_[1], points_[2]);
  new_face(0, 1, 2);
  new_face(0, 3, 1);
  new_face(0, 2, 3);
  new_face(1, 3, 2);
  join(0, 0, 1, 2);
  join(0, 1, 3, 2);
  join(0, 2, 2, 0);
  join(1, 0, 2, 2);
  join(1, 1, 3, 0);
  join(2, 1, 3, 1);
}

int Polytope::new_face(int a, int b, int c) {
  // There are never more faces than twice the vertices.
  const int number = free_count_ > 0 ? free_[index(--free_count_)] : face_count_++;
  GROUSER_ASSERT(number < kMaxFaces);
  Face& face = faces_[index(number)];
  const Vec3& start = points_[index(a)].q;
  const Vec3 first = points_[index(b)].q - start, second = points_[index(c)].q - start;
  const Vec3 n = first.cross(second);
  const double square = n.squaredNorm();
  if (square > kNarrow * kNarrow * first.squaredNorm() * second.squaredNorm()) {
    face.normal = n / std::sqrt(square);
    planes_[index(number)] = distances_[index(number)] = face.normal.dot(start);
  } else {
    face.normal.setZero();
    planes_[index(number)] = distances_[index(number)] = kAside;
  }
  face.corners = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b),
                  static_cast<std::int16_t>(c)};
  alive_[index(number)] = true;
  return number;
}

void Polytope::join(int face, int edge, int other, int other_edge) {
  faces_[index(face)].across[index(edge)] = static_cast<std::int16_t>(other);
  faces_[index(face)].edge_there[index(edge)] = static_cast<std::int8_t>(other_edge);
  faces_[index(other)].across[index(other_edge)] = static_cast<std::int16_t>(face);
  faces_[index(other)].edge_there[index(other_edge)] = static_cast<std::int8_t>(edge);
}

int Polytope::nearest_face() const {
  int best = -1;
  double distance = kAside;
  for (int i = 0; i < face_count_; ++i)
    if (distances_[index(i)] < distance) {
      distance = distances_[index(i)];
      best = i;
    }
  return best;
}

std::array<double, 3> Polytope::foot_weights(int face) const {
  const Vec3 &a = point(face, 0).q, &b = point(face, 1).q, &c = point(face, 2).q;
  const Vec3& n = normal(face);
  const double wa = n.dot(b.cross(c)), wb = n.dot(c.cross(a)), wc = n.dot(a.cross(b));
  const double sum = n.dot((b - a).cross(c - a));
  return {wa / sum, wb / sum, wc / sum};
}

int Polytope::face_with_foot(int face, double tolerance) const {
  const auto least = [&](int f) {
    const auto w = foot_weights(f);
    return std::min({w[0], w[1], w[2]});
  };
  int best = face;
  double most = least(face);
  for (int i = 0; i < face_count_ && most < 0.0; ++i) {
    if (!alive_[index(i)] || planes_[index(i)] > planes_[index(face)] + tolerance) continue;
    if (normal(i).dot(normal(face)) < 1.0 - 1e-9) continue;
    const double here = least(i);
    if (here > most) {
      most = here;
      best = i;
    }
  }
  return best;
}

/// Walks over the faces that see the point, and removes them. Their rim, counter-clockwise as seen
/// from the point, is left in horizon_ as the edges of the faces that stay.
int Polytope::find_horizon(int face, const Vec3& q, double tolerance) {
  std::array<Edge, kMaxFaces + 2> open;  // edges to step over, the next one last
  int open_count = 0, edges = 0;
  const auto remove = [&](int f) {
    alive_[index(f)] = false;
    distances_[index(f)] = kAside;
    free_[index(free_count_++)] = static_cast<std::int16_t>(f);
  };
  const auto push = [&](int f, int edge) {
    GROUSER_ASSERT(index(open_count) < open.size());
    const Face& from = faces_[index(f)];
    open[index(open_count++)] = {from.across[index(edge)], from.edge_there[index(edge)]};
  };
  remove(face);
  for (const int edge : {2, 1, 0}) push(face, edge);
  while (open_count > 0) {
    const Edge at = open[index(--open_count)];
    if (!alive_[index(at.face)]) continue;  // met before
    const Face& there = faces_[index(at.face)];
    const bool narrow = there.normal.isZero(0.0);
    if (!narrow && !sees(there, planes_[index(at.face)], q, tolerance)) {
      horizon_[index(edges++)] = at;
      continue;
    }
    if (open_count + 2 > kMaxFaces) return 0;
    remove(at.face);
    push(at.face, (at.edge + 2) % 3);
    push(at.face, (at.edge + 1) % 3);
  }
  return edges;
}

/// True if each edge of the horizon starts where the one before ends.
bool Polytope::is_loop(int edges) const {
  const auto corner = [&](int i, int k) {
    const Edge& edge = horizon_[index(i)];
    return faces_[index(edge.face)].corners[index((edge.edge + k) % 3)];
  };
  for (int i = 0; i < edges; ++i)
    if (corner(i, 0) != corner(i + 1 < edges ? i + 1 : 0, 1)) return false;
  return edges >= 3;
}

bool Polytope::grow(int face, const DifferencePoint& point, double tolerance) {
  GROUSER_ASSERT(!is_full() && alive_[index(face)]);
  const int added = point_count_++;
  points_[index(added)] = point;
  const int edges = find_horizon(face, point.q, tolerance);
  if (!is_loop(edges)) return false;
  int first = -1, before = -1;
  for (int i = 0; i < edges; ++i) {
    const Edge& edge = horizon_[index(i)];
    const Face& stays = faces_[index(edge.face)];
    const int start = stays.corners[index((edge.edge + 1) % 3)];
    const int end = stays.corners[index(edge.edge)];
    const int number = new_face(start, end, added);
    join(number, 0, edge.face, edge.edge);
    if (before >= 0)
      join(before, 1, number, 2);
    else
      first = number;
    before = number;
  }
  join(before, 1, first, 2);
  return true;
}

}  // namespace grouser::convex
