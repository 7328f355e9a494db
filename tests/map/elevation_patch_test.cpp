// Patches: one cell of an elevation map as a polynomial, the same surface as the map's.
#include "grouser/map/elevation_patch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/map/elevation_grids.h"

namespace grouser {
namespace {

/// For heights of the size of the spacing: one rounding is 1e-16 in units of the spacing, and of
/// derivatives in their units; about twenty operations.
void expect_same(const SurfaceHeight& a, const SurfaceHeight& b, double spacing,
                 double tolerance = 1e-13) {
  EXPECT_NEAR(a.z, b.z, tolerance * spacing);
  EXPECT_NEAR(a.dx, b.dx, tolerance);
  EXPECT_NEAR(a.dy, b.dy, tolerance);
  EXPECT_NEAR(a.dxx, b.dxx, tolerance / spacing);
  EXPECT_NEAR(a.dxy, b.dxy, tolerance / spacing);
  EXPECT_NEAR(a.dyy, b.dyy, tolerance / spacing);
  EXPECT_EQ(a.inside, b.inside);
  EXPECT_EQ(a.known, b.known);
}

TEST(ElevationPatch, IsTheMapOverItsCell) {
  Random random(1);
  const double spacing = 0.25;
  const ElevationGrid grid = random_grid(random, 9, 7, spacing, Vec2(-3.0, 5.0));
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(grid, kind, border);
      for (int trial = 0; trial < 300; ++trial) {
        const double cx = std::floor(random.uniform(0.0, 8.0));
        const double cy = std::floor(random.uniform(0.0, 6.0));
        const auto x = [&] { return -3.0 + spacing * (cx + random.uniform(0.0, 1.0)); };
        const auto y = [&] { return 5.0 + spacing * (cy + random.uniform(0.0, 1.0)); };
        const ElevationPatch patch = map.patch(x(), y());
        EXPECT_EQ(static_cast<double>(patch.ix()), cx);
        EXPECT_EQ(static_cast<double>(patch.iy()), cy);
        for (int k = 0; k < 5; ++k) {
          const double px = x(), py = y();
          EXPECT_TRUE(patch.covers(px, py));
          expect_same(patch.at(px, py), map.at(px, py), spacing);
        }
      }
    }
}

TEST(ElevationPatch, AtTheBorderGoesOnAsTheMap) {
  Random random(2);
  const ElevationGrid grid = random_grid(random, 6, 5, 1.0);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(grid, kind, border);
      for (int trial = 0; trial < 300; ++trial) {
        const double x = random.uniform(-4.0, 9.0), y = random.uniform(-4.0, 8.0);
        const ElevationPatch patch = map.patch(x, y);
        EXPECT_TRUE(patch.covers(x, y));
        // Up to four cells away, where what is rounded counts four or sixteen times.
        expect_same(patch.at(x, y), map.at(x, y), 1.0, 1e-12);
      }
      const ElevationPatch corner = map.patch(-1.0, 7.0);
      EXPECT_TRUE(corner.covers(-1e9, 1e9));
      EXPECT_FALSE(corner.covers(1.5, 7.0));
      EXPECT_FALSE(corner.covers(std::nan(""), 7.0));
      EXPECT_TRUE(std::isnan(corner.at(std::nan(""), 7.0).z));
    }
}

TEST(ElevationPatch, GoesOnAsAPolynomialIntoNeighbours) {
  // z = x^2 - x y, which cubic and quintic reproduce in any cell: so does every patch anywhere.
  const auto z = [](double x, double y) { return x * x - x * y; };
  for (const Kind kind : {Kind::cubic, Kind::quintic}) {
    const ElevationMap map(sampled(12, 12, 0.5, Vec2::Zero(), z), kind, Border::extrapolate);
    const ElevationPatch patch = map.patch(2.6, 2.7);
    EXPECT_FALSE(patch.covers(3.4, 2.7));
    for (const double x : {1.8, 2.6, 3.4}) {
      const SurfaceHeight h = patch.at(x, 2.0);
      EXPECT_NEAR(h.z, z(x, 2.0), 1e-13);
      EXPECT_NEAR(h.dx, 2.0 * x - 2.0, 1e-12);
      EXPECT_NEAR(h.dxx, 2.0, 1e-11);
      EXPECT_NEAR(h.dxy, -1.0, 1e-11);
    }
  }
}

