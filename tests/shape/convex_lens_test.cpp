#include "grouser/shape/convex_lens.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tests/shape/convex_lens_oracle.h"

namespace grouser {
namespace {

using test::even_rotation;
using test::kGround;
using test::lens_of;
using test::oracle_lens;
using test::OracleLens;
using test::pose_at_depth;
using test::random_hull;
using test::random_vector;

Pose at(double x, double y, double z, const Mat3& R = Mat3::Identity()) {
  return {R, Vec3(x, y, z)};
}

/// Turned so that `down`, a direction of the body, looks down.
Mat3 looking_down(const Vec3& down) {
  return Quat::FromTwoVectors(down, -Vec3::UnitZ()).toRotationMatrix();
}

/// Largest difference, relative to the lens' own size.
double difference(const ConvexLens& a, const ConvexLens& b) {
  const double spread = std::sqrt(b.covariance_W.trace());
  return std::max({std::abs(a.volume / b.volume - 1.0), std::abs(a.area / b.area - 1.0),
                   std::abs(a.depth / b.depth - 1.0), (a.normal_W - b.normal_W).norm(),
                   (a.center_W - b.center_W).norm() / spread,
                   (a.covariance_W - b.covariance_W).norm() / (spread * spread)});
}

TEST(ConvexLens, OfABoxStandingInGroundIsItsFoot) {
  const Vec3 size(0.4, 0.6, 1.0);
  const ConvexLens lens = lens_of(ConvexShape::box(size), at(3.0, 2.0, 0.49), kGround, {});
  EXPECT_NEAR(lens.volume, 0.4 * 0.6 * 0.01, 1e-15);  // rounding
  EXPECT_NEAR(lens.area, 0.4 * 0.6, 1e-14);
  EXPECT_NEAR(lens.depth, 0.01, 1e-14);
  EXPECT_LT((lens.normal_W - Vec3::UnitZ()).norm(), 1e-14);
  EXPECT_LT((lens.center_W - Vec3(3.0, 2.0, -0.005)).norm(), 1e-14);
  const Vec3 variances(0.16 / 12, 0.36 / 12, 1e-4 / 12);
  EXPECT_LT((lens.covariance_W - Mat3(variances.asDiagonal())).norm(), 1e-15);
}

TEST(ConvexLens, OfABoxOnItsEdgeIsAWedge) {
  const double depth = 0.05, length = 0.7;
  const Mat3 R = looking_down(Vec3(-1.0, 0.0, -1.0));
  const double half_diagonal = 0.5 * std::sqrt(2.0);
  const ConvexLens lens = lens_of(ConvexShape::box({1.0, length, 1.0}),
                                  at(0.0, 0.0, half_diagonal - depth, R), kGround, {});
  EXPECT_NEAR(lens.volume, depth * depth * length, 1e-15);
  EXPECT_NEAR(lens.area, 2.0 * depth * length, 1e-14);
  EXPECT_NEAR(lens.depth, depth / 2.0, 1e-14);
  EXPECT_LT((lens.center_W - Vec3(0.0, 0.0, -depth / 3.0)).norm(), 1e-14);
}

TEST(ConvexLens, OfABoxOnItsCornerIsATetrahedron) {
  const double depth = 0.05;
  const Mat3 R = looking_down(Vec3(-1.0, -1.0, -1.0));
  const ConvexLens lens = lens_of(ConvexShape::box({1.0, 1.0, 1.0}),
                                  at(0.0, 0.0, 0.5 * std::sqrt(3.0) - depth, R), kGround, {});
  // Legs of sqrt(3) depth, at right angles to each other.
  EXPECT_NEAR(lens.volume, std::pow(std::sqrt(3.0) * depth, 3) / 6.0, 1e-15);
  EXPECT_NEAR(lens.depth, depth / 3.0, 1e-14);
  EXPECT_LT((lens.normal_W - Vec3::UnitZ()).norm(), 1e-14);
  EXPECT_LT((lens.center_W - Vec3(0.0, 0.0, -depth / 4.0)).norm(), 1e-14);
}

TEST(ConvexLens, OfTwoAlignedBoxesIsABox) {
  const ConvexShape box = ConvexShape::box({1.0, 1.0, 1.0});
  const ConvexLens lens = lens_of(box, at(0.3, -0.2, 0.98), box, {});
  EXPECT_NEAR(lens.volume, 0.7 * 0.8 * 0.02, 1e-14);
  EXPECT_LT((lens.center_W - Vec3(0.15, -0.1, 0.49)).norm(), 1e-14);
  // Two side faces belong to the lens, too: A's look back at -x and +y.
  const Vec3 area(0.8 * 0.02, -0.7 * 0.02, 0.7 * 0.8);
  EXPECT_NEAR(lens.area, area.norm(), 1e-14);
  EXPECT_LT((lens.normal_W - area.normalized()).norm(), 1e-13);
}

TEST(ConvexLens, OfAStackOfEqualBoxesLooksStraightUp) {
  const ConvexShape box = ConvexShape::box({1.0, 1.0, 1.0});
  const ConvexLens lens = lens_of(box, at(0.0, 0.0, 0.999), box, {});
  EXPECT_NEAR(lens.volume, 1e-3, 1e-15);
  EXPECT_NEAR(lens.depth, 1e-3, 1e-15);
  EXPECT_LT((lens.normal_W - Vec3::UnitZ()).norm(), 1e-14);
}

TEST(ConvexLens, OfABoxAndOfItsHullAreTheSame) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 half = Vec3::Constant(0.6) + 0.4 * random_vector(random, 1.0);
    const ConvexShape box = ConvexShape::box(2.0 * half);
    const ConvexShape hull = ConvexShape::from_hull(box_hull(half));
    const Pose X_WA{even_rotation(random), random_vector(random, 1.0)};
    const Pose X_WB = pose_at_depth(box, X_WA, box, random.uniform(0.001, 0.1), random);
    // Positions are rounded, which counts in a thin lens.
    EXPECT_LT(difference(lens_of(box, X_WA, hull, X_WB), lens_of(box, X_WA, box, X_WB)), 1e-9);
    EXPECT_LT(difference(lens_of(hull, X_WA, box, X_WB), lens_of(box, X_WA, box, X_WB)), 1e-9);
  }
}

