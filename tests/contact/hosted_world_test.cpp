// Hosts that call as Modelica tools do: bodies in any order, forces, rejected steps, no commit.
#include "grouser/contact/hosted_world.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "grouser/base/random.h"
#include "grouser/contact/convex.h"
#include "grouser/contact/sphere_half_space.h"

namespace grouser {
namespace {

constexpr double kGravity = 9.81;

ContactWorldDef ball_on_floor(double restitution) {
  ContactWorldDef def;
  ShapeDef ball, floor;
  ball.name = ball.body = "ball";
  ball.geometry = SphereShape{0.1};
  floor.name = floor.body = "floor";
  floor.geometry = HalfSpaceShape{};
  def.shapes = {ball, floor};
  SphereHalfSpaceDef contact;
  contact.sphere = "ball";
  contact.half_space = "floor";
  contact.stiffness = 1e6;
  contact.restitution = restitution;
  def.add(contact);
  return def;
}

ContactWorldDef box_on_floor(double friction) {
  ContactWorldDef def;
  MaterialDef wood;
  wood.name = "wood";
  wood.young_modulus = 1e7;
  wood.friction = friction;
  wood.restitution = 0.2;
  def.materials = {wood};
  ShapeDef box, floor;
  box.name = box.body = "ball";
  box.material = "wood";
  box.geometry = ConvexBody{"box", {{ConvexShape::box({0.2, 0.2, 0.2}), {}}}};
  floor.name = floor.body = "floor";
  floor.geometry = ConvexBody{"half_space", {{ConvexShape::half_space(), {}}}};
  def.shapes = {box, floor};
  def.add(ConvexDef{});
  return def;
}

/// A body of 1 kg that does not turn, integrated as tools do: third order with error control, that
/// is with steps that are thrown away (Bogacki and Shampine 1989).
class Host {
 public:
  Host(const ContactWorldDef& def, const Vec3& p, const Vec3& v, const Vec3& push, double tolerance)
      : world(ContactWorld(def)), push_(push), tolerance_(tolerance) {
    y.head<3>() = p;
    y.tail<3>() = v;
  }

  using State = Eigen::Matrix<double, 6, 1>;

  State rates(double time, const State& at) {
    // In any order, and again.
    const int ball = world.body("ball"), floor = world.body("floor");
    const BodyKinematics body{{Mat3::Identity(), at.head<3>()}, {Vec3::Zero(), at.tail<3>()}};
    if (random_.below(2) == 0) {
      world.set_body(floor, {}, time);
      world.set_body(ball, body, time);
    } else {
      world.set_body(ball, body, time);
      world.set_body(floor, {}, time);
    }
    if (random_.below(3) == 0) world.wrench(floor, time);
    const Vec3 force = world.wrench(ball, time).force;
    if (random_.below(3) == 0) {
      world.set_body(ball, body, time);
      EXPECT_EQ(world.wrench(ball, time).force, force);
    }
    State out;
    out << at.tail<3>(), force + push_;
    return out;
  }

  void advance(double end) {
    while (t < end) {
      const double step = std::min(h_, end - t);
      const State k1 = rates(t, y), k2 = rates(t + 0.5 * step, y + 0.5 * step * k1);
      const State k3 = rates(t + 0.75 * step, y + 0.75 * step * k2);
      const State next = y + step * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3);
      const State k4 = rates(t + step, next);
      const State error = step * (-5.0 / 72.0 * k1 + 1.0 / 12.0 * k2 + 1.0 / 9.0 * k3 - 0.125 * k4);
      const double size = error.norm() / tolerance_;
      if (size <= 1.0) {
        t += step;
        y = next;
        ++accepted;
      } else {
        ++rejected;
      }
      h_ = std::min(0.02, step * std::clamp(0.9 * std::cbrt(1.0 / std::max(size, 1e-9)), 0.2, 3.0));
    }
  }

  HostedWorld world;
  State y;
  double t = 0.0;
  int accepted = 0, rejected = 0;

 private:
  Vec3 push_;
  double tolerance_;
  double h_ = 1e-3;
  Random random_{5};
};

TEST(HostedWorld, HasTheRestitutionThatWasAskedFor) {
  for (const double restitution : {0.2, 0.6, 0.9}) {
    for (const double tolerance : {1e-5, 1e-7}) {
      Host host(ball_on_floor(restitution), Vec3(0.0, 0.0, 0.15), Vec3(0.0, 0.0, -2.0),
                Vec3::Zero(), tolerance);
      host.advance(0.1);
      EXPECT_GT(host.y[2], 0.1);
      EXPECT_NEAR(host.y[5], 2.0 * restitution, 0.01 * 2.0 * restitution)
          << "tolerance " << tolerance;
      EXPECT_GT(host.rejected, 0);
    }
  }
}

TEST(HostedWorld, FrictionSticks) {
  Host host(box_on_floor(0.5), Vec3(0.0, 0.0, 0.1), Vec3::Zero(),
            Vec3(0.3 * kGravity, 0.0, -kGravity), 1e-7);
  host.advance(1.0);
  const double then = host.y[0];
  host.advance(2.0);
  EXPECT_GT(then, 0.0);
  EXPECT_LT(then, 1e-3);                      // bristles bend
  EXPECT_NEAR(host.y[0], then, 0.02 * then);  // and hold
  EXPECT_LT(std::abs(host.y[3]), 1e-5);
  EXPECT_EQ(host.world.forgotten(), 0u);
}

TEST(HostedWorld, WhoGoesBackAndComesAgainGetsTheSameBits) {
  HostedWorld world{ContactWorld(box_on_floor(0.5))};
  const int box = world.body("ball");
  const auto ask = [&](double t, double x) {
    world.set_body(box, {{Mat3::Identity(), Vec3(x, 0.0, 0.099)}, {Vec3::Zero(), Vec3(0.1, 0, 0)}},
                   t);
    return world.wrench(box, t).force;
  };
  std::vector<Vec3> first;
  for (int k = 0; k < 20; ++k) first.push_back(ask(1e-3 * k, 1e-4 * k));
  for (const int from : {15, 3, 0, 19}) {
    for (int k = from; k < 20; ++k) {
      ask(1e-3 * k, 3e-4 * k);  // a try that is given up
      EXPECT_EQ(ask(1e-3 * k, 1e-4 * k), first[static_cast<std::size_t>(k)]);
    }
  }
}

}  // namespace
}  // namespace grouser