/// What may jump from one patch to the next: none of the derivatives up to `smooth`.
void expect_continuous(const ElevationMap& map, int smooth, Random& random) {
  const double s = map.spacing();
  for (int trial = 0; trial < 200; ++trial) {
    const double line = std::floor(random.uniform(1.0, 10.0)), other = random.uniform(0.0, 11.0);
    const bool along_x = trial % 2 == 0;
    const auto place = [&](double across) {
      return Vec2(map.origin() +
                  s * (along_x ? Vec2(line + across, other) : Vec2(other, line + across)));
    };
    const auto patch = [&](double across) {
      return map.patch(place(across).x(), place(across).y());
    };
    const Vec2 p = place(0.0);
    const SurfaceHeight a = patch(-0.5).at(p.x(), p.y()), b = patch(0.5).at(p.x(), p.y());
    // Rounding makes 1e-13 of curvatures of 16 / m and their sums.
    EXPECT_NEAR(a.z, b.z, 1e-10);
    EXPECT_NEAR(a.dx, b.dx, 1e-10);
    EXPECT_NEAR(a.dy, b.dy, 1e-10);
    if (smooth < 2) continue;
    EXPECT_NEAR(a.dxx, b.dxx, 1e-10);
    EXPECT_NEAR(a.dxy, b.dxy, 1e-10);
    EXPECT_NEAR(a.dyy, b.dyy, 1e-10);
  }
}

TEST(ElevationPatch, MeetsItsNeighbourWithoutAJump) {
  Random random(3);
  for (const Vec2& origin : {Vec2(0.0, 0.0), Vec2(-1024.0, 512.0)}) {
    const ElevationGrid grid = random_grid(random, 12, 12, 0.0625, origin);
    expect_continuous(ElevationMap(grid, Kind::cubic, Border::clamp), 1, random);
    expect_continuous(ElevationMap(grid, Kind::quintic, Border::clamp), 2, random);
    expect_continuous(ElevationMap(grid, Kind::bspline, Border::clamp), 2, random);
  }
}

TEST(ElevationPatch, LosesNothingAHundredKilometresAway) {
  Random random(4);
  const double spacing = 0.0078125;  // a binary number, so that far coordinates are exact
  ElevationGrid grid = random_grid(random, 30, 30, spacing);
  const Vec2 away(1e5, -1e5);
  for (const Kind kind : kKinds) {
    grid.origin = Vec2::Zero();
    const ElevationMap near(grid, kind, Border::extrapolate);
    grid.origin = away;
    const ElevationMap far(grid, kind, Border::extrapolate);
    for (int trial = 0; trial < 200; ++trial) {
      const double x = std::floor(random.uniform(0.0, 29.0 * 4096)) / 4096 * spacing;
      const double y = std::floor(random.uniform(0.0, 29.0 * 4096)) / 4096 * spacing;
      const SurfaceHeight a = near.patch(x, y).at(x, y);
      const Vec2 p = away + Vec2(x, y);
      const SurfaceHeight b = far.patch(p.x(), p.y()).at(p.x(), p.y());
      EXPECT_EQ(a.z, b.z);
      EXPECT_EQ(a.dy, b.dy);
      EXPECT_EQ(a.dxx, b.dxx);
    }
  }
}

TEST(ElevationPatch, TellsGaps) {
  const ElevationGrid grid =
      with_gaps(sampled(10, 10, 1.0, Vec2::Zero(), [](double x, double) { return x; }),
                [](std::size_t ix, std::size_t iy) { return ix == 5 && iy == 5; });
  const ElevationMap map(grid, Kind::cubic, Border::clamp, {}, ElevationMap::Gaps::keep);
  EXPECT_FALSE(map.patch(5.5, 5.5).known());
  EXPECT_FALSE(map.patch(5.5, 5.5).at(5.5, 5.5).known);
  EXPECT_TRUE(map.patch(5.5, 7.5).known());
  EXPECT_TRUE(map.patch(5.5, 7.5).at(5.5, 7.5).known);
}

}  // namespace
}  // namespace grouser
