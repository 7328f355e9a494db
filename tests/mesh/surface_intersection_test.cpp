#include "grouser/mesh/surface_intersection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

TriangleMesh moved(TriangleMesh mesh, const Vec3& p, const Mat3& R = Mat3::Identity()) {
  for (Vec3& vertex : mesh.vertices) vertex = R * vertex + p;
  return mesh;
}

/// Whole coordinates.
TriangleMesh octahedron(double radius) {
  TriangleMesh mesh{
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (Vec3& p : mesh.vertices) p *= radius;
  return mesh;
}

std::vector<TrianglePair> candidates(const TriangleMesh& a, const TriangleMesh& b) {
  std::vector<TrianglePair> pairs;
  std::vector<Box> boxes;
  for (std::size_t j = 0; j < b.triangle_count(); ++j) boxes.push_back(triangle_box(b, j));
  for (std::size_t i = 0; i < a.triangle_count(); ++i) {
    const Box box = triangle_box(a, i);
    for (std::size_t j = 0; j < b.triangle_count(); ++j)
      if (box.overlaps(boxes[j]))
        pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
  }
  return pairs;
}

/// What find_active_areas answers, to keep and to compare.
struct Found {
  std::vector<std::int32_t> of_a, of_b;
  std::size_t lines = 0, polygons = 0, open_polygons = 0;

  bool operator==(const Found&) const = default;
  bool nothing() const { return of_a.empty() && of_b.empty() && lines + polygons == 0; }
  friend std::ostream& operator<<(std::ostream& out, const Found& f) {
    return out << f.of_a.size() << " and " << f.of_b.size() << " active triangles, " << f.lines
               << " lines, " << f.polygons << " closed and " << f.open_polygons << " open polygons";
  }
};

Found find(const TriangleMesh& a, const TriangleMesh& b, const std::vector<TrianglePair>& pairs) {
  const SurfaceTopology topology_a(a, "a"), topology_b(b, "b");
  Scratch scratch;
  const ActiveAreas areas =
      find_active_areas({topology_a, a.vertices}, {topology_b, b.vertices}, pairs, scratch);
  return {{areas.of_a.begin(), areas.of_a.end()},
          {areas.of_b.begin(), areas.of_b.end()},
          areas.intersection_lines,
          areas.polygons,
          areas.open_polygons};
}
Found find(const TriangleMesh& a, const TriangleMesh& b) {
  return find(a, b, candidates(a, b));
}

// ------------------------------------------------------------------- the same, by other means

/// Whether p lies inside a closed mesh: sum of the solid angles of its triangles (van Oosterom and
/// Strackee 1983).
bool is_inside(const Vec3& p, const TriangleMesh& mesh) {
  double half_angles = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Vec3 a = mesh.corner(t, 0) - p, b = mesh.corner(t, 1) - p, c = mesh.corner(t, 2) - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    half_angles +=
        std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return half_angles > kPi;
}

/// Whether an edge of one of the triangles passes through the other (general position).
bool are_cut(const TriangleMesh& a, std::size_t i, const TriangleMesh& b, std::size_t j) {
  const auto pierces = [](const TriangleMesh& m, std::size_t s, const TriangleMesh& n,
                          std::size_t t) {
    const Vec3 corner = n.corner(t, 0), e_1 = n.corner(t, 1) - corner,
               e_2 = n.corner(t, 2) - corner;
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = m.corner(s, k);
      Mat3 columns;
      columns << e_1, e_2, p - m.corner(s, (k + 1) % 3);
      const Vec3 x = columns.partialPivLu().solve(p - corner);
      if (x.minCoeff() > 0.0 && x.x() + x.y() < 1.0 && x.z() < 1.0) return true;
    }
    return false;
  };
  return pierces(a, i, b, j) || pierces(b, j, a, i);
}

