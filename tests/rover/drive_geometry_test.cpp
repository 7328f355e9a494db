// How wheels stand and roll for a motion of the rover, and speeds over time.
#include "grouser/rover/drive_geometry.h"

#include <gtest/gtest.h>

#include "grouser/base/random.h"
#include "tests/rover/drive_rover.h"

namespace grouser {
namespace {

/// Way to the point where the axes of two wheels meet, from the rover's reference point.
Vec2 where_axes_meet(const DriveGeometry& g, std::size_t i, const WheelCommand& a, std::size_t j,
                     const WheelCommand& b) {
  const Vec2 p = g.wheels()[i].place - g.reference(), q = g.wheels()[j].place - g.reference();
  const Vec2 n(-std::sin(a.steering), std::cos(a.steering));
  const Vec2 m(-std::sin(b.steering), std::cos(b.steering));
  Eigen::Matrix2d lines;
  lines << n, -m;
  return p + n * lines.inverse().row(0).dot(q - p);
}

// Geometry

TEST(DriveGeometry, AxesOfAnArcMeetInItsCentre) {
  for (const bool all : {true, false})
    for (const double radius : {0.9, -0.9, 3.0, -250.0}) {
      const DriveGeometry g(six_wheels(all));
      const PlanarMotion arc{1.0, 0.0, 1.0 / radius};
      for (std::size_t i = 1; i < g.count(); ++i) {
        const WheelCommand a = g.command(0, arc), b = g.command(i, arc);
        if (std::abs(std::sin(a.steering - b.steering)) < 1e-6) continue;  // the same axle
        // Rounding, larger by how flat the axes cross.
        const double tolerance = 1e-15 * radius * radius / std::abs(a.steering - b.steering);
        const Vec2 centre = where_axes_meet(g, 0, a, i, b);
        EXPECT_NEAR(centre.x(), 0.0, std::max(1e-12, tolerance));
        EXPECT_NEAR(centre.y(), radius, std::max(1e-12, tolerance));
        // Every wheel rolls as fast as its way to the centre is long.
        const double arm = (g.wheels()[i].place - Vec2(0.0, radius)).norm();
        EXPECT_NEAR(b.rim_speed, arm / std::abs(radius), 1e-12);
      }
    }
}

TEST(DriveGeometry, TurnsOnTheSpotWithAllAxesThroughTheMiddle) {
  const DriveGeometry g(six_wheels(true));
  for (std::size_t i = 0; i < g.count(); ++i) {
    const WheelCommand c = g.command(i, {0.0, 0.0, 1.0});
    const Vec2 along(std::cos(c.steering), std::sin(c.steering));
    EXPECT_NEAR(along.dot(g.wheels()[i].place), 0.0, 1e-12);
    EXPECT_NEAR(std::abs(c.rim_speed), g.wheels()[i].place.norm(), 1e-12);
    // Those on the left roll backwards.
    EXPECT_LT(c.rim_speed * g.wheels()[i].place.y(), 0.0);
    EXPECT_LE(std::abs(c.steering), 0.5 * kPi);
  }
}

TEST(DriveGeometry, CrabSteersAllWheelsAlike) {
  const DriveGeometry g(six_wheels(true));
  for (const double direction : {0.3, -1.2, 0.5 * kPi, -0.5 * kPi, 2.5, kPi}) {
    const PlanarMotion crab{std::cos(direction), std::sin(direction), 0.0};
    for (std::size_t i = 0; i < g.count(); ++i) {
      const WheelCommand c = g.command(i, crab);
      EXPECT_EQ(c.steering, g.command(0, crab).steering);
      EXPECT_NEAR(c.rim_speed * std::cos(c.steering), crab.forward, 1e-15);
      EXPECT_NEAR(c.rim_speed * std::sin(c.steering), crab.left, 1e-15);
    }
  }
}

TEST(DriveGeometry, RefersToTheAxleThatIsNotSteered) {
  std::vector<DriveWheel> car = {{"fl", Vec2(1.0, 0.4), true},
                                 {"fr", Vec2(1.0, -0.4), true},
                                 {"rl", Vec2(-0.5, 0.4)},
                                 {"rr", Vec2(-0.5, -0.4)}};
  EXPECT_EQ(DriveGeometry(car).reference(), Vec2(-0.5, 0.0));
  for (DriveWheel& wheel : car) wheel.steered = true;
  EXPECT_EQ(DriveGeometry(car).reference(), Vec2(0.25, 0.0));
}

TEST(DriveGeometry, UsesHalfATurnMoreIfItsLimitsAskForIt) {
  // From -0.2 to 3 rad: straight back is possible, to the right it is not.
  const DriveGeometry g({{"w", Vec2(0, 0), true, -0.2, 3.0}});
  const double direction = -0.5;
  const WheelCommand c = g.command(0, {std::cos(direction), std::sin(direction), 0.0});
  EXPECT_NEAR(c.steering, kPi - 0.5, 1e-15);
  EXPECT_NEAR(c.rim_speed, -1.0, 1e-15);
}

TEST(DriveGeometry, BeyondItsLimitsAWheelTakesTheNearestAngle) {
  const DriveGeometry g({{"w", Vec2(0, 0), true, -0.4, 0.6}});
  const WheelCommand left = g.command(0, {std::cos(1.0), std::sin(1.0), 0.0});
  EXPECT_EQ(left.steering, 0.6);
  EXPECT_NEAR(left.rim_speed, std::cos(0.4), 1e-15);
  const WheelCommand right = g.command(0, {std::cos(-1.0), std::sin(-1.0), 0.0});
  EXPECT_EQ(right.steering, -0.4);
}

TEST(DriveGeometry, OnItsTightestArcAWheelIsAtItsLimit) {
  for (const double limit : {0.3, 0.6}) {
    const DriveGeometry g(six_wheels(false, limit));
    for (const double side : {1.0, -1.0}) {
      const double curvature = g.tightest_curvature(side);
      double most = 0.0;
      for (std::size_t i = 0; i < g.count(); ++i)
        most = std::max(most, std::abs(g.command(i, {1.0, 0.0, side * curvature}).steering));
      EXPECT_NEAR(most, limit, 1e-12);
    }
  }
}

// Speeds over time

TEST(SpeedProfile, CoversItsWayExactly) {
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const SpeedProfile::Limits limits{std::exp(random.uniform(-6.0, 1.0)),
                                      std::exp(random.uniform(-4.0, 1.0)),
                                      std::exp(random.uniform(-4.0, 0.0))};
    const bool moving = k % 2 == 1;
    const double start = moving ? limits.speed * random.uniform(0.0, 1.0) : 0.0;
    const double finish = moving ? limits.speed * random.uniform(0.0, 1.0) : 0.0;
    const double least = moving ? limits.speed * SpeedProfile::long_enough(limits) : 0.0;
    const double way = least + std::exp(random.uniform(-5.0, 2.0));
    const SpeedProfile p = SpeedProfile::over_way(limits, start, finish, way);
    ASSERT_NEAR(p.at(0), start, 1e-15);
    ASSERT_NEAR(p.at(p.ticks()), finish, 1e-15);
    double sum = 0.0;
    for (std::int64_t i = 0; i < p.ticks(); ++i) {
      const double a = p.at(i), b = p.at(i + 1);
      ASSERT_LE(b, limits.speed * (1.0 + 1e-12));
      ASSERT_GE(b, 0.0);
      ASSERT_LE(std::abs(b - a), limits.acceleration * limits.period * (1.0 + 1e-9));
      sum += 0.5 * limits.period * (a + b);
    }
    ASSERT_NEAR(sum, way, 1e-12 * way * std::sqrt(static_cast<double>(p.ticks())));  // rounding
    // No slower than with one clock tick more at each end than a clock-free trapezoid.
    const double time = way / limits.speed + 2.0 * limits.speed / limits.acceleration;
    ASSERT_LE(static_cast<double>(p.ticks()) * limits.period, time + 3.0 * limits.period);
  }
}

TEST(SpeedProfile, TakesItsDurationInWholePeriods) {
  const SpeedProfile::Limits limits{0.05, 0.1, 0.1};
  EXPECT_EQ(SpeedProfile::over_time(limits, 0.0, 0.0, 10.0).ticks(), 100);
  EXPECT_EQ(SpeedProfile::over_time(limits, 0.0, 0.0, 10.01).ticks(), 101);
  // Two ramps of half a second each at half the speed.
  EXPECT_NEAR(SpeedProfile::over_time(limits, 0.0, 0.0, 10.0).way(), 0.05 * 9.5, 1e-15);
}

}  // namespace
}  // namespace grouser
