// Surfaces through heights on a grid: what they reproduce, how smooth they are, how fast they
// converge, and what happens at and beyond the border.
#include "grouser/map/elevation_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grouser/base/random.h"
#include "tests/map/elevation_grids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

TEST(ElevationMap, GoesThroughTheHeights) {
  Random random(1);
  const ElevationGrid grid = random_grid(random, 9, 7, 0.25, Vec2(-3.0, 5.0));
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(grid, kind, border);
      for (std::size_t iy = 0; iy < grid.ny; ++iy)
        for (std::size_t ix = 0; ix < grid.nx; ++ix) {
          const SurfaceHeight found =
              map.at(-3.0 + 0.25 * static_cast<double>(ix), 5.0 + 0.25 * static_cast<double>(iy));
          EXPECT_NEAR(found.z, grid.height(ix, iy), 1e-15);
          EXPECT_TRUE(found.inside);
        }
    }
}

TEST(ElevationMap, HasTheDerivativesOfItsHeights) {
  Random random(2);
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(random_grid(random, 8, 8, 0.5), kind, border);
      for (int trial = 0; trial < 300; ++trial) {
        // On the map and beyond it, away from the lines of the grid where some of them jump.
        const double x = 0.5 * (std::floor(random.uniform(-4.0, 11.0)) + random.uniform(0.1, 0.9));
        const double y = 0.5 * (std::floor(random.uniform(-4.0, 11.0)) + random.uniform(0.1, 0.9));
        const double h = 1e-5;  // error h^2 of slopes that change over 0.5
        const SurfaceHeight here = map.at(x, y);
        const SurfaceHeight east = map.at(x + h, y), west = map.at(x - h, y);
        const SurfaceHeight north = map.at(x, y + h), south = map.at(x, y - h);
        EXPECT_NEAR(here.dx, (east.z - west.z) / (2 * h), 1e-7);
        EXPECT_NEAR(here.dy, (north.z - south.z) / (2 * h), 1e-7);
        EXPECT_NEAR(here.dxx, (east.dx - west.dx) / (2 * h), 1e-6);
        EXPECT_NEAR(here.dxy, (north.dx - south.dx) / (2 * h), 1e-6);
        EXPECT_NEAR(here.dyy, (north.dy - south.dy) / (2 * h), 1e-6);
        EXPECT_NEAR(here.normal().norm(), 1.0, 1e-15);
      }
    }
}

/// Greatest jumps of height, slope and curvature across the lines of the grid, in units of one
/// cell, border lines left out.
Vec3 jumps(const ElevationMap& map, Random& random) {
  Vec3 greatest = Vec3::Zero();
  const double d = map.spacing();
  for (int trial = 0; trial < 500; ++trial) {
    const double line = std::floor(random.uniform(1.0, static_cast<double>(map.nx()) - 1.0));
    const double along = random.uniform(0.0, static_cast<double>(map.ny()) - 1.0);
    const double step = 1e-13;  // [cells]: changes curvature by 1e-11 within a cell
    const auto at = [&](double a, double b) {
      return trial % 2 == 0 ? map.at(d * a, d * b) : map.at(d * b, d * a);
    };
    const SurfaceHeight low = at(line - step, along), high = at(line + step, along);
    greatest[0] = std::max(greatest[0], std::abs(high.z - low.z) / d);
    greatest[1] = std::max({greatest[1], std::abs(high.dx - low.dx), std::abs(high.dy - low.dy)});
    greatest[2] = std::max({greatest[2], d * std::abs(high.dxx - low.dxx),
                            d * std::abs(high.dxy - low.dxy), d * std::abs(high.dyy - low.dyy)});
  }
  return greatest;
}

TEST(ElevationMap, IsAsSmoothAsItsKindSays) {
  Random random(3);
  for (const Border border : kBorders)
    for (const double spacing : {0.01, 1.0, 30.0}) {
      const ElevationGrid grid = random_grid(random, 12, 12, spacing);
      const Vec3 linear = jumps(ElevationMap(grid, Kind::bilinear, border), random);
      EXPECT_LT(linear[0], 1e-10);
      EXPECT_GT(linear[1], 0.1);
      const Vec3 cubic = jumps(ElevationMap(grid, Kind::cubic, border), random);
      EXPECT_LT(cubic[1], 1e-10);
      EXPECT_GT(cubic[2], 0.1);
      for (const Kind kind : {Kind::quintic, Kind::bspline})
        EXPECT_LT(jumps(ElevationMap(grid, kind, border), random).maxCoeff(), 1e-10);
    }
}

