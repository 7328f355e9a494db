// The smallest program that uses an installed grouser: a ball pressed 0.1 mm into a floor.
#include <grouser/contact/sphere_half_space.h>
#include <grouser/contact/world.h>

#include <cmath>
#include <cstdio>

int main() {
  grouser::ShapeDef sphere, floor;
  sphere.name = sphere.body = "ball";
  sphere.geometry = grouser::SphereShape{0.1};
  floor.name = "floor";  // of the body "world"
  floor.geometry = grouser::HalfSpaceShape{};
  grouser::SphereHalfSpaceDef contact;
  contact.sphere = "ball";
  contact.half_space = "floor";
  contact.stiffness = 1e7;  // N/m^1.5
  grouser::ContactWorldDef def;
  def.shapes = {sphere, floor};
  def.add(contact);

  grouser::ContactWorld world(def);
  const int ball = world.body("ball");
  grouser::BodyKinematics kinematics;
  kinematics.X_WB.p.z() = 0.0999;
  world.set_body(ball, kinematics);
  world.evaluate(0.0);
  const double force = world.wrench(ball).force.z();
  std::printf("%.3f N\n", force);  // 1e7 * (1e-4)^1.5 = 10

  return std::abs(force - 10.0) < 1e-6 ? 0 : 1;
}
