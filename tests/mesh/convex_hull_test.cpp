#include "grouser/mesh/convex_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using Points = std::vector<Vec3>;

/// What the hull may cut off or leave uneven, in parts of the extent: its tolerance of 1e-9 for
/// points left out and once more for faces joined.
constexpr double kTolerance = 2e-9;

double extent_of(const Points& points) {
  Box box;
  for (const Vec3& p : points) box.add(p);
  return (box.upper - box.lower).maxCoeff();
}

Points turned(Points points, const Vec3& rotation, const Vec3& offset = Vec3::Zero()) {
  const Mat3 R = rotation_from_vector(rotation);
  for (Vec3& p : points) p = R * p + offset;
  return points;
}

Vec3 random_in_cube(Random& random) {
  const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
  return {x, y, random.uniform(-1.0, 1.0)};
}

Points random_cloud(int count, Random& random) {
  Points points;
  for (int i = 0; i < count; ++i) points.push_back(random_in_cube(random));
  return points;
}

Points on_sphere(Points points) {
  for (Vec3& p : points) p.normalize();
  return points;
}

void shuffle(Points& points, Random& random) {
  for (std::size_t i = points.size(); i > 1; --i)
    std::swap(points[i - 1], points[random.below(static_cast<std::uint32_t>(i))]);
}

std::size_t edge_count(const ConvexHull& hull) {
  return hull.corners.size() / 2;
}

/// Lists fit together: each edge has two sides, each vertex three neighbours or more.
void expect_consistent(const ConvexHull& hull) {
  ASSERT_EQ(hull.offsets.size(), hull.face_count());
  ASSERT_EQ(hull.first_corner.size(), hull.face_count() + 1);
  ASSERT_EQ(hull.across.size(), hull.corners.size());
  ASSERT_EQ(hull.first_neighbour.size(), hull.vertices.size() + 1);
  EXPECT_EQ(hull.vertices.size() + hull.face_count(), edge_count(hull) + 2);  // Euler

  std::set<std::pair<int, int>> edges;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto loop = hull.corners_of(f);
    ASSERT_GE(loop.size(), 3u);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      EXPECT_TRUE(edges.insert({from, to}).second);
      const auto g = static_cast<std::size_t>(hull.across[hull.first_corner[f] + k]);
      const auto other = hull.corners_of(g);
      const auto at = std::find(other.begin(), other.end(), to) - other.begin();
      ASSERT_LT(at, std::ssize(other));
      EXPECT_EQ(other[(at + 1) % other.size()], from);
      EXPECT_EQ(hull.across[hull.first_corner[g] + at], static_cast<int>(f));
    }
  }
  std::set<std::pair<int, int>> joined;
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    EXPECT_GE(hull.neighbours_of(v).size(), 3u);
    for (const int n : hull.neighbours_of(v)) joined.insert({static_cast<int>(v), n});
  }
  EXPECT_EQ(joined, edges);
  EXPECT_EQ(hull.neighbours.size(), edges.size());
}

/// Faces are flat, convex, look outward, and no point is above one.
void expect_convex(const ConvexHull& hull, const Points& points) {
  const double tolerance = kTolerance * extent_of(points);
  double outside = 0.0, unevenness = 0.0, reflex = 0.0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const Vec3& n = hull.normals[f];
    EXPECT_NEAR(n.norm(), 1.0, 1e-15);  // rounding
    for (const Vec3& p : points) outside = std::max(outside, n.dot(p) - hull.offsets[f]);
    const auto loop = hull.corners_of(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3& a = hull.vertices[loop[k]];
      const Vec3& b = hull.vertices[loop[(k + 1) % loop.size()]];
      const Vec3& c = hull.vertices[loop[(k + 2) % loop.size()]];
      unevenness = std::max(unevenness, std::abs(n.dot(a) - hull.offsets[f]));
      reflex = std::max(reflex, -n.dot((b - a).cross(c - b)) / (c - a).norm());
    }
  }
  EXPECT_LE(outside, tolerance);
  EXPECT_LE(unevenness, tolerance);
  EXPECT_LE(reflex, tolerance);
}