std::vector<std::int32_t> with_corner_inside_or_cut(const TriangleMesh& mesh,
                                                    const TriangleMesh& other,
                                                    const std::vector<bool>& cut) {
  std::vector<bool> inside;
  for (const Vec3& p : mesh.vertices) inside.push_back(is_inside(p, other));
  std::vector<std::int32_t> out;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    bool active = cut[t];
    for (const std::int32_t v : mesh.triangles[t])
      active = active || inside[static_cast<std::size_t>(v)];
    if (active) out.push_back(static_cast<std::int32_t>(t));
  }
  return out;
}

/// Polygons are not counted.
Found find_by_hand(const TriangleMesh& a, const TriangleMesh& b) {
  Found found;
  std::vector<bool> cut_a(a.triangle_count()), cut_b(b.triangle_count());
  for (const auto& [i, j] : candidates(a, b)) {
    if (!are_cut(a, static_cast<std::size_t>(i), b, static_cast<std::size_t>(j))) continue;
    ++found.lines;
    cut_a[static_cast<std::size_t>(i)] = cut_b[static_cast<std::size_t>(j)] = true;
  }
  if (found.lines == 0) return found;
  found.of_a = with_corner_inside_or_cut(a, b, cut_a);
  found.of_b = with_corner_inside_or_cut(b, a, cut_b);
  return found;
}

// --------------------------------------------------------------------------------------- tests

TEST(SurfaceIntersection, OfTwoSpheresIsOnePolygonAroundTwoCaps) {
  const TriangleMesh a = make_sphere({1.0, 20 * 8 * 8});
  const Vec3 offset(0.3, 0.2, 1.2);
  const TriangleMesh b = moved(make_sphere({1.0, 20 * 6 * 6}), offset);
  const Found found = find(a, b);
  EXPECT_EQ(found.polygons, 1u);
  EXPECT_EQ(found.open_polygons, 0u);

  // Facets lie inside the sphere by up to 0.02 and their edges are shorter than 0.25.
  const auto expect_cap = [](const TriangleMesh& mesh, const Vec3& center,
                             const std::vector<std::int32_t>& active) {
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      const double distance = (face_of(mesh, t).centroid - center).norm();
      const bool is_active =
          std::binary_search(active.begin(), active.end(), static_cast<std::int32_t>(t));
      if (distance < 0.97 || distance > 1.25) {
        EXPECT_EQ(is_active, distance < 1.0) << t;
      }
    }
  };
  expect_cap(a, offset, found.of_a);
  expect_cap(b, Vec3::Zero(), found.of_b);
}

TEST(SurfaceIntersection, OfABallInATorusIsTwoPolygons) {
  const TriangleMesh torus = make_torus({1.0, 0.3, 4 * 24 * 24});
  const TriangleMesh ball = moved(make_sphere({1.0, 500}), {0, 0, 0.8});
  const Found found = find(torus, ball);
  EXPECT_EQ(found.polygons, 2u);
  EXPECT_EQ(found.open_polygons, 0u);
  Found expected = find_by_hand(torus, ball);
  expected.polygons = 2;
  EXPECT_EQ(found, expected);
}

TEST(SurfaceIntersection, HasTheCornersThatSolidAnglesSayAreInside) {
  const TriangleMesh torus = make_torus({1.0, 0.4, 4 * 8 * 8});
  const TriangleMesh ball = make_sphere({0.9, 20 * 3 * 3});
  Random random(7);
  int crossings = 0, several_polygons = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto vector = [&](double size) {
      const double x = random.uniform(-size, size), y = random.uniform(-size, size);
      return Vec3(x, y, random.uniform(-size, size));
    };
    const Mat3 R = rotation_from_vector(vector(2.0));
    const TriangleMesh placed = moved(ball, vector(1.3), R);
    const Found found = trial % 2 == 0 ? find(torus, placed) : find(placed, torus);
    Found expected = trial % 2 == 0 ? find_by_hand(torus, placed) : find_by_hand(placed, torus);
    expected.polygons = found.polygons;
    ASSERT_EQ(found, expected) << "trial " << trial;
    ASSERT_EQ(found.polygons > 0, found.lines > 0);
    if (found.lines > 0) ++crossings;
    if (found.polygons > 1) ++several_polygons;
  }
  EXPECT_GT(crossings, 150);
  EXPECT_GT(several_polygons, 20);
}

