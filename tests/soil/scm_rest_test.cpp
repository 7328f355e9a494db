// What stands on soil comes to rest, whatever it weighs.
#include <gtest/gtest.h>

#include <cmath>

#include "grouser/contact/world.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/scm.h"

namespace grouser {
namespace {

constexpr double kMass = 4.0;

/// A plate that is let go a little above its rest on soil; the greatest speed of its last second.
double speed_in_the_end(double gravity, double damping_ratio) {
  SoilGroundDef ground;
  ground.name = "ground";
  ground.soil.k_phi = 820e3;
  ground.soil.k_c = 1400.0;
  ground.soil.friction_angle = 0.6;
  ContactWorldDef def;
  def.gravity = gravity;
  def.add(ground);
  ShapeDef plate;
  plate.name = plate.body = "plate";
  plate.geometry =
      MeshShape{std::make_shared<const TriangleMesh>(make_box({.size = Vec3(0.2, 0.2, 0.1)}))};
  def.shapes = {plate};
  ScmDef contact;
  contact.soil = "ground";
  contact.objects = {"pl*"};
  contact.damping_ratio = damping_ratio;
  def.add(contact);
  ContactWorld world(def);
  const int body = world.body("plate");

  constexpr double h = 1e-3, duration = 4.0;
  double height = 0.05, speed = -0.01 * std::sqrt(gravity), fastest = 0.0;
  for (int step = 0; step < static_cast<int>(duration / h); ++step) {
    const double t = h * step;
    BodyKinematics kinematics;
    kinematics.X_WB.p.z() = height;
    kinematics.V_WB.v.z() = speed;
    world.set_body(body, kinematics);
    world.evaluate(t);
    if (t > duration - 1.0) fastest = std::max(fastest, std::abs(speed));
    speed += h * (world.wrench(body).force.z() / kMass - gravity);
    height += h * speed;
    if (t >= world.next_update()) world.update(t);
  }
  return fastest;
}

TEST(ScmRest, APlateComesToRestOnEarthAndOnSmallBodies) {
  for (const double gravity : {9.81, 1.62, 0.005}) {
    const double start = 0.01 * std::sqrt(gravity);
    EXPECT_LT(speed_in_the_end(gravity, 0.5), 1e-3 * start) << gravity;
    // Without damping it goes on bouncing along the elastic line: the test would notice.
    EXPECT_GT(speed_in_the_end(gravity, 0.0), 1e-2 * start) << gravity;
  }
}

}  // namespace
}  // namespace grouser