ConvexHull checked_hull(const Points& points) {
  ConvexHull hull = make_convex_hull(points);
  expect_consistent(hull);
  expect_convex(hull, points);
  for (const Vec3& v : hull.vertices)
    EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
  return hull;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same_bits(const ConvexHull& a, const ConvexHull& b) {
  return same_bits(a.vertices, b.vertices) && same_bits(a.normals, b.normals) &&
         same_bits(a.offsets, b.offsets) && same_bits(a.corners, b.corners) &&
         same_bits(a.first_corner, b.first_corner) && same_bits(a.across, b.across) &&
         same_bits(a.neighbours, b.neighbours) && same_bits(a.starts, b.starts);
}

Points box_grid(int divisions) {
  return make_box({.size = Vec3(0.7, 1.1, 1.9), .divisions = divisions}).vertices;
}

void expect_box(const ConvexHull& hull) {
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(edge_count(hull), 12u);
  EXPECT_EQ(hull.face_count(), 6u);
}

TEST(ConvexHull, OfATessellatedBoxHasSixFaces) {
  Random random(1);
  for (const int divisions : {1, 2, 7, 20}) {
    SCOPED_TRACE(divisions);
    const Points grid = box_grid(divisions);
    expect_box(checked_hull(grid));
    for (int turn = 0; turn < 5; ++turn)
      expect_box(checked_hull(turned(grid, 3.0 * random_in_cube(random))));
  }
}

TEST(ConvexHull, OfABoxFarAwayHasSixFaces) {
  // Coordinates of 3e6 are rounded to 2e-16 * 3e6 = 7e-10.
  const Points grid = turned(box_grid(10), {0.3, -0.7, 1.1}, {1e6, -2e6, 3e6});
  const ConvexHull hull = make_convex_hull(grid);
  expect_consistent(hull);
  expect_box(hull);
}

TEST(ConvexHull, OfALatticeHasSixFaces) {
  // Most points are inside, on faces or on edges.
  Points points;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 8; ++k) points.push_back(Vec3(i, j, k));
  expect_box(checked_hull(points));
  expect_box(checked_hull(turned(points, {1.0, 2.0, -0.5})));
}

TEST(ConvexHull, JoinsTheLidsOfAPrism) {
  for (const int segments : {3, 8, 61, 128}) {
    SCOPED_TRACE(segments);
    const TriangleMesh mesh = make_cylinder({.radius = 0.4, .length = 1.5, .segments = segments});
    for (const Vec3& rotation : {Vec3(0, 0, 0), Vec3(0.4, -1.0, 2.0)}) {
      const ConvexHull hull = checked_hull(turned(mesh.vertices, rotation));
      EXPECT_EQ(hull.vertices.size(), 2u * segments);
      EXPECT_EQ(hull.face_count(), 2u + segments);
      std::size_t lids = 0;
      for (std::size_t f = 0; f < hull.face_count(); ++f)
        if (hull.corners_of(f).size() == static_cast<std::size_t>(segments)) ++lids;
      EXPECT_EQ(lids, 2u);
      // Of a prism over a regular polygon.
      const double area = 0.5 * segments * 0.16 * std::sin(2.0 * kPi / segments);
      EXPECT_NEAR(signed_volume(mesh_of(hull)), 1.5 * area, 1e-13 * area);  // rounding of the sum
    }
  }
}

TEST(ConvexHull, JoinsFacesThroughNoise) {
  // Bumps up to half the tolerance.
  Random random(2);
  Points points = turned(box_grid(12), {0.2, 0.5, -0.9});
  for (Vec3& p : points) p += 3e-10 * random_in_cube(random);
  expect_box(checked_hull(points));
}

TEST(ConvexHull, IsClosedAndContainsItsPointsForNoiseOfAnySize) {
  // Rows of points along edges make slivers whose normals are nothing but noise; noise as large as
  // the tolerance makes faces that may or may not be joined.
  Random random(12);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const int segments = 3 + static_cast<int>(random.below(40));
    Points points = turned(
        make_cylinder({.radius = random.uniform(0.1, 1.0), .length = 1.0, .segments = segments})
            .vertices,
        3.0 * random_in_cube(random));
    const double noise = std::pow(10.0, random.uniform(-17.0, -7.0));
    for (Vec3& p : points) p += noise * random_in_cube(random);
    const ConvexHull hull = make_convex_hull(points);
    expect_consistent(hull);
    double outside = 0.0;
    for (std::size_t f = 0; f < hull.face_count(); ++f)
      for (const Vec3& p : points)
        outside = std::max(outside, hull.normals[f].dot(p) - hull.offsets[f]);
    EXPECT_LT(outside, 10.0 * kTolerance * extent_of(points));  // a lost corner would be 1e-3
  }
}

