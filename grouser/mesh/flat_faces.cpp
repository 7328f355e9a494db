#include "grouser/mesh/flat_faces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace grouser {

namespace {

/// Distances below this times the size of the mesh are rounding of its coordinates.
constexpr double kFlatFace = 1e-12;

/// Corners of the convex hull of points in a plane, counter-clockwise; `flat` is the distance from
/// the line below which a corner is none (Andrew 1979).
std::vector<std::size_t> hull_of(const std::vector<Vec2>& points, double flat) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return points[a].x() != points[b].x() ? points[a].x() < points[b].x()
                                          : points[a].y() < points[b].y();
  });
  const auto turns_left = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec2 ab = points[b] - points[a], ac = points[c] - points[a];
    return ab.x() * ac.y() - ab.y() * ac.x() > flat * ac.norm();
  };
  std::vector<std::size_t> hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t start = hull.size();
    for (const std::size_t next : order) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), next))
        hull.pop_back();
      hull.push_back(next);
    }
    hull.pop_back();  // it begins the other half
    std::reverse(order.begin(), order.end());
  }
  return hull;
}

double area_of(const std::vector<Vec3>& corners, const Vec3& normal) {
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 2; k < corners.size(); ++k)
    twice += (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]);
  return 0.5 * twice.dot(normal);
}

/// Which triangle of a mesh lies beyond each edge; -1 where there is none or more than one.
std::vector<std::array<std::int32_t, 3>> neighbours_of(const TriangleMesh& mesh) {
  struct Edge {
    std::int32_t low, high, triangle;
    std::int8_t k;
    bool forward;
    bool same(const Edge& other) const { return low == other.low && high == other.high; }
  };
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(t),
                       static_cast<std::int8_t>(k), from < to});
    }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });

  std::vector<std::array<std::int32_t, 3>> beyond(mesh.triangle_count(), {-1, -1, -1});
  const auto set = [&](const Edge& edge, std::int32_t triangle) {
    beyond[static_cast<std::size_t>(edge.triangle)][static_cast<std::size_t>(edge.k)] = triangle;
  };
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    for (end = begin + 1; end < edges.size() && edges[end].same(edges[begin]);) ++end;
    const Edge &one = edges[begin], &other = edges[end - 1];
    if (end - begin != 2 || one.forward == other.forward) continue;
    set(one, other.triangle);
    set(other, one.triangle);
  }
  return beyond;
}

}  // namespace

FlatFaces::FlatFaces(const TriangleMesh& mesh)
    : mesh_(mesh), beyond_(neighbours_of(mesh)), leader_(mesh.triangle_count()) {
  double size = 0.0;
  for (const Vec3& p : mesh.vertices) size = std::max(size, p.cwiseAbs().maxCoeff());
  flat_ = kFlatFace * size;
  std::iota(leader_.begin(), leader_.end(), 0);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const TriangleFace face = face_of(mesh, t);
    polygons_.push_back(
        {{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, face.normal, face.area});
  }
  join_all();
}

std::vector<std::int32_t> FlatFaces::leaders() const {
  std::vector<std::int32_t> out;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(leader_.size()); ++t)
    if (leader_[static_cast<std::size_t>(t)] == t && polygon(t).area > 0.0) out.push_back(t);
  return out;
}

std::vector<std::vector<FlatFaces::Piece>> FlatFaces::outlines() const {
  std::vector<std::vector<Piece>> out(mesh_.triangle_count());
  for (std::size_t t = 0; t < mesh_.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t own = leader(static_cast<std::int32_t>(t));
      const std::int32_t other = beyond_[t][k] < 0 ? -1 : leader(beyond_[t][k]);
      if (own == other) continue;
      const bool is_face = other >= 0 && polygon(other).area > 0.0;
      out[static_cast<std::size_t>(own)].push_back(
          {mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3], is_face ? other : -1});
    }
  for (std::vector<Piece>& outline : out) straighten(outline);
  return out;
}

std::int32_t FlatFaces::leader(std::int32_t triangle) const {
  while (leader_[static_cast<std::size_t>(triangle)] != triangle)
    triangle = leader_[static_cast<std::size_t>(triangle)];
  return triangle;
}

