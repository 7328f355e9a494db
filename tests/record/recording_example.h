// Recordings whose every number is known, for tests.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "grouser/record/recording.h"

namespace grouser {

// A folder that lasts as long as the test.
class RecordingTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "grouser_recording_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    ::chmod(folder_.c_str(), 0777);
  }
  void TearDown() override {
    ::chmod(folder_.c_str(), 0777);
    std::filesystem::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A layout in which every number follows from the sample, so that a reader can check it.
inline RecordingLayout plain_layout(std::size_t channel_count = 20) {
  RecordingLayout layout;
  for (std::size_t i = 0; i < channel_count; ++i)
    layout.channels.push_back(
        {"bodies/b" + std::to_string(i) + "/position", "m", {"x", "y", "z"}, ""});
  layout.patches = {{"contacts/c/elements", {"a", "b"}, {"", "N"}, ""}};
  return layout;
}

inline double time_of(std::size_t sample) {
  return 0.001 * static_cast<double>(sample);
}
inline double value_of(std::size_t sample, std::size_t column) {
  return static_cast<double>(sample) + 1e-3 * static_cast<double>(column);
}
inline std::size_t patch_rows_of(std::size_t sample) {
  return sample % 7;
}

inline void add_plain_sample(RecordingWriter& writer, std::size_t sample,
                             std::size_t channel_count = 20) {
  std::vector<double> values(3 * channel_count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(sample, i);
  std::vector<double> rows(2 * patch_rows_of(sample));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = value_of(sample, i);
  const std::span<const double> patches[] = {rows};
  writer.add_sample(time_of(sample), values, patches);
}

// Every number of every sample is what add_plain_sample() wrote.
inline void expect_plain(const Recording& recording) {
  const std::size_t count = recording.sample_count();
  for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(recording.time()[k], time_of(k));
  const std::vector<RecordingChannel>& channels = recording.layout().channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::vector<double> values = recording.read_channel(channels[c].path);
    ASSERT_EQ(values.size(), 3 * count);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], value_of(i / 3, 3 * c + i % 3)) << channels[c].path << " row " << i / 3;
  }
  for (std::size_t k = 0; k < count; k += count < 2000 ? 1 : 97) {
    const std::vector<double> rows = recording.read_patch("contacts/c/elements", k);
    ASSERT_EQ(rows.size(), 2 * patch_rows_of(k));
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], value_of(k, i));
  }
}

// As the documentation tells for files of killed runs: h5clear first, then any tool. The numbers
// are still what they were.
inline void clear_and_dump(const std::string& path) {
  const std::size_t count = open_recording(path).sample_count();
  ASSERT_EQ(std::system(("h5clear -s '" + path + "'").c_str()), 0);
  ASSERT_EQ(std::system(("h5dump '" + path + "' > /dev/null").c_str()), 0);
  const Recording recording = open_recording(path);
  EXPECT_EQ(recording.sample_count(), count);
  expect_plain(recording);
}

}  // namespace grouser