TEST(ConvexHull, KeepsWhatIsNotFlat) {
  // Bumps above the tolerance stay: a roof of 1e-7.
  Points points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1e-7}, {0, 0, -1}};
  const ConvexHull hull = checked_hull(points);
  EXPECT_EQ(hull.vertices.size(), 6u);
  EXPECT_EQ(hull.face_count(), 8u);
}

TEST(ConvexHull, EnclosesTheVolumeOfConvexMeshes) {
  const std::vector<TriangleMesh> meshes = {
      make_box({.size = Vec3(1, 2, 3), .divisions = 4}), make_sphere({.radius = 0.7}),
      make_ellipsoid({.half_axes = Vec3(0.1, 0.5, 2.0)}),
      make_cylinder({.radius = 1.0, .length = 0.2, .segments = 40})};
  for (const TriangleMesh& mesh : meshes) {
    const ConvexHull hull = checked_hull(mesh.vertices);
    expect_solid(mesh_of(hull));
    const MassProperties of_hull = mass_properties(mesh_of(hull), 1000.0, "hull");
    const MassProperties of_mesh = mass_properties(mesh, 1000.0, "mesh");
    // The same polyhedra, to rounding.
    EXPECT_NEAR(of_hull.mass, of_mesh.mass, 1e-12 * of_mesh.mass);
    EXPECT_LT((of_hull.center - of_mesh.center).norm(), 1e-12);
    EXPECT_LT((of_hull.inertia - of_mesh.inertia).norm(), 1e-12 * of_mesh.inertia.norm());
  }
}

TEST(ConvexHull, OfAGeodesicSphereIsTheSphere) {
  const TriangleMesh mesh = make_sphere({.radius = 0.7, .triangles = 1280});
  const ConvexHull hull = checked_hull(mesh.vertices);
  EXPECT_EQ(hull.vertices.size(), mesh.vertices.size());
  EXPECT_EQ(hull.face_count(), mesh.triangle_count());
  EXPECT_NEAR(signed_volume(mesh_of(hull)), signed_volume(mesh), 1e-13);  // rounding of the sum
}

/// All planes through three points that have no point above: triples of numbers, smallest first.
std::set<std::array<int, 3>> brute_force_facets(const Points& p) {
  std::set<std::array<int, 3>> out;
  const int n = static_cast<int>(p.size());
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      for (int c = b + 1; c < n; ++c) {
        const Vec3 normal = (p[b] - p[a]).cross(p[c] - p[a]);
        int above = 0;
        for (int d = 0; d < n; ++d)
          if (d != a && d != b && d != c && normal.dot(p[d] - p[a]) > 0.0) ++above;
        if (above == 0 || above == n - 3) out.insert({a, b, c});
      }
  return out;
}

TEST(ConvexHull, OfRandomPointsHasTheFacetsOfBruteForce) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const Points points = random_cloud(4 + static_cast<int>(random.below(17)), random);
    const ConvexHull hull = checked_hull(points);
    std::set<std::array<int, 3>> facets;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      ASSERT_EQ(hull.corners_of(f).size(), 3u);  // points in general position
      std::array<int, 3> facet{};
      for (std::size_t k = 0; k < 3; ++k)
        facet[k] = static_cast<int>(
            std::find(points.begin(), points.end(), hull.vertices[hull.corners_of(f)[k]]) -
            points.begin());
      std::sort(facet.begin(), facet.end());
      facets.insert(facet);
    }
    EXPECT_EQ(facets, brute_force_facets(points));
  }
}

