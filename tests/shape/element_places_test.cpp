// What places promise besides distances: slopes, swapping, sides that are remembered, no memory.
#include <gtest/gtest.h>

#include <type_traits>

#include "tests/shape/element_oracle.h"
#include "tests/shape/element_path.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

using test::random_direction;
using test::random_vector;

constexpr double kNear = 0.03;

Segment shifted(const Segment& a, const Vec3& by) {
  return {a.from + by, a.to + by};
}
Vec3 shifted(const Vec3& a, const Vec3& by) {
  return a + by;
}

/// Every place that is still there when a is shifted a little has its gap changed by the normal.
/// Returns how many slopes were compared.
template <class A, class B, class How>
int compare_slopes(Random& random, const A& a, const B& b, const How& approach) {
  const double h = 1e-7;
  const Vec3 step = h * random_direction(random);
  WitnessPairs places, before, after;
  find_near(a, b, approach, places);
  find_near(shifted(a, -step), b, approach, before);
  find_near(shifted(a, step), b, approach, after);
  if (before.size() != places.size() || after.size() != places.size()) return 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Of a rod through the axis of a frustum only the direction fades, not the gap.
    if (std::is_same_v<A, Segment> && places[i].normal.norm() < 0.999) continue;
    const double slope = (after[i].gap - before[i].gap) / (2.0 * h);
    // Central difference: O(h^2 / r^2) for radii of curvature r down to 1e-3 m, and O(h / r) where
    // the path crosses from one region to another.
    EXPECT_NEAR(slope, places[i].normal.dot(step) / h, 2e-3);
  }
  return static_cast<int>(places.size());
}

TEST(WitnessPair, HasTheSlopeOfItsGapAsNormal) {
  Random random(1);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random_vector(random, 0.08);
    const Approach approach{kNear, i % 2 == 0 ? 1.0 : -1.0};
    const std::vector<Vec3> way = test::random_way(random, 6);
    compared += compare_slopes(random, a, random_vector(random, 0.02), approach);
    compared += compare_slopes(random, a, test::random_segment(random, 0.05), approach);
    compared += compare_slopes(random, a, Disc{0.05}, approach);
    compared += compare_slopes(random, a, Disc{0.05, 0.02}, approach);
    compared += compare_slopes(random, a, test::random_frustum(random), approach);
    compared += compare_slopes(random, a, test::random_polygon(random), approach);
    compared += compare_slopes(random, a, Polyline(way), approach);
    compared += compare_slopes(random, a, Spline::natural(way), approach);
    const Segment one = test::random_segment(random, 0.05),
                  two = test::random_segment(random, 0.05);
    compared += compare_slopes(random, one, two, SegmentApproach{kNear, random_direction(random)});
    const Frustum frustum = test::random_frustum(random);
    compared += compare_slopes(random, one, frustum,
                               Approach{kNear, next_side(one, frustum, {kNear, 0.0})});
  }
  EXPECT_GT(compared, 5000);
}

TEST(WitnessPair, OfSwappedSegmentsIsTheSameWithTheNormalTurned) {
  Random random(2);
  int touching = 0;
  for (int i = 0; i < 2000; ++i) {
    const Segment a = test::random_segment(random, 0.05), b = test::random_segment(random, 0.05);
    const Vec3 side = random_direction(random);
    WitnessPairs one, other;
    find_near(a, b, {kNear, side}, one);
    find_near(b, a, {kNear, -side}, other);
    ASSERT_EQ(one.size(), other.size());
    if (one.empty()) continue;
    ++touching;
    // Rounding of the same formulas in another order.
    EXPECT_NEAR(one[0].gap, other[0].gap, 1e-12);
    EXPECT_LT((one[0].normal + other[0].normal).norm(), 1e-9);
    EXPECT_LT((one[0].on_a - other[0].on_b).norm(), 1e-9);
    EXPECT_LT((one[0].on_b - other[0].on_a).norm(), 1e-9);
  }
  EXPECT_GT(touching, 500);
}

