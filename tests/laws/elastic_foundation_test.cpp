#include "grouser/laws/elastic_foundation.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(LayerStiffness, HasTheNumberOfTheTorusExample) {
  // E = 1e6 Pa, nu = 0.4, b = 0.01 m: 0.6 / (1.4 * 0.2) = 15 / 7.
  EXPECT_NEAR(layer_stiffness(1e6, 0.4, 0.01), 15.0 / 7.0 * 1e8, 1e-6);  // rounding of 2e8
  EXPECT_NEAR(layer_stiffness(1e6, 0.4, 0.01), 2.142857e8, 50.0);        // printed digits
}

TEST(LayerStiffness, IsYoungsModulusOverThicknessWithoutLateralStrain) {
  EXPECT_DOUBLE_EQ(layer_stiffness(3e6, 0.0, 0.02), 3e6 / 0.02);
}

TEST(LayerStiffness, GrowsWithPoissonRatioAndFallsWithThickness) {
  double before = 0.0;
  for (const double nu : {0.0, 0.1, 0.2, 0.3, 0.4, 0.45}) {
    const double c = layer_stiffness(1e6, nu, 0.01);
    EXPECT_GT(c, before);
    EXPECT_DOUBLE_EQ(layer_stiffness(1e6, nu, 0.02), c / 2.0);
    before = c;
  }
}

TEST(SeriesStiffness, AddsCompliances) {
  const double c = series_stiffness(2e8, 6e8);
  EXPECT_DOUBLE_EQ(1.0 / c, 1.0 / 2e8 + 1.0 / 6e8);
  EXPECT_DOUBLE_EQ(series_stiffness(6e8, 2e8), c);
  EXPECT_DOUBLE_EQ(series_stiffness(2e8, 2e8), 1e8);
}

TEST(SeriesStiffness, IsThatOfTheSoftLayerOnAHardOne) {
  EXPECT_NEAR(series_stiffness(1e6, 1e18), 1e6, 1e-5);  // less by the ratio of stiffnesses, 1e-12
}

}  // namespace
}  // namespace grouser
