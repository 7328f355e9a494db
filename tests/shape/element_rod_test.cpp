// A rod near a frustum: the quick ways to its places give what the general one gives.
#include "grouser/shape/element_rod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/shape/element_oracle.h"

namespace grouser {
namespace {

using test::random_direction;

struct Case {
  Frustum frustum;
  Segment rod;
  Approach approach;
};

Frustum some_frustum(Random& random) {
  const double bottom = random.uniform(0.02, 0.1);
  const bool is_cylinder = random.uniform(0.0, 1.0) < 0.3;
  return {bottom, is_cylinder ? bottom : random.uniform(0.02, 0.1), random.uniform(0.03, 0.15)};
}

Approach some_approach(Random& random) {
  return {random.uniform(0.002, 0.02), random.uniform(-1.0, 1.0) > 0.0 ? 1.0 : -1.0};
}

/// A point of the upper or lower rim.
Vec3 rim_point(const Frustum& frustum, bool top, double angle) {
  const double radius = top ? frustum.top_radius : frustum.bottom_radius;
  return {radius * std::cos(angle), radius * std::sin(angle), top ? frustum.height : 0.0};
}

/// Past a point of a rim in any direction, near enough to touch.
Case past_a_rim(Random& random) {
  const Frustum frustum = some_frustum(random);
  const Approach approach = some_approach(random);
  const bool top = random.uniform(-1.0, 1.0) > 0.0;
  const Vec3 along = random_direction(random);
  const Vec3 off = along.cross(random_direction(random)).normalized();
  const Vec3 middle = rim_point(frustum, top, random.uniform(0.0, 2.0 * kPi)) +
                      random.uniform(0.3, 1.05) * approach.reach * off;
  return {frustum,
          {middle - random.uniform(0.0, 0.25) * along, middle + random.uniform(0.0, 0.25) * along},
          approach};
}

/// Across an opening, over two points of its rim.
Case across_an_opening(Random& random) {
  const Frustum frustum = some_frustum(random);
  const Approach approach = some_approach(random);
  const bool top = random.uniform(-1.0, 1.0) > 0.0;
  const Vec3 up(0.0, 0.0, top ? approach.reach : -approach.reach);
  const double angle = random.uniform(0.0, 2.0 * kPi);
  const Vec3 one = rim_point(frustum, top, angle) + random.uniform(0.5, 1.1) * up;
  const Vec3 other =
      rim_point(frustum, top, angle + random.uniform(1.0, 5.0)) + random.uniform(0.5, 1.1) * up;
  const Vec3 way = other - one;
  return {frustum,
          {one - random.uniform(0.0, 0.5) * way, other + random.uniform(-0.3, 0.5) * way},
          approach};
}

/// Its lower end inside, its upper end out of the opening.
Case leaning_in_a_glass(Random& random) {
  const Frustum frustum = some_frustum(random);
  const Approach approach{random.uniform(0.002, 0.01), -1.0};
  const double angle = random.uniform(0.0, 2.0 * kPi), z = random.uniform(0.1, 0.6);
  const double radius = frustum.bottom_radius + z * (frustum.top_radius - frustum.bottom_radius) -
                        random.uniform(0.5, 1.3) * approach.reach;
  const Vec3 low(radius * std::cos(angle), radius * std::sin(angle), z * frustum.height);
  const double turned = angle + random.uniform(2.0, 4.0);
  const Vec3 inward = -Vec3(std::cos(turned), std::sin(turned), 0.0);
  const Vec3 over =
      rim_point(frustum, true, turned) +
      random.uniform(0.5, 1.2) * approach.reach * (0.8 * inward + 0.6 * Vec3::UnitZ()).eval();
  return {frustum, {low, over + random.uniform(0.05, 0.8) * (over - low)}, approach};
}

/// How far two answers differ [m]; normals where they matter, a gap away.
double difference(const WitnessPairs& one, const WitnessPairs& other) {
  double most = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const WitnessPair &a = one[i], &b = other[i];
    most =
        std::max({most, std::abs(a.gap - b.gap), (a.on_a - b.on_a).norm(), (a.on_b - b.on_b).norm(),
                  std::abs(a.gap) * (a.normal - b.normal).norm(), std::abs(a.share - b.share)});
  }
  return most;
}

struct Seen {
  int quick = 0;
  std::array<int, 17> places{};
};

template <class Make>
Seen compare(int cases, const Make& make) {
  Random random(11);
  Seen seen;
  WitnessPairs quick, general;
  for (int i = 0; i < cases; ++i) {
    const Case c = make(random);
    if (!find_near_simply(c.rod, c.frustum, c.approach, quick)) continue;
    find_near_anyhow(c.rod, c.frustum, c.approach, general);
    ++seen.quick;
    ++seen.places[quick.size()];
    EXPECT_EQ(quick.size(), general.size()) << "case " << i;
    if (quick.size() != general.size()) continue;
    // Both end Newton's method at a step of 1e-7 or less of the radius, which leaves its square;
    // the edge of a footprint also has rounding of 1e-16 R^2 over its length.
    EXPECT_LT(difference(quick, general), 1e-12) << "case " << i;
  }
  return seen;
}

TEST(ElementRod, QuickWaysGiveWhatTheGeneralOneGivesPastARim) {
  const Seen seen = compare(20000, past_a_rim);
  EXPECT_GT(seen.quick, 3000);
  EXPECT_GT(seen.places[1], 2500);
}

TEST(ElementRod, QuickWaysGiveWhatTheGeneralOneGivesAcrossAnOpening) {
  const Seen seen = compare(20000, across_an_opening);
  EXPECT_GT(seen.quick, 12000);
  EXPECT_GT(seen.places[2], 6000);
}

TEST(ElementRod, QuickWaysGiveWhatTheGeneralOneGivesInAGlass) {
  const Seen seen = compare(20000, leaning_in_a_glass);
  EXPECT_GT(seen.quick, 10000);
  EXPECT_GT(seen.places[1], 2000);
  EXPECT_GT(seen.places[2], 1000);
}

}  // namespace
}  // namespace grouser