TEST(ElevationMap, ReproducesQuadraticsAwayFromTheBorder) {
  const auto bowl = [](double x, double y) { return 0.2 * x * x + 0.3 * y * y - 0.1 * x * y; };
  for (const Kind kind : {Kind::cubic, Kind::quintic}) {
    const ElevationMap map(sampled(9, 9, 0.5, Vec2(-2, -2), bowl), kind, Border::clamp);
    Random random(4);
    for (int trial = 0; trial < 200; ++trial) {
      const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
      const SurfaceHeight found = map.at(x, y);
      EXPECT_NEAR(found.z, bowl(x, y), 1e-14);
      EXPECT_NEAR(found.dx, 0.4 * x - 0.1 * y, 1e-13);
      EXPECT_NEAR(found.dy, 0.6 * y - 0.1 * x, 1e-13);
      EXPECT_NEAR(found.dxx, 0.4, 1e-12);
      EXPECT_NEAR(found.dxy, -0.1, 1e-12);
      EXPECT_NEAR(found.dyy, 0.6, 1e-12);
    }
  }
}

/// Greatest errors of value, slope and curvature on a sine terrain, in the middle of the map.
Vec3 sine_errors(Kind kind, double spacing) {
  const double a = 1.3, b = 0.9;
  const auto nodes = static_cast<std::size_t>(std::lround(6.0 / spacing)) + 1;
  const ElevationMap map(
      sampled(nodes, nodes, spacing, Vec2(-3, -3),
              [&](double x, double y) { return std::sin(a * x) * std::cos(b * y); }),
      kind, Border::extrapolate);
  Vec3 errors = Vec3::Zero();
  Random random(5);
  for (int trial = 0; trial < 20'000; ++trial) {
    const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
    const double sx = std::sin(a * x), cx = std::cos(a * x), sy = std::sin(b * y),
                 cy = std::cos(b * y);
    const SurfaceHeight f = map.at(x, y);
    errors[0] = std::max(errors[0], std::abs(f.z - sx * cy));
    errors[1] = std::max({errors[1], std::abs(f.dx - a * cx * cy), std::abs(f.dy + b * sx * sy)});
    errors[2] = std::max({errors[2], std::abs(f.dxx + a * a * sx * cy),
                          std::abs(f.dxy + a * b * cx * sy), std::abs(f.dyy + b * b * sx * cy)});
  }
  return errors;
}

TEST(ElevationMap, ConvergesAtTheOrdersOfItsKind) {
  const auto expect_orders = [](Kind kind, const Vec3& orders) {
    const Vec3 coarse = sine_errors(kind, 0.1), fine = sine_errors(kind, 0.05);
    // Greatest errors of 20,000 random points: known to a per cent or two.
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(std::log2(coarse[k] / fine[k]), orders[k], 0.15) << "derivative " << k;
  };
  expect_orders(Kind::quintic, Vec3(3, 2, 1));
  expect_orders(Kind::bspline, Vec3(4, 3, 2));
  // Known values of the quintic at a spacing of 0.1.
  const Vec3 quintic = sine_errors(Kind::quintic, 0.1);
  EXPECT_NEAR(quintic[0], 5.3e-5, 0.1e-5);
  EXPECT_NEAR(quintic[1], 3.6e-3, 0.1e-3);
  EXPECT_NEAR(quintic[2], 0.21, 0.01);
}

TEST(ElevationMap, LosesNoDigitsFarFromTheOrigin) {
  Random random(6);
  const double spacing = 0.0078125;  // a binary number, so that far coordinates are exact
  ElevationGrid grid = random_grid(random, 40, 40, spacing);
  for (const Kind kind : kKinds) {
    grid.origin = Vec2::Zero();
    const ElevationMap near(grid, kind, Border::extrapolate);
    grid.origin = Vec2(1024.0, -2048.0);
    const ElevationMap far(grid, kind, Border::extrapolate);
    for (int trial = 0; trial < 200; ++trial) {
      const double x = std::floor(random.uniform(0.0, 39.0 * 4096)) / 4096 * spacing;
      const double y = std::floor(random.uniform(0.0, 39.0 * 4096)) / 4096 * spacing;
      const SurfaceHeight a = near.at(x, y), b = far.at(1024.0 + x, y - 2048.0);
      EXPECT_EQ(a.z, b.z);
      EXPECT_EQ(a.dx, b.dx);
      EXPECT_EQ(a.dyy, b.dyy);
    }
  }
}