std::int32_t FlatFaces::find_leader(std::int32_t triangle) {
  const std::int32_t found = leader(triangle);
  while (triangle != found)
    triangle = std::exchange(leader_[static_cast<std::size_t>(triangle)], found);
  return found;
}

/// Joins across long edges first, so that the diagonals of a lattice go before its lines.
void FlatFaces::join_all() {
  struct Pair {
    double length;
    std::int32_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t t = 0; t < mesh_.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::int32_t>(t);
      const std::int32_t b = beyond_[t][k];
      if (b <= a || !in_one_plane(polygon(a), polygon(b))) continue;
      const Vec3 edge =
          mesh_.corner(t, static_cast<int>((k + 1) % 3)) - mesh_.corner(t, static_cast<int>(k));
      pairs.push_back({edge.norm(), a, b});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& p, const Pair& q) { return p.length > q.length; });
  for (bool joined = true; joined;) {
    joined = false;
    for (const Pair& pair : pairs) joined |= join(find_leader(pair.a), find_leader(pair.b));
    std::erase_if(pairs, [&](const Pair& p) { return leader(p.a) == leader(p.b); });
  }
}

bool FlatFaces::in_one_plane(const Polygon& a, const Polygon& b) const {
  if (a.area == 0.0 || b.area == 0.0 || a.normal.dot(b.normal) < 0.5) return false;
  const auto holds = [this](const Polygon& plane, const Polygon& other) {
    return std::all_of(other.corners.begin(), other.corners.end(), [&](const Vec3& p) {
      return std::abs(plane.normal.dot(p - plane.corners[0])) <= flat_;
    });
  };
  return holds(a, b) && holds(b, a);
}

/// Whether the two are one convex polygon now: their hull is no larger than both together.
bool FlatFaces::join(std::int32_t a, std::int32_t b) {
  if (a == b || !in_one_plane(polygon(a), polygon(b))) return false;
  const Polygon& larger = polygon(a).area >= polygon(b).area ? polygon(a) : polygon(b);
  std::vector<Vec3> points = polygon(a).corners;
  points.insert(points.end(), polygon(b).corners.begin(), polygon(b).corners.end());
  const Vec3 x = larger.normal.unitOrthogonal(), y = larger.normal.cross(x);
  std::vector<Vec2> flattened;
  for (const Vec3& p : points) flattened.emplace_back(x.dot(p - points[0]), y.dot(p - points[0]));

  Polygon both{{}, larger.normal, 0.0};
  for (const std::size_t k : hull_of(flattened, flat_)) both.corners.push_back(points[k]);
  both.area = area_of(both.corners, both.normal);
  const double sum = polygon(a).area + polygon(b).area;
  if (both.corners.size() > kMostCorners || std::abs(both.area - sum) > kFlatFace * sum)
    return false;

  polygons_[static_cast<std::size_t>(std::min(a, b))] = std::move(both);
  leader_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  return true;
}

void FlatFaces::straighten(std::vector<Piece>& outline) const {
  std::map<std::int32_t, std::size_t> starting_at;
  for (std::size_t k = 0; k < outline.size(); ++k) starting_at[outline[k].from] = k;
  std::vector<bool> gone(outline.size(), false);
  for (std::size_t k = 0; k < outline.size(); ++k) {
    if (gone[k]) continue;
    for (;;) {
      const auto next = starting_at.find(outline[k].to);
      if (next == starting_at.end() || next->second == k || gone[next->second] ||
          !continues(outline[k], outline[next->second]))
        break;
      gone[next->second] = true;
      outline[k].to = outline[next->second].to;
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < outline.size(); ++k)
    if (!gone[k]) outline[kept++] = outline[k];
  outline.resize(kept);
}

bool FlatFaces::continues(const Piece& piece, const Piece& next) const {
  const auto at = [this](std::int32_t v) -> const Vec3& {
    return mesh_.vertices[static_cast<std::size_t>(v)];
  };
  const Vec3 whole = at(next.to) - at(piece.from), part = at(piece.to) - at(piece.from);
  return piece.beyond == next.beyond && whole.dot(part) > 0.0 &&
         whole.cross(part).norm() <= flat_ * whole.norm();
}

}  // namespace grouser
