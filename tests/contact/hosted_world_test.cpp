// Hosts that call as Modelica tools do: bodies in any order, forces, rejected steps, no commit.
#include "grouser/contact/hosted_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

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

/// Bodies of 1 kg that do not turn, integrated as tools do: third order with error control, that is
/// with steps that are thrown away (Bogacki and Shampine 1989).
class Host {
 public:
  using State = Eigen::VectorXd;  // x, y, z, then velocity, for each body

  Host(const ContactWorldDef& def, std::vector<std::string> names, double tolerance)
      : world(ContactWorld(def)),
        names_(std::move(names)),
        y(State::Zero(static_cast<Eigen::Index>(6 * names_.size()))),
        tolerance_(tolerance) {}
  Host(const ContactWorldDef& def, const Vec3& p, const Vec3& v, const Vec3& push, double tolerance)
      : Host(def, {"ball"}, tolerance) {
    place(0, p, v);
    push_ = push;
  }
  void place(std::size_t body, const Vec3& p, const Vec3& v) {
    y.segment<3>(at(body)) = p;
    y.segment<3>(at(body) + 3) = v;
  }
  Vec3 velocity(std::size_t body) const { return y.segment<3>(at(body) + 3); }
  void set_push(const Vec3& push) { push_ = push; }
  /// One step of so many is tried with another length first, and thrown away.
  void set_detours(std::uint32_t one_of) { detours_ = one_of; }
  void set_longest_step(double h) { longest_ = h; }

  State rates(double time, const State& state) {
    // In any order, and again.
    std::vector<std::size_t> order(names_.size() + 1);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[random_.below(static_cast<std::uint32_t>(i + 1))]);
    for (const std::size_t i : order) {
      set(i, state, time);
      // Somebody is curious before all bodies are there.
      if (random_.below(8) == 0) world.wrench(world.body("floor"), time);
    }
    State out(state.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const int body = world.body(names_[i]);
      const Vec3 force = world.wrench(body, time).force;
      if (random_.below(3) == 0) {
        set(i, state, time);
        EXPECT_EQ(world.wrench(body, time).force, force);
      }
      out.segment<3>(at(i)) = state.segment<3>(at(i) + 3);
      out.segment<3>(at(i) + 3) = force + push_;
    }
    return out;
  }

  void advance(double end) {
    while (t < end) {
      if (detours_ > 0 && random_.below(detours_) == 0) step(h_ * random_.uniform(0.01, 20.0));
      const double length = std::min(h_, end - t);
      const auto [next, error] = step(length);
      const double size = error / tolerance_;
      if (size <= 1.0) {
        t += length;
        y = next;
        ++accepted;
      } else {
        ++rejected;
      }
      h_ = std::min(longest_,
                    length * std::clamp(0.9 * std::cbrt(1.0 / std::max(size, 1e-9)), 0.2, 3.0));
    }
  }

  HostedWorld world;

 private:
  static Eigen::Index at(std::size_t body) { return static_cast<Eigen::Index>(6 * body); }
  void set(std::size_t i, const State& state, double time) {
    if (i == names_.size())
      world.set_body(world.body("floor"), {}, time);
    else
      world.set_body(world.body(names_[i]),
                     {{Mat3::Identity(), state.segment<3>(at(i))},
                      {Vec3::Zero(), state.segment<3>(at(i) + 3)}},
                     time);
  }
  /// Where a step comes to, and its error.
  std::pair<State, double> step(double h) {
    const State k1 = rates(t, y), k2 = rates(t + 0.5 * h, y + 0.5 * h * k1);
    const State k3 = rates(t + 0.75 * h, y + 0.75 * h * k2);
    const State next = y + h * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3);
    const State k4 = rates(t + h, next);
    return {next, h * (-5.0 / 72.0 * k1 + 1.0 / 12.0 * k2 + 1.0 / 9.0 * k3 - 0.125 * k4).norm()};
  }

  std::vector<std::string> names_;

 public:
  State y;
  double t = 0.0;
  int accepted = 0, rejected = 0;

 private:
  Vec3 push_ = Vec3::Zero();
  double tolerance_;
  double h_ = 1e-3, longest_ = 0.02;
  std::uint32_t detours_ = 0;
  Random random_{5};
};

TEST(HostedWorld, HasTheRestitutionThatWasAskedFor) {
  for (const double restitution : {0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95})
    for (const double tolerance : {1e-4, 1e-5, 1e-7})
      for (const double speed : {0.3, 2.0})
        for (const std::uint32_t detours : {0u, 2u}) {
          Host host(ball_on_floor(restitution), Vec3(0.0, 0.0, 0.12), Vec3(0.0, 0.0, -speed),
                    Vec3::Zero(), tolerance * speed);
          host.set_detours(detours);
          host.advance(0.04 / speed + 0.1);
          EXPECT_GT(host.y[2], 0.1);
          EXPECT_NEAR(host.velocity(0).z() / speed, restitution, 0.01 * restitution)
              << "tolerance " << tolerance << ", speed " << speed << ", detours " << detours;
          EXPECT_GT(host.rejected, 0);
        }
}

TEST(HostedWorld, TwoBodiesBounceEachAsIfAlone) {
  ContactWorldDef def = ball_on_floor(0.7);
  ShapeDef other = def.shapes[0];
  other.name = other.body = "other";
  def.shapes.push_back(other);
  SphereHalfSpaceDef contact;
  contact.sphere = "other";
  contact.half_space = "floor";
  contact.stiffness = 3e5;
  contact.restitution = 0.4;
  def.add(contact);
  for (const double later : {0.0, 0.5e-3, 0.02}) {
    Host host(def, {"ball", "other"}, 1e-6);
    host.place(0, Vec3(0, 0, 0.12), Vec3(0, 0, -1.0));
    host.place(1, Vec3(1, 0, 0.12 + later), Vec3(0, 0, -1.0));
    host.set_detours(3);
    host.advance(0.15);
    EXPECT_NEAR(host.velocity(0).z(), 0.7, 0.007) << later;
    EXPECT_NEAR(host.velocity(1).z(), 0.4, 0.004) << later;
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
  EXPECT_LT(std::abs(host.velocity(0).x()), 1e-5);
  EXPECT_EQ(host.world.forgotten(), 0u);
}

TEST(HostedWorld, FrictionDoesNotCreepInAHundredSeconds) {
  // As on a slope of which the tangent is 0.4, with friction 0.5.
  Host host(box_on_floor(0.5), Vec3(0.0, 0.0, 0.1), Vec3::Zero(),
            Vec3(0.4 * kGravity, 0.0, -kGravity), 1e-6);
  host.set_detours(5);
  host.advance(1.0);
  const double then = host.y[0];
  host.advance(100.0);
  EXPECT_LT(then, 1e-3);
  EXPECT_NEAR(host.y[0], then, 1e-9);  // 1e-5 of how far bristles bend
  EXPECT_GT(host.rejected, 0);
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
