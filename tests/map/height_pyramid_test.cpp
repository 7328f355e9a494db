// Bounds above elevation maps: they hold, they are not far above, and cells under a ball are found.
#include "grouser/map/height_pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tests/map/elevation_grids.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

using Cell = std::pair<std::size_t, std::size_t>;

TEST(HeightPyramid, NothingOfACellIsAboveItsBound) {
  Random random(1);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders)
      for (const double base : {0.0, 3000.0}) {
        ElevationGrid grid = random_grid(random, 12, 9, 0.5);
        for (double& z : grid.heights) z += base;
        const ElevationMap map(grid, kind, border);
        const HeightPyramid pyramid(map);
        for (std::size_t iy = 0; iy + 1 < grid.ny; ++iy)
          for (std::size_t ix = 0; ix + 1 < grid.nx; ++ix) {
            double highest = -1e9;
            for (int i = 0; i <= 20; ++i)
              for (int j = 0; j <= 20; ++j)
                highest = std::max(highest, map.height(0.5 * (static_cast<double>(ix) + i / 20.0),
                                                       0.5 * (static_cast<double>(iy) + j / 20.0)));
            EXPECT_GE(pyramid.bound(ix, iy), highest) << name_of(kind);
            // Control points of heights between -0.5 and 0.5 are found up to 0.28 above, of
            // splines.
            EXPECT_LE(pyramid.bound(ix, iy), highest + 0.35) << name_of(kind);
          }
      }
}

TEST(HeightPyramid, BoundsOfALevelPlaneAreThePlane) {
  for (const double z : {0.0, -7.25, 1e-3, 123456.7}) {
    const ElevationGrid grid =
        sampled(5, 6, 0.01, Vec2(3.0, 4.0), [&](double, double) { return z; });
    for (const Kind kind : kKinds) {
      const ElevationMap map(grid, kind, Border::clamp);
      const HeightPyramid pyramid(map);
      EXPECT_GE(pyramid.bound(2, 3), map.height(3.025, 4.035));
      EXPECT_LE(pyramid.bound(2, 3), z + 1e-13 * std::abs(z) + 1e-30);  // some roundings
    }
  }
}

TEST(HeightPyramid, HeightsThatFloatsCannotHoldStayBelowTheBound) {
  ElevationGrid grid = sampled(6, 6, 1.0, Vec2::Zero(), [](double, double) { return 0.0; });
  grid.heights[14] = 1e300;
  grid.heights[21] = -1e300;
  const ElevationMap map(grid, Kind::cubic, Border::clamp);
  const HeightPyramid pyramid(map);
  for (std::size_t iy = 0; iy < 5; ++iy)
    for (std::size_t ix = 0; ix < 5; ++ix)
      EXPECT_GE(pyramid.bound(ix, iy),
                map.height(static_cast<double>(ix) + 0.5, static_cast<double>(iy) + 0.5));
}

TEST(HeightPyramid, NothingOverARectangleIsAboveItsMaximum) {
  Random random(2);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationGrid grid = random_grid(random, 37, 22, 0.5, Vec2(10.0, -4.0));
      const ElevationMap map(grid, kind, border);
      const HeightPyramid pyramid(map);
      const double everywhere = pyramid.max_over(10.0, 28.0, -4.0, 6.5);
      for (int trial = 0; trial < 200; ++trial) {
        const double x0 = random.uniform(8.0, 28.0), x1 = x0 + random.uniform(0.0, 8.0);
        const double y0 = random.uniform(-6.0, 6.5), y1 = y0 + random.uniform(0.0, 4.0);
        const double found = pyramid.max_over(x0, x1, y0, y1);
        const bool inside = x0 >= 10.0 && x1 <= 28.0 && y0 >= -4.0 && y1 <= 6.5;
        EXPECT_EQ(std::isinf(found), border == Border::extrapolate && !inside);
        for (int k = 0; k < 100; ++k)
          EXPECT_GE(found, map.height(random.uniform(x0, x1), random.uniform(y0, y1)));
        if (!std::isinf(found)) {
          EXPECT_LE(found, everywhere);
        }
      }
    }
}

