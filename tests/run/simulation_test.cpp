// Whole runs: from a scene to what a user would look at.
#include "grouser/run/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/run/scene_text.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

std::string hard_ball(const std::string& simulation, const std::string& state,
                      const std::string& contact) {
  return ball_on_floor(simulation, state, "stiffness = 1e7\n" + contact);
}

TEST(Bounce, HasTheRestitutionThatWasAskedFor) {
  for (const std::string method : {"bdf", "adams", "esdirk", "runge-kutta"}) {
    for (const double e : {0.2, 0.6, 0.9}) {
      Simulation sim(scene_from(
          hard_ball("duration = 0.05\ngravity = [0, 0, 0]\ntolerance = 1e-8\nintegrator = \"" +
                        method + "\"\n",
                    "position = [0, 0, 0.11]\nvelocity = [0, 0, -1]\n",
                    "restitution = " + std::to_string(e) + "\n")));
      const RunSummary summary = sim.run();
      ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
      EXPECT_GE(summary.integrator.restarts, 2u);  // touch and lift-off are located
      EXPECT_NEAR(sim.mechanism().velocities()[2], e, 1e-5) << method;  // 1000 steps of 1e-8
    }
  }
}

TEST(Bounce, LastsAsLongAndGoesAsDeepAsHertzSays) {
  Simulation sim(scene_from(
      hard_ball("duration = 0.02\ngravity = [0, 0, 0]\ntolerance = 1e-8\noutput_interval = 1e-5\n",
                "position = [0, 0, 0.1]\nvelocity = [0, 0, -1]\n", "restitution = 1.0\n")));
  double depth = 0.0, end = 0.0;
  RunOptions options;
  options.sample = [&](double t) {
    const double z = 0.1 - sim.mechanism().kinematics()[1].X_WB.p.z();
    depth = std::max(depth, z);
    if (z > 0.0) end = t;
  };
  sim.run(options);
  const double expected = std::pow(1.25 * 0.5 * 1.0 / 1e7, 0.4);  // (5 m v^2 / 4 k)^(2/5)
  EXPECT_NEAR(depth, expected, 1e-4 * expected);                  // sampled every 1e-5 s
  EXPECT_NEAR(end, 2.9433 * expected, 2e-5);                      // sampling
}

TEST(Friction, TurnsSlidingIntoRolling) {
  // v = v0 / (1 + J / (m r^2)), J / (m r^2) = 0.4.
  Simulation sim(
      scene_from(hard_ball("duration = 1.0\n", "position = [0, 0, 0.0999]\nvelocity = [1, 0, 0]\n",
                           "restitution = 0.3\nfriction = 0.5\n")));
  sim.run();
  const BodyKinematics& ball = sim.mechanism().kinematics()[1];
  EXPECT_NEAR(ball.V_WB.v.x(), 1.0 / 1.4, 2e-3);  // the lever is the radius less the depth, 1e-3
  EXPECT_NEAR(ball.V_WB.w.y() * 0.1, ball.V_WB.v.x(), 2e-3);
}

TEST(Friction, HoldsABodyOnASlopeWithoutCreep) {
  // A block on three balls would roll; a ball that cannot turn stands: inertia is made huge.
  const std::string text = R"(
[simulation]
duration = 20.0
gravity = [2.0, 0, -9.6]
[[body]]
name = "foot"
mass = 0.5
inertia = [1e12, 1e12, 1e12]
position = [0, 0, 0.0999]
[[shape]]
name = "foot"
body = "foot"
sphere.radius = 0.1
[[shape]]
name = "floor"
half_space = true
[[contact]]
model = "sphere-half-space"
sphere = "foot"
half_space = "floor"
stiffness = 1e6
restitution = 0.2
friction = 0.4
)";
  Simulation sim(scene_from(text));
  double at_10 = 0.0;
  RunOptions options;
  options.sample = [&](double t) {
    if (std::abs(t - 10.0) < 1e-9) at_10 = sim.mechanism().kinematics()[1].X_WB.p.x();
  };
  sim.run(options);
  const double at_20 = sim.mechanism().kinematics()[1].X_WB.p.x();
  EXPECT_LT(at_20, 2e-4);                    // within the stroke
  EXPECT_LT(std::abs(at_20 - at_10), 1e-9);  // and no creep: 1e-10 m/s over 10 s
}

