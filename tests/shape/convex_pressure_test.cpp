// The pressure between convex bodies: closed forms, and that its force is the slope of an energy.
#include "grouser/shape/convex_pressure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/random.h"

namespace grouser {
namespace {

Vec3 any_vector(Random& random, double size) {
  Vec3 out;  // one after the other: compilers evaluate arguments in orders of their own
  for (double& x : out) x = random.uniform(-size, size);
  return out;
}

ConvexShape any_hull(std::uint64_t seed, int points) {
  Random random(seed);
  std::vector<Vec3> all;
  for (int i = 0; i < points; ++i) all.push_back(0.15 * any_vector(random, 1.0).normalized());
  return ConvexShape::from_hull(make_convex_hull(all));
}

struct BodyKind {
  const char* name;
  ConvexShape shape;
};
std::vector<BodyKind> bodies_with_faces() {
  return {{"box", ConvexShape::box({0.3, 0.2, 0.25})},
          {"hull", any_hull(3, 30)},
          {"cylinder", ConvexShape::cylinder(0.12, 0.25)},
          {"cone", ConvexShape::cone(0.15, 0.3)}};
}

/// On A, about its origin.
struct BodyLoad {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
BodyLoad load_of(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b, const Pose& X_WB) {
  static Scratch scratch;
  const ConvexContact contact = find_convex_contact(a, X_WA, b, X_WB);
  const ConvexPressure pressure = find_convex_pressure(a, X_WA, b, X_WB, contact, scratch);
  return {pressure.force_W, pressure.moment_W + (pressure.p_WO - X_WA.p).cross(pressure.force_W)};
}

BodyLoad on_ground(const ConvexShape& shape, const Pose& X) {
  return load_of(shape, X, ConvexShape::half_space(), {});
}

// A half-space that gives way is a liquid: the force is the volume that it loses.

TEST(ConvexPressure, OfAGroundIsTheVolumeInIt) {
  const double d = 1e-3, tilt = 0.4;
  const ConvexShape box = ConvexShape::box({0.3, 0.2, 0.1});
  const BodyLoad face = on_ground(box, {Mat3::Identity(), Vec3(0.0, 0.0, 0.05 - d)});
  EXPECT_NEAR(face.force.z(), 0.06 * d, 1e-12 * d);
  EXPECT_LE(face.force.head<2>().norm(), 1e-15);
  EXPECT_LE(face.torque.norm(), 1e-15);

  const Mat3 R = rotation_from_vector(Vec3(0.0, tilt, 0.0));
  const double reach = 0.15 * std::sin(tilt) + 0.05 * std::cos(tilt);
  const BodyLoad edge = on_ground(box, {R, Vec3(0.0, 0.0, reach - d)});
  EXPECT_NEAR(edge.force.z(), 0.2 * 0.5 * d * d * (std::tan(tilt) + 1.0 / std::tan(tilt)),
              1e-9 * d * d);

  const ConvexShape cylinder = ConvexShape::cylinder(0.1, 0.3);
  EXPECT_NEAR(on_ground(cylinder, {Mat3::Identity(), Vec3(0.0, 0.0, 0.15 - d)}).force.z(),
              kPi * 0.01 * d, 1e-12 * d);
  const double half = std::acos(1.0 - d / 0.1);
  EXPECT_NEAR(
      on_ground(cylinder, {rotation_from_vector(Vec3(kPi / 2.0, 0.0, 0.0)), Vec3(0, 0, 0.1 - d)})
          .force.z(),
      0.3 * 0.01 * (half - std::sin(half) * std::cos(half)), 1e-10 * d);

  const ConvexShape cone = ConvexShape::cone(0.1, 0.3);  // on its tip
  const double radius = 0.1 * d / 0.3;
  EXPECT_NEAR(
      on_ground(cone, {rotation_from_vector(Vec3(kPi, 0.0, 0.0)), Vec3(0, 0, 0.15 - d)}).force.z(),
      kPi / 3.0 * radius * radius * d, 1e-9 * radius * radius * d);
}

TEST(ConvexPressure, OfATiltedFaceActsWhereItIsDeepest) {
  // Moment about the middle of the face: slope times the second moment of its area.
  const double d = 1e-3, tilt = 1e-4;
  const Mat3 R = rotation_from_vector(Vec3(0.0, tilt, 0.0));
  const BodyLoad load = on_ground(ConvexShape::box({0.3, 0.2, 0.1}), {R, Vec3(0.0, 0.0, 0.05 - d)});
  const Vec3 foot = R * Vec3(0.0, 0.0, -0.05);
  EXPECT_NEAR((load.torque - foot.cross(load.force)).y(), -tilt * 0.2 * std::pow(0.3, 3) / 12.0,
              1e-3 * tilt * 4.5e-4);  // the sides add the third order in depth
}

TEST(ConvexPressure, OfEqualBoxesOnTopOfEachOtherHasNoJump) {
  // The sides of one come into the plane of those of the other.
  const ConvexShape box = ConvexShape::box({0.2, 0.2, 0.2});
  const double d = 1e-3;
  const auto side_force = [&](double x) {
    return load_of(box, {Mat3::Identity(), Vec3(x, 0.0, 0.2 - d)}, box, {}).force.x();
  };
  EXPECT_LE(std::abs(side_force(0.0)), 1e-18);
  double before = side_force(-2e-3);
  for (int i = -199; i <= 200; ++i) {
    const double now = side_force(1e-5 * i);
    EXPECT_LE(std::abs(now - before), 2e-2 * 0.2 * d * d) << i;  // of what one side may bear
    before = now;
  }
  EXPECT_GT(side_force(2e-3), 0.0);  // what hangs over is pushed off
}

/// Work on A around a small closed loop of positions and turns, by the range of the work on the
/// way.
double net_work(const ConvexShape& a, const Pose& start, const ConvexShape& b, const Pose& X_WB,
                double size, Random& random) {
  const auto direction = [&](double length) -> Vec3 {
    return length * any_vector(random, 1.0).normalized();
  };
  const Vec3 p1 = direction(size), p2 = direction(size);
  const Vec3 turn1 = direction(6.0 * size), turn2 = direction(6.0 * size);
  const auto pose = [&](double t) -> Pose {
    return {rotation_from_vector(std::cos(t) * turn1 + std::sin(t) * turn2) * start.R,
            start.p + std::cos(t) * p1 + std::sin(t) * p2};
  };
  constexpr int kSteps = 100;
  double work = 0.0, least = 0.0, most = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const Pose from = pose(2.0 * kPi * i / kSteps), to = pose(2.0 * kPi * (i + 1) / kSteps);
    const Eigen::AngleAxisd turn(Mat3(to.R * from.R.transpose()));
    const Vec3 w = turn.angle() * turn.axis(), v = to.p - from.p;
    for (const double share : {0.5 - std::sqrt(3.0) / 6.0, 0.5 + std::sqrt(3.0) / 6.0}) {
      const Pose X{rotation_from_vector(share * w) * from.R, from.p + share * v};
      const BodyLoad load = load_of(a, X, b, X_WB);
      work += 0.5 * (load.force.dot(v) + load.torque.dot(w));
    }
    least = std::min(least, work);
    most = std::max(most, work);
  }
  return most > least ? std::abs(work) / (most - least) : 0.0;
}

TEST(ConvexPressure, DoesNoWorkAroundAClosedLoop) {
  std::vector<BodyKind> grounds = bodies_with_faces();
  grounds.push_back({"half-space", ConvexShape::half_space()});
  for (const BodyKind& a : bodies_with_faces())
    for (const BodyKind& b : grounds) {
      Random random(7);
      double squares = 0.0, worst = 0.0;
      int count = 0;
      while (count < 15) {
        Pose X_WB, X_WA{rotation_from_vector(any_vector(random, 3.0)),
                        any_vector(random, 1.0).normalized()};
        if (b.shape.kind == ConvexKind::half_space)
          X_WA.p.z() = 1.0;
        else
          X_WB.R = rotation_from_vector(any_vector(random, 3.0));
        const double depth = std::pow(10.0, random.uniform(-5.0, -2.0));
        for (int i = 0; i < 40; ++i) {
          const ConvexContact contact = find_convex_contact(a.shape, X_WA, b.shape, X_WB);
          X_WA.p += (contact.depth - depth) * contact.normal_W;
        }
        const double found = find_convex_contact(a.shape, X_WA, b.shape, X_WB).depth;
        if (!(std::abs(found - depth) < 1e-3 * depth)) continue;
        const double net = net_work(a.shape, X_WA, b.shape, X_WB, 0.3 * depth, random);
        squares += net * net;
        worst = std::max(worst, net);
        ++count;
      }
      // Flat ones are exact; what is left is the integral along the loop. Between two round ones
      // the lines of quadrature may miss a kink.
      const auto round = [](const BodyKind& body) { return is_round(body.shape); };
      const double bound = round(a) && round(b) ? 2e-2 : round(a) || round(b) ? 1e-3 : 1e-5;
      EXPECT_LT(worst, bound) << a.name << " on " << b.name;
      EXPECT_LT(std::sqrt(squares / count), 0.2 * bound) << a.name << " on " << b.name;
    }
}

}  // namespace
}  // namespace grouser
