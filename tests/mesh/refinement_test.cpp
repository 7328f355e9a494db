#include "grouser/mesh/refinement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_groups.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using Triangle = std::array<std::int32_t, 3>;

double longest_edge_of(const TriangleMesh& mesh) {
  double longest = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.corner(t, k) - mesh.corner(t, (k + 1) % 3)).norm());
  return longest;
}

/// The same clean closed surface, in more triangles.
void expect_same_solid(const TriangleMesh& fine, const TriangleMesh& coarse) {
  expect_solid(fine, euler_characteristic(coarse));
  // Rounding in sums of some thousand terms.
  EXPECT_NEAR(surface_area(fine), surface_area(coarse), 1e-12 * surface_area(coarse));
  EXPECT_NEAR(signed_volume(fine), signed_volume(coarse), 1e-12 * signed_volume(coarse));
}

/// Each piece looks the way its group did; groups keep their areas.
void expect_same_groups(const TriangleMesh& fine, const TriangleMesh& coarse) {
  EXPECT_EQ(fine.group_names, coarse.group_names);
  const std::vector<MeshGroup> after = summarize_groups(fine);
  const std::vector<MeshGroup> before = summarize_groups(coarse);
  for (std::size_t g = 0; g < before.size(); ++g)
    EXPECT_NEAR(after[g].area, before[g].area, 1e-12 * before[g].area) << before[g].name;
}

TriangleMesh shifted(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.vertices) p += by;
  return mesh;
}

std::vector<TriangleMesh> solids() {
  return {tetrahedron(),
          make_box({.size = {0.3, 0.7, 1.1}}),
          make_box({.size = {1.0, 1e-3, 1e-3}}),  // long and thin
          make_cylinder({.radius = 0.5, .length = 1.2, .segments = 7}),
          make_cone({.base_radius = 0.5, .length = 0.8, .segments = 5}),
          make_torus({.major_radius = 1.0, .minor_radius = 0.3, .triangles = 36}),
          make_ellipsoid({.half_axes = {0.1, 0.5, 2.0}, .triangles = 80})};
}

TEST(Subdivided, CutsATriangleIntoFourInOrder) {
  const TriangleMesh mesh = subdivided({{{0, 0, 0}, {4, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}}, 1);
  ASSERT_EQ(mesh.vertices.size(), 6u);
  EXPECT_EQ(mesh.vertices[3], Vec3(2, 0, 0));  // of vertices 0 and 1
  EXPECT_EQ(mesh.vertices[4], Vec3(0, 1, 0));  // of 0 and 2
  EXPECT_EQ(mesh.vertices[5], Vec3(2, 1, 0));  // of 1 and 2
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 3, 4}, {1, 5, 3}, {2, 4, 5}, {3, 5, 4}}));
}

TEST(Subdivided, IsTheSameSurface) {
  for (const TriangleMesh& coarse : solids())
    for (const int times : {1, 3}) {
      const TriangleMesh fine = subdivided(coarse, times);
      EXPECT_EQ(fine.triangle_count(), coarse.triangle_count() << (2 * times));
      expect_same_solid(fine, coarse);
      expect_same_groups(fine, coarse);
      EXPECT_NEAR(longest_edge_of(fine), longest_edge_of(coarse) / (1 << times), 1e-15);
    }
}

TEST(Subdivided, PiecesLieInTheirTriangle) {
  const TriangleMesh coarse = make_box({.size = {0.3, 0.7, 1.1}});
  const TriangleMesh fine = subdivided(coarse, 2);
  for (std::size_t t = 0; t < fine.triangle_count(); ++t) {
    EXPECT_EQ(fine.groups[t], coarse.groups[t / 16]);
    EXPECT_LT((face_of(fine, t).normal - face_of(coarse, t / 16).normal).norm(), 1e-14);
    EXPECT_NEAR(face_of(fine, t).area, face_of(coarse, t / 16).area / 16.0, 1e-16);
  }
}

