#include "grouser/report/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/recordings.h"

namespace grouser {
namespace {

RecordingComparison compare_files(const std::string& first, const std::string& second) {
  return compare(open_recording(first), open_recording(second));
}

TEST(Comparison, OfARecordingWithItselfFindsNothing) {
  const TemporaryFolder folder;
  const std::string path =
      write_signal(folder, "a.h5", times(50, 0.1), [](double t) { return std::sin(t); });
  const RecordingComparison result = compare_files(path, path);
  EXPECT_EQ(result.samples, 50u);
  ASSERT_EQ(result.differences.size(), 1u);
  EXPECT_EQ(result.differences[0].greatest, 0.0);
  EXPECT_EQ(result.differences[0].relative(), 0.0);
}

TEST(Comparison, InterpolatesLinearly) {
  // A line is met exactly by lines between any samples of it.
  const TemporaryFolder folder;
  const auto line = [](double t) { return 3.0 * t - 1.0; };
  const std::string a = write_signal(folder, "a.h5", times(101, 0.01), line);
  const std::string b = write_signal(folder, "b.h5", times(8, 0.15), line);
  const RecordingComparison result = compare_files(a, b);
  EXPECT_EQ(result.begin, 0.0);
  EXPECT_NEAR(result.end, 1.0, 1e-12);
  EXPECT_EQ(result.samples, 101u);
  EXPECT_NEAR(result.differences[0].greatest, 0.0, 1e-14);  // rounding
}

TEST(Comparison, TellsTheGreatestDifferenceItsTimeAndTheMeanSquare) {
  const TemporaryFolder folder;
  const std::string a =
      write_signal(folder, "a.h5", times(5, 1.0), [](double t) { return 10.0 * t; });
  const std::string b = write_signal(folder, "b.h5", times(5, 1.0), [](double t) {
    return 10.0 * t + (t == 2.0 ? -3.0 : t == 3.0 ? 4.0 : 0.0);
  });
  const ChannelDifference found = compare_files(a, b).differences[0];
  EXPECT_EQ(found.path, "system/signal");
  EXPECT_EQ(found.column, "");
  EXPECT_EQ(found.unit, "J");
  EXPECT_DOUBLE_EQ(found.greatest, 4.0);
  EXPECT_EQ(found.at_time, 3.0);
  EXPECT_DOUBLE_EQ(found.rms, std::sqrt((9.0 + 16.0) / 5.0));
  EXPECT_DOUBLE_EQ(found.range, 40.0);
  EXPECT_DOUBLE_EQ(found.relative(), 0.1);
}

TEST(Comparison, CoversTheTimeThatBothHave) {
  const TemporaryFolder folder;
  const auto zero = [](double) { return 0.0; };
  const std::string a = write_signal(folder, "a.h5", {0.0, 1.0, 2.0, 3.0, 4.0}, zero);
  const std::string b = write_signal(folder, "b.h5", {0.5, 1.5, 3.0}, zero);
  const RecordingComparison result = compare_files(a, b);
  EXPECT_EQ(result.begin, 1.0);
  EXPECT_EQ(result.end, 3.0);
  EXPECT_EQ(result.samples, 3u);
  const std::string later = write_signal(folder, "later.h5", {7.0, 8.0}, zero);
  EXPECT_EQ(compare_files(a, later).samples, 0u);
  EXPECT_TRUE(compare_files(a, later).differences.empty());
  const std::string never = write_signal(folder, "never.h5", {}, zero);
  EXPECT_EQ(compare_files(a, never).samples, 0u);
}

TEST(Comparison, OfANumberWithNoneIsInfinite) {
  const TemporaryFolder folder;
  const std::string a = write_signal(folder, "a.h5", times(3, 1.0), [](double) { return 1.0; });
  const std::string b = write_signal(folder, "b.h5", times(3, 1.0),
                                     [](double t) { return t == 1.0 ? std::nan("") : 1.0; });
  EXPECT_EQ(compare_files(a, b).differences[0].greatest, INFINITY);
  EXPECT_EQ(compare_files(a, b).differences[0].at_time, 1.0);
  EXPECT_EQ(compare_files(b, b).differences[0].greatest, 0.0);
}

/// A recording with these channels, all of one number that is `value`.
std::string write_constants(const TemporaryFolder& folder, const std::string& name,
                            const std::vector<std::pair<RecordingChannel, double>>& channels) {
  RecordingLayout layout;
  std::vector<double> values;
  for (const auto& [channel, value] : channels) {
    layout.channels.push_back(channel);
    values.insert(values.end(), channel.columns.size(), value);
  }
  RecordingWriter writer(folder / name, layout);
  writer.add_sample(0.0, values);
  writer.add_sample(1.0, values);
  writer.finish({});
  return folder / name;
}

TEST(Comparison, ListsChannelsThatOnlyOneHas) {
  const TemporaryFolder folder;
  const std::string a = write_constants(folder, "a.h5",
                                        {{{"both", "m", {""}, ""}, 1.0},
                                         {{"mine", "m", {""}, ""}, 1.0},
                                         {{"unit", "m", {""}, ""}, 1.0}});
  const std::string b = write_constants(folder, "b.h5",
                                        {{{"unit", "mm", {""}, ""}, 1.0},
                                         {{"yours", "m", {"x", "y"}, ""}, 1.0},
                                         {{"both", "m", {""}, ""}, 1.0}});
  const RecordingComparison result = compare_files(a, b);
  EXPECT_EQ(result.only_first, (std::vector<std::string>{"mine", "unit"}));
  EXPECT_EQ(result.only_second, (std::vector<std::string>{"unit", "yours"}));
  ASSERT_EQ(result.differences.size(), 1u);
  EXPECT_EQ(result.differences[0].path, "both");
}

TEST(Comparison, PutsTheGreatestShareOfTheRangeFirst) {
  const TemporaryFolder folder;
  const RecordingChannel large{"large", "N", {"x", "y"}, ""}, small{"small", "m", {""}, ""};
  RecordingLayout layout;
  layout.channels = {large, small};
  const auto write = [&](const std::string& name, double x, double s) {
    RecordingWriter writer(folder / name, layout);
    writer.add_sample(0.0, std::vector<double>{0.0, 0.0, 0.0});
    writer.add_sample(1.0, std::vector<double>{1000.0 + x, 1e-3 * x, 1e-3 + s});
    writer.finish({});
    return folder / name;
  };
  const RecordingComparison result = compare_files(write("a.h5", 0, 0), write("b.h5", 1, 1e-4));
  ASSERT_EQ(result.differences.size(), 3u);
  EXPECT_EQ(result.differences[0].path, "small");  // 10 %
  EXPECT_EQ(result.differences[1].column, "x");    // 0.1 %
  EXPECT_EQ(result.differences[2].column, "y");    // of the range of x
}

TEST(Comparison, TakesTheNearerOfTheTwoQuaternions) {
  const TemporaryFolder folder;
  RecordingLayout layout;
  layout.channels = {{"bodies/b/orientation", "", {"w", "x", "y", "z"}, ""}};
  // The same turn about x; the signs of b jump, also between its samples.
  const auto write = [&](const std::string& name, std::size_t count, double step, bool jumps) {
    RecordingWriter writer(folder / name, layout);
    for (std::size_t k = 0; k < count; ++k) {
      const double t = step * static_cast<double>(k), sign = jumps && k % 3 > 0 ? -1.0 : 1.0;
      writer.add_sample(t, std::vector<double>{sign * std::cos(t), sign * std::sin(t), 0, 0});
    }
    writer.finish({});
    return folder / name;
  };
  const RecordingComparison result =
      compare_files(write("a.h5", 100, 0.01, false), write("b.h5", 60, 0.02, true));
  EXPECT_LE(result.differences[0].greatest, 0.02 * 0.02 / 8.0);  // of linear interpolation
}

}  // namespace
}  // namespace grouser
