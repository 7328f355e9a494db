#include "grouser/report/run_page.h"

#include <cmath>
#include <limits>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "tests/report/page_reader.h"
#include "tests/report/recordings.h"
#include "tests/support/messages.h"

namespace grouser::report {
namespace {

/// Run and numbers of the page of a recording.
struct Page {
  explicit Page(const std::string& path, const ReportLimits& limits = {})
      : reader(container(path, limits)), run(reader.header) {}

  static std::string container(const std::string& path, const ReportLimits& limits) {
    PageData data;
    const Json run = run_page(open_recording(path), limits, data);
    return bytes_of(data, run);
  }
  std::vector<std::uint32_t> counts(const Json& reference) const {
    return reader.read<std::uint32_t>(reference);
  }

  PageReader reader;
  const Json& run;
};

// --- thinning ---------------------------------------------------------------------------------

TEST(Thinned, KeepsTheFirstAndTheLastAndNoMoreThanAsked) {
  for (std::size_t count = 1; count < 200; ++count)
    for (std::size_t most = 2; most < 60; ++most) {
      const std::vector<std::size_t> kept = thinned(count, most);
      ASSERT_LE(kept.size(), most);
      ASSERT_EQ(kept.front(), 0u);
      ASSERT_EQ(kept.back(), count - 1);
      ASSERT_TRUE(count > most || kept.size() == count);
      const std::size_t gap = kept.size() > 1 ? kept[1] : 1;
      for (std::size_t i = 1; i + 1 < kept.size(); ++i) ASSERT_EQ(kept[i], i * gap);
    }
  EXPECT_TRUE(thinned(0, 10).empty());
}

TEST(Thinned, KeepsAtLeastTwo) {
  EXPECT_EQ(thinned(100, 0), (std::vector<std::size_t>{0, 99}));
}

TEST(RunPage, KeepsEveryKthSampleAndTheLast) {
  const TemporaryFolder folder;
  const std::string path =
      write_signal(folder, "run.h5", times(10'001, 0.5), [](double t) { return 2.0 * t; });
  const Page page(path, {.samples = 100});
  EXPECT_EQ(page.run["recordedSamples"], 10'001);
  const auto time = page.reader.read<double>(page.run["time"]);
  const auto values = page.reader.read<float>(page.run["channels"][0]["data"]);
  ASSERT_EQ(page.run["samples"], time.size());
  ASSERT_EQ(values.size(), time.size());
  EXPECT_LE(time.size(), 100u);
  EXPECT_EQ(time.front(), 0.0);
  EXPECT_EQ(time.back(), 5000.0);
  for (std::size_t k = 0; k < time.size(); ++k)
    EXPECT_EQ(values[k], static_cast<float>(2.0 * time[k]));
}

// --- rounding ---------------------------------------------------------------------------------

TEST(Rounded, KeepsSixteenBits) {
  Random random(1);
  for (int k = 0; k < 10'000; ++k) {
    const double x = std::ldexp(random.uniform(-1.0, 1.0), static_cast<int>(random.below(60)) - 30);
    EXPECT_LE(std::abs(rounded(x) - x), std::ldexp(std::abs(x), -16));  // half of 2^-15
  }
  EXPECT_EQ(rounded(0.0), 0.0f);
  EXPECT_EQ(rounded(-1.0), -1.0f);
  EXPECT_EQ(rounded(1.0 + 0x1p-15), 1.0f + 0x1p-15f);
}

TEST(Rounded, LeavesWhatIsNoNumber) {
  EXPECT_TRUE(std::isnan(rounded(std::nan(""))));
  EXPECT_EQ(rounded(INFINITY), INFINITY);
  EXPECT_TRUE(std::isfinite(rounded(std::numeric_limits<float>::max())));
}

// --- patches ----------------------------------------------------------------------------------

/// Elements of a sample: up to three, without a pattern.
std::size_t rows_of(std::size_t sample) {
  return (sample * 2654435761u >> 16) % 4;
}

/// Sample k has rows_of(k) elements whose x is k + 0.1 and whose index is 100,000 + k.
std::string write_patches(const TemporaryFolder& folder, std::size_t count) {
  RecordingLayout layout;
  layout.patches = {{"contacts/c/elements", {"x", "index"}, {"m", ""}, "elements"},
                    {"contacts/d/elements", {"x"}, {"m"}, "none"}};
  RecordingWriter writer(folder / "run.h5", layout);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> rows;
    for (std::size_t i = 0; i < rows_of(k); ++i)
      rows.insert(rows.end(), {static_cast<double>(k) + 0.1, 100'000.0 + static_cast<double>(k)});
    const std::span<const double> patches[] = {rows, {}};
    writer.add_sample(0.1 * static_cast<double>(k), {}, patches);
  }
  writer.finish({});
  return folder / "run.h5";
}

void expect_patches(const Page& page, const std::vector<std::size_t>& samples) {
  const Json& patch = page.run["patches"][0];
  const std::vector<std::uint32_t> frames = page.counts(patch["frames"]);
  const std::vector<std::uint32_t> offsets = page.counts(patch["offsets"]);
  const auto data = page.reader.read<float>(patch["data"]);
  ASSERT_EQ(offsets.size(), frames.size() + 1);
  const std::size_t rows = offsets.back();
  ASSERT_EQ(data.size(), 2 * rows);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t sample = samples[frames[i]];
    ASSERT_EQ(offsets[i + 1] - offsets[i], rows_of(sample));
    for (std::size_t row = offsets[i]; row < offsets[i + 1]; ++row) {
      EXPECT_EQ(data[row], rounded(static_cast<double>(sample) + 0.1));
      EXPECT_EQ(data[rows + row], 100'000.0f + static_cast<float>(sample));  // all its digits
    }
  }
}

TEST(RunPage, HasThePatchesOfAllSamplesIfTheyAreFew) {
  const TemporaryFolder folder;
  const Page page(write_patches(folder, 100));
  EXPECT_EQ(page.counts(page.run["patches"][0]["frames"]).size(), 100u);
  EXPECT_EQ(page.counts(page.run["patches"][1]["offsets"]), std::vector<std::uint32_t>(101, 0));
  expect_patches(page, thinned(100, 100));
}

TEST(RunPage, LeavesOutPatchesBeyondTheLimits) {
  const TemporaryFolder folder;
  const std::string path = write_patches(folder, 1001);
  {
    const Page page(path, {.samples = 300, .patch_frames = 50});
    const auto frames = page.counts(page.run["patches"][0]["frames"]);
    EXPECT_LE(frames.size(), 50u);
    EXPECT_EQ(frames.front(), 0u);
    EXPECT_EQ(frames.back() + 1, page.run["samples"]);
    expect_patches(page, thinned(1001, 300));
  }
  {
    const Page page(path, {.patch_rows = 100});
    const std::uint32_t rows = page.counts(page.run["patches"][0]["offsets"]).back();
    EXPECT_LE(rows, 100u);
    EXPECT_GT(rows, 10u);
    expect_patches(page, thinned(1001, 1001));
  }
  const Page page(write_patches(folder, 1001), {.patch_rows = 0});  // not even two samples fit
  EXPECT_TRUE(page.counts(page.run["patches"][0]["frames"]).empty());
  EXPECT_EQ(page.counts(page.run["patches"][0]["offsets"]), std::vector<std::uint32_t>{0});
}

// --- soils ------------------------------------------------------------------------------------

/// In sample k node k % 6 gets the height -k.
std::string write_soil(const TemporaryFolder& folder, std::size_t count, double first_node = 0.0) {
  RecordingLayout layout;
  layout.soils = {{"ground", {-1.0, 2.0}, 0.5, 3, 2, {1, 2, 3, 4, 5, 6}}};
  RecordingWriter writer(folder / "run.h5", layout);
  for (std::size_t k = 0; k < count; ++k) {
    const double change[] = {first_node + static_cast<double>(k % 6), -static_cast<double>(k)};
    const std::span<const double> patches[] = {change};
    writer.add_sample(static_cast<double>(k), {}, patches);
  }
  writer.finish({});
  return folder / "run.h5";
}

/// The heights after page sample j, as a page would compute them.
std::vector<float> heights_at(const Page& page, std::size_t j) {
  const Json& soil = page.run["soils"][0];
  auto heights = page.reader.read<float>(soil["heights"]);
  const auto offsets = page.counts(soil["offsets"]);
  const auto nodes = page.counts(soil["nodes"]);
  const auto values = page.reader.read<float>(soil["values"]);
  for (std::size_t i = 0; i < offsets[j + 1]; ++i) heights[nodes[i]] = values[i];
  return heights;
}

std::vector<float> expected_heights(std::size_t sample) {
  std::vector<float> heights = {1, 2, 3, 4, 5, 6};
  for (std::size_t k = 0; k <= sample; ++k) heights[k % 6] = -static_cast<float>(k);
  return heights;
}

TEST(RunPage, HasTheHeightsOfSoilAtEverySampleItKeeps) {
  const TemporaryFolder folder;
  const std::string path = write_soil(folder, 101);
  for (const std::size_t most : {101u, 30u, 5u}) {
    const Page page(path, {.samples = most});
    const Json& soil = page.run["soils"][0];
    EXPECT_EQ(soil["name"], "ground");
    EXPECT_EQ(soil["origin"], Json::array({-1.0, 2.0}));
    EXPECT_EQ(soil["spacing"], 0.5);
    EXPECT_EQ(soil["nx"], 3);
    EXPECT_EQ(soil["ny"], 2);
    EXPECT_EQ(soil["heights"]["shape"], Json::array({2, 3}));
    const std::vector<std::size_t> samples = thinned(101, most);
    ASSERT_EQ(page.counts(soil["offsets"]).size(), samples.size() + 1);
    for (std::size_t j = 0; j < samples.size(); ++j)
      EXPECT_EQ(heights_at(page, j), expected_heights(samples[j])) << most << " " << j;
  }
}

TEST(RunPage, TellsChangesOfSoilLessOftenIfTheyAreMany) {
  const TemporaryFolder folder;
  const Page page(write_soil(folder, 101), {.soil_rows = 40});
  EXPECT_LE(page.counts(page.run["soils"][0]["nodes"]).size(), 40u);
  EXPECT_EQ(heights_at(page, 0), expected_heights(0));
  EXPECT_EQ(heights_at(page, 100), expected_heights(100));
}

TEST(RunPage, RefusesChangesOfNodesThatAreNotThere) {
  const TemporaryFolder folder;
  const std::string path = write_soil(folder, 3, 4.0);  // nodes 4, 5, 6
  EXPECT_TRUE(contains(message_of<InputError>([&] { Page page(path); }),
                       "run.h5: 'soils/ground/changes' changes a node that is not there"));
}

// --- texts and shapes -------------------------------------------------------------------------

TEST(RunPage, TellsWhatTheRecordingTells) {
  const TemporaryFolder folder;
  RecordingLayout layout;
  layout.grouser_version = "0.1.0";
  layout.scene_path = "scenes/ball.toml";
  layout.scene_text = "a = \"größe\" # </script>\n";
  layout.start_date = "2025-01-02T03:04:05Z";
  layout.metadata = {{"set 1", "a=2"}};
  layout.channels = {{"bodies/ball/position", "m", {"x", "y", "z"}, "of the origin"}};
  layout.parameters = {{"simulation", "", "duration", "1", "s", "simulated time"},
                       {"simulation", "", "threads", "1", "", "that evaluate"},
                       {"contact c", "pcm", "friction", "0.3", "", "Coulomb"}};
  PictureShape mesh, sphere;
  mesh.name = "mesh";
  mesh.body = "world";
  mesh.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
  sphere.name = "ball";
  sphere.body = "ball";
  sphere.kind = "sphere";
  sphere.numbers = {{"radius", 0.1}};
  layout.shapes = {mesh, sphere};
  {
    RecordingWriter writer(folder / "ball.h5", layout);
    writer.add_sample(0.0, std::vector<double>{1, 2, 3});
    writer.add_sample(0.5, std::vector<double>{4, 5, 6});
    writer.finish({RecordingStatus::interrupted, "by the user", {{"steps", "12"}}, {"too deep"}});
  }
  const Page page(folder / "ball.h5");
  const Json& run = page.run;
  EXPECT_EQ(run["name"], "ball");
  EXPECT_EQ(run["path"], folder / "ball.h5");
  EXPECT_EQ(run["scenePath"], layout.scene_path);
  EXPECT_EQ(run["sceneText"], layout.scene_text);
  EXPECT_EQ(run["grouserVersion"], "0.1.0");
  EXPECT_EQ(run["startDate"], layout.start_date);
  EXPECT_EQ(run["status"], "interrupted");
  EXPECT_EQ(run["message"], "by the user");
  EXPECT_EQ(run["summary"], Json::array({Json::array({"steps", "12"})}));
  EXPECT_EQ(run["warnings"], Json::array({"too deep"}));
  EXPECT_EQ(run["metadata"], Json::array({Json::array({"set 1", "a=2"})}));

  ASSERT_EQ(run["parameters"].size(), 2u);
  EXPECT_EQ(run["parameters"][0]["section"], "simulation");
  EXPECT_EQ(run["parameters"][0]["rows"].size(), 2u);
  EXPECT_EQ(run["parameters"][1]["model"], "pcm");
  EXPECT_EQ(run["parameters"][1]["rows"][0], Json::array({"friction", "0.3", "", "Coulomb"}));

  EXPECT_EQ(run["channels"][0]["columns"], Json::array({"x", "y", "z"}));
  EXPECT_EQ(run["channels"][0]["data"]["shape"], Json::array({3, 2}));
  EXPECT_EQ(page.reader.read<float>(run["channels"][0]["data"]),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));  // column after column

  EXPECT_EQ(page.reader.read<float>(run["shapes"][0]["vertices"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(page.counts(run["shapes"][0]["triangles"]),
            (std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3}));
  EXPECT_EQ(run["shapes"][1]["kind"], "sphere");
  EXPECT_EQ(run["shapes"][1]["numbers"], Json::array({Json::array({"radius", 0.1})}));
  EXPECT_FALSE(run["shapes"][1].contains("vertices"));
}

TEST(RunPage, OfARecordingWithoutAnythingIsEmpty) {
  const TemporaryFolder folder;
  RecordingWriter(folder / "run.h5", {}).finish({});
  const Page page(folder / "run.h5");
  EXPECT_EQ(page.run["samples"], 0);
  EXPECT_TRUE(page.reader.read<double>(page.run["time"]).empty());
  for (const char* list : {"channels", "shapes", "patches", "soils", "parameters", "warnings"})
    EXPECT_EQ(page.run[list], Json::array()) << list;
}

TEST(RunPage, OfARecordingWithoutSamplesHasChannelsAndSoils) {
  const TemporaryFolder folder;
  const Page patches(write_patches(folder, 0));
  EXPECT_TRUE(patches.counts(patches.run["patches"][0]["frames"]).empty());
  const Page soil(write_soil(folder, 0));
  EXPECT_EQ(soil.counts(soil.run["soils"][0]["offsets"]), std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace grouser::report
