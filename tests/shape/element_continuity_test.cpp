// Forces on a point change little when it moves little, wherever it goes.
#include <gtest/gtest.h>

#include "tests/shape/element_oracle.h"
#include "tests/shape/element_path.h"

namespace grouser {
namespace {

using test::Crossings;
using test::expect_continuous;
using test::Path;
using test::random_direction;
using test::random_vector;

/// Straight from one point to another.
struct Way {
  Vec3 from, to;
  Vec3 at(double s) const { return from + s * (to - from); }
};

/// A random way that stays away from where the direction of a force is undefined.
template <class Apart>
Way random_way_clear(Random& random, double size, double clear, const Apart& apart) {
  while (true) {
    const Way way{random_vector(random, size), random_vector(random, size)};
    bool is_clear = true;
    for (int i = 0; i <= 100 && is_clear; ++i) is_clear = apart(way.at(0.01 * i)) > clear;
    if (is_clear) return way;
  }
}

template <class Element>
Path path_of(const Way& way, const Element& b, double reach, double side = 1.0) {
  return {reach, [=, &b](double s, WitnessPairs& places) {
            find_near(way.at(s), b, Approach{reach, side}, places);
          }};
}

constexpr double kReach = 0.03;
constexpr double kClear = 0.05 * kReach;

TEST(ElementContinuity, OfPointAndPoint) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Vec3 b = random_vector(random, 0.01);
    const Way way =
        random_way_clear(random, 0.05, kClear, [&](const Vec3& p) { return (p - b).norm(); });
    expect_continuous(path_of(way, b, kReach), 200);
  }
}

TEST(ElementContinuity, OfPointAndSegmentOverItsEnds) {
  Random random(2);
  Crossings crossings;
  for (int i = 0; i < 100; ++i) {
    const Segment b{{-0.02, 0.0, 0.0}, {0.02, 0.0, 0.0}};
    const Way way = random_way_clear(random, 0.05, kClear,
                                     [&](const Vec3& p) { return distance_between(p, b); });
    Path path = path_of(way, b, kReach);
    path.region = [&](double s) {
      const double x = way.at(s).x();
      return x < -0.02 ? 0 : x > 0.02 ? 2 : 1;
    };
    expect_continuous(path, 300, &crossings);
  }
  EXPECT_EQ(crossings, (Crossings{{0, 1}, {1, 2}}));
}

/// Where a point is: within the outline or outside, in front or behind.
template <class Plate>
int plate_region(const Vec3& p, const Plate& b, double height) {
  const double distance = distance_between(p, b);
  const bool beside = distance > std::abs(height) + 1e-12;
  return (beside ? 2 : 0) + (height < 0.0 ? 1 : 0);
}

const Crossings kAllOfAPlate{{0, 1}, {0, 2}, {1, 3}, {2, 3}};

TEST(ElementContinuity, OfPointAndDiscOverRimAndLip) {
  for (const double inner : {0.0, 0.02}) {
    Random random(3);
    Crossings crossings;
    const Disc b{0.04, inner};
    for (int i = 0; i < 200; ++i) {
      const Way way = random_way_clear(random, 0.07, kClear, [&](const Vec3& p) {
        const double rho = p.head<2>().norm(), at_hole = std::hypot(rho - inner, p.z());
        const double at_rim = std::hypot(rho - 0.04, p.z());
        return inner > 0.0 ? std::min({at_rim, at_hole, rho}) : at_rim;
      });
      Path path = path_of(way, b, kReach, i % 2 == 0 ? 1.0 : -1.0);
      path.region = [&](double s) { return plate_region(way.at(s), b, way.at(s).z()); };
      expect_continuous(path, 400, &crossings);
    }
    EXPECT_EQ(crossings, kAllOfAPlate);
  }
}

TEST(ElementContinuity, OfPointAndFrustumOverRimsAndLips) {
  Random random(4);
  Crossings crossings;
  for (int i = 0; i < 300; ++i) {
    const Frustum b = test::random_frustum(random);
    const Way way = random_way_clear(random, 0.12, kClear, [&](const Vec3& p) {
      const double rho = p.head<2>().norm();
      return std::min({rho, std::hypot(rho - b.bottom_radius, p.z()),
                       std::hypot(rho - b.top_radius, p.z() - b.height)});
    });
    Path path = path_of(way, b, kReach, i % 2 == 0 ? 1.0 : -1.0);
    const Vec2 front = Vec2(b.height, b.bottom_radius - b.top_radius).normalized();
    path.region = [&](double s) {
      const Vec3 p = way.at(s);
      const double height = front.dot(Vec2(p.head<2>().norm() - b.bottom_radius, p.z()));
      return plate_region(p, b, height);
    };
    expect_continuous(path, 400, &crossings);
  }
  EXPECT_EQ(crossings, kAllOfAPlate);
}

