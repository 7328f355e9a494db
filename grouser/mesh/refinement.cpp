#include "grouser/mesh/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/parameters.h"
#include "grouser/base/text.h"

namespace grouser {

namespace {

using CornerIndices = std::array<std::int32_t, 3>;

/// An edge as one number that sorts by its smaller vertex, then by its larger.
std::uint64_t edge_key(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 |
         static_cast<std::uint64_t>(std::max(a, b));
}

/// Edges to be cut and the vertices in their middle, which are numbered in the order of the keys.
class CutEdges {
 public:
  /// `is_cut(a, b)` tells whether the edge between vertices a and b is to be cut. It must not
  /// depend on their order.
  template <class IsCut>
  CutEdges(const TriangleMesh& mesh, IsCut&& is_cut)
      : vertex_count_(static_cast<std::int32_t>(mesh.vertices.size())),
        triangle_count_(mesh.triangle_count()),
        cuts_points_(is_cut(0, 0)) {
    for (const CornerIndices& t : mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t a = t[k], b = t[(k + 1) % 3];
        if (!is_cut(a, b)) continue;
        ++triangle_count_;
        if (a != b) keys_.push_back(edge_key(a, b));
      }
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());

    first_.assign(mesh.vertices.size() + 1, 0);
    for (const std::uint64_t key : keys_) ++first_[(key >> 32) + 1];
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) first_[v + 1] += first_[v];
  }

  bool empty() const { return keys_.empty(); }
  /// After the cut: each cut edge gives its triangle one piece more.
  std::size_t triangle_count() const { return triangle_count_; }

  /// The vertex in the middle, or -1 if the edge is not cut. An edge from a vertex to itself has
  /// no other.
  std::int32_t middle(std::int32_t a, std::int32_t b) const {
    if (a == b) return cuts_points_ ? a : -1;
    const auto low = static_cast<std::size_t>(std::min(a, b));
    GROUSER_ASSERT(low + 1 < first_.size() && std::max(a, b) < vertex_count_);
    const auto begin = keys_.begin() + first_[low], end = keys_.begin() + first_[low + 1];
    const std::uint64_t key = edge_key(a, b);
    const auto found = std::lower_bound(begin, end, key);
    if (found == end || *found != key) return -1;
    return vertex_count_ + static_cast<std::int32_t>(found - keys_.begin());
  }

  void add_middles(std::vector<Vec3>& vertices) const {
    vertices.reserve(vertices.size() + keys_.size());
    for (const std::uint64_t key : keys_) {
      const Vec3& a = vertices[key >> 32];
      const Vec3& b = vertices[key & 0xffffffff];
      vertices.push_back(0.5 * a + 0.5 * b);  // a + b might overflow
    }
  }

 private:
  std::int32_t vertex_count_;
  std::size_t triangle_count_;
  bool cuts_points_;
  std::vector<std::uint64_t> keys_;    // without repetition
  std::vector<std::ptrdiff_t> first_;  // the keys of vertex v begin at first_[v]
};

double edge_length(const std::vector<Vec3>& vertices, std::int32_t a, std::int32_t b) {
  const Vec3 d = vertices[static_cast<std::size_t>(a)] - vertices[static_cast<std::size_t>(b)];
  return std::hypot(d.x(), d.y(), d.z());  // squares might overflow
}

/// A triangle and the middles of its edges, -1 for those that are not cut.
struct Corners {
  std::int32_t a, b, c;
  std::int32_t ab, bc, ca;

  /// The same triangle seen from its next corner.
  Corners turned() const { return {b, c, a, bc, ca, ab}; }
};

/// Appends the pieces, see refinement.h.
void add_pieces(const std::vector<Vec3>& vertices, Corners t, std::vector<CornerIndices>& out) {
  const int cut = (t.ab >= 0) + (t.bc >= 0) + (t.ca >= 0);
  if (cut == 0) {
    out.push_back({t.a, t.b, t.c});
  } else if (cut == 1) {
    while (t.ab < 0) t = t.turned();
    out.push_back({t.a, t.ab, t.c});
    out.push_back({t.ab, t.b, t.c});
  } else if (cut == 2) {
    while (t.bc >= 0) t = t.turned();
    out.push_back({t.a, t.ab, t.ca});
    if (edge_length(vertices, t.b, t.ca) <= edge_length(vertices, t.c, t.ab)) {
      out.push_back({t.ab, t.b, t.ca});
      out.push_back({t.b, t.c, t.ca});
    } else {
      out.push_back({t.ab, t.b, t.c});
      out.push_back({t.ab, t.c, t.ca});
    }
  } else {
    out.push_back({t.a, t.ab, t.ca});
    out.push_back({t.b, t.bc, t.ab});
    out.push_back({t.c, t.ca, t.bc});
    out.push_back({t.ab, t.bc, t.ca});
  }
}