TEST(ConvexLens, OfHullsIsWhatClippingAllFacesByAllPlanesGives) {
  Random random(5);
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const ConvexShape a = random_hull(random, 4 + i % 50), b = random_hull(random, 6 + i % 70);
    const Pose X_WA{even_rotation(random), random_vector(random, 1.0)};
    const double depth = std::pow(10.0, random.uniform(-4.0, -0.5));
    const Pose X_WB = pose_at_depth(a, X_WA, b, depth, random);
    const ConvexContact contact = find_convex_contact(a, X_WA, b, X_WB);
    if (!(contact.depth > 0.0)) continue;  // thin hulls of few points may miss each other
    ++touching;
    const OracleLens oracle = oracle_lens(*a.hull, X_WA, *b.hull, X_WB, contact);
    // The surface of the overlap is closed.
    EXPECT_LT((oracle.area_a + oracle.area_b).norm(), 1e-10 * oracle.lens.area);
    if (oracle.lens.depth > 2.0 * contact.depth) continue;  // the lens is kept thinner
    Scratch scratch;
    const ConvexLens lens = find_convex_lens(a, X_WA, b, X_WB, contact, scratch);
    EXPECT_LT(difference(lens, oracle.lens), 1e-9) << i << " depth " << contact.depth;
  }
  EXPECT_GT(touching, 290);
}

/// One of each kind that has a lens, about 1 m large.
std::vector<ConvexShape> all_kinds() {
  Random random(11);
  return {ConvexShape::box({1.0, 0.7, 0.4}), random_hull(random, 30),
          ConvexShape::cylinder(0.4, 0.9), ConvexShape::cone(0.5, 0.8), kGround};
}

