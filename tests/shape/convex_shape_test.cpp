#include "grouser/shape/convex_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/random.h"

namespace grouser {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

double uniform(Random& random) {
  return random.uniform(-1.0, 1.0);
}

Vec3 any_direction(Random& random) {
  Vec3 d;
  do {
    for (double& x : d) x = uniform(random);
  } while (d.norm() > 1.0 || d.norm() < 1e-3);
  return d.normalized();
}

Pose random_pose(Random& random) {
  const Vec3 axis = any_direction(random);
  return {rotation_from_vector(random.uniform(0.0, kPi) * axis), 3.0 * any_direction(random)};
}

/// Directions at random, along axes, in coordinate planes, and nearly so.
std::vector<Vec3> directions(int count, Random& random) {
  std::vector<Vec3> out;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        out.push_back(Vec3(i, j, k));
        out.push_back(Vec3(i, j, k) + 1e-9 * any_direction(random));
      }
  for (int i = 0; i < count; ++i) out.push_back(any_direction(random));
  return out;
}

ConvexHull random_hull(int count, Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(any_direction(random).cwiseProduct(Vec3(0.5, 0.8, 1.1)));
  return make_convex_hull(points);
}

/// One of each kind that has an end, of unequal sizes.
std::vector<ConvexShape> bounded_shapes() {
  Random random(1);
  return {ConvexShape::sphere(0.7),
          ConvexShape::capsule(0.3, 1.2),
          ConvexShape::ellipsoid({0.2, 0.5, 1.1}),
          ConvexShape::box({0.4, 1.0, 1.6}),
          ConvexShape::cylinder(0.6, 0.9),
          ConvexShape::cone(0.5, 1.4),
          ConvexShape::from_hull(random_hull(10, random)),
          ConvexShape::from_hull(random_hull(300, random))};
}

const char* name_of(const ConvexShape& shape) {
  return kConvexKindNames[static_cast<std::size_t>(shape.kind)].data();
}

bool hull_contains(const ConvexHull& hull, const Vec3& p, double slack) {
  for (std::size_t f = 0; f < hull.face_count(); ++f)
    if (hull.normals[f].dot(p) > hull.offsets[f] + slack) return false;
  return true;
}

/// By definition of the shape; `slack` is a length.
bool contains_point(const ConvexShape& shape, const Vec3& p, double slack) {
  const double h = shape.half_size.z(), across = std::hypot(p.x(), p.y());
  switch (shape.kind) {
    case ConvexKind::sphere:
      return p.norm() <= shape.radius + slack;
    case ConvexKind::capsule:
      return (p - Vec3(0, 0, std::clamp(p.z(), -h, h))).norm() <= shape.radius + slack;
    case ConvexKind::ellipsoid:
      return p.cwiseQuotient(shape.half_size).norm() <= 1.0 + slack / shape.half_size.minCoeff();
    case ConvexKind::box:
      return ((p.cwiseAbs() - shape.half_size).array() <= slack).all();
    case ConvexKind::cylinder:
      return std::abs(p.z()) <= h + slack && across <= shape.radius + slack;
    case ConvexKind::cone:
      return p.z() >= -h - slack && across <= shape.radius * (h - p.z()) / (2.0 * h) + slack;
    case ConvexKind::hull:
      return hull_contains(*shape.hull, p, slack);
    case ConvexKind::half_space:
      return p.z() <= slack;
  }
  return false;
}

/// Points of the shape, inside and near its surface: where rays from the centre leave it.
std::vector<Vec3> surface_points(const ConvexShape& shape, int count, Random& random) {
  std::vector<Vec3> out;
  for (int i = 0; i < count; ++i) {
    const Vec3 d = any_direction(random);
    double inside = 0.0, outside = 10.0;
    while (outside - inside > 1e-9) {
      const double middle = 0.5 * (inside + outside);
      (contains_point(shape, middle * d, 0.0) ? inside : outside) = middle;
    }
    out.push_back(inside * d);
  }
  return out;
}