TEST(ElementContinuity, OfPointAndPolygonOverEdgesCornersAndNotches) {
  Random random(5);
  Crossings crossings;
  for (int i = 0; i < 400; ++i) {
    const Polygon b = test::random_polygon(random);
    const auto height = [&](const Vec3& p) { return b.normal().dot(p - b.points()[0]); };
    const Polyline outline(b.points(), true);
    const Way way = random_way_clear(random, 0.15, kClear,
                                     [&](const Vec3& p) { return distance_between(p, outline); });
    Path path = path_of(way, b, kReach, i % 2 == 0 ? 1.0 : -1.0);
    path.region = [&](double s) { return plate_region(way.at(s), b, height(way.at(s))); };
    expect_continuous(path, 400, &crossings);
  }
  EXPECT_EQ(crossings, kAllOfAPlate);
}

TEST(ElementContinuity, OfPointAndPolylineInBendsOfAllKinds) {
  Random random(6);
  Crossings crossings;
  for (int i = 0; i < 400; ++i) {
    const Polyline b(test::random_way(random, 8), i % 2 == 0);
    const Way way = random_way_clear(random, 0.1, kClear,
                                     [&](const Vec3& p) { return distance_between(p, b); });
    Path path = path_of(way, b, kReach);
    count_places(path);
    expect_continuous(path, 400, &crossings);
  }
  EXPECT_TRUE(crossings.contains({0, 1}) && crossings.contains({1, 2}) &&
              crossings.contains({2, 3}));
}

TEST(ElementContinuity, OfPointAndSplineOverKnotsEndsAndFolds) {
  Random random(7);
  Crossings crossings;
  for (int i = 0; i < 400; ++i) {
    const std::vector<Vec3> points = test::random_way(random, 8);
    const Spline b =
        i % 3 == 0   ? Spline::natural(points)
        : i % 3 == 1 ? Spline::periodic(points)
                     : Spline::clamped(points, random_direction(random), random_direction(random));
    const Way way = random_way_clear(random, 0.1, kClear,
                                     [&](const Vec3& p) { return distance_between(p, b); });
    Path path = path_of(way, b, kReach);
    count_places(path);
    expect_continuous(path, 400, &crossings);
  }
  EXPECT_TRUE(crossings.contains({0, 1}) && crossings.contains({1, 2}) &&
              crossings.contains({2, 3}));
}

/// Through the very point where a direction vanishes, in steps far shorter than the strip that is
/// smoothed (1e-3 of the reach or of the radius).
template <class Element>
void expect_continuous_through(const Vec3& middle, const Element& b, double side, double size) {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const Vec3 half = 3e-3 * size * random_direction(random);
    const Path path = path_of(Way{middle - half, middle + half}, b, kReach, side);
    expect_continuous(path, 100);
  }
}

TEST(ElementContinuity, HoldsThroughCentresLinesAndAxes) {
  expect_continuous_through({0.0, 0.0, 0.0}, Vec3(0.0, 0.0, 0.0), 1.0, kReach);
  const Segment segment{{-0.02, 0.0, 0.0}, {0.02, 0.0, 0.0}};
  expect_continuous_through({0.01, 0.0, 0.0}, segment, 1.0, kReach);
  expect_continuous_through({0.02, 0.0, 0.0}, segment, 1.0, kReach);
  expect_continuous_through({0.0, 0.0, 0.01}, Disc{0.04, 0.02}, 1.0, 0.02);
  expect_continuous_through({0.0, 0.0, 0.05}, Frustum{0.02, 0.02, 0.1}, -1.0, 0.02);
  expect_continuous_through({0.0, 0.0, 0.05}, Frustum{0.04, 0.0, 0.1}, -1.0, 0.04);
  expect_continuous_through({0.0, 0.0, 0.11}, Frustum{0.04, 0.0, 0.1}, 1.0, 0.04);
  expect_continuous_through({0.0, 0.0, -0.005}, Frustum{0.02, 0.1, 0.1}, -1.0, 0.02);
}

}  // namespace
}  // namespace grouser