TEST(Subdivided, ZeroTimesChangesNothing) {
  const TriangleMesh mesh = make_box({.size = {0.3, 0.7, 1.1}});
  EXPECT_EQ(subdivided(mesh, 0).vertices, mesh.vertices);
  EXPECT_EQ(subdivided(mesh, 0).triangles, mesh.triangles);
  EXPECT_EQ(subdivided(mesh, 0).groups, mesh.groups);
}

TEST(Subdivided, CutsWhatIsDegenerateTheSameWay) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles.push_back({1, 1, 2});
  mesh.triangles.push_back({3, 3, 3});
  const TriangleMesh fine = subdivided(mesh, 2);
  EXPECT_EQ(fine.triangle_count(), 6u * 16u);
  EXPECT_EQ(take_census(fine).degenerate_triangles, 32u);
  EXPECT_EQ(take_census(fine).duplicate_vertices, 0u);
  EXPECT_TRUE(take_census(fine).closed());  // as before: they have no edges
}

TEST(Subdivided, RefusesTooMuch) {
  EXPECT_EQ(message_of<InputError>([] { subdivided(tetrahedron(), 12); }),
            "the mesh would have about 6.71e+07 triangles after 12 subdivisions, at most 2e+07 are "
            "allowed");
  EXPECT_TRUE(contains(message_of<InputError>([] { subdivided(tetrahedron(), 2000000000); }),
                       "triangles after 2000000000 subdivisions"));
  EXPECT_EQ(message_of<InputError>([] { subdivided(tetrahedron(), -1); }),
            "the number of subdivisions must not be negative, is -1");
  EXPECT_EQ(message_of<InputError>([] { subdivided({}, 1); }), "mesh: the mesh has no triangles");
}

/// One triangle with sides a = |bc|, b = |ca| and c = |ab|.
TriangleMesh triangle_with(double a, double b, double c) {
  const double x = (b * b + c * c - a * a) / (2.0 * c);
  return {{{0, 0, 0}, {c, 0, 0}, {x, std::sqrt(b * b - x * x), 0}}, {{0, 1, 2}}};
}

TEST(Refined, CutsOneEdge) {
  // Only ab, and then only bc, is too long: the other corner is joined to its middle.
  EXPECT_EQ(refined(triangle_with(0.9, 0.8, 1.1), 1.0).triangles,
            (std::vector<Triangle>{{0, 3, 2}, {3, 1, 2}}));
  EXPECT_EQ(refined(triangle_with(1.1, 0.9, 0.8), 1.0).triangles,
            (std::vector<Triangle>{{1, 3, 0}, {3, 2, 0}}));
}

