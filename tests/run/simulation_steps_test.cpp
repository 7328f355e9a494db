// Runs that are cut into pieces, taken back, saved and taken up again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <thread>

#include "grouser/run/simulation.h"
#include "tests/run/scene_text.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

/// A scene of the repository, short and with a fixed step.
struct Cut {
  std::string scene;
  std::string duration = "0.3";
  std::string step = "1e-3";
};

std::vector<Cut> cut_scenes() {
  std::vector<Cut> out;
  for (const auto& file : std::filesystem::directory_iterator(GROUSER_SCENES "/models"))
    out.push_back({"models/" + file.path().filename().string()});
  std::sort(out.begin(), out.end(), [](const Cut& a, const Cut& b) { return a.scene < b.scene; });
  out.push_back({"rover_on_plane.toml", "0.2", "1e-3"});
  out.push_back({"elements/differential.toml", "0.5", "1e-3"});
  out.push_back({"rovers/exomars.toml", "0.5", "2e-3"});
  return out;
}

Scene load(const Cut& cut, const std::string& method) {
  return load_scene(
      GROUSER_SCENES "/" + cut.scene,
      {"simulation.duration=" + cut.duration, "simulation.step=" + cut.step,
       "simulation.integrator=\"" + method + "\"", "simulation.output_interval=0.007"});
}

/// Ascending times up to `end`, which is the last one.
std::vector<double> random_times(std::size_t count, double end, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(end * static_cast<double>(random()) / 4294967296.0);
  out.push_back(end);
  std::sort(out.begin(), out.end());
  return out;
}

class CutRun : public testing::TestWithParam<Cut> {};

TEST_P(CutRun, IsTheSameHoweverItIsCut) {
  for (const std::string method : {"semi-implicit-euler", "rk4", "implicit-euler", "bdf"}) {
    const Scene scene = load(GetParam(), method);
    Simulation whole(scene);
    const RunSummary expected = whole.run();
    EXPECT_EQ(whole.run().state_hash, expected.state_hash) << "run twice";

    Simulation cut(scene);
    unsigned count = 0;
    for (const double t : random_times(50, scene.simulation.duration, 7)) {
      cut.advance(t);
      if (++count % 3 == 0) cut.output_values();  // looking changes nothing
    }
    const RunSummary summary = cut.summary();
    EXPECT_EQ(summary.state_hash, expected.state_hash) << method;
    EXPECT_EQ(summary.samples, expected.samples);
    EXPECT_EQ(summary.integrator.steps, expected.integrator.steps);
    EXPECT_EQ(summary.energy.error, expected.energy.error);
  }
}

TEST_P(CutRun, GoesOnFromASnapshotACopyAndSavedBytes) {
  const Scene scene = load(GetParam(), "semi-implicit-euler");
  const std::uint64_t expected = Simulation(scene).run().state_hash;
  const double end = scene.simulation.duration;
  for (const double t : random_times(4, end, 3)) {
    Simulation original(scene);
    original.advance(t);
    const SimulationSnapshot moment = original.snapshot();
    const std::vector<std::byte> saved = original.save();
    Simulation copy(original);
    original.advance(end);
    EXPECT_EQ(original.summary().state_hash, expected) << "saving changes nothing";
    copy.advance(end);
    EXPECT_EQ(copy.summary().state_hash, expected) << "a copy";
    original.rewind(moment);
    EXPECT_EQ(original.time(), t);
    original.advance(end);
    EXPECT_EQ(original.summary().state_hash, expected) << "taken back";
    Simulation other(scene);
    other.restore(saved);
    other.advance(end);
    EXPECT_EQ(other.summary().state_hash, expected) << "saved";
    EXPECT_EQ(other.summary().energy.error, original.summary().energy.error);
    EXPECT_EQ(other.summary().rover, original.summary().rover);
    EXPECT_EQ(other.summary().warnings, original.summary().warnings);
    EXPECT_EQ(other.summary().integrator.steps, original.summary().integrator.steps);
  }
}

