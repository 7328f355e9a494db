// Ground in tiles: what is stored, what is shared, what comes back.
#include "grouser/soil/soil_surface.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grouser {
namespace {

std::shared_ptr<const SoilGround> flat(std::int64_t half = 1000) {
  return std::make_shared<const SoilGround>(0.01, std::array{-half, -half}, std::array{half, half});
}

ElevationGrid hill(double spacing, std::size_t n) {
  ElevationGrid grid;
  grid.spacing = spacing;
  grid.nx = grid.ny = n;
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      grid.heights.push_back(0.3 * std::sin(0.1 * static_cast<double>(x)) +
                             0.01 * static_cast<double>(y));
  return grid;
}

/// Presses the nodes of a window down by 1 mm each.
void press(SoilSurface& surface, const GridWindow& window, std::uint64_t stamp) {
  Scratch scratch;
  surface.prepare(window);
  SoilWindow soil = surface.read(window, scratch);
  for (double& change : soil.change) change -= 1e-3;
  surface.write(soil, stamp);
}

TEST(SoilSurface, StoresOnlyWhatIsTouched) {
  SoilSurface surface(
      std::make_shared<const SoilGround>(0.01, std::array<std::int64_t, 2>{-500000, -500000},
                                         std::array<std::int64_t, 2>{500000, 500000}));
  EXPECT_EQ(surface.tile_count(), 0u);  // 10 km x 10 km at 1 cm
  press(surface, {400000, -400000, 40, 20}, 1);
  EXPECT_LE(surface.tile_count(), 6u);
  EXPECT_EQ(surface.height(400001, -399999), -1e-3);
  EXPECT_EQ(surface.height(-400000, 0), 0.0);
}

TEST(SoilSurface, WindowsAcrossTilesComeBackAsTheyWereWritten) {
  SoilSurface surface(flat());
  Scratch scratch;
  const GridWindow window{-50, -40, 101, 83};
  surface.prepare(window);
  SoilWindow soil = surface.read_loose(window, scratch);
  for (std::size_t i = 0; i < soil.change.size(); ++i) {
    soil.change[i] = 1e-6 * static_cast<double>(i);
    soil.loose[i] = 1e-8 * static_cast<double>(i);
  }
  surface.write(soil, 1);
  const SoilWindow again = surface.read({-55, -45, 111, 93}, scratch);
  for (std::int64_t y = -45; y < 48; ++y)
    for (std::int64_t x = -55; x < 56; ++x) {
      const std::size_t j = again.nodes.index(x, y);
      const bool inside = window.contains(x, y);
      EXPECT_EQ(again.change[j], inside ? 1e-6 * static_cast<double>(window.index(x, y)) : 0.0);
      EXPECT_EQ(again.loose[j], inside ? 1e-8 * static_cast<double>(window.index(x, y)) : 0.0);
      EXPECT_EQ(again.reference[j], 0.0);
    }
}

TEST(SoilSurface, CopiesShareTilesUntilOneIsWritten) {
  SoilSurface surface(flat());
  press(surface, {0, 0, 100, 100}, 1);
  const SoilSurface copy = surface;
  press(surface, {0, 0, 10, 10}, 2);
  EXPECT_EQ(copy.height(5, 5), -1e-3);
  EXPECT_EQ(surface.height(5, 5), -2e-3);
  EXPECT_EQ(surface.height(50, 50), -1e-3);
}

TEST(SoilSurface, IsSavedAndRestoredToTheBit) {
  SoilSurface surface(flat());
  press(surface, {-70, 10, 100, 30}, 1);
  press(surface, {-60, 15, 10, 3}, 2);
  std::vector<std::byte> saved;
  surface.save(saved);
  SoilSurface other(flat());
  EXPECT_EQ(other.restore(saved), saved.size());
  std::vector<std::byte> again;
  other.save(again);
  EXPECT_EQ(again, saved);
  EXPECT_THROW(other.restore(std::span(saved).first(saved.size() - 1)), InputError);
}

TEST(SoilSurface, AMapWithTheSameSpacingIsTakenNodeByNode) {
  const ElevationGrid grid = hill(0.01, 80);
  const SoilGround ground(0.01, std::make_shared<const ElevationGrid>(grid), nullptr);
  for (std::size_t y = 0; y < grid.ny; ++y)
    for (std::size_t x = 0; x < grid.nx; ++x)
      EXPECT_EQ(ground.height(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)),
                grid.height(x, y));
  EXPECT_TRUE(ground.contains(79, 79));
  EXPECT_FALSE(ground.contains(80, 0));
}

TEST(SoilSurface, ACoarseMapIsInterpolatedWhereItIsAsked) {
  const ElevationGrid grid = hill(0.5, 80);
  const SoilGround ground(0.01, std::make_shared<const ElevationGrid>(grid), nullptr);
  EXPECT_EQ(ground.last()[0], 79 * 50);
  EXPECT_NEAR(ground.height(50 * 7, 50 * 3), grid.height(7, 3), 1e-12);
  // Between nodes: a sine of wave length 31 m through points 0.5 m apart.
  EXPECT_NEAR(ground.height(50 * 7 + 25, 50 * 3), 0.3 * std::sin(0.75) + 0.03, 1e-5);
}

TEST(SoilSurface, AReferenceOfAnotherSizeIsRefused) {
  const auto grid = std::make_shared<const ElevationGrid>(hill(0.01, 80));
  const auto small = std::make_shared<const ElevationGrid>(hill(0.01, 40));
  EXPECT_THROW(SoilGround(0.01, grid, small), InputError);
}

}  // namespace
}  // namespace grouser
