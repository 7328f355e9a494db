#include "grouser/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

TEST(FaceOf, KnowsCentroidNormalAndArea) {
  const TriangleFace face = face_of(tetrahedron(), 0);
  EXPECT_EQ(face.normal, Vec3(0, 0, -1));
  EXPECT_EQ(face.area, 0.5);
  EXPECT_LT((face.centroid - Vec3(1, 1, 0) / 3.0).norm(), 1e-16);  // one rounding
}

TEST(FaceOf, HasNoNormalIfTheCornersAreOnALine) {
  // 0.1 * 3 and 0.3 differ in the last bit, so the cross product is not exactly zero.
  const TriangleMesh mesh{{{0, 0, 0}, {0.1, 0.1 * 3, 0.7}, {0.3, 0.9, 2.1}, {0, 0, 0}},
                          {{0, 1, 2}, {0, 3, 2}, {1, 1, 2}}};
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(face_of(mesh, t).area, 0.0);
    EXPECT_EQ(face_of(mesh, t).normal, Vec3::Zero());
  }
}

TEST(FaceOf, KeepsANeedle) {
  const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {1, 1e-12, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(face_of(mesh, 0).normal, Vec3::UnitZ());
}

TEST(BoundingBox, OfNothingIsEmptyAndOverlapsNothing) {
  const Box nothing = bounding_box({});
  EXPECT_TRUE(nothing.empty());
  EXPECT_FALSE(nothing.overlaps(bounding_box(tetrahedron())));
}

TEST(BoundingBox, TouchesTheOutermostVertices) {
  const Box box = bounding_box(tetrahedron());
  EXPECT_EQ(box.lower, Vec3::Zero());
  EXPECT_EQ(box.upper, Vec3::Ones());
}

TEST(Census, OfACleanClosedSurfaceIsZero) {
  const MeshCensus census = take_census(tetrahedron());
  EXPECT_TRUE(census.closed());
  EXPECT_EQ(census.edges, 6u);
  EXPECT_EQ(census.degenerate_triangles + census.duplicate_vertices + census.unused_vertices, 0u);
}

TEST(Census, CountsTheEdgesOfAHole) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles.pop_back();
  EXPECT_EQ(take_census(mesh).boundary_edges, 3u);
  EXPECT_FALSE(take_census(mesh).closed());
}

TEST(Census, CountsTheEdgesOfAFlippedTriangle) {
  TriangleMesh mesh = tetrahedron();
  std::swap(mesh.triangles[1][0], mesh.triangles[1][1]);
  EXPECT_EQ(take_census(mesh).flipped_edges, 3u);
  EXPECT_FALSE(take_census(mesh).closed());
}

TEST(Census, CountsEdgesOfThreeTriangles) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(-1, -1, -1);
  mesh.triangles.push_back({0, 1, 4});
  EXPECT_EQ(take_census(mesh).non_manifold_edges, 1u);
  EXPECT_EQ(take_census(mesh).boundary_edges, 2u);
}

TEST(Census, CountsDuplicateUnusedAndDegenerate) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(-0.0, 0, 1);  // -0 is 0
  mesh.triangles.push_back({1, 1, 2});
  const MeshCensus census = take_census(mesh);
  EXPECT_EQ(census.duplicate_vertices, 1u);
  EXPECT_EQ(census.unused_vertices, 1u);
  EXPECT_EQ(census.degenerate_triangles, 1u);
  EXPECT_TRUE(census.closed());  // a triangle that names a vertex twice has no edges
}

TEST(WeldVertices, ClosesASurfaceOfSeparateTriangles) {
  const TriangleMesh whole = tetrahedron();
  TriangleMesh soup;
  for (std::size_t t = 0; t < whole.triangle_count(); ++t) {
    const auto base = static_cast<std::int32_t>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(whole.corner(t, k));
    soup.triangles.push_back({base, base + 1, base + 2});
  }
  EXPECT_EQ(take_census(soup).boundary_edges, 12u);
  soup.vertices.emplace_back(5, 5, 5);  // unused
  soup.triangles.push_back({0, 3, 1});  // 0 and 3 are at the same place
  weld_vertices(soup);
  EXPECT_EQ(soup.vertices.size(), 4u);
  EXPECT_EQ(soup.triangle_count(), 4u);
  EXPECT_TRUE(take_census(soup).closed());
}

