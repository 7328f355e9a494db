#include "grouser/shape/contact_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/base/random.h"
#include "grouser/shape/smooth_bodies.h"
#include "tests/support/random_vector.h"

namespace grouser {
namespace {

using test::random_vector;

/// Signed gap of two ellipsoids: the greatest separation along any direction.
double gap_by_support(const Vec3& one, const Vec3& two, const Pose& X_12) {
  const auto separation = [&](const Vec3& m) {
    return m.dot(X_12.p) - m.cwiseProduct(one).norm() -
           (X_12.R.transpose() * m).cwiseProduct(two).norm();
  };
  Vec3 best = X_12.p.normalized();
  for (int i = 0; i < 4000; ++i) {  // Fibonacci's sphere, a direction every 2 degrees or so
    const double z = 1.0 - (2.0 * i + 1.0) / 4000.0, r = std::sqrt(1.0 - z * z);
    const double angle = i * kPi * (3.0 - std::sqrt(5.0));
    const Vec3 m(r * std::cos(angle), r * std::sin(angle), z);
    if (separation(m) > separation(best)) best = m;
  }
  for (double step = 0.05; step > 1e-9; step *= 0.5)
    for (int round = 0; round < 4; ++round)
      for (const Vec3& direction : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
        for (const double sign : {-1.0, 1.0})
          if (const Vec3 m = (best + sign * step * direction).normalized();
              separation(m) > separation(best))
            best = m;
  return separation(best);
}

TEST(ContactSearch, FindsTheGapOfTwoEllipsoids) {
  Random random(1);
  int found_count = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 one = Vec3::Constant(0.6) + random_vector(random, 0.3);
    const Vec3 two = Vec3::Constant(0.5) + random_vector(random, 0.25);
    const Pose X_12{rotation_from_vector(random_vector(random, 3.0)),
                    random.uniform(0.8, 1.3) * random_vector(random, 1.0).normalized()};
    const double gap = gap_by_support(one, two, X_12);
    if (gap > 0.1 || gap < -0.2) continue;
    const ContactSearch search(std::make_shared<StarSurface>(one),
                               std::make_shared<StarSurface>(two));
    FoundContacts found;
    search.search(X_12, 0.15, found);
    double nearest = 1e9;
    for (const FoundContact& contact : found.all) nearest = std::min(nearest, contact.at.gap);
    // The oracle stops at directions 1e-9 off, where the separation is flat: an error of 1e-16; the
    // contact may not be the global one of deeply overlapping bodies, so only nearest counts.
    EXPECT_NEAR(nearest, gap, 1e-12) << i;
    ++found_count;
  }
  EXPECT_GT(found_count, 100);
}

TEST(ContactSearch, FollowsAContactAcrossTheChartsOfABody) {
  // An ellipsoid turned about an axis over a torus: the contact wanders over several charts.
  const auto torus = std::make_shared<TorusSurface>(1.0, 0.4);
  const auto stone = std::make_shared<StarSurface>(Vec3(0.3, 0.4, 0.5));
  const ContactSearch search(torus, stone);
  const auto pose = [](double angle) {
    return Pose{rotation_from_vector(angle * Vec3(0.5, 1.0, 0.2).normalized()),
                Vec3(1.05, 0.1, 0.78)};
  };
  FoundContacts start;
  search.search(pose(0.0), 0.2, start);
  ASSERT_EQ(start.all.size(), 1u);
  ClosestPoints at = start.all[0].at;
  int charts = 0;
  for (int i = 1; i <= 400; ++i) {
    const Pose X_12 = pose(2.0 * kPi * i / 400.0);
    const auto next = search.follow(X_12, {at.x1, at.x2});
    ASSERT_TRUE(next.has_value()) << i;
    charts += next->x2.chart != at.x2.chart;
    EXPECT_LT((next->p1 - at.p1).norm(), 0.03) << i;  // a turn of 1 degree moves it that far
    at = *next;
  }
  EXPECT_GE(charts, 3);
  EXPECT_NEAR(at.gap, start.all[0].at.gap, 1e-14);
}

TEST(ContactSearch, FindsWhereTwoLinksOfAChainMeet) {
  // Two rings, one lying, one standing in its hole: tubes of radius 0.3 m meet at x = 0.5 and 0.7.
  // On the far side of the lying one, between x = 1.3 and 1.9, the gap is smallest one way alone.
  const auto ring = std::make_shared<TorusSurface>(1.0, 0.3);
  const ContactSearch search(ring, ring);
  const Pose X_12{rotation_from_vector(Vec3(0.5 * kPi, 0.0, 0.0)), Vec3(1.2, 0.0, 0.0)};
  FoundContacts found;
  search.search(X_12, 0.7, found);
  ASSERT_EQ(found.all.size(), 1u);
  EXPECT_NEAR(found.all[0].at.gap, 0.2, 1e-14);
}

/// A map of waves that are some cells long, with noise.
ElevationGrid waves(std::uint64_t seed, double noise) {
  Random random(seed);
  ElevationGrid grid{Vec2(-2.0, -2.0), 0.1, 41, 41, {}};
  const double kx = random.uniform(3.0, 9.0), ky = random.uniform(3.0, 9.0);
  for (std::size_t iy = 0; iy < grid.ny; ++iy)
    for (std::size_t ix = 0; ix < grid.nx; ++ix) {
      const double x = -2.0 + 0.1 * static_cast<double>(ix),
                   y = -2.0 + 0.1 * static_cast<double>(iy);
      grid.heights.push_back(0.2 * std::sin(kx * x) * std::cos(ky * y) +
                             random.uniform(-noise, noise));
    }
  return grid;
}

std::shared_ptr<const MapSurface> map_surface(const ElevationGrid& grid, ElevationMap::Kind kind) {
  return std::make_shared<MapSurface>(
      std::make_shared<ElevationMap>(grid, kind, ElevationMap::Border::extrapolate));
}

/// Places where a ball is deepest nearby, from a dense grid of points.
std::vector<Vec2> deepest_by_samples(const ElevationMap& map, const Vec3& c, double radius) {
  const double h = map.spacing() / 15.0;
  const int n = static_cast<int>(1.2 * radius / h);
  const auto distance = [&](int i, int j) {
    const double x = c.x() + i * h, y = c.y() + j * h;
    return (Vec3(x, y, map.height(x, y)) - c).norm();
  };
  std::vector<Vec2> out;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j) {
      const double d = distance(i, j);
      if (d >= radius) continue;
      bool least = true;
      for (int a = -1; a <= 1 && least; ++a)
        for (int b = -1; b <= 1 && least; ++b)
          least = (a == 0 && b == 0) || distance(i + a, j + b) > d;
      if (least) out.emplace_back(c.x() + i * h, c.y() + j * h);
    }
  return out;
}

TEST(ContactSearch, FindsAllContactsOfABallOnAMap) {
  Random random(7);
  int places = 0, missed = 0, several = 0;
  for (int i = 0; i < 200; ++i) {
    const auto kind = i % 3 == 0   ? ElevationMap::Kind::cubic
                      : i % 3 == 1 ? ElevationMap::Kind::quintic
                                   : ElevationMap::Kind::bspline;
    const auto map = map_surface(waves(static_cast<std::uint64_t>(i), i % 2 ? 0.0 : 0.004), kind);
    const double radius = random.uniform(0.05, 0.8);
    Vec3 c = random_vector(random, 0.8);
    // Lowered until it overlaps by some hundredths of its radius.
    double low = map->map().height(c.x(), c.y()) + 0.8 * radius, high = low + radius + 0.2;
    for (int k = 0; k < 6; ++k) {
      c.z() = 0.5 * (low + high);
      (deepest_by_samples(map->map(), c, radius).empty() ? high : low) = c.z();
    }
    c.z() = low - 0.05 * radius;
    const std::vector<Vec2> expected = deepest_by_samples(map->map(), c, radius);
    several += expected.size() > 1;
    const ContactSearch search(map, std::make_shared<StarSurface>(Vec3::Constant(radius)));
    FoundContacts found;
    search.search({Mat3::Identity(), c}, 0.0, found);
    for (const Vec2& place : expected) {
      ++places;
      const bool is_found =
          std::any_of(found.all.begin(), found.all.end(), [&](const FoundContact& contact) {
            // Where the distance is almost the same along a line, samples see several places.
            return (Vec2(contact.at.x1.u, contact.at.x1.v) - place).norm() < 0.3 * map->size();
          });
      missed += !is_found;
    }
    for (const FoundContact& contact : found.all) {
      EXPECT_LT(contact.at.gap, 0.0);
      EXPECT_EQ(kind_of(contact.at), ContactKind::nearest);
      EXPECT_NEAR((c - contact.at.p1).norm() - radius, contact.at.gap, 1e-13);
    }
  }
  EXPECT_GT(several, 10) << "configurations with more than one contact";
  EXPECT_EQ(missed, 0) << "of " << places;
}

TEST(ContactSearch, DoesNotMissWhatIsBeyondTheBorderOrOverAGap) {
  ElevationGrid grid{Vec2::Zero(), 1.0, 6, 6, std::vector<double>(36, 0.0)};
  grid.heights[2 * 6 + 2] = std::nan("");
  const auto map = std::make_shared<MapSurface>(std::make_shared<ElevationMap>(
      grid, ElevationMap::Kind::quintic, ElevationMap::Border::extrapolate, Place{},
      ElevationMap::Gaps::keep));
  const ContactSearch search(map, std::make_shared<StarSurface>(Vec3::Constant(0.3)));
  const auto status_at = [&](double x, double y) {
    FoundContacts found;
    search.search({Mat3::Identity(), Vec3(x, y, 0.2)}, 0.0, found);
    EXPECT_EQ(found.all.size(), 1u) << x << " " << y;
    return found.all.empty() ? SurfaceStatus::ok : found.all[0].at.status1;
  };
  EXPECT_EQ(status_at(4.5, 4.5), SurfaceStatus::ok);
  EXPECT_EQ(status_at(2.2, 2.3), SurfaceStatus::no_data);
  EXPECT_EQ(status_at(-0.2, 4.4), SurfaceStatus::beyond);
  EXPECT_EQ(status_at(7.0, 8.0), SurfaceStatus::beyond);
}

TEST(ContactSearch, FindsTheSaddleBetweenTwoContacts) {
  // A valley along y, z = 2 |x| rounded at the bottom: a ball touches both flanks.
  ElevationGrid grid{Vec2(-1.0, -1.0), 0.1, 21, 21, {}};
  for (std::size_t iy = 0; iy < 21; ++iy)
    for (std::size_t ix = 0; ix < 21; ++ix) {
      const double x = -1.0 + 0.1 * static_cast<double>(ix);
      grid.heights.push_back(2.0 * std::sqrt(x * x + 0.01) + 1e-3 * static_cast<double>(iy * iy));
    }
  const auto map = map_surface(grid, ElevationMap::Kind::bspline);
  const ContactSearch search(map, std::make_shared<StarSurface>(Vec3::Constant(0.3)));
  const Pose X_12{Mat3::Identity(), Vec3(0.0, 0.0, 0.62)};
  FoundContacts found;
  search.search(X_12, 0.3, found);
  ASSERT_EQ(found.all.size(), 2u);
  const auto saddle = search.find_saddle(X_12, found.all[0].at, found.all[1].at);
  ASSERT_TRUE(saddle.has_value());
  EXPECT_EQ(kind_of(*saddle), ContactKind::saddle);
  EXPECT_NEAR(saddle->p1.x(), 0.0, 1e-12);  // by symmetry
  EXPECT_GT(saddle->gap, found.all[0].at.gap);
}

}  // namespace
}  // namespace grouser