TEST(Pcm, UndampedBounceKeepsItsEnergy) {
  Simulation sim(scene_from(R"(
[simulation]
duration = 0.6
tolerance = 1e-7
[[body]]
name = "ball"
mass = 1.0
inertia = [0.004, 0.004, 0.004]
position = [0, 0, 0.15]
[[shape]]
name = "ball"
body = "ball"
mesh.sphere = { radius = 0.1, triangles = 2000 }
[[shape]]
name = "floor"
mesh.plane = { size_x = 1.0, size_y = 1.0 }
[[contact]]
model = "pcm"
base = "ball"
target = "floor"
layer.ball = { young_modulus = 1e6, poisson_ratio = 0.4, thickness = 0.02 }
max_penetration = 0.02
)"));
  double first = 0.0, last = 0.0, deepest = 0.0;
  RunOptions options;
  options.sample = [&](double t) {
    const double energy = sim.mechanism().kinetic_energy() + sim.mechanism().potential_energy();
    if (t == 0.0) first = energy;
    if (sim.world().wrench(sim.world().body("ball")).force.z() == 0.0) last = energy;
    deepest = std::max(deepest, sim.world().wrench(sim.world().body("ball")).force.z());
  };
  sim.run(options);
  EXPECT_GT(deepest, 10.0);  // it did bounce
  const double fall = 9.81 * 0.05;
  EXPECT_NEAR(last, first, 1e-3 * fall);
}

/// 30-degree sectors around z that hold a contact element.
std::size_t sectors(const ContactReport& report) {
  std::set<int> found;
  for (const PatchElement& element : report.patch)
    found.insert(static_cast<int>(
        std::floor((std::atan2(element.p_WC.y(), element.p_WC.x()) + kPi) / (kPi / 6.0))));
  return found.size();
}

class TorusAndSphereWith : public testing::TestWithParam<std::string> {};

/// Height at which the patch carries the weight of a ball turned and placed as X, by bisection: no
/// dynamics involved.
double static_height(const Scene& scene, const Pose& X) {
  ContactWorld world(scene.contact);
  const int ball = world.body("ball");
  double low = 0.82, high = 0.84;
  while (high - low > 1e-10) {
    const double middle = 0.5 * (low + high);
    world.set_body(ball, {{X.R, Vec3(X.p.x(), X.p.y(), middle)}, {}});
    world.evaluate(0.0);
    (world.wrench(ball).force.z() > 98.1 ? low : high) = middle;
  }
  return low;
}

TEST_P(TorusAndSphereWith, TheBallComesToRestOnAnAnnularPatch) {
  const Scene scene = load_scene(std::string(GROUSER_SCENES) + "/torus_and_sphere.toml",
                                 {"simulation.integrator=" + GetParam()});
  Simulation sim(scene);
  double speed_at_5 = 1.0;
  RunOptions options;
  options.sample = [&](double t) {
    const BodyKinematics& ball = sim.mechanism().kinematics()[1];
    if (std::abs(t - 5.0) < 1e-9) speed_at_5 = ball.V_WB.v.norm();
  };
  const RunSummary summary = sim.run(options);
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_LT(speed_at_5, 1e-4);
  const Vec3 p = sim.mechanism().kinematics()[1].X_WB.p;
  EXPECT_LT(std::hypot(p.x(), p.y()), 1e-4);
  ContactReport report;
  sim.world().report(6.0, 0, report);
  EXPECT_EQ(sectors(report), 12u);
  // The patch carries the weight at the height that statics gives for this orientation.
  EXPECT_NEAR(sim.world().wrench(sim.world().body("ball")).force.z(), 98.1, 0.01);
  EXPECT_NEAR(p.z(), static_height(scene, sim.mechanism().kinematics()[1].X_WB), 2e-8);  // creep
  // Facets of 98,000 triangles change that height by 11 um over all orientations. The scene's
  // tolerance is tight enough that all integrators lead to the same one: near to this height, any
  // two of them agree to 1e-6 m.
  EXPECT_NEAR(p.z(), 0.8292994, 5e-7);
}

INSTANTIATE_TEST_SUITE_P(Integrators, TorusAndSphereWith, testing::Values("bdf", "esdirk", "adams"),
                         [](const auto& method) { return method.param; });

TEST(TorusAndSphere, RestsNearTheCentreWithThePapersMesh) {
  // 500 facets deviate up to 11 mm from the sphere, 100 times the static penetration: the ball
  // rests on a few elements, a little off the centre.
  Simulation sim(
      load_scene(std::string(GROUSER_SCENES) + "/torus_and_sphere.toml",
                 {"shape.sphere.mesh.sphere.triangles=500", "simulation.tolerance=1e-4"}));
  const RunSummary summary = sim.run();
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  const BodyKinematics& ball = sim.mechanism().kinematics()[1];
  EXPECT_LT(std::hypot(ball.X_WB.p.x(), ball.X_WB.p.y()), 5e-3);
  EXPECT_NEAR(ball.X_WB.p.z(), 0.825, 5e-3);
  EXPECT_LT(ball.V_WB.v.norm(), 1e-3);
}

TEST(Rover, StandsOnItsSixWheelsAndDrivesOff) {
  Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml"));
  double left_plus_right = 0.0, weight = 0.0;
  int samples = 0;
  RunOptions options;
  options.sample = [&](double t) {
    left_plus_right = std::max(left_plus_right, sim.mechanism().constraint_gap());
    if (t < 1.5) return;
    ++samples;
    for (std::size_t c = 0; c < sim.world().contact_count(); ++c)
      weight += sim.world().port_wrenches(c)[0].force.z();
  };
  const RunSummary summary = sim.run(options);
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_LT(left_plus_right, 1e-12);
  for (std::size_t c = 0; c < sim.world().contact_count(); ++c)
    EXPECT_GT(sim.world().port_wrenches(c)[0].force.z(), 100.0) << sim.world().contact_name(c);
  EXPECT_NEAR(weight / samples, 180.0 * 9.81, 10.0);  // mean over its rocking on faceted wheels
  const int body = sim.mechanism().body("rover", {}, "body");
  const BodyKinematics& rover = sim.mechanism().kinematics()[static_cast<std::size_t>(body)];
  EXPECT_NEAR(rover.V_WB.v.x(), 0.125, 0.02);  // 1 rad/s at 0.125 m
}

TEST(Run, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto hash = [](const std::string& threads) {
    Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml",
                              {"simulation.duration=0.2", "simulation.threads=" + threads}));
    return sim.run().state_hash;
  };
  const std::uint64_t one = hash("1");
  EXPECT_EQ(hash("2"), one);
  EXPECT_EQ(hash("3"), one);
  EXPECT_EQ(hash("1"), one);  // and again
}

