// The smallest program that uses an installed grouser: a ball pressed 0.1 mm into a floor.
#include <grouser/contact/sphere_half_space.h>
#include <grouser/contact/world.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

/// What the program has needed of memory so far [kB]; 0 where Linux does not tell.
long resident_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6));
  return 0;
}

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
  std::printf("%.3f N, %ld kB\n", force, resident_memory());  // 1e7 * (1e-4)^1.5 = 10

  return std::abs(force - 10.0) < 1e-6 ? 0 : 1;
}
