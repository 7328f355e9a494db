// Recordings that are taken up again: as if there had been one run, and never less than before.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "grouser/base/error.h"
#include "tests/record/recording_example.h"
#include "tests/record/recording_failures.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

// Channels, contact elements and soil, whose numbers follow from the sample.
RecordingLayout ground_layout() {
  RecordingLayout layout = plain_layout(2);
  layout.start_date = "2025-01-02T03:04:05Z";
  layout.channels.push_back({"soils/ground/deepest_rut", "m", {""}, ""});
  layout.soils = {{"ground", {-1.0, 2.0}, 0.5, 3, 2, {0, 1, 2, std::nan(""), 4, 5}}};
  return layout;
}

void add_ground_samples(RecordingWriter& writer, std::size_t first, std::size_t end) {
  for (std::size_t k = first; k < end; ++k) {
    std::vector<double> values(7);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(k, i);
    if (k % 50 == 0) values[3] = std::nan("");
    const std::vector<double> elements(2 * patch_rows_of(k), value_of(k, 1));
    std::vector<double> changes;
    if (k % 3 == 0) changes = {static_cast<double>(k % 6), -time_of(k)};
    const std::span<const double> patches[] = {elements, changes};
    writer.add_sample(time_of(k), values, patches);
  }
}

const RecordingOutcome kOutcome = {
    RecordingStatus::complete, "", {{"steps", "1234"}}, {"deep penetration: 3 times"}};

// A run from its first sample to its end.
void record_ground(const std::string& path, std::size_t count) {
  RecordingWriter writer(path, ground_layout());
  add_ground_samples(writer, 0, count);
  writer.finish(kOutcome);
}

// Goes on from `kept` samples to `count`.
void resume_ground(const std::string& path, std::size_t kept, std::size_t count) {
  RecordingWriter writer(path, ground_layout(), {.resume_samples = kept});
  add_ground_samples(writer, kept, count);
  writer.finish(kOutcome);
}

// All bits that the reader gives.
std::vector<std::uint64_t> bits_of(const Recording& recording) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](const std::vector<double>& numbers) {
    bits.push_back(numbers.size());
    for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
  };
  add(recording.time());
  for (const RecordingChannel& channel : recording.layout().channels)
    add(recording.read_channel(channel.path));
  std::vector<RecordingPatch> patches = recording.layout().patches;
  for (const RecordingSoil& soil : recording.layout().soils) patches.push_back(soil.changes());
  for (const RecordingPatch& patch : patches) {
    add(recording.read_patch(patch.path, 0, recording.sample_count()));
    for (const std::int64_t offset : recording.read_patch_offsets(patch.path))
      bits.push_back(static_cast<std::uint64_t>(offset));
  }
  return bits;
}

std::string table_of(const Recording& recording) {
  std::ostringstream out;
  export_csv(recording, out);
  return out.str();
}

// What HDF5's own tool sees: every group, attribute and number. It opens files at rest only.
std::string dump_of(const std::string& path) {
  const std::string text = path + ".txt";
  EXPECT_EQ(std::system(("h5dump '" + path + "' > '" + text + "'").c_str()), 0);
  const std::string all = bytes_of(text);
  return all.substr(all.find('\n'));  // the first line has the path
}

void expect_same(const std::string& path, const std::string& expected_path) {
  const Recording recording = open_recording(path);
  const Recording expected = open_recording(expected_path);
  EXPECT_EQ(recording.sample_count(), expected.sample_count());
  EXPECT_TRUE(bits_of(recording) == bits_of(expected));
  EXPECT_TRUE(table_of(recording) == table_of(expected));
  EXPECT_TRUE(dump_of(path) == dump_of(expected_path));
}

class ResumedRecordingTest : public RecordingTest {
 protected:
  void expect_untouched(const std::string& path, const std::string& bytes) {
    EXPECT_TRUE(bytes_of(path) == bytes);
    EXPECT_FALSE(fs::exists(path + ".part"));
  }
};

// --- as one run -------------------------------------------------------------------------------

