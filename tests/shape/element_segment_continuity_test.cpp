// Forces between a segment and another segment or a frustum change little when it moves little.
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

constexpr double kSegmentReach = 0.02;

/// A segment that is shifted and turned about its middle at the same time.
struct Motion {
  Vec3 middle, shift, half, turn;
  Segment at(double s) const {
    const Vec3 p = middle + s * shift;
    const Vec3 to_end = rotation_from_vector(s * turn) * half;
    return {p - to_end, p + to_end};
  }
};

Motion random_motion(Random& random, double size) {
  return {random_vector(random, size), random_vector(random, size),
          random.uniform(0.2, 1.5) * size * random_direction(random),
          random.uniform(0.0, 2.0) * random_direction(random)};
}

/// Whether all of the motion keeps this function above a limit.
template <class Clear>
bool is_clear(const Motion& motion, const Clear& clear, double limit) {
  for (int i = 0; i <= 200; ++i) {
    if (!(clear(motion.at(0.005 * i)) > limit)) return false;
  }
  return true;
}

/// Where the nearest points are: 0, 1, 2 for begin, inside and end of either segment.
int segment_region(const Segment& a, const Segment& b) {
  const auto part = [](const Segment& one, const Segment& other) {
    double least = 1e300, at = 0.0;
    for (int i = 0; i <= 200; ++i) {
      const double s = 0.005 * i;
      const double d = distance_between(Vec3(one.from + s * (one.to - one.from)), other);
      if (d < least) least = d, at = s;
    }
    return at < 0.0025 ? 0 : at > 0.9975 ? 2 : 1;
  };
  return 3 * part(a, b) + part(b, a);
}

TEST(SegmentContinuity, HoldsFromInsideToEndsOfBoth) {
  Random random(1);
  Crossings crossings;
  for (int i = 0; i < 400;) {
    const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
    const Motion motion = random_motion(random, 0.06);
    const auto apart = [&](const Segment& a) { return distance_between(a, b); };
    if (!is_clear(motion, apart, 0.1 * kSegmentReach)) continue;
    ++i;
    // The side as it is remembered along the way; steps of the test are no steps of a simulation.
    std::vector<Vec3> sides{next_side(motion.at(0.0), b, {kSegmentReach, Vec3::Zero()})};
    for (int k = 1; k <= 1000; ++k) {
      sides.push_back(next_side(motion.at(0.001 * k), b, {kSegmentReach, sides.back()}));
    }
    Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                const auto k = static_cast<std::size_t>(std::min(1000.0, 1000.0 * s));
                find_near(motion.at(s), b, {kSegmentReach, sides[k]}, places);
              }};
    path.region = [&](double s) { return segment_region(motion.at(s), b); };
    expect_continuous(path, 100, &crossings);
  }
  // Inside both, and from there to an end of either; and on to ends of both.
  const auto crossed = [&](std::initializer_list<std::pair<int, int>> any) {
    return std::any_of(any.begin(), any.end(),
                       [&](const auto& c) { return crossings.contains(c); });
  };
  EXPECT_TRUE(crossed({{3, 4}, {4, 5}}));
  EXPECT_TRUE(crossed({{1, 4}, {4, 7}}));
  EXPECT_TRUE(crossed({{0, 1}, {1, 2}, {6, 7}, {7, 8}}));
  EXPECT_TRUE(crossed({{0, 3}, {3, 6}, {2, 5}, {5, 8}}));
}

TEST(SegmentContinuity, HoldsThroughPenetrationWithTheSideRemembered) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
    // Across b at a clear angle, from above to below, anywhere along it and over its ends.
    const double angle = random.uniform(0.3, 2.8), x = random.uniform(-0.06, 0.06);
    const Motion motion{{x, random.uniform(-0.03, 0.03), 0.03},
                        {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), -0.05},
                        0.05 * Vec3(std::cos(angle), std::sin(angle), random.uniform(-0.1, 0.1)),
                        random.uniform(0.0, 0.3) * random_direction(random)};
    const Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                      find_near(motion.at(s), b, {kSegmentReach, Vec3::UnitZ()}, places);
                    }};
    // Only where the middle of the parallelogram or its outline is not met within rounding.
    expect_continuous(path, 400);
  }
}

TEST(SegmentContinuity, HoldsWhereSegmentsRockThroughParallel) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
    const double height = random.uniform(0.3, 0.95) * kSegmentReach;
    // Tilts by up to a degree either way, and twists, through exactly parallel at 0.5.
    const Vec3 turn = random.uniform(0.001, 0.02) * random_direction(random);
    const Vec3 half(random.uniform(0.01, 0.08), 0.0, 0.0);
    const Vec3 middle(random.uniform(-0.05, 0.05), 0.0, height);
    const Motion motion{middle, Vec3::Zero(), half, turn};
    const Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                      find_near(motion.at(s - 0.5), b, {kSegmentReach, Vec3::UnitZ()}, places);
                    }};
    expect_continuous(path, 100);
  }
}

