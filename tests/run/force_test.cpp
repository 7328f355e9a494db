// External forces: impulses arrive whole, torques turn, frames and points are those asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "grouser/run/system.h"
#include "tests/run/scene_text.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

/// A free body without gravity, under a force.
std::string free_body(const std::string& simulation, const std::string& body,
                      const std::string& force) {
  return "[simulation]\nduration = 0.5\ngravity = [0, 0, 0]\n" + simulation +
         "[[body]]\nname = \"ball\"\nmass = 2\ninertia = [0.02, 0.03, 0.04]\n" + body +
         "[[force]]\nbody = \"ball\"\n" + force;
}

RunSummary run(Simulation& sim, const RunOptions& options = {}) {
  RunSummary summary = sim.run(options);
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  return summary;
}

const BodyKinematics& ball(Simulation& sim) {
  return sim.mechanism().kinematics()[1];
}

// Impulses

class Impulse : public ::testing::TestWithParam<std::string> {
 protected:
  std::string integrator(const std::string& more = "") const {
    return "tolerance = 1e-12\nintegrator = \"" + GetParam() + "\"\n" + more;
  }
};

TEST_P(Impulse, OnAFreeBodyArrivesWhole) {
  // Fixed steps of all kinds: many, few and none in the pulse. None falls on its start.
  for (const std::string step : {"1e-3", "7.3e-3", "0.1"}) {
    Simulation sim(
        scene_from(free_body(integrator("step = " + step + "\n"), "",
                             "force_x = { impulse = 1.5, start = 0.1371, duration = 0.05 }\n")));
    run(sim);
    // Some hundred steps of 1e-12, or the rounding of equal sums.
    EXPECT_NEAR(ball(sim).V_WB.v.x(), 1.5 / 2.0, 1e-9) << step;
    EXPECT_NEAR(ball(sim).V_WB.w.norm(), 0.0, 1e-12) << step;
  }
}

TEST_P(Impulse, ShorterThanAnyStepIsNotMissed) {
  Simulation sim(
      scene_from("[simulation]\nduration = 1\ngravity = [0, 0, 0]\nmax_step = 0.5\nstep = 0.3\n" +
                 integrator() +
                 "[[body]]\nname = \"ball\"\nmass = 2\ninertia = [0.02, 0.03, 0.04]\n"
                 "[[force]]\nbody = \"ball\"\n"
                 "force_z = { impulse = 1.5, start = 0.7, duration = 1e-6 }\n"));
  run(sim);
  EXPECT_NEAR(ball(sim).V_WB.v.z(), 1.5 / 2.0, 1e-8);  // duration against time: rounding 1e-10
}

TEST_P(Impulse, OfATorqueTurnsAboutAPrincipalAxis) {
  Simulation sim(scene_from(free_body(
      integrator(), "", "torque_y = { impulse = 0.06, start = 0.1371, duration = 0.05 }\n")));
  run(sim);
  EXPECT_NEAR(ball(sim).V_WB.w.y(), 0.06 / 0.03, 2e-9);  // as above, of 2 rad/s
  EXPECT_NEAR(ball(sim).V_WB.v.norm(), 0.0, 1e-12);
}