TEST(SurfaceIntersection, FindsTheInnerEndsOfEdgesPiercedManyTimes) {
  // Fine against coarse: edges of the coarse surface run in and out of the torus.
  const TriangleMesh torus = make_torus({1.0, 0.2, 4 * 16 * 16});
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R = rotation_from_vector(
        Vec3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)));
    const Vec3 p(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
    const TriangleMesh box = moved(make_box({Vec3(3.0, 1.5, 0.3), 1}), p, R);
    const Found found = find(box, torus);
    Found expected = find_by_hand(box, torus);
    expected.polygons = found.polygons;
    ASSERT_EQ(found, expected) << "trial " << trial;
  }
}

TEST(SurfaceIntersection, OfASphereAndASheetIsWhatLiesBelow) {
  const TriangleMesh sphere = moved(make_sphere({0.5, 20 * 8 * 8}), {0.01, 0.02, 0.401});
  const TriangleMesh sheet = make_plane({2.0, 2.0, 20, 20});
  const Found found = find(sphere, sheet);
  EXPECT_EQ(found.polygons, 1u);
  EXPECT_EQ(found.open_polygons, 0u);
  std::vector<std::int32_t> below;
  for (std::size_t t = 0; t < sphere.triangle_count(); ++t)
    if (triangle_box(sphere, t).lower.z() < 0.0) below.push_back(static_cast<std::int32_t>(t));
  EXPECT_EQ(found.of_a, below);
  EXPECT_EQ(found.of_b, find_by_hand(sphere, sheet).of_b);  // the sphere is closed
}

TEST(SurfaceIntersection, EndsAtTheBorderOfASheet) {
  const TriangleMesh sphere = moved(make_sphere({0.5, 20 * 8 * 8}), {1.01, 0.02, 0.401});
  const TriangleMesh sheet = make_plane({2.0, 2.0, 20, 20});
  const Found found = find(sphere, sheet);
  EXPECT_EQ(found.polygons, 0u);
  EXPECT_EQ(found.open_polygons, 1u);
  EXPECT_EQ(found.of_b, find_by_hand(sphere, sheet).of_b);
  EXPECT_EQ(find(sheet, sphere).open_polygons, 1u);
  EXPECT_EQ(find(sheet, sphere).of_a, found.of_b);
}

TEST(SurfaceIntersection, OfANeedleThroughAnEdgeActivatesItsTwoTrianglesAlone) {
  // The edge is pierced on the way in and on the way out; its ends are outside.
  const TriangleMesh needle = moved(make_box({Vec3(0.05, 0.05, 2.0), 1}), {0.003, 0.001, 0.0});
  const TriangleMesh sheet = make_plane({3.0, 3.0, 3, 3});
  const Found found = find(needle, sheet);
  EXPECT_EQ(found.polygons, 1u);
  EXPECT_EQ(found.of_b.size(), 2u);
}

TEST(SurfaceIntersection, IsEmptyApartAndWhollyInside) {
  const TriangleMesh ball = make_sphere({1.0, 180});
  EXPECT_TRUE(find(ball, moved(ball, {3, 0, 0})).nothing());
  EXPECT_TRUE(find(ball, make_sphere({0.5, 180})).nothing());
  EXPECT_TRUE(find(make_sphere({0.5, 180}), ball).nothing());
  const TriangleMesh outer = make_box({Vec3(4, 4, 4), 2});
  EXPECT_TRUE(find(ball, outer, {}).nothing());
}