TEST(WeldVertices, FindsWhatComparingEachWithEachFinds) {
  // Corners of a grid in disorder, most of them several times, of both zeros and many sizes.
  Random random(5);
  TriangleMesh mesh;
  for (int k = 0; k < 999; ++k) {
    const auto number = [&] {
      return (random.below(2) == 0 ? -1.0 : 1.0) * random.below(3) * (k % 2 == 0 ? 1.0 : 1e-200);
    };
    const double x = number(), y = number(), z = number();
    mesh.vertices.emplace_back(x, y, z);
  }
  for (std::int32_t k = 0; k < 999; k += 3) mesh.triangles.push_back({k, k + 1, k + 2});

  std::vector<Vec3> kept;
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::size_t> first(mesh.vertices.size());
  for (std::size_t v = 0; v < first.size(); ++v)
    first[v] = static_cast<std::size_t>(
        std::find(mesh.vertices.begin(), mesh.vertices.end(), mesh.vertices[v]) -
        mesh.vertices.begin());
  std::vector<bool> used(first.size(), false);
  for (const auto& t : mesh.triangles) {
    const std::size_t a = first[static_cast<std::size_t>(t[0])];
    const std::size_t b = first[static_cast<std::size_t>(t[1])];
    const std::size_t c = first[static_cast<std::size_t>(t[2])];
    if (a == b || b == c || c == a) continue;
    triangles.push_back(
        {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), static_cast<std::int32_t>(c)});
    used[a] = used[b] = used[c] = true;
  }
  std::vector<std::int32_t> moved(first.size(), -1);
  for (std::size_t v = 0; v < first.size(); ++v)
    if (used[v]) {
      moved[v] = static_cast<std::int32_t>(kept.size());
      kept.push_back(mesh.vertices[v]);
    }
  for (auto& t : triangles)
    for (std::int32_t& v : t) v = moved[static_cast<std::size_t>(v)];

  weld_vertices(mesh);
  EXPECT_LT(kept.size(), 300u);
  EXPECT_EQ(mesh.triangles, triangles);
  ASSERT_EQ(mesh.vertices.size(), kept.size());
  for (std::size_t v = 0; v < kept.size(); ++v)  // also the sign of a zero is that of the first
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(mesh.vertices[v][k]),
                std::bit_cast<std::uint64_t>(kept[v][k]));
}

TEST(WeldVertices, LeavesACleanMeshAsItIs) {
  TriangleMesh mesh = tetrahedron();
  weld_vertices(mesh);
  EXPECT_EQ(mesh.vertices, tetrahedron().vertices);
  EXPECT_EQ(mesh.triangles, tetrahedron().triangles);
}

TEST(WeldVertices, KeepsTheGroupsOfTheTrianglesItKeeps) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(0, 0, 0);
  mesh.triangles.insert(mesh.triangles.begin() + 1, {0, 4, 2});  // 0 and 4 are at the same place
  mesh.group_names = {"a", "b"};
  mesh.groups = {0, 1, 0, 1, 1};
  weld_vertices(mesh);
  EXPECT_EQ(mesh.triangles, tetrahedron().triangles);
  EXPECT_EQ(mesh.groups, (std::vector<std::int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"a", "b"}));
}

TEST(RequireUsable, ChecksGroups) {
  const auto complaint = [](const TriangleMesh& mesh) {
    return message_of<InputError>([&] { require_usable(mesh, "rock"); });
  };
  TriangleMesh mesh = tetrahedron();
  mesh.group_names = {"a", "b"};
  EXPECT_EQ(complaint(mesh), "rock: the mesh has 4 triangles, but 0 have a group");
  mesh.groups = {0, 1, 1};
  EXPECT_EQ(complaint(mesh), "rock: the mesh has 4 triangles, but 3 have a group");
  mesh.groups = {0, 1, 1, 0};
  EXPECT_NO_THROW(require_usable(mesh, "rock"));
  mesh.groups[2] = 2;
  EXPECT_EQ(complaint(mesh), "rock: triangle 2 names group 2, but there are 2");
  mesh.groups[2] = -1;
  EXPECT_EQ(complaint(mesh), "rock: triangle 2 names group -1, but there are 2");
  mesh.group_names.clear();
  EXPECT_EQ(complaint(mesh), "rock: triangle 0 names group 0, but there are 0");
}

TEST(RequireUsable, SaysWhatIsWrong) {
  const auto complaint = [](const TriangleMesh& mesh) {
    return message_of<InputError>([&] { require_usable(mesh, "rock"); });
  };
  EXPECT_NO_THROW(require_usable(tetrahedron(), "rock"));
  EXPECT_EQ(complaint({}), "rock: the mesh has no triangles");

  TriangleMesh mesh = tetrahedron();
  mesh.triangles[2][1] = 4;
  EXPECT_EQ(complaint(mesh), "rock: triangle 2 names vertex 4, but there are 4");
  mesh.triangles[2][1] = -1;
  EXPECT_EQ(complaint(mesh), "rock: triangle 2 names vertex -1, but there are 4");

  mesh = tetrahedron();
  mesh.vertices[3].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint(mesh), "rock: vertex 3 is not finite: [0, inf, 1]");
}

}  // namespace
}  // namespace grouser
