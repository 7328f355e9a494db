// The recording: what is written is read back, and nothing flushed is ever lost.
#include "grouser/record/recording.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "tests/record/recording_example.h"
#include "tests/record/recording_failures.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

RecordingLayout example_layout() {
  RecordingLayout layout;
  layout.grouser_version = "0.1.0";
  layout.scene_path = "scenes/torus.toml";
  layout.scene_text = "[simulation]\nduration = 6.0  # größer\n" + std::string(100'000, '#');
  layout.scene_hash = 0x0123456789abcdefull;
  layout.start_date = "2025-01-02T03:04:05Z";
  layout.metadata = {
      {"zeta", "first"}, {"alpha", ""}, {"host", "größe"}, {"long", std::string(100'000, 'l')}};
  layout.channels = {
      {"bodies/ball/position", "m", {"x", "y", "z"}, "of the body origin, in the world frame"},
      {"bodies/ball/orientation", "", {"w", "x", "y", "z"}, "quaternion"},
      {"bodies/ball 2/position", "m", {"x", "y", "z"}, ""},
      {"joints/wheel_1/position", "rad", {""}, "angle"},
  };
  layout.patches = {{"contacts/ball_on_torus/elements",
                     {"px", "py", "pz", "penetration"},
                     {"m", "m", "m", "m"},
                     "contact elements"}};
  PictureShape mesh;
  mesh.name = "torus";
  mesh.body = "world";
  mesh.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
  PictureShape sphere;
  sphere.name = "ball";
  sphere.body = "ball";
  sphere.kind = "sphere";
  sphere.numbers = {{"radius", 0.1}};
  PictureShape ground;
  ground.name = "a ground";
  ground.body = "world";
  ground.kind = "half_space";
  layout.shapes = {mesh, sphere, ground};
  layout.parameters = {{"simulation", "", "duration", "6", "s", "simulated time"},
                       {"contact größe", "pcm", "base", "", "", std::string(3000, 'm')}};
  return layout;
}

// --- round trip -------------------------------------------------------------------------------

TEST_F(RecordingTest, GivesBackEverythingItWasGiven) {
  const RecordingLayout layout = example_layout();
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, layout, {.flush_samples = 2});
    for (int k = 0; k < 5; ++k) {
      std::vector<double> values(11);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100.0 * k + 0.1 * double(i);
      const std::vector<double> rows(static_cast<std::size_t>(4 * k), 0.5 + k);
      const std::span<const double> patches[] = {rows};
      writer.add_sample(0.1 * k, values, patches);
    }
    writer.finish({RecordingStatus::interrupted,
                   "stopped by the user",
                   {{"steps", "1234"}, {"wall time [s]", "0.5"}, {"long", std::string(5000, 'x')}},
                   {"deep penetration: 3 times", ""}});
  }
  EXPECT_FALSE(fs::exists(path + ".part"));

  const Recording recording = open_recording(path);
  const RecordingLayout& back = recording.layout();
  EXPECT_EQ(back.grouser_version, layout.grouser_version);
  EXPECT_EQ(back.scene_path, layout.scene_path);
  EXPECT_EQ(back.scene_text, layout.scene_text);
  EXPECT_EQ(back.scene_hash, layout.scene_hash);
  EXPECT_EQ(back.start_date, layout.start_date);
  EXPECT_EQ(back.metadata, layout.metadata);
  ASSERT_EQ(back.channels.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back.channels[i].path, layout.channels[i].path);
    EXPECT_EQ(back.channels[i].unit, layout.channels[i].unit);
    EXPECT_EQ(back.channels[i].columns, layout.channels[i].columns);
    EXPECT_EQ(back.channels[i].description, layout.channels[i].description);
  }
  ASSERT_EQ(back.patches.size(), 1u);
  EXPECT_EQ(back.patches[0].path, layout.patches[0].path);
  EXPECT_EQ(back.patches[0].columns, layout.patches[0].columns);
  EXPECT_EQ(back.patches[0].units, layout.patches[0].units);
  EXPECT_EQ(back.patches[0].description, layout.patches[0].description);
  ASSERT_EQ(back.shapes.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.shapes[i].name, layout.shapes[i].name);
    EXPECT_EQ(back.shapes[i].body, layout.shapes[i].body);
    EXPECT_EQ(back.shapes[i].kind, layout.shapes[i].kind);
    EXPECT_EQ(back.shapes[i].numbers, layout.shapes[i].numbers);
    EXPECT_EQ(back.shapes[i].mesh.vertices, layout.shapes[i].mesh.vertices);
    EXPECT_EQ(back.shapes[i].mesh.triangles, layout.shapes[i].mesh.triangles);
  }

  EXPECT_EQ(back.parameters, layout.parameters);
  EXPECT_TRUE(back.soils.empty());

  EXPECT_EQ(recording.path(), path);
  ASSERT_EQ(recording.sample_count(), 5u);
  EXPECT_EQ(recording.time()[3], 0.1 * 3);
  const std::vector<double> joint = recording.read_channel("joints/wheel_1/position");
  ASSERT_EQ(joint.size(), 5u);
  EXPECT_EQ(joint[4], 400.0 + 0.1 * 10);
  const std::vector<double> part = recording.read_channel("bodies/ball/orientation", 1, 2);
  ASSERT_EQ(part.size(), 8u);
  EXPECT_EQ(part[4], 200.0 + 0.1 * 3);
  EXPECT_TRUE(recording.read_patch("contacts/ball_on_torus/elements", 0).empty());
  EXPECT_EQ(recording.read_patch("contacts/ball_on_torus/elements", 3),
            std::vector<double>(12, 3.5));

  EXPECT_EQ(recording.outcome().status, RecordingStatus::interrupted);
  EXPECT_EQ(recording.outcome().message, "stopped by the user");
  ASSERT_EQ(recording.outcome().summary.size(), 3u);
  EXPECT_EQ(recording.outcome().summary[1], (TextPairs::value_type{"wall time [s]", "0.5"}));
  EXPECT_EQ(recording.outcome().summary[2].second, std::string(1020, 'x') + "...");
  EXPECT_EQ(recording.outcome().warnings,
            (std::vector<std::string>{"deep penetration: 3 times", ""}));
}