TEST(ConvexHull, OfPointsOnASphereHasThemAll) {
  Random random(4);
  for (const int count : {50, 500, 4000}) {
    const ConvexHull hull = make_convex_hull(on_sphere(random_cloud(count, random)));
    expect_consistent(hull);
    EXPECT_EQ(hull.vertices.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(hull.face_count(), 2u * count - 4);
  }
}

TEST(ConvexHull, OfAFewPlacesTakenOftenIsRight) {
  // Most of 60 points in 27 places are duplicates, on lines, in planes.
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    Points points;
    for (int i = 0; i < 60; ++i)
      points.push_back(Vec3(random.below(3), random.below(3), random.below(3)));
    const ConvexHull hull = checked_hull(points);
    const ConvexHull askew = checked_hull(turned(points, 3.0 * random_in_cube(random)));
    EXPECT_EQ(hull.vertices.size(), askew.vertices.size());
    EXPECT_EQ(hull.face_count(), askew.face_count());
    EXPECT_NEAR(signed_volume(mesh_of(hull)), signed_volume(mesh_of(askew)), 1e-13);  // rounding
  }
}

TEST(ConvexHull, DoesNotDependOnTheOrderOfItsPoints) {
  Random random(6);
  for (Points points : {turned(box_grid(5), {1, 2, 3}), random_cloud(300, random),
                        make_cone({.base_radius = 1.0, .length = 2.0}).vertices}) {
    const ConvexHull first = make_convex_hull(points);
    for (int round = 0; round < 5; ++round) {
      shuffle(points, random);
      points.push_back(points[0]);  // and not on how often one comes
      EXPECT_TRUE(same_bits(make_convex_hull(points), first));
    }
  }
}

TEST(ConvexHull, OfAHullIsTheHull) {
  Random random(7);
  for (const Points& points :
       {turned(box_grid(5), {1, 2, 3}), random_cloud(300, random),
        on_sphere(random_cloud(1000, random)),
        turned(make_cylinder({.radius = 1.0, .length = 2.0}).vertices, {3, 2, 1})}) {
    const ConvexHull hull = make_convex_hull(points);
    const ConvexHull again = make_convex_hull(hull.vertices);
    EXPECT_TRUE(same_bits(again.vertices, hull.vertices));
    EXPECT_EQ(again.face_count(), hull.face_count());
  }
}

TEST(ConvexHull, MayBeThinOrFlat) {
  Random random(8);
  for (const Vec3& scale : {Vec3(1, 1, 1e-6), Vec3(1, 1e-6, 1e-6), Vec3(1, 1e-3, 1e-6)})
    for (const Vec3& rotation : {Vec3(0, 0, 0), Vec3(0.4, -1.0, 2.0)}) {
      SCOPED_TRACE(scale.transpose());
      Points box = box_grid(6), cloud = random_cloud(60, random);
      const double volume = signed_volume(mesh_of(make_convex_hull(cloud))) * scale.prod();
      for (Vec3& p : box) p = p.cwiseProduct(scale);
      for (Vec3& p : cloud) p = p.cwiseProduct(scale);
      expect_box(checked_hull(turned(box, rotation)));
      // The tolerance is 2e-9 of the length, 1e-3 of the thickness; on either side.
      const ConvexHull hull = checked_hull(turned(cloud, rotation));
      EXPECT_NEAR(signed_volume(mesh_of(hull)), volume, 4e-3 * volume);
    }
}

TEST(ConvexHull, MayHaveAnySize) {
  // Powers of two change nothing but the size, even where cubes of lengths are not doubles.
  Random random(9);
  const Points points = random_cloud(100, random);
  const ConvexHull hull = make_convex_hull(points);
  for (const double size : {0x1p-400, 0x1p-20, 0x1p400}) {
    Points scaled = points;
    for (Vec3& p : scaled) p *= size;
    const ConvexHull other = make_convex_hull(scaled);
    expect_consistent(other);
    EXPECT_TRUE(same_bits(other.corners, hull.corners));
    EXPECT_TRUE(same_bits(other.normals, hull.normals));
  }
}

TEST(ConvexHull, HasNoMinusZero) {
  const ConvexHull hull = make_convex_hull(box_grid(1));
  for (const Vec3& n : hull.normals)
    for (const double x : n) EXPECT_FALSE(x == 0.0 && std::signbit(x));
}