template <class Visit>
void for_each_pair_in_contact(const Visit& visit) {
  Random random(17);
  const std::vector<ConvexShape> kinds = all_kinds();
  for (const ConvexShape& a : kinds)
    for (const ConvexShape& b : kinds) {
      if (a.kind == ConvexKind::half_space) continue;
      for (int i = 0; i < 30; ++i) {
        const Pose X_WA{even_rotation(random), random_vector(random, 1.0)};
        const double depth = std::pow(10.0, random.uniform(-3.0, -1.0));
        visit(a, X_WA, b, pose_at_depth(a, X_WA, b, depth, random), random);
      }
    }
}

TEST(ConvexLens, SwapsWithItsBodies) {
  for_each_pair_in_contact(
      [](const ConvexShape& a, const Pose& X_WA, const ConvexShape& b, const Pose& X_WB, Random&) {
        ConvexContact contact = find_convex_contact(a, X_WA, b, X_WB);
        Scratch scratch;
        const ConvexLens lens = find_convex_lens(a, X_WA, b, X_WB, contact, scratch);
        contact.normal_W = -contact.normal_W;
        std::swap(contact.p_WA, contact.p_WB);
        ConvexLens swapped = find_convex_lens(b, X_WB, a, X_WA, contact, scratch);
        swapped.normal_W = -swapped.normal_W;
        EXPECT_LT(difference(swapped, lens), 1e-9);  // rounding of positions over the depth
      });
}

TEST(ConvexLens, MovesWithItsBodies) {
  for_each_pair_in_contact([](const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                              const Pose& X_WB, Random& random) {
    ConvexContact contact = find_convex_contact(a, X_WA, b, X_WB);
    Scratch scratch;
    ConvexLens lens = find_convex_lens(a, X_WA, b, X_WB, contact, scratch);
    const Pose X_VW{even_rotation(random), 3.0 * random_vector(random, 1.0)};
    contact.normal_W = X_VW.R * contact.normal_W;
    contact.p_WA = X_VW * contact.p_WA;
    contact.p_WB = X_VW * contact.p_WB;
    const ConvexLens moved = find_convex_lens(a, X_VW * X_WA, b, X_VW * X_WB, contact, scratch);
    lens.normal_W = X_VW.R * lens.normal_W;
    lens.center_W = X_VW * lens.center_W;
    lens.covariance_W = X_VW.R * lens.covariance_W * X_VW.R.transpose();
    EXPECT_LT(difference(moved, lens), 1e-9);  // rounding of positions over the depth
  });
}

TEST(ConvexLens, HasTheMomentsOfPointsInBothBodies) {
  const ConvexShape a = ConvexShape::box({1.0, 0.7, 0.4}), b = ConvexShape::box({0.5, 0.8, 0.6});
  Random random(23);
  const Pose X_WA{even_rotation(random), Vec3::Zero()};
  const Pose X_WB = pose_at_depth(a, X_WA, b, 0.2, random);
  const ConvexLens lens = lens_of(a, X_WA, b, X_WB);
  double inside = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  constexpr int kSamples = 400000;
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 p_WP = X_WA * random_vector(random, 1.0).cwiseProduct(a.half_size);
    const Vec3 p_BP = X_WB.inverse() * p_WP;
    if ((p_BP.array().abs() > b.half_size.array()).any()) continue;
    ++inside;
    first += p_WP;
    second += p_WP * p_WP.transpose();
  }
  first /= inside;
  // About one over the root of the samples inside, 1e5.
  const double spread = std::sqrt(lens.covariance_W.trace());
  EXPECT_NEAR(inside / kSamples * 8.0 * a.half_size.prod(), lens.volume, 0.02 * lens.volume);
  EXPECT_LT((first - lens.center_W).norm(), 0.02 * spread);
  EXPECT_LT((second / inside - first * first.transpose() - lens.covariance_W).norm(),
            0.02 * spread * spread);
}

