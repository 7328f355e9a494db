// The energy balance of runs: what bodies gain is the work that was done on them.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/run/flywheel.h"
#include "tests/run/scene_text.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

/// Runs a scene; its balance must close to a share of the energy that flowed.
RunSummary balanced(const Scene& scene, double share) {
  Simulation sim(scene);
  RunSummary summary = sim.run();
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_LE(std::abs(summary.energy.error), share * summary.energy.flow);
  return summary;
}

std::string shown(const std::string& path, const std::string& name) {
  return path + "/" + name;
}

// Work

TEST(WorkIntegral, OfAParabolaIsExact) {
  const auto power = [](double t) { return Work{1.0 + t - 3.0 * t * t, t, 0.0, -t * t}; };
  WorkIntegral work;
  work.start(0.0, power(0.0));
  // The first step is a line: short enough to be one.
  for (const double t :
       {1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 0.03, 0.1, 0.2, 0.5, 0.9, 1.0})
    work.add(t, power(t));
  EXPECT_NEAR(work.at(1.0).motors, 0.5, 1e-12);
  EXPECT_NEAR(work.at(1.0).contacts, 0.5, 1e-12);
  EXPECT_NEAR(work.at(0.95).prescribed, -std::pow(0.95, 3) / 3.0, 1e-12);  // inside the step
}