TEST(Run, SolvesIterativelyWhatItSolvesDirectly) {
  const auto height = [](const std::string& limit) {
    Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml",
                              {"simulation.duration=0.3", "simulation.tolerance=1e-7",
                               "simulation.dense_limit=" + limit}));
    const RunSummary summary = sim.run();
    EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
    return sim.mechanism().kinematics().back().X_WB.p.z();
  };
  EXPECT_NEAR(height("1000"), height("1"), 1e-5);  // 100 times the tolerance, over some bounces
}

/// Keeps everything it sees.
struct Memory : RunWatcher {
  RecordingLayout layout;
  std::vector<double> times, values;
  std::size_t patch_numbers = 0;
  RecordingOutcome outcome{RecordingStatus::running, {}, {}, {}};

  void begin(const RecordingLayout& begun) override { layout = begun; }
  void add_sample(double time, std::span<const double> sample,
                  std::span<const std::span<const double>> patches) override {
    times.push_back(time);
    values.insert(values.end(), sample.begin(), sample.end());
    for (const auto& patch : patches) patch_numbers += patch.size();
  }
  void finish(const RecordingOutcome& finished) override { outcome = finished; }
};

TEST(Run, ShowsAWatcherWhatItRecords) {
  const std::string path = testing::TempDir() + "watched.h5";
  Simulation sim(scene_from(hard_ball("duration = 0.2\n", "position = [0, 0, 0.12]\n", "")));
  Memory memory;
  RunOptions options;
  options.recording = path;
  options.watcher = &memory;
  const RunSummary summary = sim.run(options);

  const Recording recording = open_recording(path);
  EXPECT_EQ(memory.times, recording.time());
  EXPECT_EQ(memory.outcome.status, RecordingStatus::complete);
  EXPECT_EQ(memory.outcome.summary, summary.text());
  ASSERT_EQ(memory.layout.channels.size(), recording.layout().channels.size());
  std::size_t columns = 0;
  for (const RecordingChannel& channel : memory.layout.channels) columns += channel.columns.size();
  ASSERT_EQ(memory.values.size(), columns * memory.times.size());
  std::size_t first = 0;
  for (const RecordingChannel& channel : memory.layout.channels) {
    const std::vector<double> recorded = recording.read_channel(channel.path);
    for (std::size_t k = 0; k < memory.times.size(); ++k)
      for (std::size_t i = 0; i < channel.columns.size(); ++i)
        ASSERT_EQ(memory.values[k * columns + first + i], recorded[k * channel.columns.size() + i])
            << channel.path;
    first += channel.columns.size();
  }
  std::size_t patch_numbers = 0;
  for (const RecordingPatch& patch : recording.layout().patches)
    for (std::size_t k = 0; k < memory.times.size(); ++k)
      patch_numbers += recording.read_patch(patch.path, k).size();
  EXPECT_EQ(memory.patch_numbers, patch_numbers);
  EXPECT_GT(patch_numbers, 0u);
}