TEST(WitnessPair, OfSwappedPointsIsTheSameWithTheNormalTurned) {
  WitnessPairs one, other;
  const Vec3 a(0.01, 0.0, 0.002), b(0.0, 0.02, 0.0);
  find_near(a, b, {kNear}, one);
  find_near(b, a, {kNear}, other);
  EXPECT_EQ(one[0].gap, other[0].gap);
  EXPECT_EQ(one[0].normal, -other[0].normal);
}

TEST(WitnessPair, OnAFinelySampledCurveHasTheForceOfOneContact) {
  // A ball of 20 mm inside a circle of 100 mm, with 1000 pieces and with 20.
  for (const int pieces : {1000, 20}) {
    std::vector<Vec3> circle;
    for (int i = 0; i < pieces; ++i) {
      const double angle = 2.0 * kPi * i / pieces;
      circle.emplace_back(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.0);
    }
    const Polyline curve(circle, true);
    WitnessPairs places;
    for (int i = 0; i < 500; ++i) {
      const double angle = 1e-3 * i;
      find_near(0.0805 * Vec3(std::cos(angle), std::sin(angle), 0.0), curve, {0.02}, places);
      double shares = 0.0;
      for (const WitnessPair& place : places) shares += place.share;
      EXPECT_NEAR(shares, 1.0, 1e-12);  // step(x) + step(1 - x) = 1
    }
  }
}

TEST(WitnessPair, InAGrooveTouchesBothFlanks) {
  const Polyline groove({{-0.1, 0.1, 0.0}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.0}});
  WitnessPairs places;
  find_near({0.0, 0.0414, 0.0}, groove, {0.03}, places);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].share, 1.0);
  EXPECT_EQ(places[1].share, 1.0);
  EXPECT_NEAR(places[0].gap, 0.0414 / std::sqrt(2.0), 1e-15);
}

TEST(WitnessPair, OfARodAcrossAGlassIsOnTwoPointsOfTheRim) {
  const Frustum glass{0.05, 0.05, 0.1};
  const Segment rod{{-0.1, 0.03, 0.109}, {0.1, 0.03, 0.109}};
  const double side = next_side(rod, glass, {0.01, 0.0});
  WitnessPairs places;
  find_near(rod, glass, {0.01, side}, places);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].share, 1.0);
  // The nearest points of rim and rod: symmetric, and a little outside the rim's own chord.
  EXPECT_NEAR(places[0].gap, places[1].gap, 1e-12);
  EXPECT_NEAR(places[0].normal.x(), -places[1].normal.x(), 1e-9);
  EXPECT_GT(places[0].normal.z(), 0.9);
}

TEST(RememberedSide, OfAPlateStaysWhileABallIsPushedThrough) {
  const Disc disc{0.1};
  double side = next_side(Vec3(0.02, 0.0, 0.05), disc, {kNear, 0.0});
  EXPECT_EQ(side, 1.0);
  WitnessPairs places;
  for (double z = 0.05; z > -0.2; z -= 1e-3) {
    const Vec3 p(0.02, 0.0, z);
    side = next_side(p, disc, {kNear, side});
    EXPECT_EQ(side, 1.0);
    find_near(p, disc, {kNear, side}, places);
    if (z < 0.029) {
      ASSERT_EQ(places.size(), 1u);
      EXPECT_EQ(places[0].normal, Vec3(0.0, 0.0, 1.0));
      EXPECT_NEAR(places[0].gap, z, 1e-12);
    }
  }
}