RecordingLayout soil_layout() {
  RecordingLayout layout;
  layout.patches = {{"contacts/c/elements", {"x"}, {"m"}, ""}};
  layout.soils = {{"ground", {-1.0, 2.0}, 0.5, 3, 2, {0, 1, 2, 3, 4, 5}},
                  {"bank", {0.0, 0.0}, 0.1, 2, 2, {0, 0, 0, 0}}};
  return layout;
}

TEST_F(RecordingTest, GivesBackSoilsAndTheirChanges) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, soil_layout());
    const std::vector<double> none, element = {7.0}, first = {0, -0.1, 5, -0.2}, second = {5, -0.3};
    const std::span<const double> at_0[] = {element, first, none};
    const std::span<const double> at_1[] = {none, none, none};
    const std::span<const double> at_2[] = {element, second, first};
    writer.add_sample(0.0, {}, at_0);
    writer.add_sample(0.1, {}, at_1);
    writer.add_sample(0.2, {}, at_2);
    writer.finish({});
  }
  const Recording recording = open_recording(path);
  ASSERT_EQ(recording.layout().soils.size(), 2u);
  const RecordingSoil& ground = recording.layout().soils[0];
  EXPECT_EQ(ground.name, "ground");
  EXPECT_EQ(ground.origin, (std::array{-1.0, 2.0}));
  EXPECT_EQ(ground.spacing, 0.5);
  EXPECT_EQ(ground.nx, 3u);
  EXPECT_EQ(ground.ny, 2u);
  EXPECT_EQ(ground.heights, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(recording.layout().patches.size(), 1u);  // soils are not among them

  using Numbers = std::vector<double>;
  EXPECT_EQ(recording.read_patch("contacts/c/elements", 2), (Numbers{7}));
  EXPECT_EQ(recording.read_patch("soils/ground/changes", 0), (Numbers{0, -0.1, 5, -0.2}));
  EXPECT_EQ(recording.read_patch("soils/ground/changes", 1), Numbers{});
  EXPECT_EQ(recording.read_patch("soils/ground/changes", 0, 3),
            (Numbers{0, -0.1, 5, -0.2, 5, -0.3}));
  EXPECT_EQ(recording.read_patch("soils/ground/changes", 3, 0), Numbers{});
  EXPECT_EQ(recording.read_patch_offsets("soils/ground/changes"),
            (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(recording.read_patch_offsets("soils/bank/changes"),
            (std::vector<std::int64_t>{0, 0, 0, 2}));
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { recording.read_patch("soils/ground/changes", 1, 3); }),
               "has 3 samples, asked were 3 from 1"));
}

