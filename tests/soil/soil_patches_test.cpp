// Areas, outlines and widths of footprints.
#include "grouser/soil/soil_patches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {
namespace {

/// A footprint given by the depth at every point; coverage is 1 where `covers` says so.
struct Painted {
  Painted(int nodes, double spacing, const std::function<double(double, double)>& depth_at,
          const std::function<double(double, double)>& coverage_at)
      : depth(static_cast<std::size_t>(nodes * nodes)),
        coverage(depth.size()),
        labels(depth.size()) {
    for (int y = 0; y < nodes; ++y)
      for (int x = 0; x < nodes; ++x) {
        const double px = spacing * (x - 0.5 * (nodes - 1)), py = spacing * (y - 0.5 * (nodes - 1));
        depth[static_cast<std::size_t>(y * nodes + x)] = depth_at(px, py);
        coverage[static_cast<std::size_t>(y * nodes + x)] = coverage_at(px, py);
      }
    patches = find_patches({nodes, nodes, spacing, depth, coverage}, labels, scratch);
  }
  std::vector<double> depth, coverage;
  std::vector<std::int32_t> labels;
  Scratch scratch;
  std::span<SoilPatch> patches;
};

double everywhere(double, double) {
  return 1.0;
}

TEST(SoilPatches, ADiscIsAsWideAsItsRadius) {
  const double radius = 0.1;
  for (const double spacing : {0.01, 0.005}) {
    const Painted disc(
        61, spacing, [&](double x, double y) { return radius - std::hypot(x, y); }, everywhere);
    ASSERT_EQ(disc.patches.size(), 1u);
    // The outline is a polygon through points that are off by the depth's bend over a cell.
    EXPECT_NEAR(disc.patches[0].perimeter, 2.0 * kPi * radius, 0.002 * 2.0 * kPi * radius);
    // The area is a sum over rows of nodes; at the ends of the disc their lengths change fast.
    EXPECT_NEAR(disc.patches[0].area, kPi * radius * radius, 0.015 * kPi * radius * radius);
    EXPECT_NEAR(disc.patches[0].width(), radius, 0.015 * radius);
  }
}

TEST(SoilPatches, ATurnedStripHasNoStaircase) {
  // 0.4 m by 0.1 m, at angles between the axes.
  for (const double angle : {0.0, 0.2, 0.4, kPi / 4.0, 1.1}) {
    const auto depth = [&](double x, double y) {
      const double u = std::cos(angle) * x + std::sin(angle) * y;
      const double v = -std::sin(angle) * x + std::cos(angle) * y;
      return std::min(0.2 - std::abs(u), 0.05 - std::abs(v));
    };
    const Painted strip(81, 0.01, depth, everywhere);
    ASSERT_EQ(strip.patches.size(), 1u);
    EXPECT_NEAR(strip.patches[0].perimeter, 1.0, 0.024);  // corners are cut off: 0.59 cells each
    EXPECT_NEAR(strip.patches[0].width(), 0.08, 0.0035);
  }
}

TEST(SoilPatches, SharesOfCellsPlaceTheOutline) {
  // A plate of 0.205 m by 0.1 m: its edges cross cells anywhere.
  const auto share = [](double x, double half) {
    return std::clamp((half - std::abs(x)) / 0.01 + 0.5, 0.0, 1.0);
  };
  const Painted plate(
      41, 0.01, [](double, double) { return 0.02; },
      [&](double x, double y) { return share(x, 0.1025) * share(y, 0.05); });
  ASSERT_EQ(plate.patches.size(), 1u);
  EXPECT_NEAR(plate.patches[0].area, 0.205 * 0.1, 1e-12);
  EXPECT_NEAR(plate.patches[0].perimeter, 0.61, 0.024);  // corners are cut off
}

TEST(SoilPatches, TwoFeetAreTwoPatches) {
  const Painted feet(
      41, 0.01, [](double x, double y) { return 0.05 - std::hypot(std::abs(x) - 0.1, y); },
      everywhere);
  ASSERT_EQ(feet.patches.size(), 2u);
  EXPECT_NEAR(feet.patches[0].width(), 0.05, 0.002);
  EXPECT_NEAR(feet.patches[1].width(), 0.05, 0.002);
  EXPECT_EQ(feet.labels[20 * 41 + 10], 0);
  EXPECT_EQ(feet.labels[20 * 41 + 30], 1);
  EXPECT_EQ(feet.labels[20 * 41 + 20], -1);
}

TEST(SoilPatches, ABentPatchIsOne) {
  // A horseshoe: its arms meet only at the last row.
  const auto depth = [](double x, double y) {
    const double r = std::hypot(x, y);
    return y > 0.0 && std::abs(x) < 0.03 ? -0.01 : std::min(r - 0.06, 0.12 - r);
  };
  const Painted horseshoe(41, 0.01, depth, everywhere);
  EXPECT_EQ(horseshoe.patches.size(), 1u);
}

TEST(SoilPatches, APatchMayFillAllButTheOutermostNodes) {
  const int nodes = 200;
  const Painted all(
      nodes, 0.01, [](double x, double y) { return 0.99 - std::max(std::abs(x), std::abs(y)); },
      everywhere);
  ASSERT_EQ(all.patches.size(), 1u);
  EXPECT_NEAR(all.patches[0].area, 1.98 * 1.98, 1e-9);     // sum of 4e4 cells
  EXPECT_NEAR(all.patches[0].perimeter, 4 * 1.98, 0.024);  // corners are cut off
  for (int y = 0; y < nodes; ++y)
    for (int x = 0; x < nodes; ++x) {
      const bool is_outermost = x == 0 || y == 0 || x == nodes - 1 || y == nodes - 1;
      EXPECT_EQ(all.labels[static_cast<std::size_t>(y * nodes + x)], is_outermost ? -1 : 0);
    }
}

TEST(SoilPatches, WhatIsThinnerThanHalfACellIsAStrip) {
  const Painted thin(
      21, 0.01, [](double, double) { return 0.01; },
      [](double x, double y) { return std::abs(y) < 0.005 && std::abs(x) < 0.005 ? 0.3 : 0.0; });
  ASSERT_EQ(thin.patches.size(), 1u);
  EXPECT_NEAR(thin.patches[0].width(), 0.003, 1e-12);
}

}  // namespace
}  // namespace grouser