TEST(HeightPyramid, TheMaximumOverFewCellsIsTheirs) {
  Random random(3);
  const ElevationMap map(random_grid(random, 50, 50, 1.0), Kind::quintic, Border::clamp);
  const HeightPyramid pyramid(map);
  for (std::size_t ix = 0; ix + 3 < 50; ++ix) {
    const auto x = static_cast<double>(ix);
    double highest = -1e9;
    for (std::size_t k = 0; k < 3; ++k) highest = std::max(highest, pyramid.bound(ix + k, 7));
    EXPECT_EQ(pyramid.max_over(x + 0.2, x + 2.8, 7.1, 7.9), highest);
  }
}

/// From a point to what a cell may have at or below its bound, cells at the border going on.
bool must_visit(const ElevationGrid& grid, const HeightPyramid& pyramid, Border border,
                const Vec3& centre, double radius, std::size_t ix, std::size_t iy) {
  const double s = grid.spacing;
  const double infinity = std::numeric_limits<double>::infinity();
  struct Span {
    double low, high;
    double to(double x) const { return std::max({0.0, low - x, x - high}); }
  };
  const auto span = [&](std::size_t i, std::size_t nodes, double origin) -> Span {
    return {i == 0 ? -infinity : origin + s * static_cast<double>(i),
            i + 2 == nodes ? infinity : origin + s * static_cast<double>(i + 1)};
  };
  const Span x = span(ix, grid.nx, grid.origin.x()), y = span(iy, grid.ny, grid.origin.y());
  const double dx = x.to(centre.x()), dy = y.to(centre.y());
  const double dz = std::max(0.0, centre.z() - pyramid.bound(ix, iy));
  if (Vec3(dx, dy, dz).norm() <= radius) return true;
  if (border == Border::clamp) return false;
  const Vec2 last =
      grid.origin + s * Vec2(static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1));
  const auto beyond = [&](bool at_border, const Span& bx, const Span& by) {
    return at_border && std::hypot(bx.to(centre.x()), by.to(centre.y())) <= radius;
  };
  return beyond(ix == 0, {-infinity, grid.origin.x()}, y) ||
         beyond(ix + 2 == grid.nx, {last.x(), infinity}, y) ||
         beyond(iy == 0, x, {-infinity, grid.origin.y()}) ||
         beyond(iy + 2 == grid.ny, x, {last.y(), infinity});
}

TEST(HeightPyramid, FindsTheCellsUnderABallAndNoOthers) {
  Random random(4);
  std::size_t visited = 0;
  for (const Border border : kBorders) {
    const ElevationGrid grid = random_grid(random, 41, 30, 0.5, Vec2(-7.0, 100.0));
    const ElevationMap map(grid, Kind::quintic, border);
    const HeightPyramid pyramid(map);
    for (int trial = 0; trial < 600; ++trial) {
      const Vec3 centre(random.uniform(-10.0, 16.0), random.uniform(97.0, 117.0),
                        random.uniform(-2.0, 4.0));
      const double radius = std::exp(random.uniform(std::log(0.05), std::log(6.0)));
      std::set<Cell> found, wanted;
      pyramid.visit_cells(centre, radius, [&](std::size_t ix, std::size_t iy) {
        EXPECT_TRUE(found.emplace(ix, iy).second);  // each but once
      });
      for (std::size_t iy = 0; iy + 1 < grid.ny; ++iy)
        for (std::size_t ix = 0; ix + 1 < grid.nx; ++ix)
          if (must_visit(grid, pyramid, border, centre, radius, ix, iy)) wanted.emplace(ix, iy);
      EXPECT_EQ(found, wanted);
      visited += found.size();
    }
  }
  EXPECT_GT(visited, 10'000u);
}

TEST(HeightPyramid, NoPointOfTheSurfaceInABallIsInACellThatWasNotVisited) {
  Random random(5);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(random_grid(random, 20, 20, 1.0), kind, border);
      const HeightPyramid pyramid(map);
      for (int trial = 0; trial < 200; ++trial) {
        const Vec3 centre(random.uniform(-3.0, 22.0), random.uniform(-3.0, 22.0),
                          random.uniform(-2.0, 3.0));
        const double radius = random.uniform(0.2, 3.0);
        std::set<Cell> found;
        pyramid.visit_cells(centre, radius,
                            [&](std::size_t ix, std::size_t iy) { found.emplace(ix, iy); });
        const auto cell = [](double x) {
          return static_cast<std::size_t>(std::clamp(x, 0.0, 18.5));
        };
        for (int k = 0; k < 100; ++k) {
          const double x = centre.x() + random.uniform(-radius, radius);
          const double y = centre.y() + random.uniform(-radius, radius);
          if ((Vec3(x, y, map.height(x, y)) - centre).norm() < radius) {
            EXPECT_TRUE(found.contains({cell(x), cell(y)})) << name_of(kind);
          }
        }
      }
    }
}

