// The structured Jacobian against brute-force differences.
#include <gtest/gtest.h>

#include <cmath>

#include "grouser/run/system.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

/// df/dy by central differences of the whole right-hand side.
MatX brute_force(System& system, double t, const VecX& y) {
  const auto n = static_cast<Eigen::Index>(system.size());
  MatX out(n, n);
  VecX plus(n), minus(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    // Long enough for rounding, short against the lengths and speeds at which contact laws bend.
    const double h = 2e-8 * system.scales()[static_cast<std::size_t>(j)];
    VecX moved = y;
    moved[j] = y[j] + h;
    system.rhs(t, {moved.data(), system.size()}, {plus.data(), system.size()});
    moved[j] = y[j] - h;
    system.rhs(t, {moved.data(), system.size()}, {minus.data(), system.size()});
    out.col(j) = (plus - minus) / (2.0 * h);
  }
  return out;
}

/// Runs to `time`, then compares the Jacobians there.
void expect_equal_jacobians(const std::string& what, const Scene& scene, double least_stiffness) {
  Simulation sim(scene);
  System& system = sim.system();
  VecX y;
  auto integrator = make_integrator(scene.simulation.integrator, system);
  y = system.initial_state();
  integrator->start(0.0, {y.data(), system.size()});
  double t = 0.0;
  while (t < scene.simulation.duration) {
    t = integrator->step(scene.simulation.duration).time;
    system.commit(t, integrator->state());
  }
  y = Eigen::Map<const VecX>(integrator->state().data(), y.size());

  MatX structured;
  ASSERT_EQ(system.jacobian(t, {y.data(), system.size()}, structured), Status::ok);
  const MatX plain = brute_force(system, t, y);
  const double scale = plain.cwiseAbs().maxCoeff();
  EXPECT_GT(scale, least_stiffness) << what << ": in contact, or there is nothing to compare";
  EXPECT_LE((structured - plain).cwiseAbs().maxCoeff(), 1e-5 * scale) << what;
  // Column by column as well, so that small columns are not hidden by large ones.
  for (Eigen::Index j = 0; j < plain.cols(); ++j)
    EXPECT_LE((structured.col(j) - plain.col(j)).norm(),
              1e-5 * std::max(plain.col(j).norm(), 5e-2 * scale))  // rounding of metres
        << what << " column " << j;

  Eigen::SparseMatrix<double> sparse;
  ASSERT_EQ(system.jacobian(t, {y.data(), system.size()}, sparse), Status::ok);
  EXPECT_EQ((MatX(sparse) - structured).cwiseAbs().maxCoeff(), 0.0) << what;
}

TEST(StructuredJacobian, EqualsBruteForceForABallOnATorus) {
  Scene scene =
      load_scene(std::string(GROUSER_SCENES) + "/torus_and_sphere.toml",
                 {"simulation.duration=1e-3", "shape.sphere.mesh.sphere.triangles=500",
                  "body.ball.position=[0.002, 0.001, 0.82]", "body.ball.velocity=[0.1, 0.2, -0.3]",
                  "body.ball.angular_velocity=[0.5, 0.3, 1]"});
  expect_equal_jacobians("torus", scene, 1e3);
}

TEST(StructuredJacobian, EqualsBruteForceForStatesAndTwoMovingBodies) {
  // A ball with bristle friction on a free plate: both ports move, contact states count.
  const Scene scene = scene_from(R"(
[simulation]
duration = 0.01
gravity = [0, 0, 0]
[[body]]
name = "ball"
mass = 0.5
inertia = [0.002, 0.003, 0.002]
position = [0.02, 0.03, 0.12]
velocity = [0.5, -0.2, -0.4]
angular_velocity = [1, 2, 3]
[[body]]
name = "plate"
mass = 1.5
inertia = [0.02, 0.03, 0.04]
center = [0.0, 0.01, -0.02]
rpy = [0.1, -0.05, 0.3]
position = [0, 0, 0.01]
velocity = [0, 0.1, 0.5]
angular_velocity = [0.3, -1, 0.5]
[[shape]]
name = "ball"
body = "ball"
sphere.radius = 0.1
[[shape]]
name = "plate"
body = "plate"
half_space = true
position = [0, 0, 0.012]
[[contact]]
model = "sphere-half-space"
sphere = "ball"
half_space = "plate"
stiffness = 1e6
restitution = 0.6
friction = 0.4
)");
  expect_equal_jacobians("plate", scene, 1e2);
}

TEST(StructuredJacobian, EqualsBruteForceForARoverWithSixContacts) {
  Scene scene =
      load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml", {"simulation.duration=0.3"});
  expect_equal_jacobians("rover", scene, 1e2);
}

TEST(StructuredJacobian, EqualsBruteForceForForcesThatFollowTheirBody) {
  const Scene scene = scene_from(R"(
[simulation]
duration = 0.05
[[body]]
name = "rod"
mass = 0.5
inertia = [0.002, 0.003, 0.002]
center = [0.0, 0.01, -0.02]
rpy = [0.1, -0.05, 0.3]
angular_velocity = [1, 2, 3]
[[force]]
name = "thruster"
body = "rod"
frame = "body"
point = [0.1, 0.2, -0.1]
force_x = 20
force_z = { amplitude = 30, frequency = 2, phase = 1 }
torque_y = 0.5
[[force]]
name = "rope"
body = "rod"
point = [-0.1, 0.2, 0.3]
force_y = 15
torque_z = 0.5
)");
  expect_equal_jacobians("rod", scene, 1e2);
}

TEST(StructuredJacobian, MovesThePartsOfManyBodiesTogether) {
  // Five balls on the floor and on each other's floor: independent parts, differenced at once.
  std::string text =
      "[simulation]\nduration = 0.002\n[[shape]]\nname = \"floor\"\nhalf_space = true\n";
  for (int i = 0; i < 5; ++i) {
    const std::string name = "ball_" + std::to_string(i);
    text += "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]\n" +
            "position = [" + std::to_string(i) + ", 0, 0.0999]\nvelocity = [0.1, 0, -0.3]\n" +
            "[[shape]]\nname = \"" + name + "\"\nbody = \"" + name + "\"\nsphere.radius = 0.1\n" +
            "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"" + name +
            "\"\nhalf_space = \"floor\"\nstiffness = 1e6\nfriction = 0.3\n";
  }
  expect_equal_jacobians("balls", scene_from(text), 1e2);
}

}  // namespace
}  // namespace grouser
