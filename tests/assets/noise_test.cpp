#include "grouser/assets/noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/hash.h"
#include "grouser/base/random.h"

namespace grouser {
namespace {

TEST(GradientNoise, IsZeroOnTheLattice) {
  EXPECT_EQ(gradient_noise(3.0, -7.0, 1), 0.0);
  EXPECT_EQ(gradient_noise(Vec3(3.0, -7.0, 12.0), 1), 0.0);
}

TEST(GradientNoise, HasMeanZeroAndMeanSquareOne) {
  Random random(1);
  double sum2 = 0.0, square2 = 0.0, sum3 = 0.0, square3 = 0.0;
  const int n = 400000;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(-1e4, 1e4), y = random.uniform(-1e4, 1e4);
    const double plane = gradient_noise(x, y, 5);
    const double space = gradient_noise(Vec3(x, y, random.uniform(-1e4, 1e4)), 5);
    sum2 += plane, square2 += plane * plane;
    sum3 += space, square3 += space * space;
  }
  // Errors of sampling: 1/sqrt(n) = 1.6e-3, and less than twice that for squares; five times it.
  EXPECT_NEAR(sum2 / n, 0.0, 0.008);
  EXPECT_NEAR(sum3 / n, 0.0, 0.008);
  EXPECT_NEAR(square2 / n, 1.0, 0.016);
  EXPECT_NEAR(square3 / n, 1.0, 0.016);
}

TEST(GradientNoise, DerivativesAreThoseOfTheValue) {
  Random random(2);
  const double h = 1e-4;
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-50.0, 50.0), y = random.uniform(-50.0, 50.0);
    const Noise noise = gradient_noise_derivatives(x, y, 9);
    const auto z = [&](double dx, double dy) { return gradient_noise(x + dx, y + dy, 9); };
    EXPECT_NEAR(noise.value, z(0, 0), 1e-14);
    // Central differences: error about h^2 times a fourth derivative of a few hundred, and rounding
    // of 1e-15 / h^2.
    EXPECT_NEAR(noise.dx, (z(h, 0) - z(-h, 0)) / (2 * h), 1e-5);
    EXPECT_NEAR(noise.dy, (z(0, h) - z(0, -h)) / (2 * h), 1e-5);
    EXPECT_NEAR(noise.dxx, (z(h, 0) - 2 * z(0, 0) + z(-h, 0)) / (h * h), 0.02);
    EXPECT_NEAR(noise.dyy, (z(0, h) - 2 * z(0, 0) + z(0, -h)) / (h * h), 0.02);
    EXPECT_NEAR(noise.dxy, (z(h, h) - z(h, -h) - z(-h, h) + z(-h, -h)) / (4 * h * h), 0.02);
  }
}

TEST(GradientNoise, IsContinuousInCurvatureAcrossLatticeLines) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const double line = static_cast<double>(random.below(100)), y = random.uniform(0.0, 100.0);
    const double e = 1e-12;
    const Noise left = gradient_noise_derivatives(line - e, y, 4);
    const Noise right = gradient_noise_derivatives(line + e, y, 4);
    EXPECT_NEAR(left.dx, right.dx, 1e-10);
    EXPECT_NEAR(left.dxx, right.dxx, 1e-8);  // third derivatives jump: 2e times a few hundred
    EXPECT_NEAR(left.dxy, right.dxy, 1e-8);
    EXPECT_NEAR(left.dyy, right.dyy, 1e-8);
  }
}

TEST(GradientNoise, SeedsGiveDifferentNoise) {
  double product = 0.0;
  Random random(4);
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(0.0, 1e4), y = random.uniform(0.0, 1e4);
    product += gradient_noise(x, y, seed_of_part(1, 0)) * gradient_noise(x, y, seed_of_part(1, 1));
  }
  EXPECT_NEAR(product / n, 0.0, 5.0 / std::sqrt(n));
}

// The bits of noise are part of every asset: this number may change only together with the versions
// of all generators that use noise.
TEST(GradientNoise, HasTheSameBitsEverywhere) {
  Hash hash;
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-9.0, 9.0), y = random.uniform(-9.0, 9.0);
    hash.add(gradient_noise(x, y, 77));
    hash.add(gradient_noise_derivatives(x, y, 77).dxy);
    hash.add(gradient_noise(Vec3(x, y, x - y), 77));
  }
  EXPECT_EQ(hash.digest(), 2959578986677185274ull);
}

}  // namespace
}  // namespace grouser
