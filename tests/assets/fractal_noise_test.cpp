// Deviograms of noise: single octaves, and what layers of noise promise.
#include "grouser/assets/fractal_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/assets/surface.h"
#include "grouser/base/random.h"

namespace grouser {
namespace {

using Kind = NoiseLayer::Kind;

/// The root mean square of height differences over k nodes, along x and y.
double deviation(const ElevationGrid& grid, std::size_t k) {
  double sum = 0.0;
  std::size_t n = 0;
  for (std::size_t j = 0; j < grid.ny; ++j)
    for (std::size_t i = 0; i < grid.nx; ++i) {
      const double z = grid.height(i, j);
      if (i + k < grid.nx) sum += std::pow(grid.height(i + k, j) - z, 2), ++n;
      if (j + k < grid.ny) sum += std::pow(grid.height(i, j + k) - z, 2), ++n;
    }
  return std::sqrt(sum / static_cast<double>(n));
}

/// The exponent of a power law through the deviogram at 1, 2, 4 ... `last` nodes.
double fitted_hurst(const ElevationGrid& grid, std::size_t last) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 1; k <= last; k *= 2) {
    const double u = std::log(static_cast<double>(k)), v = std::log(deviation(grid, k));
    n += 1.0, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

SurfaceDef noise_surface(const NoiseLayer& layer, int seed) {
  SurfaceDef def;
  def.size = Vec2(25.6, 25.6);
  def.spacing = 0.1;
  def.seed = seed;
  def.layers = {{layer}};
  return def;
}

TEST(OctaveVariogram, IsThatOfTheNoise) {
  for (const Kind kind : {Kind::fbm, Kind::billow})
    for (const double r : {0.05, 0.3, 0.7, 1.3, 2.4}) {
      const FractalNoise::Law law{kind, 0.5, 1.0, 1.0, 2.0, 7};
      FractalNoise octave(law);
      octave.calibrate(100.0, std::sqrt(2.0));  // uncorrelated: variance 1
      Random random(11);
      double sum = 0.0;
      const int n = 40000;
      for (int i = 0; i < n; ++i) {
        const double x = random.uniform(0.0, 1e4), y = random.uniform(0.0, 1e4);
        const double angle = random.uniform(0.0, 2.0 * kPi);
        const double rise =
            octave.height(x + r * std::cos(angle), y + r * std::sin(angle)) - octave.height(x, y);
        sum += 0.5 * rise * rise;
      }
      // Four times sqrt(2 / n) = 0.7 %, and 1 % of interpolation in a table for folded noise.
      EXPECT_NEAR(sum / n / octave_variogram(kind, r), 1.0, 0.04)
          << static_cast<int>(kind) << " " << r;
    }
  EXPECT_EQ(octave_variogram(Kind::fbm, 0.0), 0.0);
  EXPECT_EQ(octave_variogram(Kind::fbm, 5.0), 1.0);
}

TEST(FractalNoise, HasMeanZero) {
  for (const Kind kind : {Kind::fbm, Kind::ridged, Kind::billow}) {
    FractalNoise octave({kind, 0.5, 1.0, 1.0, 2.0, 3});
    octave.calibrate(100.0, std::sqrt(2.0));
    Random random(12);
    double sum = 0.0;
    const int n = 100000;
    for (int i = 0; i < n; ++i)
      sum += octave.height(random.uniform(0.0, 1e4), random.uniform(0.0, 1e4));
    EXPECT_NEAR(sum / n, 0.0, 4.0 / std::sqrt(n));
  }
}

// Every single surface, not only their mean: that is what calibration on the patch is for.
TEST(NoiseLayer, HasTheHurstExponentAndTheSlopeOfTheRequest) {
  // Billow noise is ridged noise turned over, see below.
  for (const Kind kind : {Kind::fbm, Kind::ridged})
    for (const double hurst : {0.3, 0.5, 0.8, 0.95})
      for (const Vec2& size : {Vec2(25.6, 25.6), Vec2(25.6, 12.8), Vec2(6.4, 25.6)})
        for (const int seed : {1, 2}) {
          SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + " " + std::to_string(hurst) + " " +
                       std::to_string(size.minCoeff()) + " " + std::to_string(seed));
          SurfaceDef def = noise_surface({.kind = kind, .hurst = hurst, .slope = 0.12}, seed);
          def.size = size;
          const ElevationGrid grid = make_surface_grid(def);
          // Up to an eighth of the shorter side: a quarter of the longest wavelength, where the law
          // ends.
          const double last = 0.125 * size.minCoeff() / def.spacing;
          EXPECT_NEAR(fitted_hurst(grid, static_cast<std::size_t>(std::lround(last))), hurst, 0.05);
          // Calibration knows a sample of 16200 pairs: errors of 1/sqrt(2 * 16200) = 0.6 %, more
          // for folded noise, whose distribution has longer tails.
          EXPECT_NEAR(deviation(grid, 10) / 1.0, 0.12, 0.025 * 0.12);
        }
}

TEST(NoiseLayer, HasWavelengthsThatFollowFromTheShorterSideAndTheScale) {
  const auto height = [](const Vec2& size, const NoiseLayer& layer) {
    SurfaceDef def = noise_surface(layer, 1);
    def.size = size;
    return Surface(def).at(0.3, 0.4).z;
  };
  const NoiseLayer plain{.slope = 0.1};
  NoiseLayer told = plain;
  told.longest = 6.4, told.shortest = 0.0064;
  EXPECT_EQ(height(Vec2(25.6, 12.8), plain), height(Vec2(25.6, 12.8), told));
  told.longest = 2.0, told.shortest = 0.002;  // at least 2 scale
  EXPECT_EQ(height(Vec2(25.6, 0.8), plain), height(Vec2(25.6, 0.8), told));
  told.longest = 4000.0, told.shortest = 0.25;  // at most scale / 4
  EXPECT_EQ(height(Vec2(8000.0, 9000.0), plain), height(Vec2(8000.0, 9000.0), told));
}

TEST(NoiseLayer, OfLargeSurfacesHasTheSlopeOfASmallScale) {
  // The longest wavelength is 8 km, more than 1000 times the scale.
  for (const Kind kind : {Kind::fbm, Kind::ridged}) {
    SurfaceDef def = noise_surface({.kind = kind, .slope = 0.1}, 1);
    def.size = Vec2(16000.0, 16000.0);
    def.spacing = 125.0;
    const ElevationGrid grid = make_surface_grid(def);
    for (const std::size_t k : {1u, 2u, 4u, 8u}) {
      const double law = 0.1 * std::pow(125.0 * static_cast<double>(k), 0.8);
      // An exponent that is low by 0.005 makes 5 % over three decades; octaves differ by a few
      // percent from a smooth law, as they do in small surfaces.
      EXPECT_NEAR(deviation(grid, k) / law, 1.0, 0.12) << k;
    }
  }
}

TEST(NoiseLayer, HasTheSlopeAtAnyScale) {
  for (const double scale : {0.1, 0.4, 3.2, 12.8}) {
    const ElevationGrid grid = make_surface_grid(noise_surface({.slope = 0.05, .scale = scale}, 5));
    const auto k = static_cast<std::size_t>(std::lround(scale / grid.spacing));
    EXPECT_NEAR(deviation(grid, k) / scale, 0.05, 0.025 * 0.05);
  }
}

TEST(NoiseLayer, OfANarrowLaneHasTheSlopeAlongIt) {
  SurfaceDef def = noise_surface({.slope = 0.1}, 1);
  def.size = Vec2(0.8, 25.6);
  const ElevationGrid grid = make_surface_grid(def);
  EXPECT_NEAR(deviation(grid, 10), 0.1, 0.025 * 0.1);  // 10 nodes are more than there are across
}

TEST(NoiseLayer, OfAnEnsembleHasTheSlopeOnAverage) {
  for (const Kind kind : {Kind::fbm, Kind::ridged}) {
    double square = 0.0;
    const int seeds = 24;
    for (int seed = 1; seed <= seeds; ++seed) {
      SurfaceDef def = noise_surface({.kind = kind,
                                      .hurst = 0.6,
                                      .slope = 0.1,
                                      .longest = 3.2,
                                      .calibration = NoiseLayer::Calibration::ensemble},
                                     seed);
      def.spacing = 0.2;
      square += std::pow(deviation(make_surface_grid(def), 5), 2) / seeds;
    }
    // 24 surfaces of (25.6 / 3.2)^2 = 64 longest cells: errors of sqrt(2 / 1536) / 2 = 2 %.
    EXPECT_NEAR(std::sqrt(square), 0.1, 0.05 * 0.1);
  }
}

TEST(NoiseLayer, OfAnEnsembleKnowsNoBorders) {
  NoiseLayer layer{.slope = 0.1, .longest = 5.0};
  layer.calibration = NoiseLayer::Calibration::ensemble;
  SurfaceDef small = noise_surface(layer, 1), large = small;
  large.size = Vec2(60.0, 40.0);
  large.center = Vec2(7.0, 3.0);
  const Surface a(small), b(large);
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(-9.0, 9.0), y = random.uniform(-9.0, 9.0);
    EXPECT_EQ(a.at(x, y).z, b.at(x, y).z);
  }
}