TEST_F(ResumedRecordingTest, IsTheSameAsOneOfASingleRun) {
  record_ground(file("whole.h5"), 1500);
  const std::string path = file("run.h5");
  // None, one, around the border of a chunk, all.
  for (const std::size_t kept : {0, 1, 511, 512, 513, 700}) {
    SCOPED_TRACE(kept);
    record_ground(path, 700);
    resume_ground(path, kept, 1500);
    expect_same(path, file("whole.h5"));
    EXPECT_FALSE(fs::exists(path + ".part"));
  }
}

TEST_F(ResumedRecordingTest, IsTheSameHoweverTheFirstRunEnded) {
  record_ground(file("whole.h5"), 300);
  const std::string path = file("run.h5");
  for (const char* end : {"interrupted", "failed", "left"}) {
    SCOPED_TRACE(end);
    {
      RecordingWriter writer(path, ground_layout());
      add_ground_samples(writer, 0, 250);
      if (end == std::string("interrupted"))
        writer.finish({RecordingStatus::interrupted, "by the user", {{"a", "b"}}, {"c"}});
      if (end == std::string("failed")) writer.finish({RecordingStatus::failed, "why", {}, {}});
    }
    resume_ground(path, 200, 300);
    expect_same(path, file("whole.h5"));
  }
}

TEST_F(ResumedRecordingTest, IsTheSameWhenResumedTwice) {
  record_ground(file("whole.h5"), 900);
  const std::string path = file("run.h5");
  record_ground(path, 300);
  {
    RecordingWriter writer(path, ground_layout(), {.resume_samples = 200});
    add_ground_samples(writer, 200, 450);
  }
  EXPECT_EQ(open_recording(path).outcome().status, RecordingStatus::failed);
  resume_ground(path, 400, 900);
  expect_same(path, file("whole.h5"));
}

TEST_F(ResumedRecordingTest, IsTheSameWhereOneSampleIsMoreThanABlock) {
  RecordingLayout layout;
  layout.channels = {{"wide", "", std::vector<std::string>(100, "x"), ""}};
  layout.patches = {{"elements", {"a", "b", "c"}, {"", "", ""}, ""}};
  const auto add = [](RecordingWriter& writer, std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      const std::vector<double> values(100, value_of(k, 0));
      std::vector<double> rows(k % 100 == 50 ? 300'000 : 3 * (k % 90));
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = value_of(k, i);
      const std::span<const double> patches[] = {rows};
      writer.add_sample(time_of(k), values, patches);
    }
  };
  const auto bits = [&](const RecordingOptions& options, std::size_t first, std::size_t end) {
    RecordingWriter writer(file("run.h5"), layout, options);
    add(writer, first, end);
    writer.finish({});
    return bits_of(open_recording(file("run.h5")));
  };
  const std::vector<std::uint64_t> whole = bits({}, 0, 3100);
  for (const std::size_t kept : {51, 2950, 3051})
    EXPECT_TRUE(bits({.resume_samples = kept}, kept, 3100) == whole) << kept;
}

TEST_F(ResumedRecordingTest, KeepsTheStartDateAndTakesTheRestFromTheNewLayout) {
  const std::string path = file("run.h5");
  record_ground(path, 10);
  RecordingLayout layout = ground_layout();
  layout.start_date = "2026-01-01T00:00:00Z";
  layout.metadata = {{"resumed", "yes"}};
  layout.channels[0].description = "better words";
  std::swap(layout.channels[0], layout.channels[1]);
  RecordingWriter(path, layout, {.resume_samples = 10}).finish({});
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.layout().start_date, "2025-01-02T03:04:05Z");
  EXPECT_EQ(recording.layout().metadata, layout.metadata);
  EXPECT_EQ(recording.layout().channels[1].description, "better words");
  EXPECT_EQ(recording.layout().channels[1].path, "bodies/b0/position");
  EXPECT_EQ(recording.read_channel("bodies/b0/position", 9, 1)[2], value_of(9, 2));
  EXPECT_TRUE(recording.outcome().summary.empty());
}

