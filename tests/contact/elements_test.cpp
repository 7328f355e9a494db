// Contact elements: closed forms, invariants and what they remember.
#include "grouser/contact/elements.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/random.h"
#include "tests/contact/element_pairs.h"
#include "tests/support/random_vector.h"

namespace grouser {
namespace {

using test::random_vector;

Pose shifted(const Pose& X, const Vec3& by) {
  return {X.R, X.p + by};
}

class Elements : public testing::TestWithParam<ElementCase> {};

TEST_P(Elements, PressWithAPowerOfDepthAlongTheNormal) {
  for (const double n : {1.0, 1.5, 2.0, 2.2}) {
    ContactWorld world(world_of(GetParam(), {{"exponent", n}}));
    const double d = 1e-3;
    const Vec3 force = force_on_a(world, shifted(GetParam().X_WA, -d * GetParam().away));
    const double expected = 1e6 * std::pow(d, n);
    // Depths are differences of decimetres, 1e-16 m of 1e-3 m. The spline bends away from the foot
    // by nothing, since all cases approach along the normal.
    EXPECT_NEAR(force.norm(), expected, 1e-10 * expected);
    EXPECT_NEAR(force.dot(GetParam().away), expected, 1e-10 * expected);
  }
}

TEST_P(Elements, DoNothingWhenApart) {
  ContactWorld world(world_of(GetParam(), {{"damping", 1e3}}));
  const Pose apart = shifted(GetParam().X_WA, 1e-9 * GetParam().away);
  EXPECT_EQ(force_on_a(world, apart, {Vec3::Zero(), -GetParam().away}).norm(), 0.0);
}

TEST_P(Elements, DampTheRateOfDepth) {
  ContactWorld world(world_of(GetParam(), {{"damping", 100.0}, {"damping_depth", 1e-3}}));
  const Pose inside = shifted(GetParam().X_WA, -1e-3 * GetParam().away);
  const double spring = force_on_a(world, inside).norm();
  const Twist in{Vec3::Zero(), -0.1 * GetParam().away};
  EXPECT_NEAR(force_on_a(world, inside, in).norm(), spring + 10.0, 1e-8);  // 1e-10 of the spring
  const Twist out{Vec3::Zero(), 10.0 * GetParam().away};
  EXPECT_EQ(force_on_a(world, inside, out).norm(), 0.0);  // it does not pull
}

TEST_P(Elements, RubWithThePeakCoefficientAtTheStickSpeed) {
  ContactWorld world(world_of(
      GetParam(),
      {{"static_friction", 0.3}, {"friction", 0.2}, {"friction_speed", 0.1}, {"slip_speed", 1.0}}));
  const Pose inside = shifted(GetParam().X_WA, -1e-3 * GetParam().away);
  const Vec3 along = GetParam().away.cross(Vec3(0.3, 0.5, 0.1)).normalized();
  const double normal = force_on_a(world, inside).dot(GetParam().away);
  for (const auto& [speed, mu] : {std::pair(0.0, 0.0), std::pair(0.1, 0.3), std::pair(0.55, 0.25),
                                  std::pair(1.0, 0.2), std::pair(7.0, 0.2)}) {
    const Vec3 force = force_on_a(world, inside, {Vec3::Zero(), speed * along});
    EXPECT_NEAR(force.dot(along), -mu * normal, 1e-9 * normal) << speed;
    EXPECT_NEAR(force.dot(GetParam().away), normal, 1e-9 * normal) << speed;
  }
}

TEST_P(Elements, ActAndReactAlikeWhereverTheyAre) {
  ContactWorld world(world_of(GetParam(), {{"friction", 0.3}, {"damping", 10.0}}));
  const int a = world.body("a"), b = world.body("b");
  Random random(1);
  int touching = 0;
  for (int i = 0; i < 4000; ++i) {
    BodyKinematics on_a{GetParam().X_WA, {random_vector(random, 3), random_vector(random, 1)}};
    on_a.X_WB.p += random_vector(random, 0.03);
    on_a.X_WB.R = rotation_from_vector(random_vector(random, 0.5)) * on_a.X_WB.R;
    BodyKinematics on_b{{}, {random_vector(random, 3), random_vector(random, 1)}};
    on_b.X_WB = {rotation_from_vector(random_vector(random, 0.1)), random_vector(random, 0.01)};
    world.set_body(a, on_a);
    world.set_body(b, on_b);
    ASSERT_EQ(world.evaluate(0.0), Status::ok);
    const Wrench &wa = world.wrench(a), &wb = world.wrench(b);
    const double scale = wa.force.norm();
    touching += scale > 0.0;
    EXPECT_LE((wa.force + wb.force).norm(), 1e-15 * scale);
    const Vec3 torque = wa.moved_by(-on_a.X_WB.p).torque + wb.moved_by(-on_b.X_WB.p).torque;
    EXPECT_LE(torque.norm(), 1e-14 * scale) << i;  // rounding of levers below 1 m
  }
  EXPECT_GT(touching, 400);
}

/// Position, orientation, velocity and spin of a body with mass 1 kg and the inertia of a ball.
using Motion = Eigen::Matrix<double, 13, 1>;
constexpr double kInertia = 2e-3;  // [kg m^2]

BodyKinematics kinematics_of(const Motion& y) {
  return {make_pose(y.head<3>(), Quat(y[3], y[4], y[5], y[6])), {y.tail<3>(), y.segment<3>(7)}};
}

Motion rate_of(ContactWorld& world, const Motion& y) {
  world.set_body(world.body("a"), kinematics_of(y));
  world.evaluate(0.0);
  const Wrench& wrench = world.wrench(world.body("a"));
  const Vec3 w = y.tail<3>();
  const Quat q(y[3], y[4], y[5], y[6]), turn = Quat(0.0, w.x(), w.y(), w.z()) * q;
  Motion rate;
  rate << y.segment<3>(7), 0.5 * turn.w(), 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z(),
      wrench.force, wrench.torque / kInertia;
  return rate;
}

double energy_of(ContactWorld& world, const Motion& y, ContactReport& report) {
  world.set_body(world.body("a"), kinematics_of(y));
  world.report(0.0, 0, report);
  return 0.5 * y.segment<3>(7).squaredNorm() + 0.5 * kInertia * y.tail<3>().squaredNorm() +
         report.channels[4];
}

TEST_P(Elements, KeepTheEnergyOfAnUndampedBounce) {
  ContactWorld world(world_of(GetParam()));
  const Vec3& away = GetParam().away;
  const Vec3 along = away.cross(Vec3(0.3, 0.5, 0.1)).normalized();
  const Quat q(GetParam().X_WA.R);
  // Towards the other at 1 m/s, along it more slowly, and with a spin that does not matter to
  // balls. A rod on a drum stays across it: the force acts at the middle of the footprint, which is
  // the deepest point only if both ends stand up alike.
  const bool still = GetParam().pair == ElementPair::line_cone;
  Motion y;
  y << GetParam().X_WA.p + 1e-5 * away, q.w(), q.x(), q.y(), q.z(),
      -away + (still ? 0.0 : 0.2) * along, (still ? 0.0 : 1.0) * Vec3(0.3, -0.2, 0.4);
  ContactReport report;
  const double before = energy_of(world, y, report);
  const double h = 5e-6;
  double error = 0.0, deepest = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const Motion k1 = rate_of(world, y), k2 = rate_of(world, y + 0.5 * h * k1);
    const Motion k3 = rate_of(world, y + 0.5 * h * k2), k4 = rate_of(world, y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    error = std::max(error, std::abs(energy_of(world, y, report) / before - 1.0));
    deepest = std::max(deepest, report.channels[0]);
    if (i % 100 == 0) world.commit(0.0);
  }
  EXPECT_GT(deepest, 3e-3);            // sqrt and all: (2.5 * 0.5 / 1e6)^0.4 = 4.3 mm
  EXPECT_EQ(report.channels[4], 0.0);  // it has left
  EXPECT_LT(error, 1e-6);
  EXPECT_NEAR(energy_of(world, y, report) / before, 1.0, 1e-6);  // restitution is 1
}

TEST_P(Elements, CrossZeroOfTheirEventFunctionAtTheTouch) {
  ContactWorld world(world_of(GetParam()));
  ASSERT_EQ(world.event_count(), 1u);
  const auto event_at = [&](double distance) {
    world.set_body(world.body("a"), {shifted(GetParam().X_WA, distance * GetParam().away), {}});
    double out = 0.0;
    world.event_functions(0.0, {&out, 1});
    return out;
  };
  for (const double distance : {-2e-3, -1e-6, 1e-6, 2e-3})  // the spline bends away a little
    EXPECT_NEAR(event_at(distance), distance, 1e-3 * std::abs(distance));
  EXPECT_GT(event_at(0.5), 0.0);
}

TEST_P(Elements, ReportWhatActs) {
  ContactWorld world(world_of(GetParam(), {{"friction", 0.3}}));
  const Vec3 along = GetParam().away.cross(Vec3(0.3, 0.5, 0.1)).normalized();
  const Pose inside = shifted(GetParam().X_WA, -1e-3 * GetParam().away);
  const Vec3 force = force_on_a(world, inside, {Vec3::Zero(), 0.5 * along});
  ContactReport report;
  world.report(0.0, 0, report);
  ASSERT_EQ(report.channels.size(), 5u);
  EXPECT_NEAR(report.channels[0], 1e-3, 1e-12);  // rounding
  EXPECT_NEAR(report.channels[1], force.dot(GetParam().away), 1e-9);
  EXPECT_NEAR(report.channels[2], -force.dot(along), 1e-9);
  EXPECT_NEAR(report.channels[3], 0.5, 1e-12);
  EXPECT_NEAR(report.channels[4], 0.4 * 1e6 * std::pow(1e-3, 2.5), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Elements, testing::ValuesIn(element_cases()),
                         [](const auto& row) { return row.param.name; });

ElementCase case_of(const std::string& name) {
  for (const ElementCase& one : element_cases())
    if (one.name == name) return one;
  throw InputError("there is no case " + name);
}

TEST(ElementPairs, DoNotCareWhichIsFirst) {
  for (const char* name : {"sphere_sphere", "line_line"}) {
    const ElementCase one = case_of(name);
    ElementSettings settings = {{"friction", 0.3}, {"damping", 10.0}};
    ContactWorld world(world_of(one, settings));
    settings.insert(settings.end(), {{"first", Value("b")}, {"second", Value("a")}});
    ContactWorld other(world_of(one, settings));
    Random random(2);
    int touching = 0;
    for (int i = 0; i < 2000; ++i) {
      BodyKinematics on_a{one.X_WA, {random_vector(random, 3), random_vector(random, 1)}};
      on_a.X_WB.p += random_vector(random, 0.02);
      on_a.X_WB.R = rotation_from_vector(random_vector(random, 1.0)) * on_a.X_WB.R;
      for (ContactWorld* w : {&world, &other}) {
        w->set_body(w->body("a"), on_a);
        w->evaluate(0.0);
      }
      for (const char* body : {"a", "b"}) {
        const Wrench &x = world.wrench(world.body(body)), &y = other.wrench(other.body(body));
        touching += x.force.norm() > 0.0;
        // Depths from different frames: 1e-16 m at 5e4 N/m and more.
        EXPECT_LE((x.force - y.force).norm(), 1e-10 * (1.0 + x.force.norm())) << name << i;
        EXPECT_LE((x.torque - y.torque).norm(), 1e-10 * (1.0 + x.force.norm())) << name << i;
      }
    }
    EXPECT_GT(touching, 400) << name;
  }
}

TEST(ElementPlates, PushBackToTheSideTheyWereTouchedFrom) {
  for (const char* name : {"sphere_disc", "sphere_polygon", "sphere_cone", "line_cone"}) {
    const ElementCase one = case_of(name);
    ContactWorld world(world_of(one));
    force_on_a(world, one.X_WA);
    world.commit(0.0);
    // The centre is through the plate by 10 mm.
    const double reach = name == std::string("line_cone")     ? 0.01
                         : name == std::string("sphere_disc") ? 0.035
                                                              : 0.03;
    const Pose through = shifted(one.X_WA, -(reach + 0.01) * one.away);
    EXPECT_NEAR(force_on_a(world, through).dot(one.away), 1e6 * std::pow(reach + 0.01, 1.5), 1e-6)
        << name;
    world.commit(0.0);  // still on that side
    EXPECT_GT(force_on_a(world, through).dot(one.away), 0.0) << name;
    // Somebody who has never seen it in front takes it for one from behind. (The rod is longer than
    // the drum is wide, and its ends say that it came from outside.)
    if (one.pair == ElementPair::line_cone) continue;
    ContactWorld fresh(world_of(one));
    EXPECT_LT(force_on_a(fresh, through).dot(one.away), 0.0) << name;
  }
}

TEST(ElementPlates, ChangeSidesAroundTheRim) {
  const ElementCase one = case_of("sphere_disc");
  ContactWorld world(world_of(one));
  const Pose behind = at({0.1, 0.0, -0.034});
  // Around the rim at a distance, from front to back.
  for (double angle = 0.5; angle >= -0.5; angle -= 0.01) {
    const double x = 0.1 + 0.3 * std::cos(kPi * angle), z = 0.2 * std::sin(kPi * angle);
    EXPECT_EQ(force_on_a(world, at({x, 0.0, z})).norm(), 0.0);
    world.commit(0.0);
  }
  EXPECT_NEAR(force_on_a(world, behind).z(), -1e6 * std::pow(1e-3, 1.5), 1e-8);
}

TEST(ElementPlates, WithOneSideLetPassWhatComesFromTheOther) {
  ElementCase one = case_of("sphere_disc");
  std::get<DiscShape>(std::get<ElementShape>(one.b)).side = PlateSide::front;
  ContactWorld world(world_of(one));
  double event = 0.0;
  for (double z = -0.1; z <= 0.1; z += 1e-3) {
    EXPECT_EQ(force_on_a(world, at({0.05, 0.0, z})).norm(), 0.0) << z;
    world.event_functions(0.0, {&event, 1});
    EXPECT_GT(event, 0.0) << z;
    world.commit(0.0);
  }
  // Once it is out in front it may touch.
  EXPECT_GT(force_on_a(world, at({0.05, 0.0, 0.034})).z(), 0.0);
}

TEST(ElementPlates, WithOneSideAreSilentAtTheirRim) {
  // A ball that touches the rim from the front and goes round it stays one from the front.
  ElementCase one = case_of("sphere_disc");
  std::get<DiscShape>(std::get<ElementShape>(one.b)).side = PlateSide::front;
  ContactWorld world(world_of(one));
  for (double angle = 0.5 * kPi; angle > -0.4 * kPi; angle -= 0.01) {
    const Pose X = at({0.25 + 0.034 * std::cos(angle), 0.0, 0.034 * std::sin(angle)});
    const Vec3 before = force_on_a(world, X);
    EXPECT_GT(before.norm(), 0.0) << angle;
    world.commit(0.0);
    EXPECT_EQ((force_on_a(world, X) - before).norm(), 0.0) << angle;
  }
}

TEST(ElementPlates, StopAPoint) {
  ElementCase one = case_of("sphere_polygon");
  one.a = SphereShape{0.0};
  one.X_WA = at({0.05, 0.05, 1e-6});
  for (const double side : {1.0, -1.0}) {
    ContactWorld world(world_of(one));
    EXPECT_EQ(force_on_a(world, at({0.05, 0.05, side * 1e-6})).norm(), 0.0);
    world.commit(0.0);
    const Vec3 force = force_on_a(world, at({0.05, 0.05, -side * 1e-3}));
    EXPECT_NEAR(force.z(), side * 1e6 * std::pow(1e-3, 1.5), 1e-10);
  }
}

TEST(ElementPlates, PushAPointBackAcrossTheRimWithoutAJump) {
  // A point that went through slides out over the rim: the force fades around it.
  ElementCase one = case_of("sphere_disc");
  one.a = SphereShape{0.0};
  ContactWorld world(world_of(one));
  force_on_a(world, at({0.2, 0.0, 0.01}));
  world.commit(0.0);
  const auto largest_jump = [&](double h) {
    Vec3 before = force_on_a(world, at({0.24, 0.0, -0.002}));
    EXPECT_GT(before.z(), 500.0);  // 1e6 * 0.007^1.5 = 586 N
    double largest = 0.0;
    for (double x = 0.24; x < 0.26; x += h) {
      const Vec3 now = force_on_a(world, at({x, 0.0, -0.002}));
      largest = std::max(largest, (now - before).norm());
      before = now;
    }
    EXPECT_EQ(before.norm(), 0.0);
    return largest;
  };
  // What is continuous changes half as much over half the step; a jump would stay.
  EXPECT_LT(largest_jump(5e-6), 0.55 * largest_jump(1e-5));
}

TEST(ElementLines, RememberOnWhichSideTheyCross) {
  const ElementCase one = case_of("line_line");
  ContactWorld world(world_of(one));
  force_on_a(world, one.X_WA);
  world.commit(0.0);
  for (double depth = 0.0; depth <= 0.035; depth += 1e-3) {  // through each other at 0.02
    const Vec3 force = force_on_a(world, shifted(one.X_WA, -depth * one.away));
    EXPECT_NEAR(force.dot(one.away), 1e6 * std::pow(depth, 1.5), 1e-7) << depth;
    world.commit(0.0);
  }
  ContactWorld fresh(world_of(one));
  EXPECT_LT(force_on_a(fresh, shifted(one.X_WA, -0.03 * one.away)).dot(one.away), 0.0);
}

TEST(ElementLines, MayBeParallelAndEndToEnd) {
  const ElementCase one = case_of("line_line");
  ContactWorld world(world_of(one));
  for (const double shift : {0.0, 0.1, 0.3}) {  // the lines are 0.4 m long
    const Vec3 force = force_on_a(world, at({shift, 0.0, 0.019}));
    EXPECT_NEAR(force.z(), 1e6 * std::pow(1e-3, 1.5), 1e-8) << shift;
    // In the middle of what they have in common.
    const Wrench& wrench = world.wrench(world.body("a"));
    EXPECT_NEAR(wrench.torque.y(), 0.5 * shift * force.z(), 1e-6) << shift;
  }
  const Vec3 pushed = force_on_a(world, at({0.419, 0.0, 0.0}));
  EXPECT_NEAR(pushed.x(), 1e6 * std::pow(1e-3, 1.5), 1e-8);
  EXPECT_NEAR(pushed.z(), 0.0, 1e-12);
}

}  // namespace
}  // namespace grouser
