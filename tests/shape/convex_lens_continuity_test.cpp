// A lens changes little when its bodies move little, wherever they are: what a force is made of.
#include <gtest/gtest.h>

#include <functional>

#include "tests/shape/convex_lens_oracle.h"

namespace grouser {
namespace {

using test::even_rotation;
using test::pose_at_depth;
using test::random_hull;
using test::random_vector;

/// Volume, depth times normal, volume times centre.
using Answer = Eigen::Matrix<double, 7, 1>;

struct MovingPair {
  ConvexShape a, b;
  Pose X_WB;
  std::function<Pose(double)> path;  ///< of A, for 0 to 1
};

Answer answer_at(const MovingPair& scene, double s, Scratch& scratch) {
  const Pose X_WA = scene.path(s);
  const ConvexContact contact = find_convex_contact(scene.a, X_WA, scene.b, scene.X_WB);
  const ConvexLens lens = find_convex_lens(scene.a, X_WA, scene.b, scene.X_WB, contact, scratch);
  Answer answer;
  answer << lens.volume, lens.depth * lens.normal_W, lens.volume * lens.center_W;
  return answer;
}

/// Largest difference of neighbours on the path, each part in units of its largest value there.
double largest_jump(const MovingPair& scene, int steps) {
  Scratch scratch;
  Answer before = answer_at(scene, 0.0, scratch);
  double volume = 0.0, force = 0.0, moment = 0.0;
  double d_volume = 0.0, d_force = 0.0, d_moment = 0.0;
  for (int i = 1; i <= steps; ++i) {
    const Answer now = answer_at(scene, static_cast<double>(i) / steps, scratch);
    const Answer change = now - before;
    volume = std::max(volume, now[0]);
    force = std::max(force, now.segment<3>(1).norm());
    moment = std::max(moment, now.tail<3>().norm());
    d_volume = std::max(d_volume, std::abs(change[0]));
    d_force = std::max(d_force, change.segment<3>(1).norm());
    d_moment = std::max(d_moment, change.tail<3>().norm());
    before = now;
  }
  return std::max({d_volume / volume, d_force / force, d_moment / moment});
}

/// Steps an eighth as long make jumps about an eighth as large; a leap would stay what it is.
void expect_continuous(const MovingPair& scene, int steps, double facet_error = 0.0) {
  const double coarse = largest_jump(scene, steps), fine = largest_jump(scene, 8 * steps);
  EXPECT_LT(fine, coarse / 4.0 + facet_error) << "jump " << coarse << " with " << steps << " steps";
}

/// A straight way with a steady turn about the middle of A, from 0 to 1.
std::function<Pose(double)> way(const Pose& start, const Vec3& shift, const Vec3& turn) {
  return [=](double s) {
    return Pose{rotation_from_vector(s * turn) * start.R, start.p + s * shift};
  };
}

const ConvexShape kBox = ConvexShape::box({1.0, 1.0, 1.0});

TEST(ContinuousLens, OfABoxThatTumblesInGround) {
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const Pose start{even_rotation(random), Vec3(0.0, 0.0, 0.75)};
    expect_continuous(
        {kBox, test::kGround, {}, way(start, {0.1, 0.0, -0.3}, 2.0 * random_vector(random, 1.0))},
        400);
  }
}

TEST(ContinuousLens, OfABoxThatRocksThroughLevel) {
  const Pose start{rotation_from_vector({-0.05, 0.02, 0.0}), Vec3(0.0, 0.0, 0.49)};
  expect_continuous({kBox, test::kGround, {}, way(start, Vec3::Zero(), {0.1, -0.04, 0.0})}, 400);
}

/// From here on the shortest way out changes from one face to another on the way.
TEST(ContinuousLens, OfACornerThatSlidesOffAnEdge) {
  const Pose start{rotation_from_vector({0.3, 0.4, 0.2}), Vec3(0.4, 0.1, 1.05)};
  expect_continuous({kBox, kBox, {}, way(start, {0.9, 0.0, 0.0}, Vec3::Zero())}, 800);
}

TEST(ContinuousLens, OfABoxThatSlidesOffABox) {
  const Pose start{Mat3::Identity(), Vec3(0.5, 0.2, 0.95)};
  expect_continuous({kBox, kBox, {}, way(start, {0.55, 0.0, 0.0}, Vec3::Zero())}, 800);
}

/// Sides come into one plane, and swap who is outside.
TEST(ContinuousLens, OfStackedBoxesThatPassThroughAlignment) {
  const Pose start{Mat3::Identity(), Vec3(-0.05, -0.02, 0.95)};
  expect_continuous({kBox, kBox, {}, way(start, {0.1, 0.0, 0.0}, Vec3::Zero())}, 400);
  expect_continuous({kBox, kBox, {}, way(start, {0.1, 0.04, 0.0}, Vec3::Zero())}, 400);
  const Pose turned{rotation_from_vector({0.0, 0.0, -0.1}), Vec3(0.0, 0.0, 0.95)};
  expect_continuous({kBox, kBox, {}, way(turned, Vec3::Zero(), {0.0, 0.0, 0.2})}, 400);
}

/// Goes under, with its upper face passing B's.
TEST(ContinuousLens, OfASmallBoxThatSinksIntoALargeOne) {
  const ConvexShape small = ConvexShape::box({0.2, 0.2, 0.2});
  const Pose start{Mat3::Identity(), Vec3(0.1, 0.05, 0.61)};
  expect_continuous({small, kBox, {}, way(start, {0.0, 0.0, -0.3}, Vec3::Zero())}, 800);
}

TEST(ContinuousLens, OfBoxesAndHullsOnRandomWays) {
  Random random(7);
  for (int i = 0; i < 30; ++i) {
    const ConvexShape a = i % 3 == 0 ? kBox : random_hull(random, 10 + i);
    const ConvexShape b = i % 2 == 0 ? kBox : random_hull(random, 40 - i);
    const Pose X_WB{even_rotation(random), random_vector(random, 1.0)};
    Pose start = pose_at_depth(b, X_WB, a, 0.1, random);
    expect_continuous(
        {a, b, X_WB, way(start, 0.1 * random_vector(random, 1.0), random_vector(random, 1.0))},
        400);
  }
}

/// Facets turn with the direction of contact. Where that leaps, as it does between a lid and the
/// mantle of bodies a quarter of their radius deep in each other, so do they, within their error.
constexpr double kFacetLeap = 0.03;

TEST(ContinuousLens, OfACylinderThatRollsAndTips) {
  const ConvexShape cylinder = ConvexShape::cylinder(0.4, 0.9);
  const Pose lying{rotation_from_vector({kPi / 2.0, 0.0, 0.0}), Vec3(0.0, 0.0, 0.38)};
  expect_continuous({cylinder, test::kGround, {}, way(lying, {1.0, 0.0, 0.0}, {0.0, 2.5, 0.0})},
                    400);
  // From its rim through standing upright to the other side.
  const Pose tipped{rotation_from_vector({0.0, -0.1, 0.0}), Vec3(0.0, 0.0, 0.44)};
  expect_continuous({cylinder, test::kGround, {}, way(tipped, {0.0, 0.0, 0.0}, {0.02, 0.2, 0.0})},
                    400);
  // From its rim to its mantle.
  const Pose leaning{rotation_from_vector({0.0, 1.2, 0.0}), Vec3(0.0, 0.0, 0.45)};
  expect_continuous({cylinder, test::kGround, {}, way(leaning, {0.0, 0.0, -0.05}, {0.0, 0.7, 0.0})},
                    400);
}

TEST(ContinuousLens, OfRoundBodiesOnRandomWays) {
  Random random(9);
  const ConvexShape cylinder = ConvexShape::cylinder(0.4, 0.9), cone = ConvexShape::cone(0.5, 0.8);
  for (int i = 0; i < 30; ++i) {
    const ConvexShape& a = i % 2 == 0 ? cylinder : cone;
    const ConvexShape& b = i % 3 == 0 ? cylinder : kBox;
    const Pose X_WB{even_rotation(random), random_vector(random, 1.0)};
    const Pose start = pose_at_depth(b, X_WB, a, 0.1, random);
    expect_continuous(
        {a, b, X_WB, way(start, 0.1 * random_vector(random, 1.0), random_vector(random, 1.0))}, 400,
        kFacetLeap);
  }
}

}  // namespace
}  // namespace grouser