TEST(NoiseLayer, IsAlikeInAllDirections) {
  double along_x = 0.0, along_y = 0.0, diagonal = 0.0;
  for (int seed = 1; seed <= 24; ++seed) {
    SurfaceDef def = noise_surface({.hurst = 0.5, .slope = 0.1, .longest = 2.0}, seed);
    def.size = Vec2(13.0, 13.0);
    const ElevationGrid grid = make_surface_grid(def);
    for (std::size_t j = 0; j + 10 < grid.ny; ++j)
      for (std::size_t i = 0; i + 10 < grid.nx; ++i) {
        along_x += std::pow(grid.height(i + 10, j) - grid.height(i, j), 2);
        along_y += std::pow(grid.height(i, j + 10) - grid.height(i, j), 2);
        diagonal += std::pow(grid.height(i + 7, j + 7) - grid.height(i, j), 2);
      }
  }
  // 24 surfaces of 6^2 longest cells each: squares are good to sqrt(2 / 860) = 5 %, but ratios of
  // squares of the same surfaces are better.
  EXPECT_NEAR(along_y / along_x, 1.0, 0.06);
  EXPECT_NEAR(diagonal / along_x, 1.0, 0.06);
}

TEST(NoiseLayer, OfTheSameSeedIsRidgedWhereItIsBillowTurnedOver) {
  const Surface ridged(noise_surface({.kind = Kind::ridged, .slope = 0.1}, 1));
  const Surface billow(noise_surface({.kind = Kind::billow, .slope = 0.1}, 1));
  EXPECT_EQ(ridged.at(1.0, 2.0).z, -billow.at(1.0, 2.0).z);
}

}  // namespace
}  // namespace grouser