TEST(Run, CanBeInterrupted) {
  Simulation sim(scene_from(hard_ball("duration = 1.0\n", "position = [0, 0, 0.2]\n", "")));
  RunOptions options;
  options.progress = [](double t) { return t < 0.1; };
  const RunSummary summary = sim.run(options);
  EXPECT_EQ(summary.status, RecordingStatus::interrupted);
  EXPECT_GE(summary.time, 0.1);
  EXPECT_LT(summary.time, 0.2);
}

TEST(Run, WarnsWhenPenetrationComesNearItsLimit) {
  Simulation sim(
      load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml",
                 {"simulation.duration=0.1", "contact.wheel_front_left.max_penetration=1.2e-3"}));
  const RunSummary summary = sim.run();
  bool warned = false;
  for (const std::string& warning : summary.warnings)
    warned = warned || warning.find("wheel_front_left' reached") != std::string::npos;
  EXPECT_TRUE(warned);
}

TEST(Run, OfAMovingBodyPressesTheOther) {
  // A prescribed plate pushes a ball along: no mass, exact motion, reaction in the recording.
  Simulation sim(scene_from(R"(
[simulation]
duration = 1.0
gravity = [0, 0, 0]
[[body]]
name = "ball"
mass = 1.0
inertia = [0.004, 0.004, 0.004]
position = [0, 0, 0.11]
[[moving_body]]
name = "plate"
z = { from = 0.0, to = 0.5, duration = 0.5 }
[[shape]]
name = "ball"
body = "ball"
sphere.radius = 0.1
[[shape]]
name = "plate"
body = "plate"
half_space = true
[[contact]]
model = "sphere-half-space"
sphere = "ball"
half_space = "plate"
stiffness = 1e6
restitution = 0.5
)"));
  const RunSummary summary = sim.run();
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_GT(sim.mechanism().kinematics().back().V_WB.v.z(), 1.0);  // thrown off
}

TEST(Run, RecordsTheParametersItUsed) {
  const TemporaryFolder folder;
  Simulation sim(scene_from(
      hard_ball("duration = 0.01\n", "position = [0, 0, 0.2]\n", "restitution = 0.25\n")));
  RunOptions options;
  options.recording = folder / "run.h5";
  sim.run(options);
  const std::vector<RecordingParameter> parameters =
      open_recording(options.recording).layout().parameters;
  const auto find = [&](const std::string& section, const std::string& key) {
    for (const RecordingParameter& p : parameters)
      if (p.section == section && p.key == key) return p;
    ADD_FAILURE() << "no " << section << " " << key;
    return RecordingParameter{};
  };
  const std::string contact = "contact sphere-half-space_0";  // the name it gets without one
  EXPECT_EQ(find(contact, "restitution").value, "0.25");      // given
  EXPECT_EQ(find(contact, "restitution").model, "sphere-half-space");
  EXPECT_EQ(find(contact, "friction").value, "of the materials");  // by default
  EXPECT_EQ(find("simulation", "output_interval").value, "0.01");
  EXPECT_EQ(find("simulation", "output_interval").unit, "s");
  EXPECT_EQ(find("simulation", "integrator").value, "bdf");
  EXPECT_EQ(find("body ball", "mass").value, "0.5");
  EXPECT_EQ(find("body ball", "mass").unit, "kg");
  EXPECT_EQ(find("body ball", "position").value, "[0, 0, 0.2]");
  EXPECT_EQ(find("shape ball", "sphere.radius").value, "0.1");
  std::size_t keys = 0;
  for (const RecordingParameter& p : parameters) keys += p.section == "simulation";
  EXPECT_EQ(keys, simulation_parameters().infos().size());
}

}  // namespace
}  // namespace grouser
