#include "grouser/mesh/surface_topology.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mesh/box_tree.h"

namespace grouser {

namespace {

using Edge = SurfaceTopology::Edge;

const Vec3& at(const TriangleMesh& mesh, std::int32_t vertex) {
  return mesh.vertices[static_cast<std::size_t>(vertex)];
}

/// Without the vertices no triangle names.
TriangleMesh used_part(const TriangleMesh& mesh) {
  TriangleMesh out;
  std::vector<std::int32_t> moved(mesh.vertices.size(), -1);
  for (auto t : mesh.triangles) {
    for (std::int32_t& v : t) {
      std::int32_t& to = moved[static_cast<std::size_t>(v)];
      if (to < 0) {
        to = static_cast<std::int32_t>(out.vertices.size());
        out.vertices.push_back(at(mesh, v));
      }
      v = to;
    }
    out.triangles.push_back(t);
  }
  return out;
}

/// What is wrong and how often; throws at the end if anything was.
class Complaint {
 public:
  void count(std::size_t times, const std::string& what) {
    if (times > 0) parts_.push_back(what + ": " + std::to_string(times));
  }
  void throw_if_any(const std::string& name) const {
    if (!parts_.empty())
      throw InputError(name + ": the search for adjacent triangles needs a clean mesh; " +
                       join(parts_, "; "));
  }

 private:
  std::vector<std::string> parts_;
};

void require_clean(const TriangleMesh& used, const std::string& name) {
  std::size_t twice = 0;
  for (const auto& t : used.triangles)
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) ++twice;
  const MeshCensus census = take_census(used);
  Complaint complaint;
  complaint.count(twice, "triangles that name a vertex twice");
  complaint.count(census.degenerate_triangles - twice, "degenerate triangles");
  complaint.count(census.duplicate_vertices, "vertices at the place of another one");
  complaint.count(census.non_manifold_edges, "edges with more than two triangles");
  complaint.count(census.flipped_edges, "edges run through twice in the same direction");
  complaint.throw_if_any(name);
}

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double s = std::clamp((p - a).dot(ab) / ab.squaredNorm(), 0.0, 1.0);
  return (p - a - s * ab).norm();
}

/// Vertices of the border within `width` of a border edge they are no end of.
std::size_t count_crack_vertices(const TriangleMesh& mesh, std::span<const Edge> border,
                                 double width) {
  std::vector<Box> boxes(border.size());
  std::vector<std::int32_t> vertices;
  for (std::size_t i = 0; i < border.size(); ++i) {
    boxes[i].add(at(mesh, border[i].a));
    boxes[i].add(at(mesh, border[i].b));
    boxes[i].lower.array() -= width;
    boxes[i].upper.array() += width;
    vertices.push_back(border[i].a);
    vertices.push_back(border[i].b);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());

  const BoxTree tree(boxes);
  std::size_t count = 0;
  for (const std::int32_t v : vertices) {
    const Vec3& p = at(mesh, v);
    bool touches = false;
    tree.for_each_overlap({p, p}, [&](std::int32_t i) {
      const Edge& e = border[static_cast<std::size_t>(i)];
      if (e.a == v || e.b == v) return;
      touches = touches || distance_to_segment(p, at(mesh, e.a), at(mesh, e.b)) <= width;
    });
    if (touches) ++count;
  }
  return count;
}

}  // namespace

SurfaceTopology::SurfaceTopology(const TriangleMesh& mesh, const std::string& name)
    : triangles_(mesh.triangles) {
  require_usable(mesh, name);
  const TriangleMesh used = used_part(mesh);
  require_clean(used, name);
  find_edges();
  find_edges_around_vertices(mesh.vertices.size());

  std::vector<Edge> border;
  std::copy_if(edges_.begin(), edges_.end(), std::back_inserter(border),
               [](const Edge& e) { return e.on_border(); });
  closed_ = border.empty();
  const double width = kCrackWidth * 2.0 * bounding_box(used).half_size().norm();
  Complaint complaint;
  complaint.count(count_crack_vertices(mesh, border, width),
                  "border vertices in a crack, on another border");
  complaint.throw_if_any(name);
}

void SurfaceTopology::find_edges() {
  // The sides of all triangles, equal ones next to each other.
  struct Side {
    std::int32_t a, b;
    std::int32_t triangle;
    std::uint8_t k;
    bool forward;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::uint8_t k = 0; k < 3; ++k) {
      const std::int32_t from = triangles_[t][k];
      const std::int32_t to = triangles_[t][(k + 1u) % 3u];
      sides.push_back(
          {std::min(from, to), std::max(from, to), static_cast<std::int32_t>(t), k, from < to});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& x, const Side& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });

  triangle_edges_.resize(triangles_.size());
  for (const Side& side : sides) {
    if (edges_.empty() || edges_.back().a != side.a || edges_.back().b != side.b)
      edges_.push_back({side.a, side.b, -1, -1});
    std::int32_t& beside = side.forward ? edges_.back().left : edges_.back().right;
    GROUSER_ASSERT(beside == -1);  // see require_clean()
    beside = side.triangle;
    triangle_edges_[static_cast<std::size_t>(side.triangle)][side.k] =
        static_cast<std::int32_t>(edges_.size() - 1);
  }
}

void SurfaceTopology::find_edges_around_vertices(std::size_t vertex_count) {
  first_edge_.assign(vertex_count + 1, 0);
  for (const Edge& e : edges_)
    for (const std::int32_t v : {e.a, e.b}) ++first_edge_[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) first_edge_[v + 1] += first_edge_[v];
  GROUSER_ASSERT(first_edge_.back() == 2 * edges_.size());

  vertex_edges_.resize(2 * edges_.size());
  std::vector<std::size_t> next(first_edge_.begin(), first_edge_.end() - 1);
  for (std::size_t i = 0; i < edges_.size(); ++i)
    for (const std::int32_t v : {edges_[i].a, edges_[i].b})
      vertex_edges_[next[static_cast<std::size_t>(v)]++] = static_cast<std::int32_t>(i);
}

}  // namespace grouser