TEST(SegmentContinuity, HoldsThroughOneLine) {
  const Segment b{{-0.05, 0.0, 0.0}, {0.05, 0.0, 0.0}};
  for (const double start : {0.0, 0.01, 0.09}) {
    // Parallel, sideways through the line of b, in steps far below the smoothed strip.
    const Vec3 half(0.04, 0.0, 0.0), shift = Vec3(0.0, 0.6, 0.8) * 6e-3 * kSegmentReach;
    const Motion motion{Vec3(start, 0.0, 0.0) - 0.5 * shift, shift, half, Vec3::Zero()};
    const Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                      find_near(motion.at(s), b, {kSegmentReach, Vec3::UnitZ()}, places);
                    }};
    expect_continuous(path, 100);
  }
}

/// Which parts of the mantle feet are on, and how many places there are.
int rod_region(const Segment& a, const Frustum& b, double side) {
  WitnessPairs places;
  find_near(a, b, {kSegmentReach, side}, places);
  return static_cast<int>(places.size());
}

/// The least signed height over the side, of those points of the rod whose foot is on the mantle;
/// and the least distance from the rims.
double clear_of_mantle(const Segment& a, const Frustum& b, double side) {
  double least = 1e300;
  const Vec2 up = Vec2(b.top_radius - b.bottom_radius, b.height), front(b.height, -up.x());
  for (int i = 0; i <= 200; ++i) {
    const Vec3 p = a.from + 0.005 * i * (a.to - a.from);
    const Vec2 at(p.head<2>().norm() - b.bottom_radius, p.z());
    const double t = at.dot(up) / up.squaredNorm();
    const double d = (at - std::clamp(t, 0.0, 1.0) * up).norm();
    const bool behind = t > -0.05 && t < 1.05 && side * at.dot(front) < 0.0;
    least = std::min(least, behind ? -d : d);
  }
  return least;
}

TEST(SegmentContinuity, HoldsOnMantlesAndRimsWhereverLowsAppearAndVanish) {
  Random random(4);
  Crossings crossings;
  for (int i = 0; i < 400;) {
    const Frustum b = test::random_frustum(random);
    const double side = i % 2 == 0 ? 1.0 : -1.0;
    const Motion motion = random_motion(random, 0.1);
    const auto clear = [&](const Segment& a) { return clear_of_mantle(a, b, side); };
    if (!is_clear(motion, clear, 0.2 * kSegmentReach)) continue;
    ++i;
    Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                find_near(motion.at(s), b, {kSegmentReach, side}, places);
              }};
    path.region = [&](double s) { return rod_region(motion.at(s), b, side); };
    expect_continuous(path, 200, &crossings);
  }
  EXPECT_TRUE(crossings.contains({0, 1}) && crossings.contains({1, 3}) &&
              crossings.contains({2, 3}));
}

TEST(SegmentContinuity, HoldsWhereARodFallsAcrossAnOpening) {
  Random random(6);
  Crossings crossings;
  for (int i = 0; i < 200;) {
    const Frustum b{random.uniform(0.03, 0.08), 0.05, 0.1};
    const Motion motion{{random.uniform(-0.02, 0.02), random.uniform(-0.05, 0.05), 0.122},
                        {random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), -0.008},
                        {0.1, 0.0, random.uniform(-0.004, 0.004)},
                        0.02 * random_direction(random)};
    // A rod in the mantle by more than half the reach has lost its side near the rim.
    const auto apart = [&](const Segment& a) { return distance_between(a, b); };
    if (!is_clear(motion, apart, 0.51 * kSegmentReach)) continue;
    ++i;
    const double side = next_side(motion.at(0.0), b, {kSegmentReach, 0.0});
    Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                find_near(motion.at(s), b, {kSegmentReach, side}, places);
              }};
    path.region = [&](double s) { return rod_region(motion.at(s), b, side); };
    expect_continuous(path, 200, &crossings);
  }
  // First one point of the rim, then two; where these are close together, three with what they
  // have in common.
  EXPECT_TRUE(crossings.contains({0, 1}) && crossings.contains({1, 2}) &&
              crossings.contains({2, 3}));
}

TEST(SegmentContinuity, HoldsWhereARodRocksOnAGenerator) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Frustum b{0.05, i % 3 == 0 ? 0.05 : random.uniform(0.02, 0.09), 0.1};
    const double side = i % 2 == 0 ? 1.0 : -1.0;
    const Vec3 up(b.top_radius - b.bottom_radius, 0.0, b.height);
    const Vec3 front = side * Vec3(b.height, 0.0, -up.x()).normalized();
    const Vec3 half = random.uniform(0.1, 0.7) * up;
    const Vec3 middle = Vec3(b.bottom_radius, 0.0, 0.0) + random.uniform(0.3, 0.7) * up +
                        random.uniform(0.5, 0.95) * kSegmentReach * front;
    const Vec3 turn = random.uniform(0.001, 0.02) * random_direction(random);
    const Motion motion{middle, Vec3::Zero(), half, turn};
    const Path path{kSegmentReach, [&](double s, WitnessPairs& places) {
                      find_near(motion.at(s - 0.5), b, {kSegmentReach, side}, places);
                    }};
    expect_continuous(path, 100);
  }
}

}  // namespace
}  // namespace grouser