/// Along a random walk the force right after a side was remembered is that right before.
template <class A, class B>
void expect_silent(const B& b, std::vector<A> walk, int& changes) {
  WitnessPairs places;
  double side = next_side(walk[0], b, Approach{kNear, 0.0});
  for (const A& a : walk) {
    find_near(a, b, {kNear, side}, places);
    const Vec6 before = test::force_of(places, kNear, 1.5);
    const double next = next_side(a, b, {kNear, side});
    find_near(a, b, {kNear, next}, places);
    EXPECT_LT((test::force_of(places, kNear, 1.5) - before).norm(), 1e-12);  // rounding
    changes += next != side ? 1 : 0;
    side = next;
  }
}

TEST(RememberedSide, ChangesWithoutAnyForceNoticing) {
  Random random(3);
  int discs = 0, polygons = 0, frusta = 0, rods = 0;
  for (int i = 0; i < 200; ++i) {
    const Frustum frustum = test::random_frustum(random);
    const Vec3 from = random_vector(random, 0.1), way = random_vector(random, 0.2);
    const Segment rod = test::random_segment(random, 0.1);
    std::vector<Vec3> points;
    std::vector<Segment> segments;
    for (int k = 0; k < 300; ++k) {
      points.push_back(from + k / 300.0 * way);
      segments.push_back(shifted(rod, k / 300.0 * way));
    }
    expect_silent(Disc{0.05, i % 2 == 0 ? 0.0 : 0.02}, points, discs);
    expect_silent(test::random_polygon(random), points, polygons);
    expect_silent(frustum, points, frusta);
    expect_silent(frustum, segments, rods);
  }
  EXPECT_GT(std::min({discs, polygons, frusta, rods}), 10);
}

TEST(RememberedSide, OfSegmentsIsSilentAndHoldsThroughPenetration) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
    Segment a = test::random_segment(random, 0.05);
    const Vec3 way = random_vector(random, 0.1), turn = random.uniform() * random_direction(random);
    Vec3 side = Vec3::Zero();
    for (int k = 0; k < 300; ++k) {
      const Mat3 R = rotation_from_vector(turn / 300.0);
      a = {R * a.from + way / 300.0, R * a.to + way / 300.0};
      const Vec3 before = side.isZero() ? next_side(a, b, {kNear, side}) : side;
      WitnessPairs one, other;
      find_near(a, b, {kNear, before}, one);
      side = next_side(a, b, {kNear, before});
      find_near(a, b, {kNear, side}, other);
      EXPECT_NEAR(side.norm(), 1.0, 1e-12);
      EXPECT_LT((test::force_of(one, kNear, 1.5) - test::force_of(other, kNear, 1.5)).norm(),
                1e-12);  // rounding
    }
  }
  // Pushed straight through in the middle, the gap goes on below zero.
  const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
  Vec3 side = Vec3::UnitZ();
  for (double z = 0.02; z > -0.02; z -= 1e-3) {
    const Segment a{{0.0, -0.05, z}, {0.01, 0.05, z}};
    side = next_side(a, b, {kNear, side});
    WitnessPairs places;
    find_near(a, b, {kNear, side}, places);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_NEAR(places[0].gap, z, 1e-12);
    EXPECT_NEAR(places[0].normal.z(), 1.0, 1e-12);
  }
}

TEST(WitnessPairs, TakeNoMemory) {
  Random random(5);
  const std::vector<Vec3> way = test::random_way(random, 30);
  const Polyline polyline(way);
  const Spline spline = Spline::periodic(way);
  const Polygon polygon = test::random_polygon(random);
  const Frustum frustum{0.05, 0.08, 0.1};
  WitnessPairs places;
  const std::size_t before = allocations();
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = random_vector(random, 0.1);
    const Segment rod = test::random_segment(random, 0.1);
    find_near(a, Disc{0.05, 0.02}, {kNear}, places);
    find_near(a, polygon, {kNear}, places);
    find_near(a, polyline, {kNear}, places);
    find_near(a, spline, {kNear}, places);
    find_near(a, frustum, {kNear}, places);
    find_near(rod, frustum, {kNear}, places);
    find_near(rod, Segment{a, -a}, {kNear, Vec3::UnitZ()}, places);
  }
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace grouser
