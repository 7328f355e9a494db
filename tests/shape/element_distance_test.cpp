// Ten thousand random pairs of each kind, against the distance found by search.
#include <gtest/gtest.h>

#include "tests/shape/element_oracle.h"

namespace grouser {
namespace {

using test::random_direction;
using test::random_vector;
using test::searched_distance;

constexpr int kPairs = 10000;
/// The search leaves 1e-12 of intervals of at most a few units.
constexpr double kSearched = 1e-9;

/// The places say the same as the distance: the smallest gap, on the side where a is.
void expect_same_gap(double gap, double distance, double reach) {
  if (distance > 1.0001e-3 * reach) {  // nearer it is smoothed
    EXPECT_NEAR(gap, distance, 1e-12);
  }
}

TEST(ElementDistance, OfPointsIsThatOfTheirCoordinates) {
  Random random(1);
  WitnessPairs places;
  for (int i = 0; i < kPairs; ++i) {
    const Vec3 a = random_vector(random, 0.1), b = random_vector(random, 0.1);
    const Vec3 apart = a - b;
    const double distance =
        std::sqrt(apart.x() * apart.x() + apart.y() * apart.y() + apart.z() * apart.z());
    EXPECT_NEAR(distance_between(a, b), distance, 1e-15);
    find_near(a, b, {1.0}, places);
    expect_same_gap(places.smallest_gap(), distance, 1.0);
  }
}

TEST(ElementDistance, OfPointAndSegmentIsTheLeast) {
  Random random(2);
  WitnessPairs places;
  for (int i = 0; i < kPairs; ++i) {
    const Segment b = test::random_segment(random, 0.1);
    Vec3 a = random_vector(random, 0.2);
    if (i % 4 == 0) a = b.from + random.uniform(-1.0, 2.0) * (b.to - b.from);  // on the line
    const double found = distance_between(a, b);
    EXPECT_NEAR(found, searched_distance(a, b), kSearched);
    find_near(a, b, {1.0}, places);
    expect_same_gap(places.smallest_gap(), found, 1.0);
  }
}

/// A plate has a place on the side where the point is, and its gap is the distance there.
template <class Plate>
void expect_least_over_plate(const Vec3& a, const Plate& b) {
  const double found = distance_between(a, b);
  EXPECT_NEAR(found, searched_distance(a, b), kSearched);
  WitnessPairs places;
  find_near(a, b, {1.0, next_side(a, b, {1.0, 0.0})}, places);
  EXPECT_NEAR(places.smallest_gap(), found, 1e-12);
}

TEST(ElementDistance, OfPointAndDiscIsTheLeast) {
  Random random(3);
  for (int i = 0; i < kPairs; ++i) {
    const double radius = random.uniform(0.02, 0.1);
    const Disc b{radius, i % 2 == 0 ? 0.0 : radius * random.uniform(0.1, 0.9)};
    Vec3 a = random_vector(random, 0.15);
    if (i % 5 == 0) a.z() = 0.0;
    if (i % 7 == 0) a.head<2>() *= radius / a.head<2>().norm();  // over the rim
    if (i % 11 == 0 && b.inner_radius == 0.0) a.head<2>().setZero();
    expect_least_over_plate(a, b);
  }
}

TEST(ElementDistance, OfPointAndFrustumIsTheLeast) {
  Random random(4);
  for (int i = 0; i < kPairs; ++i) {
    const Frustum b = test::random_frustum(random);
    Vec3 a = random_vector(random, 0.2);
    if (i % 5 == 0) a.z() = 0.0;
    expect_least_over_plate(a, b);
  }
}

TEST(ElementDistance, OfPointOnTheAxisOfAFrustumIsTheLeast) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Frustum b = test::random_frustum(random);
    const Vec3 a(0.0, 0.0, random.uniform(-0.2, 0.4));
    EXPECT_NEAR(distance_between(a, b), searched_distance(a, b), kSearched);
  }
}

TEST(ElementDistance, OfPointAndPolygonIsTheLeast) {
  Random random(6);
  for (int i = 0; i < kPairs; ++i) {
    const Polygon b = test::random_polygon(random);
    Vec3 a = random_vector(random, 0.15);
    if (i % 5 == 0) a -= b.normal().dot(a - b.points()[0]) * b.normal();  // in the plane
    if (i % 7 == 0) a = b.points()[1] + random.uniform(-0.1, 0.1) * b.normal();
    expect_least_over_plate(a, b);
  }
}