TEST(Refined, CutsTwoEdgesAndTheShorterDiagonal) {
  // bc stays; vertex 3 is the middle of ab, 4 that of ac.
  const TriangleMesh ac_longer = refined(triangle_with(0.9, 1.4, 1.1), 1.0);
  EXPECT_EQ(ac_longer.triangles, (std::vector<Triangle>{{0, 3, 4}, {3, 1, 4}, {1, 2, 4}}));
  const TriangleMesh ab_longer = refined(triangle_with(0.9, 1.1, 1.4), 1.0);
  EXPECT_EQ(ab_longer.triangles, (std::vector<Triangle>{{0, 3, 4}, {3, 1, 2}, {3, 2, 4}}));
  // Diagonals of equal length: the one from the corner after the one cut off.
  const TriangleMesh equal{{{0, 0, 0}, {4, 1, 0}, {4, -1, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(refined(equal, 4.0).triangles,
            (std::vector<Triangle>{{0, 3, 4}, {3, 1, 4}, {1, 2, 4}}));
}

TEST(Refined, CutsThreeEdgesAsSubdivisionDoes) {
  const TriangleMesh mesh = triangle_with(1.1, 1.2, 1.3);
  EXPECT_EQ(refined(mesh, 1.0).triangles, subdivided(mesh, 1).triangles);
}

TEST(Refined, LeavesWhatIsFineEnough) {
  const TriangleMesh mesh = make_box({.size = {1.0, 3.0, 4.0}});
  const TriangleMesh same = refined(mesh, 5.0);  // exactly as long as the diagonal is not longer
  EXPECT_EQ(same.vertices, mesh.vertices);
  EXPECT_EQ(same.triangles, mesh.triangles);
  EXPECT_EQ(same.groups, mesh.groups);
  // Even if it would be too small to reach.
  EXPECT_EQ(refined({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}}, 1e-300).triangle_count(), 1u);
}

TEST(Refined, IsTheSameSurfaceWithShortEdges) {
  for (const TriangleMesh& coarse : solids())
    for (const double part : {0.7, 0.3, 0.09}) {
      const double longest = part * longest_edge_of(coarse);
      const TriangleMesh fine = refined(coarse, longest);
      EXPECT_LE(longest_edge_of(fine), longest * (1.0 + 1e-15));  // norm and hypot round apart
      expect_same_solid(fine, coarse);
      expect_same_groups(fine, coarse);
    }
}

TEST(Refined, MakesNotManyMoreTrianglesThanItMust) {
  // Halving overshoots by less than 2 per edge, so by less than 4 in a triangle.
  const TriangleMesh coarse = make_plane({.size_x = 1.0, .size_y = 1.0});
  for (const double longest : {0.4, 0.2, 0.11, 0.05}) {
    const double fewest = 1.0 / (std::sqrt(3.0) / 4.0 * longest * longest);  // equilateral
    EXPECT_LT(static_cast<double>(refined(coarse, longest).triangle_count()), 8.0 * fewest);
  }
}

TEST(Refined, KeepsAnOpenSheetWhole) {
  const TriangleMesh coarse = make_plane({.size_x = 3.0, .size_y = 0.2, .cells_x = 2});
  const TriangleMesh fine = refined(coarse, 0.1);
  EXPECT_EQ(euler_characteristic(fine), 1);
  EXPECT_EQ(take_census(fine).non_manifold_edges + take_census(fine).flipped_edges, 0u);
  for (std::size_t t = 0; t < fine.triangle_count(); ++t)
    EXPECT_GT(face_of(fine, t).normal.z(), 0.99);
  EXPECT_NEAR(surface_area(fine), 0.6, 1e-14);  // rounding in sums
}

TEST(Refined, ClosesNoCrackAndOpensNone) {
  // A soup of separate triangles: edges at the same place get the same vertices, so that it can
  // still be welded.
  const TriangleMesh whole = make_torus({.major_radius = 1.0, .minor_radius = 0.3});
  TriangleMesh soup;
  for (std::size_t t = 0; t < whole.triangle_count(); ++t) {
    const auto base = static_cast<std::int32_t>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(whole.corner(t, k));
    soup.triangles.push_back({base, base + 1, base + 2});
  }
  TriangleMesh fine = refined(soup, 0.07);
  EXPECT_GT(fine.triangle_count(), whole.triangle_count());
  weld_vertices(fine);
  EXPECT_TRUE(take_census(fine).closed());
  EXPECT_EQ(fine.triangle_count(), refined(whole, 0.07).triangle_count());
}

TEST(Refined, EndsOnWhatIsDegenerate) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(0, 0, 0);    // a duplicate
  mesh.vertices.emplace_back(0.5, 0, 0);  // on an edge
  mesh.vertices.emplace_back(9, 9, 9);    // not used
  mesh.triangles.push_back({0, 1, 5});    // on a line
  mesh.triangles.push_back({0, 4, 1});    // so is this
  mesh.triangles.push_back({1, 1, 2});    // a vertex twice
  mesh.triangles.push_back({3, 3, 3});    // thrice
  mesh.triangles.push_back({0, 1, 3});    // the same triangle twice: edges of three
  mesh.triangles.push_back({1, 0, 3});    // and turned over
  for (const double longest : {0.8, 0.3, 0.05}) {
    const TriangleMesh fine = refined(mesh, longest);
    require_usable(fine, "fine");
    EXPECT_LE(longest_edge_of(fine), longest);
    EXPECT_NEAR(surface_area(fine), surface_area(mesh), 1e-13);
  }
}

TEST(Refined, EndsOnRandomTriangles) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    // From round to needle-like, near the origin and far off.
    TriangleMesh mesh;
    const double thin = std::pow(10.0, -round % 10);
    const double far = round < 10 ? 0.0 : 1e6;
    for (int v = 0; v < 30; ++v)
      mesh.vertices.emplace_back(random.uniform(-1, 1) + far, thin * random.uniform(-1, 1),
                                 thin * random.uniform(-1, 1));
    for (int t = 0; t < 40; ++t) {
      const auto pick = [&] { return static_cast<std::int32_t>(random.below(30)); };
      mesh.triangles.push_back({pick(), pick(), pick()});
    }
    const TriangleMesh fine = refined(mesh, 0.1);
    EXPECT_LE(longest_edge_of(fine), 0.1 * (1.0 + 1e-15)) << round;
  }
}

