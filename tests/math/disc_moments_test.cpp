// Integrals over what polygons and discs have in common.
#include "grouser/math/disc_moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace grouser {
namespace {

TEST(DiscMoments, AreThoseOfTheCommonPart) {
  const double r = 0.7;
  const auto square = [](double half) {
    return std::vector<Vec2>{{-half, -half}, {half, -half}, {half, half}, {-half, half}};
  };
  // All of the disc, all of the square.
  const DiscMoments disc = disc_moments(square(2.0), r);
  EXPECT_NEAR(disc.one, kPi * r * r, 1e-14);
  EXPECT_NEAR(disc.xx, kPi * std::pow(r, 4) / 4.0, 1e-14);
  EXPECT_NEAR(disc.xy, 0.0, 1e-15);
  EXPECT_NEAR(disc.xxy, 0.0, 1e-15);
  const DiscMoments inside = disc_moments(square(0.3), r);
  EXPECT_NEAR(inside.one, 0.36, 1e-15);
  EXPECT_NEAR(inside.yy, std::pow(0.6, 4) / 12.0, 1e-15);
  // Upper half of the disc: of y, 2/3 r^3; of y^3, 4/15 r^5.
  const DiscMoments half = disc_moments(std::vector<Vec2>{{-2, 0}, {2, 0}, {2, 2}, {-2, 2}}, r);
  EXPECT_NEAR(half.y, 2.0 / 3.0 * std::pow(r, 3), 1e-14);
  EXPECT_NEAR(half.xxy, 2.0 / 15.0 * std::pow(r, 5), 1e-14);
  EXPECT_NEAR(half.yyy, 4.0 / 15.0 * std::pow(r, 5), 1e-14);
  // Any polygon: by sampling.
  const std::vector<Vec2> polygon = {{-0.1, -0.5}, {0.9, 0.1}, {0.2, 0.8}, {-0.4, 0.5}};
  const DiscMoments some = disc_moments(polygon, r);
  double one = 0.0, xyy = 0.0;
  const double step = 1e-3;
  for (double x = -1.0 + 0.5 * step; x < 1.0; x += step)
    for (double y = -1.0 + 0.5 * step; y < 1.0; y += step) {
      bool in = x * x + y * y < r * r;
      for (std::size_t i = 0; in && i < polygon.size(); ++i) {
        const Vec2 a = polygon[i], along = polygon[(i + 1) % polygon.size()] - a;
        in = along.x() * (y - a.y()) - along.y() * (x - a.x()) > 0.0;
      }
      if (!in) continue;
      one += step * step;
      xyy += step * step * x * y * y;
    }
  EXPECT_NEAR(some.one, one, 1e-3 * one);
  EXPECT_NEAR(some.xyy, xyy, 3e-3 * xyy);
}

}  // namespace
}  // namespace grouser