TEST_P(CutRun, WithErrorControlGoesOnFromWhereItBeganAnew) {
  const Scene scene = load(GetParam(), "bdf");
  const double end = scene.simulation.duration;
  Simulation original(scene);
  original.advance(0.37 * end);
  original.begin_anew();
  const std::vector<std::byte> saved = original.save();
  original.advance(end);
  Simulation other(scene);
  other.restore(saved);
  other.advance(end);
  EXPECT_EQ(other.summary().state_hash, original.summary().state_hash);
}

INSTANTIATE_TEST_SUITE_P(Scenes, CutRun, testing::ValuesIn(cut_scenes()), [](const auto& cut) {
  std::string name = cut.param.scene;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
});

// Inputs

/// A ball far above the floor.
Scene flying_ball(const std::string& simulation) {
  return scene_from(ball_on_floor(simulation, "position = [0, 0, 10]\n", "stiffness = 1e5\n"));
}

TEST(Inputs, HoldFromTheMomentTheyAreSet) {
  for (const std::string method : {"rk4", "bdf", "runge-kutta"}) {
    Simulation sim(flying_ball("duration = 1\nstep = 0.01\ntolerance = 1e-9\nintegrator = \"" +
                               method + "\"\ngravity = [0, 0, 0]\n"));
    const std::size_t push = sim.input("bodies/ball/force_x"), fall = sim.input("gravity/z");
    const double first = 0.1234567, second = 0.456789, third = 0.7;  // within steps
    sim.advance(first);
    sim.set_input(push, 2.0);  // 4 m/s^2 for 0.5 kg
    sim.advance(second);
    sim.release_input(push);
    sim.advance(third);
    sim.set_input(fall, -3.0);
    sim.advance(1.0);
    const double speed = 4.0 * (second - first), way = 0.5 * speed * (second - first);
    // Constant accelerations are integrated exactly but for the tolerance over the run.
    EXPECT_NEAR(sim.output_value(sim.output("bodies/ball/velocity.x")), speed, 3e-8) << method;
    EXPECT_NEAR(sim.output_value(sim.output("bodies/ball/position.x")),
                way + speed * (1.0 - second), 3e-8);
    EXPECT_NEAR(sim.output_value(sim.output("bodies/ball/velocity.z")), -0.9, 3e-8);
    EXPECT_NEAR(sim.output_value(sim.output("bodies/ball/position.z")), 10.0 - 0.135, 3e-8);
    // What the push did, and what gravity did when it came, is in the balance.
    EXPECT_NEAR(sim.output_value(sim.output("system/force_work")), 0.25 * speed * speed, 3e-8);
    EXPECT_NEAR(sim.output_value(sim.output("system/energy_error")), 0.0, 3e-8);
  }
}

TEST(Inputs, ThatDoNotChangeChangeNothing) {
  const Scene scene = flying_ball("duration = 0.5\nstep = 0.01\nintegrator = \"rk4\"\n");
  const std::uint64_t expected = Simulation(scene).run().state_hash;
  Simulation sim(scene);
  const std::size_t push = sim.input("bodies/ball/force_x");
  sim.set_input(push, 0.0);
  for (int i = 1; i <= 50; ++i) {
    sim.advance(0.0097 * i);
    sim.set_input(push, 0.0);
  }
  sim.advance(0.5);
  EXPECT_EQ(sim.summary().state_hash, expected);
}

TEST(Inputs, AreRefusedIfTheyAreNone) {
  Simulation sim(flying_ball("duration = 1\n"));
  EXPECT_THROW(sim.input("bodies/bal/force_x"), InputError);
  EXPECT_THROW(sim.output("bodies/ball/positio.x"), InputError);
  EXPECT_THROW(sim.set_input(0, std::nan("")), InputError);
  sim.advance(0.5);
  EXPECT_THROW(sim.advance(0.4), InputError);
  EXPECT_THROW(sim.advance(std::nan("")), InputError);
  EXPECT_EQ(sim.time(), 0.5);
}