TEST(SurfaceIntersection, DoesNotDependOnTheOrderOfCandidates) {
  const std::vector<TriangleMesh> others = {
      moved(make_sphere({1.0, 500}), {0.1, 0, 0.8}),
      moved(make_box({Vec3(2, 2, 2), 2}), {0.5, 0.5, 0.5}),  // touches in many ways
      make_box({Vec3(2, 2, 2), 4}),
  };
  for (const TriangleMesh& other : others) {
    const TriangleMesh base =
        &other == &others[0] ? make_torus({1.0, 0.3, 1024}) : make_box({Vec3(2, 2, 2), 2});
    std::vector<TrianglePair> pairs = candidates(base, other);
    const Found expected = find(base, other, pairs);
    EXPECT_GT(expected.lines, 0u);
    Random random(9);
    for (int trial = 0; trial < 10; ++trial) {
      for (std::size_t i = pairs.size(); i > 1; --i)
        std::swap(pairs[i - 1], pairs[random.below(static_cast<std::uint32_t>(i))]);
      ASSERT_EQ(find(base, other, pairs), expected);
    }
  }
}

TEST(SurfaceIntersection, InDegeneratePositionsIsThatOfASlightlyDisplacedSurface) {
  // Coordinates are multiples of 1/2 below 5, so what is not zero is larger than these.
  const Vec3 displacement(0x1p-16, 0x1p-32, 0x1p-48);
  const std::vector<TriangleMesh> shapes = {make_box({Vec3(2, 2, 2), 2}), octahedron(2.0),
                                            make_plane({4, 4, 2, 2})};
  int crossings = 0;
  for (const TriangleMesh& base : shapes)
    for (const TriangleMesh& other : shapes) {
      const bool closed = take_census(base).closed() && take_census(other).closed();
      for (double x = -2.0; x <= 2.0; x += 0.5)
        for (double y = -2.0; y <= 2.0; y += 0.5)
          for (double z = -2.0; z <= 2.0; z += 0.5) {
            const Vec3 p(x, y, z);
            const Found found = find(moved(base, p), other);
            ASSERT_EQ(found, find(moved(base, p + displacement), other)) << p.transpose();
            ASSERT_EQ(found.polygons + found.open_polygons > 0, found.lines > 0);
            ASSERT_TRUE(!closed || found.open_polygons == 0u);
            if (found.lines > 0) ++crossings;
          }
    }
  EXPECT_GT(crossings, 2000);
}

TEST(SurfaceIntersection, OfIdenticalSurfacesIsClosed) {
  for (const TriangleMesh& mesh :
       {make_box({Vec3(1, 1, 1), 3}), make_sphere({1.0, 180}), make_torus({1.0, 0.3, 256})}) {
    const Found found = find(mesh, mesh);
    EXPECT_GT(found.polygons, 0u);
    EXPECT_EQ(found.open_polygons, 0u);
    // The displaced copy has a front outside and a back inside.
    EXPECT_LT(found.of_a.size(), mesh.triangle_count());
    EXPECT_LT(found.of_b.size(), mesh.triangle_count());
  }
}

/// Whether triangles of `mesh` with a corner clearly inside the convex body are active and those
/// that one of its faces clearly keeps apart from it are not.
void expect_active_near_convex(const TriangleMesh& mesh, const std::vector<std::int32_t>& active,
                               const TriangleMesh& convex) {
  const double clear = 1e-6;
  std::vector<Vec3> normals;
  for (std::size_t f = 0; f < convex.triangle_count(); ++f)
    normals.push_back(face_of(convex, f).normal);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Vec3 height = Vec3::Constant(-1e300);  // of the corners above the highest face
    bool apart = false;
    for (std::size_t f = 0; f < convex.triangle_count(); ++f) {
      Vec3 here;
      for (int k = 0; k < 3; ++k) here[k] = normals[f].dot(mesh.corner(t, k) - convex.corner(f, 0));
      height = height.cwiseMax(here);
      apart = apart || here.minCoeff() > clear;
    }
    const bool is_active =
        std::binary_search(active.begin(), active.end(), static_cast<std::int32_t>(t));
    ASSERT_FALSE(apart && is_active) << t;
    ASSERT_TRUE(is_active || height.minCoeff() > -clear) << t;
  }
}

