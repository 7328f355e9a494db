// Craters: the shape of one, and the statistics of many.
#include "grouser/assets/craters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/assets/noise.h"
#include "grouser/assets/surface.h"
#include "grouser/base/random.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

SurfaceDef crater_surface(const CraterLayer& layer) {
  SurfaceDef def;
  def.size = Vec2(100.0, 100.0);
  def.spacing = 0.5;
  def.layers = {{layer}};
  return def;
}

/// A crater of diameter 10 m in the middle.
Surface one_crater(double degradation) {
  return Surface(crater_surface({.list = {{Vec2(0.0, 0.0), 10.0, degradation}}}));
}

TEST(Crater, HasTheDepthAndTheRimOfTheRequest) {
  const Surface fresh = one_crater(0.0);
  const double floor = fresh.at(0.0, 0.0).z, rim = fresh.at(5.0, 0.0).z;
  EXPECT_NEAR(rim - floor, 2.0, 1e-14);  // 0.2 D
  EXPECT_NEAR(rim, 0.3, 1e-14);          // 0.03 D
  const Surface half = one_crater(0.5);
  EXPECT_NEAR(half.at(5.0, 0.0).z - half.at(0.0, 0.0).z, 2.0 * 0.575, 1e-14);
  EXPECT_NEAR(half.at(5.0, 0.0).z, 0.075, 1e-14);
  const Surface old = one_crater(1.0);
  EXPECT_NEAR(old.at(0.0, 0.0).z, -0.3, 1e-14);
  EXPECT_EQ(old.at(5.0, 0.0).z, 0.0);
}

TEST(Crater, RisesToItsRimAndFallsBeyond) {
  for (const double degradation : {0.0, 0.3, 0.9}) {
    const Surface surface = one_crater(degradation);
    for (double r = 0.05; r < 24.95; r += 0.1) {
      const SurfaceHeight z = surface.at(0.6 * r, 0.8 * r);
      const double slope = 0.6 * z.dx + 0.8 * z.dy;
      EXPECT_GT(r < 5.0 ? slope : -slope, 0.0) << r;
      EXPECT_NEAR(0.8 * z.dx - 0.6 * z.dy, 0.0, 1e-14) << r;  // round
    }
    EXPECT_EQ(surface.at(25.01, 0.0).z, 0.0);
  }
}

TEST(Crater, ThrowsItsEjectaAsTheThirdPowerOfDistance) {
  const Surface surface = one_crater(0.0);
  // 1.25 h r^-3 (1 - r^-12 / 5): the second term is below 1e-4 from two radii on.
  for (const double r : {2.0, 2.5, 3.0})
    EXPECT_NEAR(surface.at(5.0 * r, 0.0).z * r * r * r, 1.25 * 0.3, 1e-4 * 0.375);
}

TEST(Crater, HasWallsThatStand) {
  // Walls of small fresh craters are at most at the angle of repose, 30 to 35 degrees.
  const Surface surface = one_crater(0.0);
  double steepest = 0.0;
  for (double r = 0.0; r < 5.0; r += 0.01) steepest = std::max(steepest, surface.at(r, 0.0).dx);
  EXPECT_GT(steepest, std::tan(30.0 * kPi / 180.0));
  EXPECT_LT(steepest, std::tan(35.0 * kPi / 180.0));
}

TEST(Crater, GetsSofterWithDegradation) {
  // Wall slope, depth and the strongest curvature at the rim, all per diameter, only fall.
  double wall = 1e9, bend = 1e9;
  for (const double degradation : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    const Surface surface = one_crater(degradation);
    double steepest = 0.0, sharpest = 0.0;
    for (double r = 0.0; r < 5.5; r += 0.01) {
      steepest = std::max(steepest, surface.at(r, 0.0).dx);
      sharpest = std::max(sharpest, -surface.at(r, 0.0).dxx);
    }
    EXPECT_LT(steepest, wall);
    EXPECT_LT(sharpest, bend);
    wall = steepest, bend = sharpest;
  }
  EXPECT_LT(wall, 0.15);
}

TEST(Crater, MovesVolumeFromBowlToRim) {
  const Surface surface = one_crater(0.0);
  double below = 0.0, above = 0.0;
  for (double r = 0.005; r < 25.0; r += 0.01) {
    const double ring = 2.0 * kPi * r * 0.01 * surface.at(r, 0.0).z;
    (ring < 0.0 ? below : above) += ring;
  }
  // Closed form of the bowl: pi R^2 (h - d + A / 2 + B / 7 + C / 9) with d = 2, h = 0.3.
  const double h = 0.3, d = 2.0;
  const double c = (6.0 * d - 11.25 * h) / 14.0, b = (-d - 7.0 * c) / 5.0, a = d - b - c;
  const double bowl = kPi * 25.0 * (h - d + a / 2.0 + b / 7.0 + c / 9.0);
  double inside = 0.0;
  for (double r = 0.005; r < 5.0; r += 0.01) inside += 2.0 * kPi * r * 0.01 * surface.at(r, 0.0).z;
  EXPECT_NEAR(inside, bowl, 1e-4 * std::abs(bowl));  // midpoint rule of 500 rings
  // Rim and ejecta are what was dug out, give or take bulking and uplift.
  EXPECT_GT(above, 0.8 * -below);
  EXPECT_LT(above, 1.4 * -below);
}