TEST(ConvexLens, IsAccurateWhenThinAsABillionthOfTheBodies) {
  const double depth = 1e-9;
  const ConvexShape box = ConvexShape::box({1.0, 1.0, 1.0});
  for (const double angle : {0.0, 1e-10, 1e-9, 0.3}) {
    const Mat3 R = rotation_from_vector({0.0, angle, 0.0});
    const double half_height = 0.5 * std::cos(angle) + 0.5 * std::sin(angle);
    const ConvexLens lens = lens_of(box, at(0.0, 0.0, half_height - depth, R), kGround, {});
    // A wedge, or a plate with one slanted side.
    const double fall = std::tan(angle);
    const double wedge = 0.5 * depth * depth * (fall + 1.0 / fall);
    const double volume = fall > depth ? wedge : depth - 0.5 * fall;
    EXPECT_NEAR(lens.volume, volume, 1e-4 * volume) << angle;  // rounding: 1e-16 / 1e-9, times ten
    EXPECT_LT((lens.normal_W - Vec3::UnitZ()).norm(), 1e-4);
  }
}

TEST(ConvexLens, IsNothingWhereBodiesJustTouch) {
  const ConvexShape box = ConvexShape::box({1.0, 1.0, 1.0});
  EXPECT_EQ(lens_of(box, at(0.0, 0.0, 0.5), kGround, {}).volume, 0.0);
  EXPECT_EQ(lens_of(box, at(0.2, 0.0, 1.0), box, {}).volume, 0.0);
  EXPECT_EQ(lens_of(box, at(1.0, 1.0, 1.0), box, {}).volume, 0.0);
  EXPECT_EQ(lens_of(box, at(0.0, 0.0, 5.0), box, {}).volume, 0.0);
  // A contact that says there is depth where rounding leaves none.
  ConvexContact contact = find_convex_contact(box, at(0.0, 0.0, 1.0), box, {});
  contact.depth = 1e-17;
  Scratch scratch;
  EXPECT_EQ(find_convex_lens(box, at(0.0, 0.0, 1.0), box, {}, contact, scratch).volume, 0.0);
}

TEST(ConvexLens, IsFiniteForEveryPairAtEveryDepth) {
  Random random(29);
  const std::vector<ConvexShape> kinds = all_kinds();
  for (const ConvexShape& a : kinds)
    for (const ConvexShape& b : kinds) {
      if (a.kind == ConvexKind::half_space) continue;
      for (int i = 0; i < 60; ++i) {
        const double size = std::pow(10.0, random.uniform(-10.0, 0.0));
        const Pose X_WA{i % 2 ? even_rotation(random) : Mat3::Identity(),
                        random_vector(random, 1.0)};
        Pose X_WB = pose_at_depth(a, X_WA, b, size, random);
        if (i % 4 == 0) X_WB = {X_WA.R, X_WA.p + size * random_vector(random, 1.0)};
        const ConvexLens lens = lens_of(a, X_WA, b, X_WB);
        EXPECT_TRUE(std::isfinite(lens.volume + lens.area + lens.depth + lens.center_W.sum() +
                                  lens.covariance_W.sum()));
        EXPECT_GE(lens.volume, 0.0);
        EXPECT_NEAR(lens.normal_W.norm(), 1.0, 1e-12);
      }
    }
}

TEST(ConvexLens, TakesNoMemoryOnceItIsWarm) {
  Scratch scratch;
  std::size_t capacity = 0;
  for (int round = 0; round < 3; ++round) {
    for_each_pair_in_contact([&](const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                 const Pose& X_WB, Random&) {
      find_convex_lens(a, X_WA, b, X_WB, find_convex_contact(a, X_WA, b, X_WB), scratch);
    });
    if (round > 0) {
      EXPECT_EQ(scratch.capacity(), capacity);
    }
    capacity = scratch.capacity();
  }
}

}  // namespace
}  // namespace grouser