TEST(ElevationMap, LosesNoDigitsOneKilometreAwayAtOneCentimetre) {
  // A strip of 1 km, and its last 60 columns as a map of their own at the origin.
  Random random(9);
  const ElevationGrid strip = random_grid(random, 100'001, 60, 0.01);
  ElevationGrid end{Vec2::Zero(), 0.01, 60, 60, {}};
  const std::size_t first = strip.nx - end.nx;
  for (std::size_t iy = 0; iy < 60; ++iy)
    for (std::size_t ix = 0; ix < 60; ++ix) end.heights.push_back(strip.height(first + ix, iy));
  const double start = 0.01 * static_cast<double>(first);
  for (const Kind kind : kKinds) {
    const ElevationMap far(strip, kind, Border::extrapolate), near(end, kind, Border::extrapolate);
    for (int trial = 0; trial < 500; ++trial) {
      // Inside cells, where nothing jumps; in the right half, out of reach of the other border.
      const double x = 0.01 * (std::floor(random.uniform(40.0, 59.0)) + random.uniform(0.1, 0.9));
      const double y = random.uniform(0.0, 0.59);
      const SurfaceHeight a = near.at(x, y), b = far.at(start + x, y);
      // A coordinate of 1 km is rounded to 1e-13 m; slopes are of size 1, curvatures of 100 / m and
      // their changes of 1e4 / m^2, a few times that for the quintic.
      EXPECT_NEAR(a.z, b.z, 1e-12);
      EXPECT_NEAR(a.dx, b.dx, 1e-10);
      EXPECT_NEAR(a.dy, b.dy, 1e-10);
      EXPECT_NEAR(a.dxx, b.dxx, 1e-7);
      EXPECT_NEAR(a.dyy, b.dyy, 1e-7);
    }
  }
}

TEST(ElevationMap, AnswersWhateverItIsAsked) {
  Random random(10);
  const ElevationGrid grid = random_grid(random, 5, 4, 1.0);
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(grid, kind, border);
      for (const double strange : {infinity, -infinity, 1e300, -1e300, nan}) {
        EXPECT_FALSE(map.at(strange, 1.5).inside);
        EXPECT_FALSE(map.at(1.5, strange).inside);
        EXPECT_FALSE(map.at(strange, strange).inside);
      }
      EXPECT_TRUE(std::isnan(map.at(nan, 1.5).z));
      EXPECT_TRUE(std::isnan(map.at(1.5, nan).z));
      if (border == Border::clamp) {
        EXPECT_EQ(map.at(infinity, -infinity).z, map.at(4.0, 0.0).z);
      }
      EXPECT_TRUE(map.at(0.0, 0.0).inside);
      EXPECT_TRUE(map.at(4.0, 3.0).inside);
      EXPECT_FALSE(map.at(std::nextafter(4.0, 5.0), 3.0).inside);
      EXPECT_FALSE(map.at(0.0, -1e-300).inside);
    }
}

TEST(ElevationMap, GoesOnBeyondItsBorderAsTold) {
  Random random(7);
  const ElevationGrid grid = random_grid(random, 6, 6, 1.0);
  for (const Kind kind : kKinds) {
    const ElevationMap level(grid, kind, Border::clamp);
    const ElevationMap slope(grid, kind, Border::extrapolate);
    for (const double y : {0.3, 2.7, 4.9}) {
      const SurfaceHeight rim = level.at(5.0, y), out = level.at(9.0, y);
      EXPECT_FALSE(out.inside);
      EXPECT_EQ(out.z, rim.z);
      EXPECT_EQ(out.dx, 0.0);
      EXPECT_EQ(out.dy, rim.dy);
      const SurfaceHeight edge = slope.at(0.0, y), away = slope.at(-3.0, y);
      EXPECT_FALSE(away.inside);
      EXPECT_NEAR(away.z, edge.z - 3.0 * edge.dx, 1e-14);
      EXPECT_EQ(away.dx, edge.dx);
      EXPECT_EQ(away.dxx, 0.0);
      if (kind == Kind::quintic || kind == Kind::bspline) {
        EXPECT_NEAR(edge.dxx, 0.0, 1e-14);
      }
    }
    const SurfaceHeight corner = slope.at(7.0, -2.0), rim = slope.at(5.0, 0.0);
    EXPECT_NEAR(corner.z, rim.z + 2.0 * rim.dx - 2.0 * rim.dy - 4.0 * rim.dxy, 1e-13);
    EXPECT_FALSE(corner.inside);
  }
}

TEST(ElevationMap, RefusesGridsThatAreNone) {
  const auto message = [](ElevationGrid grid) {
    return message_of<InputError>([&] {
      ElevationMap(grid, Kind::quintic, Border::clamp, {"m.asc", 3, 0});
    });
  };
  const ElevationGrid good = sampled(4, 3, 0.5, Vec2::Zero(), [](double, double) { return 0.0; });
  EXPECT_NO_THROW(require_sound(good, {}));
  ElevationGrid grid = good;
  grid.ny = 1;
  EXPECT_EQ(message(grid),
            "m.asc:3: an elevation map needs at least 2 x 2 nodes, this one has 4 x 1");
  grid = good;
  grid.spacing = 0.0;
  EXPECT_EQ(message(grid), "m.asc:3: the spacing of an elevation map must be positive, it is 0");
  grid = good;
  grid.heights.pop_back();
  EXPECT_EQ(message(grid), "m.asc:3: an elevation map of 4 x 3 nodes has 11 heights");
  grid = good;
  grid.heights[6] = grid.heights[9] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(grid),
            "m.asc:3: the elevation map has no height at 2 of 12 nodes, the first is column 2, row "
            "1 (from zero, from the lower left); fill the gaps first");
  grid = good;
  grid.origin.x() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(grid), "m.asc:3: the origin of an elevation map must be two finite numbers");
}

}  // namespace
}  // namespace grouser