TEST(Crater, IsContinuousInCurvature) {
  const Surface surface = one_crater(0.2);
  const double e = 1e-10;
  for (const double r : {1e-9, 5.0, 15.0, 25.0}) {
    const SurfaceHeight a = surface.at(0.6 * (r - e), 0.8 * (r - e));
    const SurfaceHeight b = surface.at(0.6 * (r + e), 0.8 * (r + e));
    // Third derivatives are below 100 h / R^3 < 1 /m^2: changes below 2e.
    for (const double jump :
         {a.z - b.z, a.dx - b.dx, a.dy - b.dy, a.dxx - b.dxx, a.dxy - b.dxy, a.dyy - b.dyy})
      EXPECT_NEAR(jump, 0.0, 1e-9) << r;
  }
}

TEST(Craters, FollowTheirSizeFrequencyLaw) {
  const CraterLayer layer{
      .density = 0.02, .exponent = 2.5, .min_diameter = 1.0, .max_diameter = 20.0};
  const Vec2 lower(-500.0, -500.0), upper(500.0, 500.0);
  const std::vector<Crater> craters = draw_craters(layer, lower, upper, 42);
  const double ends = 1.0 - std::pow(20.0, -2.5);
  for (const double diameter : {1.0, 1.5, 2.0, 4.0, 8.0}) {
    double count = 0.0;
    for (const Crater& crater : craters)
      if (crater.diameter > diameter && crater.position.cwiseAbs().maxCoeff() < 500.0) count += 1;
    const double expected = 0.02 * 1e6 * (std::pow(diameter, -2.5) - std::pow(20.0, -2.5)) / ends;
    EXPECT_NEAR(count, expected, 3.0 * std::sqrt(expected)) << diameter;  // Poisson
  }
}

TEST(Craters, AreAsDenseAtTheBorderAsInTheMiddle) {
  const CraterLayer layer{
      .density = 0.001, .exponent = 1.5, .min_diameter = 10.0, .max_diameter = 40.0};
  const Vec2 lower(-300.0, -300.0), upper(300.0, 300.0);
  double middle = 0.0, border = 0.0;  // craters that reach a point
  const int seeds = 400, points = 20;
  for (int seed = 0; seed < seeds; ++seed)
    for (const Crater& crater : draw_craters(layer, lower, upper, static_cast<std::uint64_t>(seed)))
      for (int k = 0; k < points; ++k) {
        const double s = -300.0 + 600.0 * k / (points - 1.0);
        if ((crater.position - Vec2(s, 0.0)).norm() < crater.diameter) middle += 1;
        if ((crater.position - Vec2(s, 300.0)).norm() < crater.diameter) border += 1;
      }
  // About 8000 meetings each, some with the same crater: errors of 2 %.
  EXPECT_GT(middle, 5000.0);
  EXPECT_NEAR(border / middle, 1.0, 0.05);
}

TEST(Craters, AreAsDenseInTheMargin) {
  const CraterLayer layer{
      .density = 0.001, .exponent = 1.5, .min_diameter = 10.0, .max_diameter = 40.0};
  const Vec2 lower(-300.0, -200.0), upper(300.0, 100.0);
  double inside = 0.0, right = 0.0, corner = 0.0;  // craters that reach a point
  const int seeds = 4000;
  for (int seed = 0; seed < seeds; ++seed)
    for (const Crater& crater :
         draw_craters(layer, lower, upper, static_cast<std::uint64_t>(seed), 150.0)) {
      if ((crater.position - Vec2(0.0, 0.0)).norm() < crater.diameter) inside += 1;
      if ((crater.position - Vec2(450.0, 0.0)).norm() < crater.diameter) right += 1;
      if ((crater.position - Vec2(449.0, 249.0)).norm() < crater.diameter) corner += 1;
    }
  // density pi E(D^2), with E(D^2) = 3 (40^0.5 - 10^0.5) / (10^-1.5 - 40^-1.5) = 342.9 m^2, is a
  // mean of 1.077 per seed: errors of 1 / sqrt(4300) = 1.5 %, three times that.
  for (const double count : {inside, right, corner})
    EXPECT_NEAR(count / seeds, 1.077, 0.05 * 1.077);
}