TEST(BoxHull, IsTheHullOfItsCorners) {
  const ConvexHull box = box_hull({0.35, 0.55, 0.95});
  expect_consistent(box);
  expect_convex(box, box.vertices);
  expect_box(box);
  const ConvexHull hull = make_convex_hull(box.vertices);
  EXPECT_TRUE(same_bits(hull.vertices, box.vertices));
  EXPECT_NEAR(signed_volume(mesh_of(box)), 0.7 * 1.1 * 1.9, 1e-15);  // rounding
  // x-, x+, y-, y+, z-, z+
  for (int f = 0; f < 6; ++f) {
    EXPECT_EQ(box.normals[f], Vec3((f % 2 == 0 ? -1.0 : 1.0) * Vec3::Unit(f / 2)));
    EXPECT_EQ(box.offsets[f], Vec3(0.35, 0.55, 0.95)[f / 2]);
  }
}

TEST(ConvexHull, FindsTheFarthestVertex) {
  Random random(10);
  for (const int count : {5, 12, 40, 200, 3000}) {
    const ConvexHull hull = make_convex_hull(on_sphere(random_cloud(count, random)));
    for (int i = 0; i < 500; ++i) {
      // Some directions are along axes or edges of the grid of starts.
      Vec3 d = random_in_cube(random) * std::pow(10.0, random.uniform(-200.0, 200.0));
      if (i % 5 == 0) d = Vec3(random.below(3), random.below(3), 1) - Vec3(1, 1, 2.0 * (i % 2));
      if (d.isZero(0.0)) continue;
      double farthest = -std::numeric_limits<double>::infinity();
      for (const Vec3& v : hull.vertices) farthest = std::max(farthest, d.dot(v));
      EXPECT_EQ(d.dot(hull.vertices[farthest_vertex(hull, d)]), farthest);
    }
  }
}

std::string refusal(const Points& points) {
  return message_of<InputError>([&] { make_convex_hull(points, "rock.obj"); });
}

TEST(ConvexHull, RefusesFewerThanFourPoints) {
  EXPECT_TRUE(contains(refusal({}), "rock.obj: a hull needs at least four points"));
  EXPECT_TRUE(contains(refusal({}), "there are 0"));
  EXPECT_TRUE(contains(refusal({{0, 0, 0}}), "there is 1"));
  EXPECT_TRUE(contains(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "there are 3"));
}

TEST(ConvexHull, RefusesPointsThatAreNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Points points = box_grid(1);
    points[5].y() = bad;
    EXPECT_TRUE(contains(refusal(points), "rock.obj: point 5 is not finite"));
  }
}

TEST(ConvexHull, RefusesWhatEnclosesNoVolume) {
  Random random(11);
  Points point(10, Vec3(0.1, 0.2, 0.3)), line, plane;
  for (int i = 0; i < 50; ++i) {
    line.push_back(random.uniform(-1.0, 1.0) * Vec3(0.3, 0.7, -0.2) + Vec3(5, 6, 7));
    plane.push_back(Vec3(random.uniform(), random.uniform(), 0.0));
  }
  const std::string right = "a hull needs points that enclose a volume";
  for (const Vec3& rotation : {Vec3(0, 0, 0), Vec3(0.4, -1.0, 2.0)}) {
    EXPECT_TRUE(contains(refusal(turned(point, rotation)), "all points lie in one point"));
    EXPECT_TRUE(contains(refusal(turned(line, rotation)), "all points lie on one line"));
    EXPECT_TRUE(contains(refusal(turned(plane, rotation)), "all points lie in one plane"));
    EXPECT_TRUE(contains(refusal(turned(plane, rotation)), right));
  }
  // Four corners of a square, and a sheet of 1e-10.
  EXPECT_TRUE(contains(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "in one plane"));
  EXPECT_TRUE(contains(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-10}}), "in one plane"));
  // All zero, and the largest numbers there are.
  EXPECT_TRUE(contains(refusal(Points(4, Vec3::Zero())), "in one point"));
  EXPECT_TRUE(contains(
      refusal({Vec3::Zero(), Vec3(1.7e308, 0, 0), Vec3(0, 1.7e308, 0), Vec3(1.7e308, 1.7e308, 0)}),
      "in one plane"));
}

}  // namespace
}  // namespace grouser
