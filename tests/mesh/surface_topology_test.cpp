#include "grouser/mesh/surface_topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

std::string complaint(const TriangleMesh& mesh) {
  return message_of<InputError>([&] { SurfaceTopology(mesh, "rock"); });
}

const std::string kStart = "rock: the search for adjacent triangles needs a clean mesh; ";

TEST(SurfaceTopology, EveryEdgeKnowsItsTrianglesAndTheyKnowIt) {
  const std::vector<TriangleMesh> meshes = {tetrahedron(), make_sphere({1.0, 180}),
                                            make_torus({1.0, 0.3, 256}), make_plane({1, 1, 3, 2})};
  for (const TriangleMesh& mesh : meshes) {
    const SurfaceTopology topology(mesh, "rock");
    const MeshCensus census = take_census(mesh);
    EXPECT_EQ(topology.edges().size(), census.edges);
    EXPECT_EQ(topology.closed(), census.closed());
    EXPECT_EQ(topology.vertex_count(), mesh.vertices.size());

    std::size_t sides = 0, ends = 0;
    for (std::size_t e = 0; e < topology.edges().size(); ++e) {
      const auto number = static_cast<std::int32_t>(e);
      const SurfaceTopology::Edge& edge = topology.edge(number);
      ASSERT_LT(edge.a, edge.b);
      for (const bool left : {true, false}) {
        const std::int32_t t = left ? edge.left : edge.right;
        if (t < 0) continue;
        ++sides;
        const auto& edges = topology.edges_of(t);
        const auto k = std::find(edges.begin(), edges.end(), number) - edges.begin();
        ASSERT_LT(k, 3);
        const auto& corners = mesh.triangles[static_cast<std::size_t>(t)];
        ASSERT_EQ(corners[static_cast<std::size_t>(k)], left ? edge.a : edge.b);
        ASSERT_EQ(corners[static_cast<std::size_t>((k + 1) % 3)], left ? edge.b : edge.a);
        ASSERT_EQ(edge.across(t), left ? edge.right : edge.left);
      }
    }
    EXPECT_EQ(sides, 3 * mesh.triangle_count());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      for (const std::int32_t e : topology.edges_around(static_cast<std::int32_t>(v))) {
        ++ends;
        ASSERT_TRUE(topology.edge(e).a == static_cast<std::int32_t>(v) ||
                    topology.edge(e).b == static_cast<std::int32_t>(v));
      }
    EXPECT_EQ(ends, 2 * topology.edges().size());
  }
}

TEST(SurfaceTopology, AcceptsVerticesWithoutTriangles) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(0, 0, 0);  // even at the place of another one
  mesh.vertices.emplace_back(5, 5, 5);
  const SurfaceTopology topology(mesh, "rock");
  EXPECT_EQ(topology.vertex_count(), 6u);
  EXPECT_TRUE(topology.edges_around(4).empty());
}

TEST(SurfaceTopology, RefusesWhatItCannotCross) {
  EXPECT_EQ(complaint({}), "rock: the mesh has no triangles");

  TriangleMesh mesh = tetrahedron();
  mesh.triangles.push_back({1, 1, 2});
  mesh.triangles.push_back({3, 3, 3});
  EXPECT_EQ(complaint(mesh), kStart + "triangles that name a vertex twice: 2");

  mesh = tetrahedron();
  mesh.vertices.insert(mesh.vertices.end(), {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}});
  mesh.triangles.push_back({4, 5, 6});
  EXPECT_EQ(complaint(mesh), kStart + "degenerate triangles: 1");

  mesh = tetrahedron();
  mesh.vertices.push_back(mesh.vertices[3]);
  mesh.triangles[3][2] = 4;
  EXPECT_EQ(complaint(mesh), kStart + "vertices at the place of another one: 1");

  mesh = tetrahedron();
  mesh.vertices.emplace_back(-1, -1, -1);
  mesh.triangles.push_back({0, 1, 4});
  EXPECT_EQ(complaint(mesh), kStart + "edges with more than two triangles: 1");

  mesh = tetrahedron();
  std::swap(mesh.triangles[1][0], mesh.triangles[1][1]);
  EXPECT_EQ(complaint(mesh), kStart + "edges run through twice in the same direction: 3");

  mesh.triangles.push_back({2, 2, 3});
  EXPECT_EQ(complaint(mesh), kStart +
                                 "triangles that name a vertex twice: 1; "
                                 "edges run through twice in the same direction: 3");
}

/// Two sheets of cells x 1 and 1 x 1 cells, side by side along x = 0, `gap` apart.
TriangleMesh two_sheets(int cells, double gap) {
  TriangleMesh mesh = make_plane({1, 1, 1, cells});
  const TriangleMesh other = make_plane({1, 1, 1, 1});
  const auto base = static_cast<std::int32_t>(mesh.vertices.size());
  for (Vec3& p : mesh.vertices) p.x() -= 0.5 + gap;
  for (const Vec3& p : other.vertices) mesh.vertices.push_back(p + Vec3(0.5, 0, 0));
  for (const auto& t : other.triangles)
    mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  return mesh;
}

TEST(SurfaceTopology, RefusesCracksButNotGaps) {
  const double size = std::sqrt(5.0);
  EXPECT_EQ(complaint(two_sheets(1, 0.5e-6 * size)),
            kStart + "border vertices in a crack, on another border: 4");
  // One vertex lies in the middle of an edge.
  EXPECT_EQ(complaint(two_sheets(2, 0.5e-6 * size)),
            kStart + "border vertices in a crack, on another border: 5");
  EXPECT_NO_THROW(SurfaceTopology(two_sheets(2, 1.1e-6 * size), "rock"));
}

TEST(SurfaceTopology, RefusesASlit) {
  // The cells of a sheet on either side of an edge no longer share one of its ends.
  TriangleMesh mesh = make_plane({1, 1, 2, 1});
  const auto corner = static_cast<std::int32_t>(mesh.vertices.size());
  std::int32_t middle = -1;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].x() == 0.0 && mesh.vertices[v].y() > 0.0)
      middle = static_cast<std::int32_t>(v);
  ASSERT_GE(middle, 0);
  mesh.vertices.push_back(mesh.vertices[static_cast<std::size_t>(middle)] + Vec3(1e-7, 0, 0));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    if (face_of(mesh, t).centroid.x() > 0.0)
      std::replace(mesh.triangles[t].begin(), mesh.triangles[t].end(), middle, corner);
  EXPECT_EQ(complaint(mesh), kStart + "border vertices in a crack, on another border: 2");
}

}  // namespace
}  // namespace grouser
