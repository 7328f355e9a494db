// Convex polyhedra: the hull of a set of points, with everything that contact asks of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A convex polyhedron. Faces are planar polygons, no two neighbours in one plane.
struct ConvexHull {
  std::vector<Vec3> vertices;
  /// Face f is where normals[f] . x = offsets[f]; inside it is smaller. Unit normals.
  std::vector<Vec3> normals;
  std::vector<double> offsets;
  /// Corners of face f, counter-clockwise seen from outside: corners[first_corner[f]] to
  /// corners[first_corner[f + 1]]; as many entries of first_corner as faces, plus one.
  std::vector<int> first_corner;
  std::vector<int> corners;
  /// Face on the other side of the edge from a corner to the next one, by corner.
  std::vector<int> across;
  /// Vertices joined to vertex v by an edge: neighbours[first_neighbour[v]] to
  /// neighbours[first_neighbour[v + 1]].
  std::vector<int> first_neighbour;
  std::vector<int> neighbours;
  /// The farthest vertex along each of a few hundred directions; empty for small hulls.
  std::vector<int> starts;

  std::size_t face_count() const { return normals.size(); }
  std::span<const int> corners_of(std::size_t face) const {
    GROUSER_ASSERT(face < face_count());
    const auto first = static_cast<std::size_t>(first_corner[face]);
    return std::span(corners).subspan(first,
                                      static_cast<std::size_t>(first_corner[face + 1]) - first);
  }
  std::span<const int> neighbours_of(std::size_t vertex) const {
    GROUSER_ASSERT(vertex < vertices.size());
    const auto first = static_cast<std::size_t>(first_neighbour[vertex]);
    return std::span(neighbours)
        .subspan(first, static_cast<std::size_t>(first_neighbour[vertex + 1]) - first);
  }
  /// A vertex near the one farthest along a direction: where to start to climb.
  int start_towards(const Vec3& direction) const;
};

/// The hull of points in any order, duplicates and inner points welcome. The same points give the
/// same bits, in whatever order. Vertices are some of the points, smallest x first. What is flat to
/// 1e-9 of the greatest extent is one face, and points may be outside by about as much. Throws
/// InputError, starting with `what`, if there are fewer than four, if one is not finite, or if all
/// lie in one point, on one line or in one plane (thinner than 1e-9 of the greatest extent).
ConvexHull make_convex_hull(std::span<const Vec3> points, const std::string& what = "hull");

/// Eight corners, six faces.
ConvexHull box_hull(const Vec3& half_size);

/// The vertex farthest along a direction of any length but 0; one of them if there are several.
int farthest_vertex(const ConvexHull& hull, const Vec3& direction);

/// Its faces as triangles, looking outward.
TriangleMesh mesh_of(const ConvexHull& hull);

}  // namespace grouser