TEST(Craters, AreTheSameForEveryMargin) {
  const CraterLayer layer{.density = 0.2, .min_diameter = 0.5, .max_diameter = 3.0};
  SurfaceDef coarse = crater_surface(layer);
  coarse.size = Vec2(20.1, 15.2);  // 20.1 / 3.2 = 6.3 cells
  coarse.spacing = 3.2;
  SurfaceDef fine = coarse;
  fine.spacing = 0.8;
  const Surface a(coarse), b(fine);
  // To the end of the finer grid, which is inside that of the coarser one.
  const Vec2 end = 0.5 * fine.size + Vec2::Constant(0.8);
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-0.5 * 20.1, end.x()), y = random.uniform(-7.6, end.y());
    EXPECT_EQ(a.at(x, y).z, b.at(x, y).z);
  }
}

TEST(Craters, HaveDegradationsBetweenTheTwoGiven) {
  CraterLayer layer{.density = 0.05, .min_diameter = 1.0, .max_diameter = 5.0};
  layer.degradation = Vec2(0.25, 0.5);
  double mean = 0.0;
  const std::vector<Crater> craters = draw_craters(layer, Vec2(0, 0), Vec2(200, 200), 1);
  for (const Crater& crater : craters) {
    EXPECT_GE(crater.degradation, 0.25);
    EXPECT_LE(crater.degradation, 0.5);
    mean += crater.degradation / static_cast<double>(craters.size());
  }
  // Standard deviation of the mean of 2000: 0.25 / sqrt(12 * 2000) = 0.0016.
  EXPECT_NEAR(mean, 0.375, 0.008);
  for (std::size_t i = 1; i < craters.size(); ++i)
    EXPECT_GE(craters[i - 1].diameter, craters[i].diameter);  // largest first
}

TEST(Craters, InBinsAreTheSumOfAll) {
  const CraterLayer layer{
      .density = 0.1, .exponent = 2.0, .min_diameter = 0.5, .max_diameter = 30.0};
  const SurfaceDef def = crater_surface(layer);
  const Surface surface(def);
  CraterLayer listed;
  listed.list =
      draw_craters(layer, surface.lower(), surface.upper(), seed_of_part(1, 0), def.spacing);
  std::vector<CraterShape> shapes;
  for (const Crater& crater : listed.list) shapes.emplace_back(crater, 0.2, 0.03);
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    // Also at corners of bins, on the border and beyond.
    double x = random.uniform(-55.0, 55.0), y = random.uniform(-55.0, 55.0);
    if (i % 3 == 0) x = std::round(x), y = std::round(y);
    SurfaceHeight sum;
    for (const CraterShape& shape : shapes) shape.add(x, y, sum);
    const SurfaceHeight z = surface.at(x, y);
    EXPECT_EQ(z.z, sum.z);  // those left out would add zero
    EXPECT_EQ(z.dxy, sum.dxy);
  }
}

TEST(Craters, RefuseWhatCannotBe) {
  const auto complaint = [](const CraterLayer& layer) {
    return message_of<InputError>([&] { Surface surface(crater_surface(layer)); });
  };
  const std::string at = "surface.layers.0.craters.";
  EXPECT_EQ(complaint({}),
            at + "density must be positive, or `list` must have craters: there are none");
  EXPECT_EQ(complaint({.density = 1.0}),
            at + "min_diameter must be positive if density is given, is 0");
  EXPECT_EQ(complaint({.density = 1.0, .min_diameter = 2.0, .max_diameter = 1.0}),
            at + "max_diameter must be above min_diameter, 2, is 1");
  EXPECT_TRUE(contains(complaint({.density = 1e4, .min_diameter = 1e-4, .max_diameter = 1e-3}),
                       at + "density asks for about 1.01e+08 craters, at most 2e+06"));
  EXPECT_TRUE(contains(complaint({.density = 10.0, .min_diameter = 2.0, .max_diameter = 4.0}),
                       at + "density would cover every place with 58.1 craters, at most 20 are "
                            "allowed: the limit is 3.44"));
  EXPECT_EQ(complaint({.depth = 0.1, .rim = 0.06, .list = {{Vec2(0, 0), 1.0}}}),
            at + "rim must be below half of depth, 0.05, is 0.06");
  EXPECT_EQ(complaint({.density = -1.0}), at + "density must not be negative, is -1");
  EXPECT_EQ(complaint({.list = {{Vec2(0, 0), -1.0}}}),
            at + "list.0.diameter must be positive, is -1");
  EXPECT_EQ(complaint({.list = {{Vec2(0, 0), 1.0, 2.0}}}),
            at + "list.0.degradation must lie in [0, 1], is 2");
  CraterLayer layer{.list = {{Vec2(0, 0), 1.0}}};
  layer.degradation = Vec2(0.5, 0.2);
  EXPECT_EQ(complaint(layer), at + "degradation must be rising, is [0.5, 0.2]");
  layer.degradation = Vec2(-0.5, 0.2);
  EXPECT_EQ(complaint(layer), at + "degradation must lie in [0, 1], is -0.5");
}

}  // namespace
}  // namespace grouser
