#include "grouser/mesh/simpler_hull.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "grouser/assets/rock.h"
#include "grouser/mesh/convex_hull.h"
#include "grouser/mesh/mass_properties.h"

namespace grouser {
namespace {

std::vector<Vec3> rock_points(int seed) {
  return make_rock({.size = {0.4, 0.3, 0.2}, .triangles = 320, .seed = seed}).vertices;
}

TEST(MainCorners, AreAllCornersOfASmallHull) {
  std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
  EXPECT_EQ(main_corners(points, 8).size(), 4u);
}

TEST(MainCorners, AreSomeOfThePointsAndNoneTwice) {
  const std::vector<Vec3> points = rock_points(1);
  const std::vector<Vec3> corners = main_corners(points, 40);
  EXPECT_EQ(corners.size(), 40u);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_NE(std::find(points.begin(), points.end(), corners[i]), points.end());
    EXPECT_EQ(std::count(corners.begin(), corners.end(), corners[i]), 1);
  }
}

TEST(MainCorners, KeepTheVolumeOfARock) {
  for (int seed = 1; seed <= 5; ++seed) {
    const std::vector<Vec3> points = rock_points(seed);
    const double whole = signed_volume(mesh_of(make_convex_hull(points)));
    const auto kept = [&](std::size_t most) {
      return signed_volume(mesh_of(make_convex_hull(main_corners(points, most)))) / whole;
    };
    EXPECT_LE(kept(40), 1.0);
    EXPECT_GT(kept(40), 0.92) << seed;
    EXPECT_GT(kept(40), kept(20));
  }
}

TEST(MainCorners, DoNotDependOnTheOrderOfPoints) {
  std::vector<Vec3> points = rock_points(2);
  const std::vector<Vec3> corners = main_corners(points, 30);
  std::reverse(points.begin(), points.end());
  EXPECT_EQ(main_corners(points, 30), corners);
}

}  // namespace
}  // namespace grouser