TEST_F(ResumedRecordingTest, HoldsWhatIsKeptBeforeTheFirstNewSample) {
  const std::string path = file("run.h5");
  record_ground(path, 30);
  RecordingWriter writer(path, ground_layout(), {.resume_samples = 20});
  EXPECT_EQ(open_recording(path).sample_count(), 20u);
  EXPECT_EQ(open_recording(path).outcome().status, RecordingStatus::running);
  EXPECT_TRUE(contains(message_of<RunError>([&] { add_ground_samples(writer, 19, 20); }),
                       "must come after 0.019 s"));
  add_ground_samples(writer, 20, 21);
  writer.flush();
  EXPECT_EQ(open_recording(path).sample_count(), 21u);
}

TEST_F(ResumedRecordingTest, FollowsALink) {
  record_ground(file("target.h5"), 10);
  fs::create_symlink(file("target.h5"), file("link.h5"));
  resume_ground(file("link.h5"), 5, 20);
  EXPECT_TRUE(fs::is_symlink(file("link.h5")));
  EXPECT_EQ(open_recording(file("target.h5")).sample_count(), 20u);
}

// --- refused ----------------------------------------------------------------------------------

TEST_F(ResumedRecordingTest, IsRefusedIfItHasFewerSamples) {
  const std::string path = file("run.h5");
  record_ground(path, 30);
  const std::string bytes = bytes_of(path);
  EXPECT_EQ(message_of<InputError>([&] { resume_ground(path, 31, 40); }),
            path + ": cannot be resumed: it has 30 samples, 31 are to be kept");
  expect_untouched(path, bytes);
}

TEST_F(ResumedRecordingTest, IsRefusedIfItsLayoutDiffers) {
  const std::string path = file("run.h5");
  record_ground(path, 30);
  const std::string bytes = bytes_of(path);
  const auto refused = [&](const std::function<void(RecordingLayout&)>& change) {
    RecordingLayout layout = ground_layout();
    change(layout);
    const std::string message =
        message_of<InputError>([&] { RecordingWriter(path, layout, {.resume_samples = 10}); });
    expect_untouched(path, bytes);
    const std::string start = path + ": cannot be resumed: ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(refused([](auto& layout) {
              layout.channels.push_back({"new", "", {""}, ""});
            }),
            "it has no channel 'new'");
  EXPECT_EQ(refused([](auto& layout) { layout.channels.erase(layout.channels.begin()); }),
            "this run has no channel 'bodies/b0/position'");
  EXPECT_EQ(refused([](auto& layout) {
              layout.channels[1].columns = {"x", "y"};
            }),
            "channel 'bodies/b1/position' has columns 'x, y, z' there, 'x, y' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.channels[1].unit = "mm"; }),
            "channel 'bodies/b1/position' has unit 'm' there, 'mm' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.patches.clear(); }),
            "this run has no patch 'contacts/c/elements'");
  EXPECT_EQ(refused([](auto& layout) {
              layout.patches[0].columns = {"a", "c"};
            }),
            "patch 'contacts/c/elements' has columns 'a, b' there, 'a, c' in this run");
  EXPECT_EQ(refused([](auto& layout) {
              layout.patches[0].units = {"", "kN"};
            }),
            "patch 'contacts/c/elements' has units 'N' there, 'kN' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.soils[0].name = "bank"; }), "it has no soil 'bank'");
  EXPECT_EQ(refused([](auto& layout) { layout.soils.clear(); }), "this run has no soil 'ground'");
  EXPECT_EQ(refused([](auto& layout) { std::swap(layout.soils[0].nx, layout.soils[0].ny); }),
            "soil 'ground' has nodes '3 x 2' there, '2 x 3' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.soils[0].spacing = 0.25; }),
            "soil 'ground' has spacing '0.5' there, '0.25' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.soils[0].origin[1] = 3.0; }),
            "soil 'ground' has origin '-1, 2' there, '-1, 3' in this run");
  EXPECT_EQ(refused([](auto& layout) { layout.soils[0].heights[4] = 4.5; }),
            "soil 'ground' has other heights before the run");
}