TEST(ConvexShape, SaysItsSizes) {
  EXPECT_EQ(ConvexShape::sphere(0.7).radius, 0.7);
  EXPECT_EQ(ConvexShape::capsule(0.3, 1.2).half_size, Vec3(0, 0, 0.6));
  EXPECT_EQ(ConvexShape::ellipsoid({0.2, 0.5, 1.1}).half_size, Vec3(0.2, 0.5, 1.1));
  EXPECT_EQ(ConvexShape::box({0.4, 1.0, 1.6}).half_size, Vec3(0.2, 0.5, 0.8));
  EXPECT_EQ(ConvexShape::cylinder(0.6, 0.9).half_size, Vec3(0.6, 0.6, 0.45));
  EXPECT_EQ(ConvexShape::cone(0.5, 1.4).half_size, Vec3(0.5, 0.5, 0.7));
  EXPECT_EQ(ConvexShape::half_space().kind, ConvexKind::half_space);
  for (const ConvexShape& shape : bounded_shapes()) {
    const bool has_faces = shape.kind == ConvexKind::box || shape.kind == ConvexKind::hull;
    EXPECT_EQ(shape.hull != nullptr, has_faces) << name_of(shape);
  }
}

TEST(SupportPoint, BelongsToTheBodyAndNoPointIsFarther) {
  Random random(2);
  for (const ConvexShape& shape : bounded_shapes()) {
    SCOPED_TRACE(name_of(shape));
    const std::vector<Vec3> samples = surface_points(shape, 2000, random);
    for (const Vec3& d : directions(200, random)) {
      const Vec3 p = support_point(shape, d);
      // The surface of a hull is only as flat as its tolerance, 1e-9 of the extent.
      const double slack = shape.kind == ConvexKind::hull ? 4e-9 : 1e-15;
      EXPECT_TRUE(contains_point(shape, p, slack)) << d.transpose();
      for (const Vec3& sample : samples)
        ASSERT_LE(d.dot(sample), d.dot(p) + slack) << d.transpose();  // samples are inside
    }
  }
}

TEST(SupportPoint, OfAHullIsItsFarthestVertex) {
  Random random(3);
  for (const int count : {6, 40, 1000}) {
    const ConvexShape shape = ConvexShape::from_hull(random_hull(count, random));
    for (const Vec3& d : directions(300, random)) {
      double farthest = -kEndless;
      for (const Vec3& v : shape.hull->vertices) farthest = std::max(farthest, d.dot(v));
      EXPECT_EQ(d.dot(support_point(shape, d)), farthest);
    }
  }
}

TEST(SupportPoint, OfABoxIsThatOfItsHull) {
  Random random(4);
  const ConvexShape box = ConvexShape::box({0.4, 1.0, 1.6});
  const ConvexShape hull = ConvexShape::from_hull(*box.hull);
  for (const Vec3& d : directions(300, random))
    EXPECT_EQ(d.dot(support_point(box, d)), d.dot(support_point(hull, d)));
}

TEST(SupportPoint, HasTheReachOfClosedForms) {
  Random random(5);
  for (const Vec3& d : directions(300, random)) {
    const auto reach = [&](const ConvexShape& shape) { return d.dot(support_point(shape, d)); };
    const double across = std::hypot(d.x(), d.y());
    const double kRounding = 4e-15;
    EXPECT_NEAR(reach(ConvexShape::sphere(0.7)), 0.7 * d.norm(), kRounding);
    EXPECT_NEAR(reach(ConvexShape::capsule(0.3, 1.2)), 0.3 * d.norm() + 0.6 * std::abs(d.z()),
                kRounding);
    EXPECT_NEAR(reach(ConvexShape::ellipsoid({0.2, 0.5, 1.1})),
                d.cwiseProduct(Vec3(0.2, 0.5, 1.1)).norm(), kRounding);
    EXPECT_NEAR(reach(ConvexShape::box({0.4, 1.0, 1.6})), d.cwiseAbs().dot(Vec3(0.2, 0.5, 0.8)),
                kRounding);
    EXPECT_NEAR(reach(ConvexShape::cylinder(0.6, 0.9)), 0.6 * across + 0.45 * std::abs(d.z()),
                kRounding);
    EXPECT_NEAR(reach(ConvexShape::cone(0.5, 1.4)),
                std::max(0.7 * d.z(), 0.5 * across - 0.7 * d.z()), kRounding);
  }
}

TEST(SupportPoint, DoesNotDependOnTheLengthOfTheDirection) {
  Random random(6);
  for (const ConvexShape& shape : bounded_shapes())
    for (const Vec3& d : directions(50, random)) {
      const double reach = d.dot(support_point(shape, d));
      for (const double length : {1e-300, 1e-20, 1e20, 1e300})
        EXPECT_NEAR(d.dot(support_point(shape, length * d)), reach, 4e-15) << name_of(shape);
    }
}