TEST(Inputs, DriveARover) {
  const Scene scene = load_scene(
      GROUSER_SCENES "/rovers/exomars.toml",
      {"simulation.duration=20", "rover.model=\"terra\"", "simulation.record_patches=false"});
  Simulation sim(scene);
  sim.set_input(sim.input("drive/forward"), 0.04);
  sim.advance(10.0);
  EXPECT_NEAR(sim.output_value(sim.output("rover/speed")), 0.04, 0.01);  // slip
  sim.set_input(sim.input("drive/forward"), 0.0);
  sim.set_input(sim.input("drive/yaw_rate"), 0.05);
  sim.advance(40.0);  // beyond the duration of the scene
  EXPECT_GT(sim.output_value(sim.output("rover/heading")), 0.3);
  // Released, the rover does what its scene says: it drives on.
  sim.release_input(sim.input("drive/yaw_rate"));
  sim.advance(60.0);
  EXPECT_GT(sim.output_value(sim.output("rover/speed")), 0.02);
}

// Going back

TEST(SavedSimulation, OfAnotherDefinitionCutOrDamagedIsRefused) {
  const auto ball = [](const std::string& simulation, const std::string& contact) {
    return scene_from(ball_on_floor(simulation, "position = [0, 0, 0.1]\n", contact));
  };
  const std::string usual = "duration = 0.1\nstep = 1e-3\nintegrator = \"rk4\"\n";
  const Scene scene = ball(usual, "stiffness = 1e5\n");
  Simulation sim(scene);
  sim.advance(0.05);
  const std::vector<std::byte> saved = sim.save();
  const std::uint64_t expected = [&] {
    Simulation whole(scene);
    return whole.run().state_hash;
  }();

  for (const Scene& other :
       {ball(usual, "stiffness = 1.001e5\n"),
        ball(usual + "gravity = [0, 0, -9.8]\n", "stiffness = 1e5\n"),
        ball("duration = 0.1\nstep = 2e-3\nintegrator = \"rk4\"\n", "stiffness = 1e5\n"),
        ball("duration = 0.1\nstep = 1e-3\nintegrator = \"implicit-euler\"\n",
             "stiffness = 1e5\n")}) {
    Simulation foreign(other);
    EXPECT_THROW(foreign.restore(saved), InputError);
  }
  Simulation longer(ball("duration = 7\nstep = 1e-3\nintegrator = \"rk4\"\n", "stiffness = 1e5\n"));
  EXPECT_NO_THROW(longer.restore(saved));

  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> damaged = saved;
    if (i % 4 == 0)
      damaged.resize(random() % saved.size());
    else
      damaged[random() % saved.size()] ^= static_cast<std::byte>(1 + random() % 255);
    EXPECT_THROW(sim.restore(damaged), InputError) << i;
  }
  sim.advance(0.1);  // nothing of it has left a trace
  EXPECT_EQ(sim.summary().state_hash, expected);
}

TEST(SavedSimulation, IsNotTakenBackWhileItIsRecorded) {
  const TemporaryFolder folder;
  Simulation sim(flying_ball("duration = 0.1\nstep = 0.01\nintegrator = \"rk4\"\n"));
  const SimulationSnapshot start = sim.snapshot();
  RunOptions options;
  options.recording = folder / "ball.h5";
  sim.begin(options);
  sim.advance(0.05);
  EXPECT_THROW(sim.rewind(start), InputError);
  EXPECT_THROW(sim.reset(), InputError);
  EXPECT_THROW(sim.run(), InputError);
  EXPECT_EQ(sim.finish().status, RecordingStatus::complete);
  EXPECT_EQ(open_recording(options.recording).sample_count(), 6u);
  EXPECT_NO_THROW(sim.rewind(start));
}

// Recordings of runs in pieces