TEST_P(Impulse, GivesTheEnergyOfItsWork) {
  Simulation sim(
      scene_from(free_body(integrator(), "velocity = [0, 0.4, 0]\n",
                           "force_x = { impulse = 1.5, start = 0.1371, duration = 0.05 }\n"
                           "torque_z = { pulse = 2.0, start = 0.2, duration = 0.1 }\n")));
  const RunSummary summary = run(sim);
  // m v^2 / 2 and L^2 / (2 I) with L = 3/8 peak duration. Powers of fifty steps a pulse and more,
  // by parabolas. The velocity of implicit Euler comes a step late: h / (2 m) times the integral of
  // F^2, which is 35/128 of (80 N)^2 50 ms, makes 3.5 %.
  const double work = 0.5 * 2.0 * 0.75 * 0.75 + 0.075 * 0.075 / (2.0 * 0.04);
  const double share = GetParam() == "implicit-euler" ? 4e-2 : 1e-4;
  EXPECT_NEAR(summary.energy.work.forces, work, share * work);
  EXPECT_LE(std::abs(summary.energy.error), share * summary.energy.flow);
  EXPECT_EQ(summary.energy.work.contacts + summary.energy.work.motors, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Integrators, Impulse,
                         ::testing::Values("bdf", "adams", "esdirk", "runge-kutta", "rk4",
                                           "semi-implicit-euler", "implicit-euler"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Frames and points

TEST(Force, InTheFrameOfABodyTurnsWithIt) {
  // Turning at w about z under a force F along its x: v = F / (m w) (sin w t, 1 - cos w t).
  const double w = 5.0, F = 3.0, t = 0.5;
  Simulation sim(scene_from(free_body("tolerance = 1e-10\n", "angular_velocity = [0, 0, 5]\n",
                                      "frame = \"body\"\nforce_x = 3\n")));
  run(sim);
  const Vec3& v = ball(sim).V_WB.v;
  EXPECT_NEAR(v.x(), F / (2.0 * w) * std::sin(w * t), 1e-8);  // a hundred steps of 1e-10
  EXPECT_NEAR(v.y(), F / (2.0 * w) * (1.0 - std::cos(w * t)), 1e-8);
}

TEST(Force, AtTheCentreOfMassDoesNotTurn) {
  Simulation sim(scene_from(free_body(
      "tolerance = 1e-10\n", "center = [0.1, -0.2, 0.3]\nrpy = [0.4, 0.5, 0.6]\n",
      "point = [0.1, -0.2, 0.3]\nforce_x = 3\nforce_y = { amplitude = 5, frequency = 1 }\n")));
  run(sim);
  EXPECT_NEAR(ball(sim).V_WB.w.norm(), 0.0, 1e-12);
  EXPECT_NEAR(ball(sim).V_WB.v.x(), 3.0 * 0.5 / 2.0, 1e-9);
}

TEST(Force, AtAPointTurnsByItsLever) {
  // The body is turned by 90 degrees about z: its x is the world's y.
  const std::string turned = "rpy = [0, 0, 1.5707963267948966]\n";
  for (const std::string frame : {"world", "body"}) {
    Simulation sim(
        scene_from(free_body("", turned,
                             "name = \"push\"\npoint = [0.1, 0, 0]\nforce_z = 4\nforce_x = 3\n"
                             "torque_x = 0.7\nframe = \"" +
                                 frame + "\"\n")));
    System& system = sim.system();
    const VecX y = system.initial_state();
    VecX rates(y.size());
    system.rhs(0.0, {y.data(), system.size()}, {rates.data(), system.size()});
    const VecX a = rates.tail(6);  // in the world, then turning along the body's axes
    const bool world = frame == "world";
    // By hand: lever (0.1, 0, 0) in B; the force (3, 0, 4) is (0, -3, 4) in B if given in W.
    const Vec3 force_B = world ? Vec3(0, -3, 4) : Vec3(3, 0, 4);
    const Vec3 torque_B = Vec3(0.1, 0, 0).cross(force_B) + (world ? Vec3(0, -0.7, 0)  //
                                                                  : Vec3(0.7, 0, 0));
    EXPECT_NEAR(a[0], (world ? 3.0 : 0.0) / 2.0, 1e-12);  // rounding of 90 degrees
    EXPECT_NEAR(a[1], (world ? 0.0 : 3.0) / 2.0, 1e-12);
    EXPECT_NEAR(a[2], 2.0, 1e-12);
    EXPECT_NEAR(a[3], torque_B.x() / 0.02, 1e-12);
    EXPECT_NEAR(a[4], torque_B.y() / 0.03, 1e-12);
    EXPECT_NEAR(a[5], torque_B.z() / 0.04, 1e-12);

    const auto channels = sim.mechanism().drive_channels();
    ASSERT_EQ(channels.size(), 7u);
    EXPECT_EQ(channels[0].name, "forces/push/force_x");
    EXPECT_EQ(channels[5].name, "forces/push/torque_z");
    EXPECT_EQ(channels[6].name, "forces/push/power");
    std::vector<double> values(7);
    sim.mechanism().drive_values(values);
    EXPECT_NEAR(values[0], world ? 3.0 : 0.0, 1e-12);
    EXPECT_NEAR(values[2], 4.0, 1e-12);
    EXPECT_NEAR(values[world ? 3 : 4], 0.7, 1e-12);  // without the lever
    EXPECT_EQ(values[6], 0.0);                       // at rest
  }
}

TEST(Force, SeveralOnOneBodyAddUp) {
  Simulation sim(scene_from(free_body("", "", "force_x = 3\n") +
                            "[[force]]\nname = \"other\"\nbody = \"ball\"\nforce_x = -1\n"));
  run(sim);
  EXPECT_NEAR(ball(sim).V_WB.v.x(), 0.5, 1e-9);  // constant: exact but for rounding
}

// Stops

std::set<double> step_ends(const std::string& force, const std::string& simulation = "") {
  Simulation sim(scene_from(free_body(simulation, "", force)));
  std::set<double> ends;
  RunOptions options;
  options.progress = [&](double t) {
    ends.insert(t);
    return true;
  };
  run(sim, options);
  return ends;
}

TEST(ForceStops, AreTheQuartersOfAPulseAndThePointsOfATable) {
  for (const std::string method : {"bdf", "runge-kutta", "semi-implicit-euler"}) {
    const std::string simulation = "integrator = \"" + method + "\"\n";
    const std::set<double> pulse =
        step_ends("force_x = { pulse = 1, start = 0.1371, duration = 0.04 }\n", simulation);
    for (int i = 0; i <= 4; ++i)
      EXPECT_TRUE(pulse.count(0.1371 + i * (0.25 * 0.04))) << method << " " << i;
    const std::set<double> table =
        step_ends("torque_x = { table = [[0.0123, 0], [0.1777, 1], [0.3333, 0]] }\n", simulation);
    for (const double t : {0.0123, 0.1777, 0.3333}) EXPECT_TRUE(table.count(t)) << method;
  }
}

TEST(ForceStops, DoNotFollowEveryPointOfALongTable) {
  std::string text = "force_x = { table = [";
  for (int i = 0; i < 10000; ++i) text += "[" + std::to_string(5e-5 * i) + ", 1.0],";
  // At most 10 ms a step, and short ones to begin with.
  EXPECT_LT(step_ends(text + "] }\n").size(), 200u);
}

// Refusals

std::string force_refusal(const std::string& text) {
  return message_of<InputError>([&] { Simulation sim(scene_from(text)); });
}

TEST(ForceRefusal, OfBodiesThatNoForceMoves) {
  const std::string body =
      "[simulation]\nduration = 1\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n"
      "[[moving_body]]\nname = \"lift\"\n[[force]]\nforce_x = 1\n";
  EXPECT_TRUE(contains(force_refusal(body + "body = \"world\"\n"),
                       ".toml:9:1: force.body: 'world' cannot move"));
  EXPECT_TRUE(contains(force_refusal(body + "body = \"lift\"\n"),
                       ".toml:9:1: force.body: 'lift' is a [[moving_body]]"));
  EXPECT_TRUE(contains(force_refusal(body + "body = \"bal\"\n"),
                       ".toml:9:1: force.body: there is no body 'bal'; did you mean 'ball'?"));
  EXPECT_TRUE(contains(force_refusal(body), "force.body is missing"));
}

TEST(ForceRefusal, OfAForceThatDoesNothing) {
  EXPECT_TRUE(contains(force_refusal(free_body("", "", "point = [0, 0, 1]\n")),
                       ".toml:8:1: force 'ball' needs at least one of force_x"));
}

TEST(ForceRefusal, OfTwoWithOneName) {
  EXPECT_TRUE(contains(force_refusal(free_body("", "", "force_x = 1\n") +
                                     "[[force]]\nbody = \"ball\"\nforce_y = 1\n"),
                       "'ball'"));
}

TEST(ForceRefusal, OfWrongKeysAndSignals) {
  const auto with = [](const std::string& line) { return force_refusal(free_body("", "", line)); };
  EXPECT_TRUE(contains(with("forcex = 1\n"), ".toml:10:1: unknown key force.forcex"));
  EXPECT_TRUE(contains(with("frame = \"ball\"\nforce_x = 1\n"), "force.frame"));
  EXPECT_TRUE(contains(with("force_x = { puls = 1 }\n"),
                       ".toml:10:11: force.force_x must be a number, or a table"));
  EXPECT_TRUE(contains(with("force_x = { file = \"none.csv\" }\n"), "force.force_x"));
  EXPECT_TRUE(contains(with("point = [0, 0]\nforce_x = 1\n"), "force.point"));
}

}  // namespace
}  // namespace grouser
