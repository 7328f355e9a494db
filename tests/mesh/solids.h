// What tests ask of closed meshes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Vertices - edges + triangles: 2 for each closed part, less 2 for each handle of one.
/// A corner of a cube.
inline TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

inline std::int64_t euler_characteristic(const TriangleMesh& mesh) {
  return static_cast<std::int64_t>(mesh.vertices.size()) -
         static_cast<std::int64_t>(take_census(mesh).edges) +
         static_cast<std::int64_t>(mesh.triangle_count());
}

/// Closed, clean, looking outward.
inline void expect_solid(const TriangleMesh& mesh, std::int64_t euler = 2) {
  require_usable(mesh, "mesh");
  const MeshCensus census = take_census(mesh);
  EXPECT_TRUE(census.closed());  // no cracks and no vertices on the edges of others
  EXPECT_EQ(census.degenerate_triangles, 0u);
  EXPECT_EQ(census.duplicate_vertices, 0u);
  EXPECT_EQ(census.unused_vertices, 0u);
  EXPECT_EQ(euler_characteristic(mesh), euler);
  EXPECT_GT(signed_volume(mesh), 0.0);
}

}  // namespace grouser