TEST(HeightPyramid, OneCellIsAPyramid) {
  const ElevationGrid grid = sampled(2, 2, 1.0, Vec2::Zero(), [](double x, double) { return x; });
  for (const Kind kind : kKinds) {
    const HeightPyramid pyramid(ElevationMap(grid, kind, Border::clamp));
    std::size_t count = 0;
    pyramid.visit_cells(Vec3(0.5, 0.5, 1.5), 1.0, [&](std::size_t, std::size_t) { ++count; });
    EXPECT_EQ(count, 1u);
    pyramid.visit_cells(Vec3(0.5, 0.5, 2.5), 1.0, [&](std::size_t, std::size_t) { ++count; });
    EXPECT_EQ(count, 1u);
    EXPECT_GE(pyramid.max_over(0.2, 0.3, 0.2, 0.3), 1.0);
  }
}

TEST(HeightPyramid, GapsAreVisited) {
  const ElevationGrid grid = with_gaps(
      sampled(30, 30, 1.0, Vec2::Zero(), [](double, double) { return 2.0; }),
      [](std::size_t ix, std::size_t iy) { return ix > 9 && ix < 20 && iy > 9 && iy < 20; });
  const ElevationMap map(grid, Kind::cubic, Border::clamp, {}, ElevationMap::Gaps::keep);
  std::size_t gaps = 0;
  HeightPyramid(map).visit_cells(Vec3(14.5, 14.5, 2.4), 0.5, [&](std::size_t ix, std::size_t iy) {
    if (!map.knows_cell(ix, iy)) ++gaps;
  });
  EXPECT_EQ(gaps, 1u);
}

TEST(HeightPyramid, AnswersWhateverItIsAskedAndAllocatesNothing) {
  Random random(6);
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const Border border : kBorders) {
    const HeightPyramid pyramid(ElevationMap(random_grid(random, 20, 9, 1.0), Kind::cubic, border));
    const std::size_t before = allocations();
    std::size_t visited = 0;
    const auto count = [&](std::size_t ix, std::size_t iy) {
      visited += ix < 19 && iy < 8 ? 1 : 1000;
    };
    for (const double strange : {nan, infinity, -infinity, 1e300, -1e300}) {
      pyramid.visit_cells(Vec3(strange, 1.0, 1.0), 1.0, count);
      pyramid.visit_cells(Vec3(1.0, strange, strange), 1.0, count);
      EXPECT_FALSE(std::isnan(pyramid.max_over(strange, strange, 0.0, 1.0)));
    }
    EXPECT_LT(visited, 1000u);
    visited = 0;
    pyramid.visit_cells(Vec3(1.0, 1.0, 1.0), infinity, count);
    EXPECT_EQ(visited, 19u * 8u);
    EXPECT_EQ(allocations(), before);
  }
}

TEST(HeightPyramid, TakesAThirdMoreThanAFloatPerCell) {
  Random random(7);
  const HeightPyramid pyramid(
      ElevationMap(random_grid(random, 257, 257, 1.0), Kind::bspline, Border::clamp));
  EXPECT_EQ(pyramid.memory(), (4u * 256u * 256u * 4u - 4u) / 3u);  // sum of 4^k floats
}

}  // namespace
}  // namespace grouser
