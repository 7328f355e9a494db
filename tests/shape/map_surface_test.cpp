// Elevation maps as smooth surfaces: Gauss map and curvature, status, and what a search asks them.
#include "grouser/shape/map_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/map/elevation_grids.h"

namespace grouser {
namespace {

MapSurface surface_of(const ElevationGrid& grid, Kind kind, Border border = Border::extrapolate) {
  return MapSurface(
      std::make_shared<const ElevationMap>(grid, kind, border, Place{}, ElevationMap::Gaps::keep));
}

/// Slope of f at 0 by central differences at two distances, so that errors of the second order
/// cancel; what is left is (h / spacing)^4 and one rounding over h.
template <class Function>
Vec3 slope_of(double h, const Function& f) {
  const auto difference = [&](double d) { return Vec3((f(d) - f(-d)) / (2.0 * d)); };
  return (4.0 * difference(0.5 * h) - difference(h)) / 3.0;
}

TEST(MapSurface, GaussMapAndCurvatureAreThoseOfDifferences) {
  Random random(1);
  for (const Kind kind : kSmoothKinds)
    for (const double spacing : {0.05, 2.0}) {
      const MapSurface surface = surface_of(random_grid(random, 10, 10, spacing), kind);
      const double h = 1e-3 * spacing;
      for (int trial = 0; trial < 300; ++trial) {
        // On the map and beyond it, not across the lines of the grid.
        const auto place = [&] {
          return spacing * (std::floor(random.uniform(-2.0, 11.0)) + random.uniform(0.01, 0.99));
        };
        const double u = place(), v = place();
        const GaussFrame frame = gauss_frame(surface.at({u, v, 0}));
        const auto point = [&](double du, double dv) { return surface.at({u + du, v + dv, 0}).p; };
        const auto normal = [&](double du, double dv) {
          return gauss_frame(surface.at({u + du, v + dv, 0})).n;
        };
        const auto along_u = [](const auto& f) { return [f](double d) { return f(d, 0.0); }; };
        const auto along_v = [](const auto& f) { return [f](double d) { return f(0.0, d); }; };
        // Heights are of the size of the spacing: slopes of size 1 with an error of 1e-12 or less
        // from the fourth power, and 1e-13 from rounding.
        const Vec3 fu = slope_of(h, along_u(point)), fv = slope_of(h, along_v(point));
        EXPECT_LT((fu.cross(fv).normalized() - frame.n).norm(), 1e-9) << name_of(kind);
        // The same in units of 1 / spacing; a quintic's normal turns by up to 30 of them.
        Mat2 turned;
        turned << frame.in_plane(slope_of(h, along_u(normal))),
            frame.in_plane(slope_of(h, along_v(normal)));
        EXPECT_LT((frame.K * frame.B - turned).norm(), 1e-7 / spacing) << name_of(kind);
        EXPECT_NEAR(frame.K(0, 1), frame.K(1, 0), 1e-11 / spacing);  // rounding
      }
    }
}

TEST(MapSurface, GoesThroughItsMapAndItsNormalLooksUp) {
  Random random(2);
  const MapSurface surface = surface_of(random_grid(random, 9, 8, 0.5), Kind::quintic);
  for (int trial = 0; trial < 100; ++trial) {
    const double x = random.uniform(-1.0, 5.0), y = random.uniform(-1.0, 4.5);
    const SurfaceJet jet = surface.at({x, y, 0});
    const SurfaceHeight h = surface.map().at(x, y);
    EXPECT_EQ(jet.p, Vec3(x, y, h.z));
    EXPECT_LT((gauss_frame(jet).n - h.normal()).norm(), 1e-15);
  }
}

TEST(MapSurface, IsConvexOnAHillAndHollowInABowl) {
  // z = -0.1 x^2 - 0.15 y^2 at the top: the curvatures are 0.2 and 0.3.
  for (const double sign : {1.0, -1.0}) {
    const MapSurface surface = surface_of(
        sampled(20, 20, 0.5, Vec2(-5.25, -5.25),
                [&](double x, double y) { return sign * (-0.1 * x * x - 0.15 * y * y); }),
        Kind::quintic);
    const GaussFrame frame = gauss_frame(surface.at({0.0, 0.0, 0}));
    EXPECT_LT((frame.K - sign * Mat2(Vec2(0.2, 0.3).asDiagonal())).norm(), 1e-12);  // rounding
  }
}

TEST(MapSurface, TellsGapsAndWhatIsBeyond) {
  const MapSurface surface =
      surface_of(with_gaps(sampled(12, 12, 1.0, Vec2::Zero(), [](double, double) { return 1.0; }),
                           [](std::size_t ix, std::size_t iy) { return ix == 6 && iy == 6; }),
                 Kind::cubic);
  EXPECT_EQ(surface.at({2.0, 2.0, 0}).status, SurfaceStatus::ok);
  EXPECT_EQ(surface.at({6.5, 6.5, 0}).status, SurfaceStatus::no_data);
  EXPECT_EQ(surface.at({6.5, 8.5, 0}).status, SurfaceStatus::ok);
  EXPECT_EQ(surface.at({-0.1, 8.5, 0}).status, SurfaceStatus::beyond);
  EXPECT_NEAR(surface.at({6.5, 6.5, 0}).p.z(), 1.0, 1e-14);
  EXPECT_NEAR(surface.at({-0.1, 8.5, 0}).p.z(), 1.0, 1e-14);
}

TEST(MapSurface, FootOfANearPointHasItsGap) {
  Random random(3);
  // Slopes of size 0.1, so that the surface bends by 0.1 / spacing.
  ElevationGrid grid = random_grid(random, 15, 15, 1.0);
  for (double& z : grid.heights) z *= 0.1;
  const MapSurface surface = surface_of(grid, Kind::bspline);
  for (int trial = 0; trial < 100; ++trial) {
    const GaussFrame frame =
        gauss_frame(surface.at({random.uniform(2.0, 12.0), random.uniform(2.0, 12.0), 0}));
    for (const double gap : {-1e-3, 1e-3}) {
      const SurfaceFoot foot = surface.foot(frame.p + gap * frame.n);
      EXPECT_NEAR(foot.gap, gap, 1e-6);  // gap^2 times curvature
      EXPECT_LT((surface.at(foot.at).p - frame.p).norm(), 1e-3);
    }
  }
}

TEST(MapSurface, ABallThatTouchesMayTouch) {
  Random random(4);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const MapSurface surface = surface_of(random_grid(random, 30, 30, 0.5), kind, border);
      int apart = 0;
      for (int trial = 0; trial < 500; ++trial) {
        const Vec3 centre(random.uniform(-2.0, 16.5), random.uniform(-2.0, 16.5),
                          random.uniform(-1.0, 4.0));
        const double radius = random.uniform(0.05, 2.0);
        bool touches = false;
        for (int k = 0; k < 200; ++k) {
          const Vec2 p(random.uniform(-radius, radius), random.uniform(-radius, radius));
          if (p.norm() > radius) continue;
          const double bottom = centre.z() - std::sqrt(radius * radius - p.squaredNorm());
          touches =
              touches || bottom <= surface.map().height(centre.x() + p.x(), centre.y() + p.y());
        }
        const bool may = surface.may_touch(centre, radius);
        if (touches) {
          EXPECT_TRUE(may) << name_of(kind);
        }
        if (!may) ++apart;
      }
      EXPECT_GT(apart, 100);
    }
}

TEST(MapSurface, GridIsThatOfTheMap) {
  const MapSurface surface = surface_of(
      sampled(5, 9, 0.25, Vec2(1.0, 2.0), [](double, double) { return 0.0; }), Kind::cubic);
  ASSERT_EQ(surface.grids().size(), 1u);
  const SmoothSurface::Grid grid = surface.grids()[0];
  EXPECT_EQ(grid.nu, 4);
  EXPECT_EQ(grid.nv, 8);
  EXPECT_EQ(grid.u0, 1.0);
  EXPECT_EQ(grid.u1, 2.0);
  EXPECT_EQ(grid.v0, 2.0);
  EXPECT_EQ(grid.v1, 4.0);
  EXPECT_EQ(surface.size(), 0.25);
}

TEST(MapSurface, MeshOfASmallMapIsFinerThanItsCells) {
  // A bowl of 20 x 20 nodes, curved by 0.4 / m: an edge of 0.09 m leaves it by 0.4 / 8 of its
  // square, two such edges in a triangle.
  const auto bowl = [](double x, double y) { return 0.2 * x * x + 0.2 * y * y; };
  const MapSurface surface =
      surface_of(sampled(20, 20, 1.0, Vec2(-9.5, -9.5), bowl), Kind::quintic);
  const TriangleMesh mesh = surface.mesh();
  require_usable(mesh, "bowl");
  EXPECT_GT(mesh.triangle_count(), 80'000u);
  EXPECT_LE(mesh.triangle_count(), 100'000u);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const TriangleFace face = face_of(mesh, t);
    EXPECT_GT(face.normal.z(), 0.0);
    if (face.centroid.head<2>().cwiseAbs().maxCoeff() > 8.5)
      continue;  // at the border it bends more
    EXPECT_NEAR(face.centroid.z(), surface.map().height(face.centroid.x(), face.centroid.y()),
                2.0 * 0.4 / 8.0 * 0.09 * 0.09);
  }
  EXPECT_EQ(bounding_box(mesh).lower.x(), -9.5);
  EXPECT_EQ(bounding_box(mesh).upper.y(), 9.5);
}

TEST(MapSurface, MeshOfALargeMapIsCoarserAndReachesItsBorder) {
  const MapSurface surface = surface_of(
      sampled(700, 503, 0.5, Vec2::Zero(), [](double x, double) { return 0.1 * x; }), Kind::cubic);
  const TriangleMesh mesh = surface.mesh();
  EXPECT_LE(mesh.triangle_count(), 100'000u);
  EXPECT_GT(mesh.triangle_count(), 50'000u);
  EXPECT_EQ(bounding_box(mesh).upper.x(), 349.5);
  EXPECT_EQ(bounding_box(mesh).upper.y(), 251.0);
  EXPECT_EQ(take_census(mesh).non_manifold_edges, 0u);
  EXPECT_EQ(take_census(mesh).flipped_edges, 0u);
}

TEST(MapSurface, MeshHasHolesWhereTheMapHasGaps) {
  for (const std::size_t nodes : {12u, 600u}) {
    const std::size_t gap = nodes / 2;
    const MapSurface surface = surface_of(
        with_gaps(sampled(nodes, nodes, 1.0, Vec2::Zero(), [](double, double) { return 1.0; }),
                  [&](std::size_t ix, std::size_t iy) { return ix == gap && iy == gap; }),
        Kind::bilinear);
    const TriangleMesh mesh = surface.mesh();
    EXPECT_GT(mesh.triangle_count(), 1000u);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      const Vec3 p = face_of(mesh, t).centroid;
      EXPECT_TRUE(surface.map().at(p.x(), p.y()).known);
    }
  }
}

}  // namespace
}  // namespace grouser
