#include "grouser/contact/sphere_half_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/contact/world.h"
#include "grouser/laws/hunt_crossley.h"

namespace grouser {
namespace {

SphereHalfSpaceDef contact() {
  SphereHalfSpaceDef def;
  def.sphere = "ball";
  def.half_space = "floor";
  def.stiffness = 1e6;
  def.restitution = 0.6;
  return def;
}

ContactWorldDef ball_on_floor(const SphereHalfSpaceDef& contact_def) {
  ContactWorldDef def;
  ShapeDef ball, floor;
  ball.name = "ball";
  ball.body = "ball";
  ball.geometry = SphereShape{0.1};
  floor.name = "floor";
  floor.geometry = HalfSpaceShape{};
  def.shapes = {ball, floor};
  def.add(contact_def);
  return def;
}

BodyKinematics at(double depth, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  return {{Mat3::Identity(), Vec3(0, 0, 0.1 - depth)}, {w, v}};
}

TEST(SphereHalfSpace, PressesWithHertzForceAtRest) {
  ContactWorld world(ball_on_floor(contact()));
  const double d = 1e-4;
  world.set_body(world.body("ball"), at(d));
  world.evaluate(0.0);
  // 0.1 - d has lost digits of d: 1e-17 / d.
  EXPECT_NEAR(world.wrench(world.body("ball")).force.z(), 1e6 * d * std::sqrt(d), 1e-12);
}

TEST(SphereHalfSpace, RemembersTheImpactSpeedUntilTheBodiesPart) {
  ContactWorld world(ball_on_floor(contact()));
  const int ball = world.body("ball");
  const double a = hunt_crossley_damping(0.6), d = 1e-4, spring = 1e6 * d * std::sqrt(d);
  world.set_body(ball, at(0.0, {0, 0, -2.0}));  // a located touch at 2 m/s
  world.commit(0.0);
  world.set_body(ball, at(d, {0, 0, -1.0}));
  world.evaluate(0.0);
  EXPECT_NEAR(world.wrench(ball).force.z(), spring * (1.0 + a * 1.0 / 2.0), 1e-12 * spring);
  world.commit(0.0);
  world.set_body(ball, at(d, {0, 0, 0.5}));
  world.evaluate(0.0);
  EXPECT_NEAR(world.wrench(ball).force.z(), spring * (1.0 - a * 0.5 / 2.0), 1e-12 * spring);
  world.set_body(ball, at(-1e-3, {0, 0, 1.0}));  // apart: forgotten
  world.commit(0.0);
  world.set_body(ball, at(d, {0, 0, -1.0}));
  world.evaluate(0.0);
  EXPECT_NEAR(world.wrench(ball).force.z(), spring * (1.0 + a), 1e-12 * spring);
}

TEST(SphereHalfSpace, TakesHertzStiffnessFromTheMaterials) {
  SphereHalfSpaceDef def = contact();
  def.stiffness = 0.0;
  ContactWorldDef world_def = ball_on_floor(def);
  MaterialDef steel;
  steel.name = "steel";
  steel.young_modulus = 2e11;
  steel.poisson_ratio = 0.3;
  world_def.materials = {steel};
  world_def.shapes[0].material = "steel";
  world_def.shapes[1].material = "steel";
  ContactWorld world(world_def);
  world.set_body(world.body("ball"), at(1e-6));
  world.evaluate(0.0);
  const double E = 0.5 * 2e11 / (1.0 - 0.09);
  EXPECT_NEAR(world.wrench(world.body("ball")).force.z(), 4.0 / 3.0 * E * std::sqrt(0.1) * 1e-9,
              1e-9);  // rounding of 0.1 - 1e-6
}

TEST(SphereHalfSpace, FrictionStaysInItsConeAndOpposesTheBristle) {
  SphereHalfSpaceDef def = contact();
  def.friction = 0.4;
  ContactWorld world(ball_on_floor(def));
  const int ball = world.body("ball");
  ASSERT_EQ(world.state_count(), 2u);
  world.set_body(ball, at(1e-4));
  world.states()[0] = 0.5e-4;  // half of the stroke
  world.evaluate(0.0);
  const double normal = world.wrench(ball).force.z();
  EXPECT_NEAR(world.wrench(ball).force.x(), -0.2 * normal, 1e-12 * normal);
  world.states()[0] = 1e-3;  // far beyond it
  world.evaluate(0.0);
  EXPECT_NEAR(world.wrench(ball).force.x(), -0.4 * normal, 1e-12 * normal);
}

TEST(SphereHalfSpace, NeedsAStiffnessOrMaterials) {
  SphereHalfSpaceDef def = contact();
  def.stiffness = 0.0;
  try {
    ContactWorld world(ball_on_floor(def));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "contact.stiffness is missing, and neither 'ball' nor 'floor' has a material to "
                 "compute it from");
  }
}

}  // namespace
}  // namespace grouser