TEST_F(RecordingTest, RefusesSoilsThatMakeNoSense) {
  const auto refused = [&](const std::function<void(RecordingSoil&)>& spoil) {
    RecordingLayout layout = soil_layout();
    spoil(layout.soils[0]);
    return message_of<InputError>([&] { RecordingWriter(file("run.h5"), layout); });
  };
  EXPECT_EQ(refused([](RecordingSoil& soil) { soil.heights.pop_back(); }),
            "recording soil 'ground' has 5 heights for 3 x 2 nodes");
  EXPECT_EQ(refused([](RecordingSoil& soil) { soil.spacing = 0.0; }),
            "recording soil 'ground': spacing must be positive, is 0");
  EXPECT_TRUE(contains(refused([](RecordingSoil& soil) { soil.spacing = std::nan(""); }),
                       "spacing must be positive"));
  EXPECT_EQ(refused([](RecordingSoil& soil) { soil.nx = 1; }),
            "recording soil 'ground' needs at least 2 x 2 nodes, has 1 x 2");
  EXPECT_TRUE(contains(refused([](RecordingSoil& soil) { soil.name = "bank"; }), "used twice"));
}

// As files were before there were parameters and soils.
TEST_F(RecordingTest, WithoutParametersAndSoilsIsRead) {
  const std::string path = file("run.h5");
  RecordingWriter(path, example_layout()).finish({});
  const hid_t hdf = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(hdf, "scene/parameters", H5P_DEFAULT), 0);
  ASSERT_GE(H5Ldelete(hdf, "contents/soils", H5P_DEFAULT), 0);
  H5Fclose(hdf);
  const Recording recording = open_recording(path);
  EXPECT_TRUE(recording.layout().parameters.empty());
  EXPECT_TRUE(recording.layout().soils.empty());
  EXPECT_EQ(recording.layout().shapes.size(), 3u);
}

TEST_F(RecordingTest, HoldsManySamplesOverManyChunks) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, plain_layout(), {.flush_samples = 100});
    for (std::size_t k = 0; k < 5000; ++k) add_plain_sample(writer, k);
    writer.finish({});
  }
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.sample_count(), 5000u);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::complete);
  expect_plain(recording);
}

TEST_F(RecordingTest, OfARunWithoutSamplesIsComplete) {
  const std::string path = file("run.h5");
  RecordingWriter(path, plain_layout()).finish({});
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.sample_count(), 0u);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::complete);
  EXPECT_TRUE(recording.read_channel("bodies/b0/position").empty());
  std::ostringstream csv;
  export_csv(recording, csv, std::vector<std::string>{"bodies/b0"});
  EXPECT_EQ(
      csv.str(),
      "time [s],bodies/b0/position.x [m],bodies/b0/position.y [m],bodies/b0/position.z [m]\n");
}

TEST_F(RecordingTest, OfALayoutWithoutChannelsHasTimeAlone) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, {});
    writer.add_sample(1.0, {});
    writer.finish({});
  }
  EXPECT_EQ(open_recording(path).time(), std::vector<double>{1.0});
}

TEST_F(RecordingTest, LeftWithoutFinishSaysFailedAndKeepsItsSamples) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, plain_layout());
    for (std::size_t k = 0; k < 10; ++k) add_plain_sample(writer, k);
  }
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.sample_count(), 10u);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::failed);
  EXPECT_EQ(recording.outcome().message, "the run was left before its end");
}

