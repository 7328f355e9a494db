// Places of a rod near a frustum, beside what is seen when many of its points are asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

/// From the mantle, of points along the rod.
std::vector<double> gaps_along(const Case& c, int steps) {
  std::vector<double> gaps;
  for (int i = 0; i <= steps; ++i) {
    const Vec3 p = c.rod.from + (c.rod.to - c.rod.from) * i / steps;
    gaps.push_back(distance_between(p, c.frustum));
  }
  return gaps;
}

/// How many connected parts of the rod are nearer than `level`; -1 if the samples, `step` apart,
/// are too few to say.
int parts_below(double level, const std::vector<double>& gaps, double step) {
  int parts = 0;
  bool below = false;
  for (const double gap : gaps) {
    if (std::abs(gap - level) < step) return -1;  // its slope is at most 1
    if (gap < level && !below) ++parts;
    below = gap < level;
  }
  return parts;
}

/// At any depth the shares of the places are as many as parts of the rod are as deep. Returns how
/// often one, two and more parts were seen.
template <class Make>
std::array<int, 4> compare(const Make& make) {
  Random random(11);
  std::array<int, 4> seen{};
  WitnessPairs places;
  for (int i = 0; i < 3000; ++i) {
    Case c = make(random);
    c.approach.side = next_side(c.rod, c.frustum, {c.approach.reach, 0.0});
    find_near(c.rod, c.frustum, c.approach, places);
    if (places.smallest_gap() <= 0.0) continue;  // goes through, or was meant to be elsewhere
    const int steps = 2000;
    const std::vector<double> gaps = gaps_along(c, steps);
    const double step = (c.rod.to - c.rod.from).norm() / steps;
    for (const double level : {0.4, 0.6, 0.8, 0.95}) {
      const int parts = parts_below(level * c.approach.reach, gaps, step);
      if (parts < 0) continue;
      double shares = 0.0;
      for (const WitnessPair& place : places)
        if (place.gap < level * c.approach.reach) shares += place.share;
      EXPECT_EQ(shares, parts) << "case " << i << ", level " << level;
      ++seen[static_cast<std::size_t>(std::min(parts, 3))];
    }
  }
  return seen;
}

TEST(ElementRod, HasAShareForEveryPartPastARim) {
  const auto seen = compare(past_a_rim);
  EXPECT_GT(seen[1], 500);
}

TEST(ElementRod, HasAShareForEveryPartAcrossAnOpening) {
  const auto seen = compare(across_an_opening);
  EXPECT_GT(seen[1], 500);
  EXPECT_GT(seen[2], 500);
}

TEST(ElementRod, HasAShareForEveryPartInAGlass) {
  const auto seen = compare(leaning_in_a_glass);
  EXPECT_GT(seen[1], 500);
  EXPECT_GT(seen[2], 100);
}

}  // namespace
}  // namespace grouser