TEST_F(ResumedRecordingTest, IsRefusedIfItIsNoRecording) {
  EXPECT_EQ(message_of<InputError>([&] { resume_ground(file("none.h5"), 0, 1); }),
            file("none.h5") + ": cannot be opened as a recording: No such file or directory");
  EXPECT_FALSE(fs::exists(file("none.h5")));
  std::ofstream(file("text.h5")) << "time,x\n0,1\n";
  EXPECT_EQ(message_of<InputError>([&] { resume_ground(file("text.h5"), 0, 1); }),
            file("text.h5") + ": is not an HDF5 file; expected a grouser recording");
  expect_untouched(file("text.h5"), "time,x\n0,1\n");
}

TEST_F(ResumedRecordingTest, IsRefusedIfItTurnsOutToBeDamaged) {
  const std::string path = file("run.h5");
  for (const std::int64_t wrong : {-1, 1}) {
    record_ground(path, 30);
    const hid_t hdf = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(hdf, "contacts/c/elements/offsets", H5P_DEFAULT);
    std::vector<std::int64_t> offsets(31);
    H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets.data());
    offsets[0] = wrong;
    H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets.data());
    H5Dclose(dataset);
    H5Fclose(hdf);
    const std::string bytes = bytes_of(path);
    EXPECT_TRUE(contains(message_of<InputError>([&] { resume_ground(path, 10, 11); }),
                         path + ": patch 'contacts/c/elements' cannot be read"));
    expect_untouched(path, bytes);
  }
}

TEST_F(ResumedRecordingTest, IsRefusedWhileItIsWritten) {
  const std::string path = file("run.h5");
  RecordingWriter first(path, ground_layout());
  add_ground_samples(first, 0, 10);
  first.flush();
  EXPECT_EQ(message_of<RunError>([&] { resume_ground(path, 5, 6); }),
            path + ": cannot create the recording: another run is writing it");
  first.finish({});
  EXPECT_EQ(open_recording(path).sample_count(), 10u);
}

// --- full disk --------------------------------------------------------------------------------

TEST_F(ResumedRecordingTest, OnAFullDiskLeavesTheEarlierOneInPlace) {
  const std::string path = file("run.h5");
  record_ground(path, 5000);
  const std::string bytes = bytes_of(path);
  // From the first byte over the making of the file to the last of the copy.
  RecordingWriter(file("copy.h5"), ground_layout(), {});
  const auto made = static_cast<rlim_t>(fs::file_size(file("copy.h5")));
  std::vector<rlim_t> limits = {0, 100, 3000, made, made + 1};
  for (rlim_t limit = made + 30'011; limit + 30'000 < bytes.size(); limit += 30'011)
    limits.push_back(limit);
  ASSERT_GT(limits.size(), 10u);
  for (const rlim_t limit : limits) {
    SCOPED_TRACE(limit);
    std::string printed;
    const int status = in_child(
        [&] {
          limit_file_size(limit);
          const std::string message =
              message_of<RunError>([&] { resume_ground(path, 5000, 5001); });
          return message == path + ": cannot create the recording: File too large" ? 0 : 1;
        },
        &printed);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(printed, "");
    expect_untouched(path, bytes);
  }
}

TEST_F(ResumedRecordingTest, OnADiskThatIsFullLaterKeepsWhatWasFlushedAndSaysSo) {
  const std::string path = file("run.h5");
  record_ground(path, 1000);
  std::string printed;
  const int status = in_child(
      [&] {
        RecordingWriter writer(path, ground_layout(), {.resume_samples = 900});
        limit_file_size(fs::file_size(path));
        const std::string message =
            message_of<RunError>([&] { add_ground_samples(writer, 900, 20'000); });
        return contains(message, "File too large; the recording keeps ") ? 0 : 1;
      },
      &printed);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(printed, "");
  const Recording recording = open_recording(path);
  EXPECT_GE(recording.sample_count(), 900u);
  EXPECT_EQ(recording.outcome().status, RecordingStatus::failed);
  EXPECT_TRUE(contains(recording.outcome().message,
                       "keeps " + std::to_string(recording.sample_count()) + " samples"))
      << recording.outcome().message;
  resume_ground(path, 900, 1200);
  record_ground(file("whole.h5"), 1200);
  expect_same(path, file("whole.h5"));
}

}  // namespace
}  // namespace grouser