TEST(ConvexBounds, TouchTheBodyOnAllSides) {
  Random random(7);
  for (const ConvexShape& shape : bounded_shapes()) {
    SCOPED_TRACE(name_of(shape));
    for (int round = 0; round < 100; ++round) {
      const Pose X_WS = round == 0 ? Pose{} : random_pose(random);
      const ConvexBounds bounds = bounds_of(shape, X_WS);
      for (int k = 0; k < 3; ++k) {
        const Vec3 axis_S = X_WS.R.row(k).transpose();
        const double upper = (X_WS * support_point(shape, axis_S))[k];
        const double lower = (X_WS * support_point(shape, -axis_S))[k];
        EXPECT_NEAR(bounds.upper[k], upper, 4e-15);  // rounding of lengths of 5
        EXPECT_NEAR(bounds.lower[k], lower, 4e-15);
      }
    }
  }
}

TEST(ConvexBounds, ContainTheBody) {
  Random random(8);
  for (const ConvexShape& shape : bounded_shapes()) {
    SCOPED_TRACE(name_of(shape));
    const std::vector<Vec3> samples = surface_points(shape, 500, random);
    for (int round = 0; round < 20; ++round) {
      const Pose X_WS = random_pose(random);
      const ConvexBounds bounds = bounds_of(shape, X_WS);
      for (const Vec3& sample : samples) {
        const Vec3 p = X_WS * sample;
        // Corners of hulls are cut off by as much as their tolerance.
        ASSERT_TRUE(((p - bounds.upper).array() <= 4e-9).all());
        ASSERT_TRUE(((bounds.lower - p).array() <= 4e-9).all());
      }
    }
  }
}

TEST(ConvexBounds, OfAHalfSpaceEndAtALevelPlane) {
  const ConvexShape ground = ConvexShape::half_space();
  const ConvexBounds below = bounds_of(ground, {Mat3::Identity(), {1, 2, 3}});
  EXPECT_EQ(below.upper, Vec3(kEndless, kEndless, 3.0));
  EXPECT_EQ(below.lower, Vec3::Constant(-kEndless));

  // Turned so that it looks along each axis, either way.
  for (int k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      Mat3 R = Mat3::Zero();
      R.col(2) = sign * Vec3::Unit(k);
      R.col(0) = Vec3::Unit((k + 1) % 3);
      R.col(1) = R.col(2).cross(R.col(0));
      const ConvexBounds bounds = bounds_of(ground, {R, {1, 2, 3}});
      Vec3 lower = Vec3::Constant(-kEndless), upper = Vec3::Constant(kEndless);
      (sign > 0.0 ? upper : lower)[k] = k + 1.0;
      EXPECT_EQ(bounds.lower, lower);
      EXPECT_EQ(bounds.upper, upper);
    }
}

TEST(ConvexBounds, OfAnInclinedHalfSpaceAreEndless) {
  const Pose inclined = {rotation_from_vector({0.0, 1e-3, 0.0}), Vec3::Zero()};
  const ConvexBounds bounds = bounds_of(ConvexShape::half_space(), inclined);
  EXPECT_EQ(bounds.lower, Vec3::Constant(-kEndless));
  EXPECT_EQ(bounds.upper, Vec3::Constant(kEndless));
}

TEST(ConvexBounds, OverlapWhereTheyTouch) {
  const auto box_at = [](double x) {
    return bounds_of(ConvexShape::box({1.0, 1.0, 1.0}), {Mat3::Identity(), {x, 0.0, 0.0}});
  };
  EXPECT_TRUE(box_at(0.0).overlaps(box_at(1.0)));
  EXPECT_FALSE(box_at(0.0).overlaps(box_at(1.0 + 1e-15)));
  const ConvexBounds ground = bounds_of(ConvexShape::half_space(), Pose{});
  EXPECT_TRUE(ground.overlaps(box_at(5.0)));
  EXPECT_FALSE(
      ground.overlaps(bounds_of(ConvexShape::sphere(1.0), {Mat3::Identity(), {0.0, 0.0, 1.1}})));
}

}  // namespace
}  // namespace grouser
