// How a hull is made: points are put in order, quickhull finds the triangles around them, triangles
// in one plane become one face, and vertices that no longer are corners go.
#include "grouser/mesh/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mesh/hull_faces.h"

namespace grouser {

namespace {

/// What is in one plane, and what is too thin, in parts of the greatest extent. Far above the
/// rounding of coordinates, far below what any contact feels.
constexpr double kFlatHull = 1e-9;
/// The same in parts of the greatest coordinate: a few roundings. Counts far from the origin.
constexpr double kRounded = 8.0 * std::numeric_limits<double>::epsilon();

// --- points --------------------------------------------------------------------------------------

void require_points(std::span<const Vec3> points, const std::string& what) {
  if (points.size() < 4)
    throw InputError(what + ": a hull needs at least four points, but there " +
                     (points.size() == 1 ? "is " : "are ") + std::to_string(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    if (!p.allFinite())
      throw InputError(what + ": point " + std::to_string(i) + " is not finite: [" +
                       to_text(p.x()) + ", " + to_text(p.y()) + ", " + to_text(p.z()) + "]");
  }
}

/// In an order that does not depend on the order they came in; none twice.
std::vector<Vec3> sorted_points(std::span<const Vec3> points) {
  std::vector<Vec3> out;
  out.reserve(points.size());
  for (const Vec3& p : points) out.push_back(p + Vec3::Zero());  // -0 + 0 is 0
  std::sort(out.begin(), out.end(), [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// The points divided by a power of two so that the greatest coordinate is in [0.5, 1]; nothing is
/// lost but what is 1e60 times smaller.
std::vector<Vec3> scaled_points(const std::vector<Vec3>& points) {
  double greatest = 0.0;
  for (const Vec3& p : points) greatest = std::max(greatest, p.cwiseAbs().maxCoeff());
  int exponent = 0;
  std::frexp(greatest, &exponent);
  constexpr double kNothing = 1e-60;
  std::vector<Vec3> out(points);
  for (Vec3& p : out)
    for (double& x : p) {
      x = std::ldexp(x, -exponent);
      if (std::abs(x) < kNothing) x = 0.0;
    }
  return out;
}

// --- first tetrahedron ---------------------------------------------------------------------------

/// The point where `measure` is greatest; the first of equals.
template <class Measure>
int farthest_point(const std::vector<Vec3>& points, Measure measure) {
  int best = 0;
  double greatest = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double m = measure(points[i]);
    if (m <= greatest) continue;
    greatest = m;
    best = static_cast<int>(i);
  }
  return best;
}

struct Start {
  std::array<int, 4> corners;
  double tolerance;
};

[[noreturn]] void refuse(const std::string& what, const std::string& where) {
  throw InputError(what + ": all points lie " + where +
                   "; a hull needs points that enclose a volume, thicker than " +
                   to_text(kFlatHull) + " of its greatest extent");
}

/// Four points that span much of the body, the last below the triangle of the others.
Start find_start(const std::vector<Vec3>& p, const std::string& what) {
  Box box;
  for (const Vec3& x : p) box.add(x);
  Eigen::Index axis = 0;
  const double extent = (box.upper - box.lower).maxCoeff(&axis);
  const double tolerance =
      std::max(kFlatHull * extent, kRounded);  // scaled coordinates are at most 1
  if (extent <= tolerance) refuse(what, "in one point");

  const int a = farthest_point(p, [&](const Vec3& x) { return box.upper[axis] - x[axis]; });
  const int b = farthest_point(p, [&](const Vec3& x) { return x[axis] - box.lower[axis]; });
  const Vec3 line = (p[b] - p[a]).normalized();
  const auto off_line = [&](const Vec3& x) { return line.cross(x - p[a]).norm(); };
  const int c = farthest_point(p, off_line);
  if (off_line(p[c]) <= tolerance) refuse(what, "on one line");

  const Vec3 normal = line.cross(p[c] - p[a]).normalized();
  const auto height = [&](const Vec3& x) { return normal.dot(x - p[a]); };
  const int d = farthest_point(p, [&](const Vec3& x) { return std::abs(height(x)); });
  if (std::abs(height(p[d])) <= tolerance) refuse(what, "in one plane");
  if (height(p[d]) < 0.0) return {{a, b, c, d}, tolerance};
  return {{b, a, c, d}, tolerance};
}

// --- edges ---------------------------------------------------------------------------------------

/// One side of an edge.
struct HalfEdge {
  int from, to;
  int face;
  int corner;  ///< where it begins, in ConvexHull::corners
};

std::vector<HalfEdge> sorted_half_edges(const ConvexHull& hull) {
  std::vector<HalfEdge> edges;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto loop = hull.corners_of(f);
    for (std::size_t k = 0; k < loop.size(); ++k)
      edges.push_back({loop[k], loop[(k + 1) % loop.size()], static_cast<int>(f),
                       hull.first_corner[f] + static_cast<int>(k)});
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return edges;
}

/// Fills what follows from the corners. False if the faces do not make one closed surface.
bool connect(ConvexHull& hull) {
  const std::vector<HalfEdge> edges = sorted_half_edges(hull);
  hull.across.assign(edges.size(), -1);
  hull.first_neighbour.assign(hull.vertices.size() + 1, 0);
  hull.neighbours.clear();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const HalfEdge& e = edges[i];
    if (i > 0 && edges[i - 1].from == e.from && edges[i - 1].to == e.to) return false;
    const auto twin =
        std::lower_bound(edges.begin(), edges.end(), e, [](const HalfEdge& a, const HalfEdge& b) {
          return a.from != b.to ? a.from < b.to : a.to < b.from;
        });
    if (twin == edges.end() || twin->from != e.to || twin->to != e.from) return false;
    hull.across[e.corner] = twin->face;
    hull.neighbours.push_back(e.to);
    ++hull.first_neighbour[e.from + 1];
  }
  std::partial_sum(hull.first_neighbour.begin(), hull.first_neighbour.end(),
                   hull.first_neighbour.begin());
  return hull.face_count() >= 4 &&
         hull.vertices.size() + hull.face_count() == edges.size() / 2 + 2;  // Euler
}

// --- search --------------------------------------------------------------------------------------

/// Hulls up to this size are searched from end to end.
constexpr std::size_t kFewVertices = 12;
/// Directions are cut into cells as the sides of a cube, each side into kCells by kCells.
constexpr int kCells = 8;

/// None if the direction is zero or not finite.
std::optional<std::size_t> cell_of(const Vec3& direction) {
  const Vec3 size = direction.cwiseAbs();
  const int axis =
      size.x() >= size.y() ? (size.x() >= size.z() ? 0 : 2) : (size.y() >= size.z() ? 1 : 2);
  const double largest = size[axis];
  if (!(largest > 0.0 && largest <= std::numeric_limits<double>::max())) return std::nullopt;
  const auto cell = [&](double x) {
    return std::min(static_cast<int>((x / largest + 1.0) * (0.5 * kCells)), kCells - 1);
  };
  const int side = 2 * axis + (direction[axis] < 0.0 ? 1 : 0);
  const int u = cell(direction[(axis + 1) % 3]), v = cell(direction[(axis + 2) % 3]);
  return static_cast<std::size_t>((side * kCells + u) * kCells + v);
}

/// The middle of each cell, in the order of cell_of().
std::vector<Vec3> cell_directions() {
  std::vector<Vec3> out;
  const auto middle = [](int cell) { return (2 * cell + 1) / static_cast<double>(kCells) - 1.0; };
  for (int side = 0; side < 6; ++side)
    for (int u = 0; u < kCells; ++u)
      for (int v = 0; v < kCells; ++v) {
        Vec3 d;
        d[side / 2] = side % 2 == 0 ? 1.0 : -1.0;
        d[(side / 2 + 1) % 3] = middle(u);
        d[(side / 2 + 2) % 3] = middle(v);
        out.push_back(d);
      }
  return out;
}

int scan(const std::vector<Vec3>& vertices, const Vec3& direction) {
  GROUSER_ASSERT(!vertices.empty());
  std::size_t best = 0;
  double farthest = direction.dot(vertices[0]);
  for (std::size_t v = 1; v < vertices.size(); ++v) {
    const double d = direction.dot(vertices[v]);
    if (d <= farthest) continue;
    farthest = d;
    best = v;
  }
  return static_cast<int>(best);
}

/// From neighbour to neighbour, each time to the farthest. In a convex body no vertex but the
/// farthest of all is without a farther neighbour.
int climb(const ConvexHull& hull, int start, const Vec3& direction) {
  GROUSER_ASSERT(start >= 0 && static_cast<std::size_t>(start) < hull.vertices.size());
  int best = start;
  double farthest = direction.dot(hull.vertices[start]);
  for (int from = -1; from != best;) {
    from = best;
    for (const int n : hull.neighbours_of(from)) {
      const double d = direction.dot(hull.vertices[n]);
      if (d <= farthest) continue;
      farthest = d;
      best = n;
    }
  }
  return best;
}

void find_starts(ConvexHull& hull) {
  hull.starts.clear();
  if (hull.vertices.size() <= kFewVertices) return;
  int last = 0;
  for (const Vec3& direction : cell_directions())
    hull.starts.push_back(last = climb(hull, last, direction));
}

// --- assembly ------------------------------------------------------------------------------------

/// The hull of those points that are corners. `scaled` are the same points, for normals.
std::optional<ConvexHull> assemble(const std::vector<Vec3>& points, const std::vector<Vec3>& scaled,
                                   const std::vector<HullLoop>& loops) {
  ConvexHull hull;
  std::vector<int> number(points.size(), -1);
  for (const HullLoop& loop : loops)
    for (const int v : loop) number[v] = 0;
  for (std::size_t v = 0; v < points.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[v]);
  }
  hull.first_corner.push_back(0);
  for (const HullLoop& loop : loops) {
    const Vec3 normal = area_normal(scaled, loop).normalized() + Vec3::Zero();  // no -0
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int v : loop) {
      hull.corners.push_back(number[v]);
      low = std::min(low, normal.dot(points[v]));
      high = std::max(high, normal.dot(points[v]));
    }
    hull.normals.push_back(normal);
    hull.offsets.push_back(0.5 * (low + high));
    hull.first_corner.push_back(static_cast<int>(hull.corners.size()));
  }
  if (!connect(hull)) return std::nullopt;
  find_starts(hull);
  return hull;
}

}  // namespace

int ConvexHull::start_towards(const Vec3& direction) const {
  const auto cell = starts.empty() ? std::nullopt : cell_of(direction);
  return cell ? starts[*cell] : 0;
}

int farthest_vertex(const ConvexHull& hull, const Vec3& direction) {
  if (hull.starts.empty()) return scan(hull.vertices, direction);
  return climb(hull, hull.start_towards(direction), direction);
}

ConvexHull make_convex_hull(std::span<const Vec3> input, const std::string& what) {
  require_points(input, what);
  const std::vector<Vec3> points = sorted_points(input);
  const std::vector<Vec3> scaled = scaled_points(points);
  const Start start = find_start(scaled, what);
  const HullTriangles triangles = quickhull(scaled, start.corners, start.tolerance);
  std::vector<HullLoop> loops = join_triangles(scaled, triangles, start.tolerance);
  drop_false_corners(loops, points.size());
  if (auto hull = assemble(points, scaled, loops)) return *std::move(hull);

  // Bumps just as high as the tolerance can leave faces that do not fit. The triangles always do.
  loops.clear();
  for (const auto& c : triangles.corners) loops.push_back({c[0], c[1], c[2]});
  return assemble(points, scaled, loops).value();
}

ConvexHull box_hull(const Vec3& half_size) {
  GROUSER_ASSERT(half_size.minCoeff() > 0.0);
  // Corner 4 i + 2 j + k is at the upper end of x, y, z where i, j, k are 1.
  std::vector<Vec3> corners;
  for (const int i : {-1, 1})
    for (const int j : {-1, 1})
      for (const int k : {-1, 1}) corners.push_back(half_size.cwiseProduct(Vec3(i, j, k)));
  const std::vector<HullLoop> loops = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6},
                                       {0, 2, 6, 4}, {1, 5, 7, 3}};  // x-, x+, y-, ...
  return assemble(corners, corners, loops).value();
}

TriangleMesh mesh_of(const ConvexHull& hull) {
  TriangleMesh mesh{hull.vertices, {}};
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto loop = hull.corners_of(f);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
  }
  return mesh;
}

}  // namespace grouser
