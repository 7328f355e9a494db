#include "grouser/mesh/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {

namespace {

/// Edges have their smaller vertex first; `forward` tells which way the triangle runs.
struct DirectedEdge {
  std::int32_t low;
  std::int32_t high;
  bool forward;

  bool same_edge(const DirectedEdge& other) const { return low == other.low && high == other.high; }
};

bool names_a_vertex_twice(const std::array<std::int32_t, 3>& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

std::vector<DirectedEdge> sorted_edges(const TriangleMesh& mesh) {
  std::vector<DirectedEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    if (names_a_vertex_twice(t)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = t[k];
      const std::int32_t to = t[(k + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  return edges;
}

/// A number that tells positions apart in all of its bits. Of neighbours on a grid most bits are
/// equal, so each coordinate is multiplied by a large odd number and its high half folded down.
std::uint64_t scattered(const Vec3& p) {
  std::uint64_t out = 0;
  for (int k = 0; k < 3; ++k) {
    out = (out ^ std::bit_cast<std::uint64_t>(p[k] + 0.0)) * 0x9e3779b97f4a7c15ull;  // -0 + 0 is 0
    out ^= out >> 32;
  }
  return out;
}

/// For each vertex the first one at the same position. They are looked up in a table of places, at
/// most half full: at the place that is scattered() of the position, or the next free one after.
std::vector<std::int32_t> first_equals(const std::vector<Vec3>& vertices) {
  const std::size_t size = std::bit_ceil(2 * vertices.size() + 1);
  std::vector<std::int32_t> table(size, -1), out(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    std::size_t place = scattered(vertices[v]) & (size - 1);
    while (table[place] >= 0 && vertices[static_cast<std::size_t>(table[place])] != vertices[v])
      place = (place + 1) & (size - 1);
    if (table[place] < 0) table[place] = static_cast<std::int32_t>(v);
    out[v] = table[place];
  }
  return out;
}

/// Drops triangles that name a vertex twice, with their groups.
void drop_lines(TriangleMesh& mesh) {
  GROUSER_ASSERT(mesh.groups.empty() || mesh.groups.size() == mesh.triangles.size());
  std::size_t count = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (names_a_vertex_twice(mesh.triangles[t])) continue;
    mesh.triangles[count] = mesh.triangles[t];
    if (!mesh.groups.empty()) mesh.groups[count] = mesh.groups[t];
    ++count;
  }
  mesh.triangles.resize(count);
  if (!mesh.groups.empty()) mesh.groups.resize(count);
}

void require_usable_groups(const TriangleMesh& mesh, const std::string& name) {
  if (mesh.groups.empty() && mesh.group_names.empty()) return;
  if (mesh.groups.size() != mesh.triangles.size())
    throw InputError(name + ": the mesh has " + std::to_string(mesh.triangles.size()) +
                     " triangles, but " + std::to_string(mesh.groups.size()) + " have a group");
  const auto group_count = static_cast<std::int64_t>(mesh.group_names.size());
  for (std::size_t t = 0; t < mesh.groups.size(); ++t)
    if (mesh.groups[t] < 0 || mesh.groups[t] >= group_count)
      throw InputError(name + ": triangle " + std::to_string(t) + " names group " +
                       std::to_string(mesh.groups[t]) + ", but there are " +
                       std::to_string(group_count));
}

std::vector<bool> used_vertices(const TriangleMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : t) {
      GROUSER_ASSERT(v >= 0 && static_cast<std::size_t>(v) < used.size());
      used[static_cast<std::size_t>(v)] = true;
    }
  return used;
}

}  // namespace

TriangleFace face_of(const TriangleMesh& mesh, std::size_t triangle) {
  const Vec3& a = mesh.corner(triangle, 0);
  const Vec3& b = mesh.corner(triangle, 1);
  const Vec3& c = mesh.corner(triangle, 2);
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 twice_area = ab.cross(ac);
  const double length = twice_area.norm();

  TriangleFace face{(a + b + c) / 3.0, Vec3::Zero(), 0.0};
  // Below this the direction of the cross product is rounding.
  constexpr double kParallel = 4.0 * std::numeric_limits<double>::epsilon();
  if (length > kParallel * ab.norm() * ac.norm()) {
    face.normal = twice_area / length;
    face.area = 0.5 * length;
    GROUSER_ASSERT(is_unit(face.normal));
  }
  return face;
}

Box bounding_box(const TriangleMesh& mesh) {
  Box box;
  for (const Vec3& p : mesh.vertices) box.add(p);
  return box;
}

Box triangle_box(const TriangleMesh& mesh, std::size_t triangle) {
  Box box;
  for (int k = 0; k < 3; ++k) box.add(mesh.corner(triangle, k));
  return box;
}

double surface_area(const TriangleMesh& mesh) {
  double area = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) area += face_of(mesh, t).area;
  return area;
}

MeshCensus take_census(const TriangleMesh& mesh) {
  MeshCensus census;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    if (face_of(mesh, t).area == 0.0) ++census.degenerate_triangles;

  const std::vector<std::int32_t> first = first_equals(mesh.vertices);
  for (std::size_t v = 0; v < first.size(); ++v)
    if (first[v] != static_cast<std::int32_t>(v)) ++census.duplicate_vertices;

  for (const bool used : used_vertices(mesh))
    if (!used) ++census.unused_vertices;

  // Each run of equal edges is one edge of the surface.
  const std::vector<DirectedEdge> edges = sorted_edges(mesh);
  for (std::size_t begin = 0; begin < edges.size();) {
    std::size_t end = begin + 1;
    while (end < edges.size() && edges[end].same_edge(edges[begin])) ++end;
    ++census.edges;
    if (end - begin == 1) ++census.boundary_edges;
    if (end - begin > 2) ++census.non_manifold_edges;
    if (end - begin == 2 && edges[begin].forward == edges[begin + 1].forward)
      ++census.flipped_edges;
    begin = end;
  }
  return census;
}

void weld_vertices(TriangleMesh& mesh) {
  const std::vector<std::int32_t> first = first_equals(mesh.vertices);
  for (auto& t : mesh.triangles)
    for (std::int32_t& v : t) v = first[static_cast<std::size_t>(v)];
  drop_lines(mesh);

  // Close the gaps.
  const std::vector<bool> used = used_vertices(mesh);
  std::vector<std::int32_t> moved(mesh.vertices.size(), -1);
  std::size_t count = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    mesh.vertices[count] = mesh.vertices[v];
    moved[v] = static_cast<std::int32_t>(count++);
  }
  mesh.vertices.resize(count);
  for (auto& t : mesh.triangles)
    for (std::int32_t& v : t) v = moved[static_cast<std::size_t>(v)];
}

void reverse_orientation(TriangleMesh& mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

void require_usable(const TriangleMesh& mesh, const std::string& name) {
  if (mesh.triangles.empty()) throw InputError(name + ": the mesh has no triangles");
  const auto vertex_count = static_cast<std::int64_t>(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::int32_t v : mesh.triangles[t])
      if (v < 0 || v >= vertex_count)
        throw InputError(name + ": triangle " + std::to_string(t) + " names vertex " +
                         std::to_string(v) + ", but there are " + std::to_string(vertex_count));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& p = mesh.vertices[v];
    if (!p.allFinite())
      throw InputError(name + ": vertex " + std::to_string(v) + " is not finite: [" +
                       to_text(p.x()) + ", " + to_text(p.y()) + ", " + to_text(p.z()) + "]");
  }
  require_usable_groups(mesh, name);
}

}  // namespace grouser