TEST_F(RecordingTest, IsReadableByHdf5WithoutGrouser) {
  ASSERT_EQ(std::system("h5dump --version > /dev/null 2>&1"), 0) << "install hdf5-tools";
  RecordingWriter(file("run.h5"), example_layout()).finish({});
  EXPECT_EQ(std::system(("h5dump '" + file("run.h5") + "' > /dev/null").c_str()), 0);
}

TEST_F(RecordingTest, RefusesSamplesThatDoNotFitTheLayout) {
  RecordingWriter writer(file("run.h5"), plain_layout(1));
  add_plain_sample(writer, 1, 1);
  const std::vector<double> none, three(3);
  const std::span<const double> patch[] = {none};
  const std::span<const double> torn[] = {three};
  const auto refused = [&](double time, std::span<const double> values, auto patches) {
    return message_of<RunError>([&] { writer.add_sample(time, values, patches); });
  };
  EXPECT_TRUE(contains(refused(1.0, none, std::span(patch)), "0 values instead of 3"));
  EXPECT_TRUE(contains(refused(1.0, three, std::span(torn)), "last row is incomplete"));
  EXPECT_TRUE(contains(refused(1.0, three, std::span(patch, 0)), "0 patches instead of 1"));
  EXPECT_TRUE(contains(refused(0.001, three, std::span(patch)), "must come after 0.001 s"));
  EXPECT_TRUE(contains(refused(NAN, three, std::span(patch)), "must come after"));
  add_plain_sample(writer, 2, 1);  // and goes on
  writer.finish({});
  EXPECT_TRUE(contains(message_of<RunError>([&] { writer.flush(); }), "finished already"));
}

TEST_F(RecordingTest, RefusesLayoutsWhosePathsClash) {
  const auto refused = [&](std::vector<std::string> paths) {
    RecordingLayout layout;
    for (const std::string& path : paths) layout.channels.push_back({path, "", {""}, ""});
    const std::string message =
        message_of<InputError>([&] { RecordingWriter(file("run.h5"), layout); });
    EXPECT_FALSE(fs::exists(file("run.h5")));
    return message;
  };
  EXPECT_TRUE(contains(refused({"a/b", "a/b"}), "'a/b' is used twice"));
  EXPECT_TRUE(contains(refused({"a/b", "a"}), "'a' is also a part"));
  EXPECT_TRUE(contains(refused({"a", "a-b", "a/b"}), "'a' is also a part"));
  EXPECT_TRUE(contains(refused({"time"}), "'time' is used twice"));
  EXPECT_TRUE(contains(refused({"scene/x"}), "'scene' is also a part"));
  EXPECT_TRUE(contains(refused({"a//b"}), "'a//b' has a part that is empty"));
  EXPECT_TRUE(contains(refused({"/a"}), "'/a' has a part"));
  EXPECT_TRUE(contains(refused({""}), "'' has a part"));
}

// --- flushing and readers ---------------------------------------------------------------------

TEST_F(RecordingTest, FlushesByCountByTimeAndOnDemand) {
  const std::string path = file("run.h5");
  RecordingWriter writer(path, plain_layout(), {.flush_samples = 3, .flush_interval = 0.2});
  const auto seen = [&] { return open_recording(path).sample_count(); };
  add_plain_sample(writer, 0);
  add_plain_sample(writer, 1);
  EXPECT_EQ(seen(), 0u);
  add_plain_sample(writer, 2);
  EXPECT_EQ(seen(), 3u);
  add_plain_sample(writer, 3);
  writer.flush();
  EXPECT_EQ(seen(), 4u);
  add_plain_sample(writer, 4);
  writer.flush_if_due();
  EXPECT_EQ(seen(), 4u);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  writer.flush_if_due();
  EXPECT_EQ(seen(), 5u);
  EXPECT_EQ(open_recording(path).outcome().status, RecordingStatus::running);
}

