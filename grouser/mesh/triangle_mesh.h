// Triangle meshes: plain data and what can be computed from it without knowing forces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

/// A surface. Triangles are counter-clockwise seen from outside; nothing else is required: cracks,
/// duplicate vertices and non-manifold edges are allowed unless an algorithm says otherwise.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;

  // Named parts of the surface. Both are empty if the mesh has none.
  std::vector<std::string> group_names = {};
  std::vector<std::int32_t> groups = {};  ///< for each triangle the number of its name

  std::size_t triangle_count() const { return triangles.size(); }
  const Vec3& corner(std::size_t triangle, int k) const {
    GROUSER_ASSERT(triangle < triangles.size() && k >= 0 && k < 3);
    const auto vertex = static_cast<std::size_t>(triangles[triangle][static_cast<std::size_t>(k)]);
    GROUSER_ASSERT(vertex < vertices.size());
    return vertices[vertex];
  }
};

/// What makes meshes (generators, refinement) refuses to make more triangles.
inline constexpr double kMostTriangles = 2e7;

/// Axis-aligned box; empty (lower > upper) until something is added.
struct Box {
  Vec3 lower = Vec3::Constant(1e300);
  Vec3 upper = Vec3::Constant(-1e300);

  void add(const Vec3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  void add(const Box& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
  bool empty() const { return lower.x() > upper.x(); }
  Vec3 center() const { return 0.5 * (lower + upper); }
  Vec3 half_size() const { return 0.5 * (upper - lower); }
  bool overlaps(const Box& other) const {
    // Without branches: in a tree about half of the answers are no, in no pattern.
    const int x = int{lower.x() <= other.upper.x()} & int{other.lower.x() <= upper.x()};
    const int y = int{lower.y() <= other.upper.y()} & int{other.lower.y() <= upper.y()};
    const int z = int{lower.z() <= other.upper.z()} & int{other.lower.z() <= upper.z()};
    return (x & y & z) != 0;
  }
};

/// Per-triangle geometry. A degenerate triangle (two corners equal, or all on one line to rounding)
/// has area 0 and normal 0.
struct TriangleFace {
  Vec3 centroid;
  Vec3 normal;  ///< unit, outward
  double area;  ///< [m^2]
};
TriangleFace face_of(const TriangleMesh& mesh, std::size_t triangle);

/// Around all vertices, used or not.
Box bounding_box(const TriangleMesh& mesh);
/// Around one triangle.
Box triangle_box(const TriangleMesh& mesh, std::size_t triangle);

/// Sum of the triangle areas [m^2].
double surface_area(const TriangleMesh& mesh);

/// Counts of what is wrong or notable in a mesh; all zero but `edges` for a clean closed surface,
/// and but `boundary_edges` for a clean sheet.
struct MeshCensus {
  std::size_t degenerate_triangles = 0;
  std::size_t duplicate_vertices = 0;  ///< vertices at the same position as an earlier one
  std::size_t unused_vertices = 0;
  std::size_t boundary_edges = 0;      ///< edges with one triangle
  std::size_t non_manifold_edges = 0;  ///< edges with more than two triangles
  std::size_t flipped_edges = 0;       ///< edges run through twice in the same direction
  std::size_t edges = 0;               ///< all of them, for vertices - edges + triangles
  bool closed() const {
    return boundary_edges == 0 && non_manifold_edges == 0 && flipped_edges == 0;
  }
};
/// Triangles that name a vertex twice are counted as degenerate and have no edges here.
/// Precondition: the mesh is usable, see require_usable.
MeshCensus take_census(const TriangleMesh& mesh);

/// Merges vertices at equal positions (0 and -0 are equal), drops triangles that collapse to a line
/// by it and vertices no triangle uses. The order of what remains stays. Same precondition.
void weld_vertices(TriangleMesh& mesh);

/// Makes the inside the outside.
void reverse_orientation(TriangleMesh& mesh);

/// Throws InputError, starting with `name`, if the mesh is empty, an index is out of range, a
/// coordinate is not finite or some triangles have a group and others none.
void require_usable(const TriangleMesh& mesh, const std::string& name);

}  // namespace grouser
