// Elevation maps with gaps: where they say that they know nothing, and that they go on smoothly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/map/elevation_map.h"
#include "tests/map/elevation_grids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using Gaps = ElevationMap::Gaps;

/// Some single nodes, a block, and a corner.
bool is_gap(std::size_t ix, std::size_t iy) {
  return (ix == 20 && iy == 5) || (ix >= 6 && ix < 12 && iy >= 9 && iy < 13) || (ix + iy < 3);
}

TEST(ElevationGaps, ACellIsKnownIfAllHeightsThatMakeItAre) {
  Random random(1);
  const ElevationGrid grid = with_gaps(random_grid(random, 25, 18, 1.0), is_gap);
  for (const Kind kind : kKinds) {
    const ElevationMap map(grid, kind, Border::extrapolate, {}, Gaps::keep);
    EXPECT_TRUE(map.has_gaps());
    const std::size_t reach = kind == Kind::bilinear ? 0 : 1;
    for (std::size_t iy = 0; iy + 1 < grid.ny; ++iy)
      for (std::size_t ix = 0; ix + 1 < grid.nx; ++ix) {
        bool known = true;
        for (std::size_t y = iy - std::min(iy, reach); y <= std::min(iy + 1 + reach, grid.ny - 1);
             ++y)
          for (std::size_t x = ix - std::min(ix, reach); x <= std::min(ix + 1 + reach, grid.nx - 1);
               ++x)
            known = known && !is_gap(x, y);
        EXPECT_EQ(map.knows_cell(ix, iy), known) << ix << " " << iy << " " << name_of(kind);
        const SurfaceHeight middle =
            map.at(static_cast<double>(ix) + 0.5, static_cast<double>(iy) + 0.5);
        EXPECT_EQ(middle.known, known);
        EXPECT_TRUE(middle.inside);
      }
    // Beyond the border it is the cell at the border that knows.
    EXPECT_FALSE(map.at(-5.0, -5.0).known);
    EXPECT_TRUE(map.at(-5.0, 15.0).known);
  }
}

TEST(ElevationGaps, SurfaceGoesOnThroughThemWithinTheHeightsAround) {
  Random random(2);
  const ElevationGrid grid = with_gaps(random_grid(random, 25, 18, 1.0), is_gap);
  const double overshoot = 1.0;  // of the surface between nodes; heights are within 1 of zero
  for (const Kind kind : kKinds)
    for (const Border border : kBorders) {
      const ElevationMap map(grid, kind, border, {}, Gaps::keep);
      for (int trial = 0; trial < 2000; ++trial) {
        const SurfaceHeight h = map.at(random.uniform(0.0, 24.0), random.uniform(0.0, 17.0));
        EXPECT_LT(std::abs(h.z), 1.0 + overshoot);
        EXPECT_TRUE(std::isfinite(h.dx + h.dy + h.dxx + h.dxy + h.dyy));
      }
    }
}

TEST(ElevationGaps, OfAPlaneAreAlmostThePlane) {
  const auto plane = [](double x, double y) { return 3.0 + 0.2 * x - 0.1 * y; };
  const ElevationGrid grid = with_gaps(
      sampled(40, 40, 1.0, Vec2::Zero(), plane),
      [](std::size_t ix, std::size_t iy) { return ix > 14 && ix < 24 && iy > 10 && iy < 19; });
  for (const Kind kind : kKinds) {
    const ElevationMap map(grid, kind, Border::extrapolate, {}, Gaps::keep);
    for (double x = 14.0; x < 25.0; x += 0.5)
      for (double y = 10.0; y < 20.0; y += 0.5) {
        // The plane falls by 2.6 over the gap; filling is no more than smooth.
        EXPECT_NEAR(map.height(x, y), plane(x, y), 0.15) << name_of(kind);
      }
  }
}

TEST(ElevationGaps, FarAwayTheyChangeNothing) {
  Random random(3);
  const ElevationGrid whole = random_grid(random, 60, 20, 1.0);
  const ElevationGrid grid = with_gaps(whole, [](std::size_t ix, std::size_t) { return ix < 10; });
  for (const Kind kind : kKinds) {
    const ElevationMap all(whole, kind, Border::clamp);
    const ElevationMap part(grid, kind, Border::clamp, {}, Gaps::keep);
    EXPECT_FALSE(all.has_gaps());
    for (int trial = 0; trial < 200; ++trial) {
      const double x = random.uniform(40.0, 59.0), y = random.uniform(0.0, 19.0);
      const SurfaceHeight a = all.at(x, y), b = part.at(x, y);
      EXPECT_TRUE(b.known);
      // Only the spline feels heights afar, 0.27 of it from node to node: 0.27^28 = 1e-16.
      const double tolerance = kind == Kind::bspline ? 1e-13 : 0.0;
      EXPECT_NEAR(a.z, b.z, tolerance);
      EXPECT_NEAR(a.dxx, b.dxx, tolerance);
    }
  }
}

TEST(ElevationGaps, OneHeightIsEnough) {
  const auto all_but_one = [](std::size_t ix, std::size_t iy) { return ix != 3 || iy != 6; };
  const ElevationGrid level = sampled(9, 8, 0.5, Vec2::Zero(), [](double, double) { return 2.5; });
  for (const Kind kind : kKinds) {
    const ElevationMap map(with_gaps(level, all_but_one), kind, Border::clamp, {}, Gaps::keep);
    for (double x = -1.0; x < 5.0; x += 0.3) {
      EXPECT_NEAR(map.height(x, 0.7 * x), 2.5, 1e-14);  // rounding of weights that sum to one
      EXPECT_FALSE(map.at(x, 0.7 * x).known);
    }
  }
  EXPECT_EQ(message_of<InputError>([&] {
              ElevationMap(with_gaps(level, [](std::size_t, std::size_t) { return true; }),
                           Kind::cubic, Border::clamp, {"m.asc", 0, 0}, Gaps::keep);
            }),
            "m.asc: the elevation map has no height at any of its nodes");
}

}  // namespace
}  // namespace grouser