// Two processes read while a third writes; each sees a growing, right recording.
TEST_F(RecordingTest, HasSeveralReadersWhileItIsWritten) {
  const std::string path = file("run.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    RecordingWriter writer(path, plain_layout(), {.flush_samples = 10});
    for (std::size_t k = 0; k < 3000; ++k) {
      add_plain_sample(writer, k);
      if (k % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    writer.finish({});
    ::_exit(0);
  }
  const auto read_until_complete = [&path] {
    while (!fs::exists(path)) std::this_thread::yield();
    std::size_t before = 0;
    for (;;) {
      const Recording recording = open_recording(path);
      if (recording.sample_count() < before) return 1;
      before = recording.sample_count();
      expect_plain(recording);
      if (testing::Test::HasFailure()) return 2;
      if (recording.outcome().status == RecordingStatus::complete) return before == 3000 ? 0 : 3;
    }
  };
  std::vector<std::string> printed(2);
  std::vector<int> statuses(2, -1);
  std::thread other([&] { statuses[0] = in_child(read_until_complete, &printed[0]); });
  statuses[1] = in_child(read_until_complete, &printed[1]);
  other.join();
  ::waitpid(child, nullptr, 0);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(statuses[i], 0) << printed[i];
}

TEST_F(RecordingTest, ShutsOutASecondWriterOfTheSamePath) {
  const std::string path = file("run.h5");
  RecordingWriter first(path, plain_layout());
  const std::string message =
      message_of<RunError>([&] { RecordingWriter second(path, plain_layout()); });
  EXPECT_TRUE(contains(message, path + ": cannot create the recording: another run is writing it"));
  add_plain_sample(first, 0);
  first.finish({});
  EXPECT_EQ(open_recording(path).sample_count(), 1u);
}

TEST_F(RecordingTest, ReplacesAnOlderOne) {
  const std::string path = file("run.h5");
  for (std::size_t count = 1; count < 3; ++count) {
    RecordingWriter writer(path, plain_layout());
    for (std::size_t k = 0; k < count; ++k) add_plain_sample(writer, k);
    writer.finish({});
    EXPECT_EQ(open_recording(path).sample_count(), count);
  }
}

// --- full disk --------------------------------------------------------------------------------

TEST_F(RecordingTest, OnAFullDiskKeepsWhatWasFlushedAndSaysWhy) {
  // Limits from the middle of the first flush to a late one, odd to hit every kind of write.
  const std::string path = file("run.h5");
  for (const rlim_t limit : {120'001, 200'003, 262'144, 300'007, 500'009, 900'001, 2'000'003}) {
    SCOPED_TRACE(limit);
    std::string printed;
    const int status = in_child(
        [&] {
          RecordingWriter writer(path, plain_layout(), {.flush_samples = 20});
          limit_file_size(limit);
          std::string first;
          for (std::size_t k = 0; k < 20'000 && first.empty(); ++k) try {
              add_plain_sample(writer, k);
            } catch (const RunError& error) {
              first = error.what();
            }
          if (!contains(first, path) || !contains(first, "File too large")) return 1;
          // From now on every call repeats it.
          try {
            writer.finish({});
            return 2;
          } catch (const RunError& error) {
            return first == error.what() ? 0 : 3;
          }
        },
        &printed);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(printed, "");
    const Recording recording = open_recording(path);
    EXPECT_EQ(recording.outcome().status, RecordingStatus::failed);
    const std::string& message = recording.outcome().message;
    EXPECT_TRUE(contains(message, "File too large")) << message;
    EXPECT_TRUE(contains(message, "keeps " + std::to_string(recording.sample_count()) + " samples"))
        << message << ", holds " << recording.sample_count();
    expect_plain(recording);
    clear_and_dump(path);
  }
}

TEST_F(RecordingTest, OnAFullDiskInTheLastMomentKeepsTheSamples) {
  const std::string path = file("run.h5");
  std::string printed;
  const int status = in_child(
      [&] {
        RecordingWriter writer(path, plain_layout());
        for (std::size_t k = 0; k < 1000; ++k) add_plain_sample(writer, k);
        writer.flush();
        limit_file_size(fs::file_size(path));
        const std::string message = message_of<RunError>([&] {
          writer.finish({RecordingStatus::complete, "", TextPairs(1000, {"key", "value"}), {}});
        });
        return contains(message, "writing the outcome failed: File too large") ? 0 : 1;
      },
      &printed);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(printed, "");
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::failed);
  EXPECT_EQ(recording.sample_count(), 1000u);
  expect_plain(recording);
}

TEST_F(RecordingTest, OnAFullDiskAtTheStartLeavesTheOlderOneInPlace) {
  const std::string path = file("run.h5");
  RecordingWriter(path, plain_layout()).finish({RecordingStatus::complete, "older", {}, {}});
  for (const rlim_t limit : {0, 100, 3000, 20'000}) {
    std::string printed;
    const int status = in_child(
        [&] {
          limit_file_size(limit);
          const std::string message =
              message_of<RunError>([&] { RecordingWriter writer(path, plain_layout(200)); });
          return contains(message, path + ": cannot create the recording: File too large") ? 0 : 1;
        },
        &printed);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(printed, "");
    EXPECT_FALSE(fs::exists(path + ".part"));
    EXPECT_EQ(open_recording(path).outcome().message, "older");
  }
}

// --- places that cannot be written ------------------------------------------------------------

TEST_F(RecordingTest, CannotBeMadeInAFolderThatIsNotWritable) {
  ::chmod(folder_.c_str(), 0555);
  const std::string path = file("run.h5");
  const int status = in_child([&] {
    if (::getuid() == 0 && ::setuid(65534) != 0) return 77;  // root may write everywhere
    const std::string message = message_of<RunError>([&] { RecordingWriter(path, {}); });
    return message == path + ": cannot create the recording: Permission denied" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(RecordingTest, CannotBeMadeWhereItMakesNoSense) {
  const auto refused = [](const std::string& path) {
    return message_of<RunError>([&] { RecordingWriter(path, {}); });
  };
  const std::string folder = folder_.string();
  EXPECT_EQ(refused(folder), folder + ": cannot create the recording: Is a directory");
  EXPECT_EQ(refused(file("no/run.h5")),
            file("no/run.h5") + ": cannot create the recording: No such file or directory");
  EXPECT_EQ(refused("/dev/null"),
            "/dev/null: cannot create the recording: it is not a regular file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(contains(refused(""), "cannot create the recording"));
}

TEST_F(RecordingTest, FollowsALink) {
  RecordingWriter(file("target.h5"), {}).finish({});
  fs::create_symlink(file("target.h5"), file("link.h5"));
  RecordingWriter(file("link.h5"), {}).finish({RecordingStatus::complete, "second", {}, {}});
  EXPECT_TRUE(fs::is_symlink(file("link.h5")));
  EXPECT_EQ(open_recording(file("target.h5")).outcome().message, "second");
}

// --- files that are no recordings -------------------------------------------------------------

std::string opening(const std::string& path) {
  const std::string message = message_of<InputError>([&] { open_recording(path); });
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  return message;
}

// What H5Fcreate and H5Fclose leave: a superblock and the header of an empty root group.
std::string empty_hdf5_file() {
  const std::string digits =
      "894844460d0a1a0a030808000000000000000000ffffffffffffffffc30000000000000030000000"
      "00000000061a61374f4844520220e831f96ae831f96ae831f96ae831f96a78021200000000ffffff"
      "ffffffffffffffffffffffffff0a020001000000580000" +
      std::string(2 * 88, '0') + "b2536bc4";
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST_F(RecordingTest, ReaderSaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(contains(opening(file("none.h5")), "No such file or directory"));
  EXPECT_TRUE(contains(opening(folder_.string()), "Is a directory"));
  EXPECT_TRUE(contains(opening("/dev/null"), "not a regular file"));

  std::ofstream(file("text.h5")) << "time,x\n0,1\n";
  EXPECT_TRUE(contains(opening(file("text.h5")), "is not an HDF5 file; expected a grouser"));
  std::ofstream(file("empty.h5")).flush();
  EXPECT_TRUE(contains(opening(file("empty.h5")), "is not an HDF5 file"));

  std::ofstream(file("other.h5"), std::ios::binary) << empty_hdf5_file();
  EXPECT_TRUE(contains(opening(file("other.h5")), "is an HDF5 file but not a grouser recording"));
}

TEST_F(RecordingTest, CutShortIsRefusedAtAnyLength) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, plain_layout(3));
    for (std::size_t k = 0; k < 600; ++k) add_plain_sample(writer, k, 3);
    writer.finish({});
  }
  const std::uintmax_t size = fs::file_size(path);
  for (std::uintmax_t length = size - 1; length > 8; length = length * 2 / 3) {
    fs::resize_file(path, length);
    EXPECT_TRUE(contains(opening(path), "damaged or cut short")) << length;
  }
}

TEST_F(RecordingTest, WithFlippedBytesIsReadOrRefusedButNeverCrashes) {
  const std::string path = file("run.h5");
  {
    RecordingWriter writer(path, plain_layout(2));
    for (std::size_t k = 0; k < 20; ++k) add_plain_sample(writer, k, 2);
    writer.finish({});
  }
  const std::string good = bytes_of(path);
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (int i = 0; i < 20; ++i)
      bad[random.below(static_cast<std::uint32_t>(bad.size()))] = static_cast<char>(random.next());
    std::ofstream(file("bad.h5"), std::ios::binary) << bad;
    try {
      const Recording recording = open_recording(file("bad.h5"));
      for (const RecordingChannel& channel : recording.layout().channels)
        recording.read_channel(channel.path);
    } catch (const InputError&) {
    }
  }
}

// --- tables -----------------------------------------------------------------------------------

class CsvTest : public RecordingTest {
 protected:
  void SetUp() override {
    RecordingTest::SetUp();
    RecordingLayout layout = example_layout();
    layout.patches.clear();
    RecordingWriter writer(file("run.h5"), layout);
    std::vector<double> values(11, 0.25);
    values[0] = 0.1;
    values[1] = 1e300;
    values[2] = -1.0 / 3.0;
    values[10] = NAN;
    writer.add_sample(0.0, values);
    writer.add_sample(0.1, values);
    writer.finish({});
  }
  std::string csv(std::vector<std::string> selection) const {
    std::ostringstream out;
    export_csv(open_recording(file("run.h5")), out, selection);
    return out.str();
  }
};

TEST_F(CsvTest, HasNamesUnitsAndNumbersThatReadBackTheSame) {
  EXPECT_EQ(csv({"bodies/ball/position", "joints"}),
            "time [s],bodies/ball/position.x [m],bodies/ball/position.y [m],"
            "bodies/ball/position.z [m],joints/wheel_1/position [rad]\n"
            "0,0.1,1e+300,-0.3333333333333333,nan\n"
            "0.1,0.1,1e+300,-0.3333333333333333,nan\n");
}

TEST_F(CsvTest, SelectsByWholePartsOfThePathInLayoutOrder) {
  const auto header = [&](std::vector<std::string> selection) {
    const std::string text = csv(std::move(selection));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_FALSE(contains(header({"bodies/ball"}), "ball 2"));
  EXPECT_TRUE(contains(header({"bodies/"}), "ball 2"));
  EXPECT_EQ(header({"joints", "bodies", "bodies/ball"}), header({}));
}

TEST_F(CsvTest, SuggestsTheNearestName) {
  const auto refused = [&](const std::string& name) {
    return message_of<InputError>([&] { csv({"joints", name}); });
  };
  EXPECT_EQ(refused("bodies/bal"), file("run.h5") +
                                       ": has no channel 'bodies/bal'; did you mean "
                                       "'bodies/ball'?");
  EXPECT_TRUE(contains(refused("bodies/ball/positoin"), "did you mean 'bodies/ball/position'?"));
  EXPECT_TRUE(contains(message_of<InputError>([&] {
                         open_recording(file("run.h5")).read_channel("joints/wheel_2/position");
                       }),
                       "did you mean 'joints/wheel_1/position'?"));
}

TEST_F(CsvTest, GoesToAFileOrSaysWhyNot) {
  const Recording recording = open_recording(file("run.h5"));
  export_csv(recording, file("run.csv"));
  EXPECT_EQ(bytes_of(file("run.csv")), csv({}));
  EXPECT_EQ(message_of<RunError>([&] { export_csv(recording, folder_.string()); }),
            folder_.string() + ": cannot be written: Is a directory");
  EXPECT_EQ(message_of<RunError>([&] { export_csv(recording, std::string("/dev/full")); }),
            "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace grouser