TEST(Refined, WorksFarFromTheOriginDownToItsDigits) {
  const Vec3 far(5e6, -3e5, 1e3);
  const TriangleMesh coarse = shifted(tetrahedron(), far);
  const TriangleMesh fine = refined(coarse, 0.1);
  EXPECT_TRUE(take_census(fine).closed());
  EXPECT_NEAR(signed_volume(fine), 1.0 / 6.0, 1e-9);  // digits of 5e6

  // Coordinates of 5e6 m have digits down to 1e-9 m.
  TriangleMesh tiny = tetrahedron();
  for (Vec3& p : tiny.vertices) p = 1e-6 * p + far;
  EXPECT_LE(longest_edge_of(refined(tiny, 1e-7)), 1e-7);
  EXPECT_EQ(message_of<InputError>([&] { refined(tiny, 1e-8); }),
            "the longest edge must be at least 7.11e-08 m for coordinates of 5e+06 m, is 1e-08 m");
}

TEST(Refined, WorksForLargeAndSmallNumbers) {
  for (const double size : {1e-320, 1e-300, 1e300}) {
    TriangleMesh mesh = tetrahedron();
    for (Vec3& p : mesh.vertices) p *= size;
    const TriangleMesh fine = refined(mesh, 0.5 * size);
    EXPECT_GT(fine.triangle_count(), 16u) << size;
    EXPECT_LT(fine.triangle_count(), 256u) << size;
  }
}

TEST(Refined, RefusesTooManyTrianglesBeforeMakingThem) {
  EXPECT_EQ(message_of<InputError>([] { refined(tetrahedron(), 1e-4); }),
            "the mesh would have about 1.07e+09 triangles with edges of at most 1e-04 m, at most "
            "2e+07 are allowed");
  EXPECT_TRUE(contains(message_of<InputError>([] { refined(tetrahedron(), 1e-13); }),
                       "at most 2e+07 are allowed"));
  // Needles become strips, lines become as many as if they were wide.
  const TriangleMesh needle{{{0, 0, 0}, {1, 0, 0}, {1, 1e-9, 0}}, {{0, 1, 2}}};
  EXPECT_TRUE(contains(message_of<InputError>([&] { refined(needle, 1e-8); }),
                       "would have about 1.34e+08 triangles"));
  const TriangleMesh line{{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, {{0, 1, 2}}};
  EXPECT_TRUE(contains(message_of<InputError>([&] { refined(line, 1e-4); }),
                       "would have about 1.34e+08 triangles"));
}

TEST(Refined, RefusesBadNumbers) {
  const auto complaint = [](double longest) {
    return message_of<InputError>([&] { refined(tetrahedron(), longest); });
  };
  EXPECT_EQ(complaint(0.0), "the longest edge must be positive, is 0");
  EXPECT_EQ(complaint(-1.0), "the longest edge must be positive, is -1");
  EXPECT_EQ(complaint(std::numeric_limits<double>::infinity()),
            "the longest edge must be positive, is inf");
  EXPECT_EQ(complaint(kRequired), "the longest edge must be positive, is nan");
  TriangleMesh mesh = tetrahedron();
  mesh.triangles[0][0] = 9;
  EXPECT_EQ(message_of<InputError>([&] { refined(mesh, 1.0); }),
            "mesh: triangle 0 names vertex 9, but there are 4");
}

}  // namespace
}  // namespace grouser