TEST(ElementDistance, OfPointAndPolylineIsTheLeast) {
  Random random(7);
  WitnessPairs places;
  for (int i = 0; i < kPairs; ++i) {
    const Polyline b(test::random_way(random, 3 + static_cast<int>(random.below(20))), i % 2 == 0);
    Vec3 a = random_vector(random, 0.15);
    if (i % 5 == 0) a = b.points()[1] + 0.01 * random_direction(random);
    const double found = distance_between(a, b);
    EXPECT_NEAR(found, searched_distance(a, b), kSearched);
    find_near(a, b, {1.0}, places);
    if (places.size() < WitnessPairs::kMost) {
      expect_same_gap(places.smallest_gap(), found, 1.0);
    }
  }
}

TEST(ElementDistance, OfPointAndSplineIsTheLeast) {
  Random random(8);
  for (int i = 0; i < kPairs; ++i) {
    const std::vector<Vec3> way = test::random_way(random, 3 + static_cast<int>(random.below(10)));
    const Spline b = i % 3 == 0 ? Spline::natural(way)
                     : i % 3 == 1
                         ? Spline::periodic(way)
                         : Spline::clamped(way, random_direction(random), random_direction(random));
    Vec3 a = random_vector(random, 0.15);
    if (i % 5 == 0) a = way[1] + 0.01 * random_direction(random);
    if (i % 7 == 0) a = way.back() + 0.01 * random_direction(random);
    EXPECT_NEAR(distance_between(a, b), searched_distance(a, b), kSearched);
  }
}

/// Two segments as they may come: skew, parallel, on one line, end to end, crossing.
std::pair<Segment, Segment> random_segments(Random& random, int i) {
  const Segment a = test::random_segment(random, 0.1);
  Segment b = test::random_segment(random, 0.1);
  const Vec3 along = a.to - a.from;
  const double length = random.uniform(-1.5, 1.5);
  switch (i % 8) {
    case 0:
      b.to = b.from + length * along;
      break;
    case 1:
      b = {a.from + random.uniform(-2.0, 2.0) * along, Vec3::Zero()},
      b.to = b.from + length * along;
      break;
    case 2:
      b = {a.to + 0.01 * random_direction(random), a.to + random_vector(random, 0.1)};
      break;
    case 3: {
      const Vec3 crossing = a.from + random.uniform() * along, way = random_vector(random, 0.1);
      b = {crossing - way, crossing + random.uniform() * way};
      break;
    }
    case 4:
      b.to = b.from + length * along +
             std::pow(10.0, random.uniform(-13.0, -2.0)) * random_direction(random);
      break;
    default:
      break;
  }
  return {a, b};
}

TEST(ElementDistance, OfSegmentsIsTheLeast) {
  Random random(9);
  WitnessPairs places;
  for (int i = 0; i < kPairs; ++i) {
    const auto [a, b] = random_segments(random, i);
    const double found = distance_between(a, b);
    EXPECT_NEAR(found, searched_distance(a, b), kSearched) << i;
    find_near(a, b, {1.0, next_side(a, b, {1.0, Vec3::Zero()})}, places);
    expect_same_gap(places.smallest_gap(), found, 1.0);
  }
}

TEST(ElementDistance, OfSegmentAndFrustumIsTheLeast) {
  Random random(10);
  for (int i = 0; i < kPairs; ++i) {
    const Frustum b = test::random_frustum(random);
    Segment a = test::random_segment(random, 0.1);
    const double angle = random.uniform(0.0, 2.0 * kPi);
    const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
    const Vec3 generator = (b.top_radius - b.bottom_radius) * out + b.height * Vec3::UnitZ();
    if (i % 6 == 0) a.to = a.from + random.uniform(-1.0, 2.0) * Vec3::UnitZ();
    if (i % 6 == 1) a.to = a.from + random.uniform(0.2, 2.0) * generator;
    if (i % 6 == 2) a = {0.1 * out, random.uniform(-0.2, 0.1) * out}, a.to.z() = a.from.z() = 0.05;
    if (i % 6 == 3) a.to.z() = a.from.z();
    EXPECT_NEAR(distance_between(a, b), searched_distance(a, b), kSearched) << i;
  }
}

}  // namespace
}  // namespace grouser