TEST(SurfaceIntersection, NextToDegeneratePositionsIsClosedAndSeparatesInsideFromOutside) {
  const std::vector<TriangleMesh> shapes = {make_box({Vec3(2, 2, 2), 2}), octahedron(2.0),
                                            make_cylinder({1.0, 2.0, 8})};
  Random random(11);
  const auto vector = [&](double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size);
    return Vec3(x, y, random.uniform(-size, size));
  };
  int crossings = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const TriangleMesh& base = shapes[random.below(3)];
    const TriangleMesh& other = shapes[random.below(3)];
    // A degenerate pose, off by a few last bits up to 1e-9, both turned so that all digits are
    // used.
    const double size = std::pow(10.0, random.uniform(-17.0, -9.0));
    const auto half = [&] { return 0.5 * (static_cast<double>(random.below(9)) - 4.0); };
    const double x = half(), y = half();
    const Mat3 R = trial % 2 == 0 ? Mat3::Identity() : rotation_from_vector(vector(2.0));
    const TriangleMesh placed =
        moved(base, Vec3(x, y, half()) + vector(size), rotation_from_vector(vector(size)));
    const TriangleMesh a = moved(placed, Vec3::Zero(), R), b = moved(other, Vec3::Zero(), R);
    const Found found = find(a, b);
    ASSERT_EQ(found.open_polygons, 0u) << "trial " << trial;
    ASSERT_EQ(found.polygons > 0, found.lines > 0);
    if (found.lines == 0) continue;
    ++crossings;
    ASSERT_NO_FATAL_FAILURE(expect_active_near_convex(a, found.of_a, b)) << "trial " << trial;
    ASSERT_NO_FATAL_FAILURE(expect_active_near_convex(b, found.of_b, a)) << "trial " << trial;
  }
  EXPECT_GT(crossings, 500);
}

TEST(SurfaceIntersection, OfSurfacesThatAreNotFiniteComesToAnEnd) {
  const TriangleMesh base = make_box({Vec3(2, 2, 2), 2});
  TriangleMesh broken = base;
  const SurfaceTopology topology(base, "box");
  const std::vector<TrianglePair> pairs = candidates(base, base);
  Scratch scratch;
  for (const double bad : {std::nan(""), HUGE_VAL, 1e308, 1e-308}) {
    for (std::size_t v = 0; v < 5; ++v) broken.vertices[v] = Vec3(bad, 0.0, -bad);
    for (const bool swap : {false, true}) {
      const PlacedSurface whole{topology, base.vertices}, other{topology, broken.vertices};
      const ActiveAreas areas =
          find_active_areas(swap ? other : whole, swap ? whole : other, pairs, scratch);
      EXPECT_LE(areas.intersection_lines, pairs.size());
    }
  }
}

TEST(SurfaceIntersection, TakesNoMoreMemoryTheSecondTime) {
  const TriangleMesh torus = make_torus({1.0, 0.3, 1024});
  const TriangleMesh ball = moved(make_sphere({1.0, 500}), {0, 0, 0.8});
  const SurfaceTopology topology_a(torus, "torus"), topology_b(ball, "ball");
  const std::vector<TrianglePair> pairs = candidates(torus, ball);
  Scratch scratch;
  std::size_t capacity = 0;
  for (int round = 0; round < 3; ++round) {
    find_active_areas({topology_a, torus.vertices}, {topology_b, ball.vertices}, pairs, scratch);
    scratch.reset();
    if (round == 0) capacity = scratch.capacity();
  }
  EXPECT_EQ(scratch.capacity(), capacity);
}

}  // namespace
}  // namespace grouser