TEST(WorkIntegral, IsALineAfterAKink) {
  WorkIntegral work;
  work.start(0.0, {});
  work.add(1.0, {});
  work.forget();
  work.add(2.0, {1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(work.at(2.0).motors, 0.5);
}

TEST(WorkIntegral, TakesTheWordOfASteps) {
  WorkIntegral work;
  work.start(0.0, {});
  work.add_step(0.5, {2.0, -1.0, 0.0, 0.0});
  work.add_step(1.0, {2.0, -1.0, 0.0, 0.0});
  EXPECT_EQ(work.at(0.75).motors, 3.0);
  EXPECT_EQ(work.at(1.0).contacts, -2.0);
}

// Mechanisms

class EnergyOfAPendulum : public ::testing::TestWithParam<std::string> {};

TEST_P(EnergyOfAPendulum, WithDamperSpringAndMotorClosesAndEachHasItsSign) {
  TemporaryFolder folder;
  const std::string file = folder.write(
      "pendulum.xml", hinge_xml(0.05, 0.2, "damping='0.05' stiffness='0.3' springref='0.5'"));
  const bool fixed = GetParam() != "bdf" && GetParam() != "runge-kutta";
  const RunSummary summary = balanced(
      scene_from("[simulation]\nduration = 3.0\ntolerance = 1e-7\nstep = 1e-3\nintegrator = \"" +
                 GetParam() + "\"\n[mechanism]\nfile = \"" + file +
                 "\"\n[[motor]]\njoint = \"spin\"\ntarget = 3.0\ndamping = 0.4\nstiffness = 0.5\n"),
      // Steps of order one at 1 ms, with a pendulum of 7 rad/s; else 1e-7 a step.
      fixed && GetParam() != "rk4" ? 1e-2 : 1e-4);
  EXPECT_GT(summary.energy.work.motors, 0.5 * summary.energy.flow);
  EXPECT_LT(summary.energy.work.joints, -0.05 * summary.energy.flow);
  EXPECT_EQ(summary.energy.work.contacts, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Integrators, EnergyOfAPendulum,
                         ::testing::Values("bdf", "runge-kutta", "rk4", "semi-implicit-euler",
                                           "implicit-euler"));

TEST(Energy, OfAPrescribedJointIsTheWorkOfWhatMovesIt) {
  TemporaryFolder folder;
  const std::string file = folder.write("arm.xml", hinge_xml(0.05, 0.2));
  // Lifted by 90 degrees: m g r, and at rest again.
  const RunSummary summary = balanced(
      scene_from("[simulation]\nduration = 1.5\ntolerance = 1e-8\n[mechanism]\nfile = \"" + file +
                 "\"\n[[prescribed]]\njoint = \"spin\"\nposition = { from = 0, to = "
                 "1.5707963267948966, start = 0.2, duration = 1.0 }\n"),
      1e-4);
  EXPECT_NEAR(summary.energy.work.prescribed, 9.81 * 0.2, 1e-4 * 9.81 * 0.2);
  EXPECT_NEAR(summary.energy.potential, 9.81 * 0.2, 1e-9);
}

TEST(Energy, OfAnArmThatIsPushedAtItsTipIsTheWorkOfTheForce) {
  // Without gravity, by a force that stays across the arm: all of the impulse's moment arrives.
  TemporaryFolder folder;
  const std::string file = folder.write("arm.xml", hinge_xml(0.05, 0.2));
  const RunSummary summary = balanced(
      scene_from("[simulation]\nduration = 0.5\ntolerance = 1e-9\ngravity = [0, 0, 0]\n"
                 "[mechanism]\nfile = \"" +
                 file +
                 "\"\n[[force]]\nbody = \"wheel\"\nframe = \"body\"\npoint = [0, 0, -0.4]\n"
                 "force_x = { impulse = 0.5, start = 0.1, duration = 0.2 }\n"),
      1e-5);  // parabolas through the powers of a hundred steps
  const double moment = 0.4 * 0.5;
  EXPECT_NEAR(summary.energy.kinetic, moment * moment / (2.0 * 0.05), 1e-6);  // 1e-9 a step
  EXPECT_NEAR(summary.energy.work.forces, summary.energy.kinetic, 1e-5);
}

// Contact

std::string dropped_ball(const std::string& simulation) {
  return ball_on_floor("duration = 0.6\n" + simulation,
                       "position = [0, 0, 0.3]\nvelocity = [0.5, 0, 0]\n",
                       "stiffness = 1e6\nrestitution = 0.5\nfriction = 0.3\n");
}

TEST(Energy, OfABallThatIsDroppedGoesIntoTheContact) {
  for (const std::string method : {"bdf", "esdirk", "runge-kutta"}) {
    const RunSummary summary =
        balanced(scene_from(dropped_ball("tolerance = 1e-7\nintegrator = \"" + method + "\"\n")),
                 5e-3);  // parabolas through the powers of some ten steps of a touch
    EXPECT_LT(summary.energy.work.contacts, -0.5 * summary.energy.flow);
    EXPECT_EQ(summary.energy.work.motors, 0.0);
  }
  balanced(scene_from(dropped_ball("integrator = \"semi-implicit-euler\"\nstep = 1e-5\n")), 2e-2);
}

TEST(Energy, OfAMovingBodyIsTheWorkAgainstItsContacts) {
  // A floor that lifts a resting ball by 0.1 m gives it m g h; contact takes part of what it gives.
  const std::string text = R"(
[simulation]
duration = 1.5
tolerance = 1e-7
[[moving_body]]
name = "lift"
z = { from = 0, to = 0.1, start = 0.3, duration = 0.8 }
[[body]]
name = "ball"
mass = 0.5
inertia = [0.002, 0.002, 0.002]
position = [0, 0, 0.1]
[[shape]]
name = "ball"
body = "ball"
sphere.radius = 0.1
[[shape]]
name = "floor"
body = "lift"
half_space = true
[[contact]]
model = "sphere-half-space"
sphere = "ball"
half_space = "floor"
stiffness = 1e6
restitution = 0.2
)";
  const RunSummary summary = balanced(scene_from(text), 5e-3);
  EXPECT_NEAR(summary.energy.work.prescribed, 0.5 * 9.81 * 0.1, 0.01 * 0.5 * 9.81 * 0.1);
}

TEST(Energy, OfAWheelOnSoilCloses) {
  const RunSummary summary =
      balanced(load_scene(shown(GROUSER_SCENES, "single_wheel.toml"),
                          {"simulation.duration=2.5", "soil.ground.size=[1,0.5]"}),
               1e-2);
  // The carriage and the wheel are driven, soil takes nearly all of it.
  EXPECT_GT(summary.energy.work.prescribed, 0.2 * summary.energy.flow);
  EXPECT_LT(summary.energy.work.contacts, -0.5 * summary.energy.flow);
}

TEST(Energy, OfARoverThatIsSetDownAndDrivesOffCloses) {
  for (const std::string integrator : {"bdf", "semi-implicit-euler"}) {
    const RunSummary summary =
        balanced(load_scene(shown(GROUSER_SCENES, "rover_on_plane.toml"),
                            {"simulation.duration=0.8", "simulation.step=5e-4",
                             "simulation.integrator=" + integrator}),
                 1e-2);
    // Wheels that are set down turn a little: motors brake.
    EXPECT_GT(std::abs(summary.energy.work.motors), 0.05 * summary.energy.flow);
    EXPECT_LT(summary.energy.work.contacts, -0.1 * summary.energy.flow);
  }
}

TEST(Energy, ThatDoesNotCloseIsWarnedOf) {
  // Steps of 4 ms through a touch of 5 ms.
  Simulation sim(scene_from(dropped_ball("integrator = \"rk4\"\nstep = 4e-3\n")));
  const RunSummary summary = sim.run();
  bool warned = false;
  for (const std::string& warning : summary.warnings)
    warned = warned || warning.find("energy") != std::string::npos;
  EXPECT_EQ(warned, std::abs(summary.energy.error) > 0.05 * summary.energy.flow);
  EXPECT_TRUE(warned);
}

/// Warnings that contacts did work, all in one.
std::string work_warnings(const RunSummary& summary) {
  std::string out;
  for (const std::string& warning : summary.warnings)
    if (warning.find("J of work on the bodies") != std::string::npos) out += warning;
  return out;
}

TEST(Energy, ThatSoilCreatesIsWarnedOf) {
  // A wheel that starts 14 mm deep in soil that is as hard as the law takes: it is thrown out.
  const std::string path = shown(GROUSER_SCENES, "models/scm.toml");
  Simulation hard(load_scene(path, {"soil.sand.properties.k_phi=1e9", "simulation.duration=0.05"}));
  const RunSummary thrown = hard.run();
  ASSERT_GT(thrown.energy.work.contacts, 10.0);
  const std::string warning = work_warnings(thrown);
  EXPECT_NE(warning.find("contact 'roller_on_sand' did "), std::string::npos) << warning;
  EXPECT_NE(warning.find("first at t = "), std::string::npos) << warning;

  Simulation soft(load_scene(path, {"simulation.duration=0.05"}));
  EXPECT_EQ(work_warnings(soft.run()), "");
}

}  // namespace
}  // namespace grouser