/// Replaces every triangle by its pieces.
void cut(TriangleMesh& mesh, const CutEdges& edges) {
  edges.add_middles(mesh.vertices);
  std::vector<CornerIndices> triangles;
  std::vector<std::int32_t> groups;
  triangles.reserve(edges.triangle_count());
  if (!mesh.groups.empty()) groups.reserve(edges.triangle_count());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto [a, b, c] = mesh.triangles[i];
    const Corners corners{a, b, c, edges.middle(a, b), edges.middle(b, c), edges.middle(c, a)};
    add_pieces(mesh.vertices, corners, triangles);
    if (!mesh.groups.empty()) groups.resize(triangles.size(), mesh.groups[i]);
  }
  GROUSER_ASSERT(triangles.size() == edges.triangle_count());
  mesh.triangles = std::move(triangles);
  mesh.groups = std::move(groups);
}

void require_affordable(double triangles, const std::string& how) {
  if (triangles > kMostTriangles)
    throw InputError("the mesh would have about " + to_text(triangles, 3) + " triangles " + how +
                     ", at most " + to_text(kMostTriangles, 3) + " are allowed");
}

/// How many triangles refinement leads to, and not more: as long as all three edges are too long
/// a triangle becomes four like itself, and then each piece of its longest edge has its own.
double least_triangles(const TriangleMesh& mesh, double longest_edge) {
  const auto halvings = [&](std::int32_t a, std::int32_t b) {
    const double ratio = edge_length(mesh.vertices, a, b) / longest_edge;
    return ratio > 1.0 ? std::ceil(std::log2(ratio) - 1e-9) : 0.0;  // rounding adds none
  };
  double sum = 0.0;
  for (const CornerIndices& t : mesh.triangles) {
    const double ab = halvings(t[0], t[1]), bc = halvings(t[1], t[2]), ca = halvings(t[2], t[0]);
    sum += std::exp2(std::max({ab, bc, ca}) + std::min({ab, bc, ca}));
  }
  return sum;
}

/// Middles are rounded to the digits of the coordinates. If that is far less than the edges, every
/// pass shortens those that are too long: to halves, and to at most sqrt(3) / 2 of the longest on
/// a diagonal.
void require_resolved(const TriangleMesh& mesh, double longest_edge) {
  double largest = std::numeric_limits<double>::min();
  for (const Vec3& p : mesh.vertices) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  const double finest = 64.0 * std::numeric_limits<double>::epsilon() * largest;
  if (longest_edge < finest)
    throw InputError("the longest edge must be at least " + to_text(finest, 3) +
                     " m for coordinates of " + to_text(largest, 3) + " m, is " +
                     to_text(longest_edge) + " m");
}

}  // namespace

TriangleMesh subdivided(const TriangleMesh& mesh, int times) {
  if (times < 0)
    throw InputError("the number of subdivisions must not be negative, is " +
                     std::to_string(times));
  require_usable(mesh, "mesh");
  TriangleMesh out = mesh;
  if (times == 0) return out;
  require_affordable(static_cast<double>(mesh.triangle_count()) * std::exp2(2.0 * times),
                     "after " + std::to_string(times) + " subdivisions");
  for (int i = 0; i < times; ++i) cut(out, CutEdges(out, [](auto, auto) { return true; }));
  return out;
}

TriangleMesh refined(const TriangleMesh& mesh, double longest_edge) {
  parameters_detail::check_number(longest_edge, {}, "the longest edge", positive());
  require_usable(mesh, "mesh");
  TriangleMesh out = mesh;
  const auto too_long = [&](std::int32_t a, std::int32_t b) {
    return edge_length(out.vertices, a, b) > longest_edge;
  };
  CutEdges edges(out, too_long);
  if (edges.empty()) return out;

  const std::string how = "with edges of at most " + to_text(longest_edge) + " m";
  require_resolved(mesh, longest_edge);
  require_affordable(least_triangles(mesh, longest_edge), how);
  while (!edges.empty()) {
    require_affordable(static_cast<double>(edges.triangle_count()), how);
    cut(out, edges);
    edges = CutEdges(out, too_long);
  }
  return out;
}

}  // namespace grouser