/// All numbers of a recording.
std::vector<double> numbers_of(const std::string& path) {
  const Recording recording = open_recording(path);
  std::vector<double> out = recording.time();
  const auto add = [&](const std::vector<double>& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  for (const RecordingChannel& channel : recording.layout().channels)
    add(recording.read_channel(channel.path));
  for (const RecordingPatch& patch : recording.layout().patches)
    add(recording.read_patch(patch.path, 0, recording.sample_count()));
  for (const RecordingSoil& soil : recording.layout().soils)
    add(recording.read_patch(soil.changes().path, 0, recording.sample_count()));
  return out;
}

TEST(ResumedRun, HasTheRecordingOfOneThatWasNotInterrupted) {
  const TemporaryFolder folder;
  for (const Cut& cut : std::vector<Cut>{{"models/scm.toml"},
                                         {"models/convex.toml"},
                                         {"models/terra.toml"},
                                         {"rovers/exomars.toml", "0.5", "2e-3"}})
    for (const std::string method : {"semi-implicit-euler", "bdf"}) {
      const Scene scene = load(cut, method);
      const double end = scene.simulation.duration;
      RunOptions options;
      options.checkpoint = folder / "run.checkpoint";
      options.checkpoint_interval = 0.17 * end;
      options.recording = folder / "whole.h5";
      Simulation whole(scene);
      const RunSummary expected = whole.run(options);
      ASSERT_EQ(expected.status, RecordingStatus::complete);

      options.recording = folder / "pieces.h5";
      double stop = 0.29 * end;
      options.progress = [&](double t) { return t < stop; };
      Simulation first(scene);
      EXPECT_EQ(first.run(options).status, RecordingStatus::interrupted);
      options.resume = options.checkpoint;
      stop = 0.77 * end;
      Simulation second(scene);
      EXPECT_EQ(second.run(options).status, RecordingStatus::interrupted);
      options.progress = {};
      Simulation third(scene);
      const RunSummary summary = third.run(options);
      EXPECT_EQ(summary.status, RecordingStatus::complete);
      EXPECT_EQ(summary.state_hash, expected.state_hash) << cut.scene << " " << method;
      EXPECT_EQ(summary.samples, expected.samples);
      EXPECT_EQ(summary.warnings, expected.warnings);
      EXPECT_EQ(summary.rover, expected.rover);
      EXPECT_EQ(numbers_of(folder / "pieces.h5"), numbers_of(folder / "whole.h5")) << cut.scene;
    }
}

TEST(CopiesOfASimulation, RunInThreadsOfTheirOwn) {
  for (const Cut& cut :
       std::vector<Cut>{{"models/scm.toml"}, {"rovers/exomars.toml", "0.1", "2e-3"}}) {
    const Scene scene = load(cut, "semi-implicit-euler");
    const double end = scene.simulation.duration;
    Simulation sim(scene);
    sim.advance(0.3 * end);
    std::vector<std::unique_ptr<Simulation>> copies;
    for (int i = 0; i < 8; ++i) copies.push_back(std::make_unique<Simulation>(sim));
    std::vector<std::thread> threads;
    for (const auto& copy : copies) threads.emplace_back([&] { copy->advance(end); });
    for (std::thread& thread : threads) thread.join();
    sim.advance(end);
    for (const auto& copy : copies)
      EXPECT_EQ(copy->summary().state_hash, sim.summary().state_hash) << cut.scene;
  }
}

TEST(Messages, OfASimulationTellWhyItFailed) {
  Simulation sim(
      scene_from(ball_on_floor("duration = 2.0\nintegrator = \"rk4\"\nstep = 0.01\n",
                               "position = [0.0, 0.0, 0.0901]\nvelocity = [10.0, 0.0, 0.0]\n",
                               "stiffness = 1e4\nfriction = 0.3\n")));
  std::vector<Message> told;
  sim.set_message_handler([&](const Message& message) { told.push_back(message); });
  EXPECT_THROW(sim.advance(2.0), RunError);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back().kind, Message::Kind::error);
  EXPECT_EQ(sim.summary().status, RecordingStatus::failed);
  EXPECT_THROW(sim.advance(2.0), RunError);
  sim.reset();
  EXPECT_NO_THROW(sim.advance(0.02));
}

}  // namespace
}  // namespace grouser
