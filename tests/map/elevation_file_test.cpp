// Elevation maps in files: round trips, conventions, and files that are none.
#include "grouser/map/elevation_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>

#include "grouser/base/random.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

ElevationGrid random_grid(std::size_t nx, std::size_t ny) {
  Random random(8);
  ElevationGrid grid{Vec2(-12.5, 1e6), 0.1, nx, ny, {}};
  for (std::size_t i = 0; i < nx * ny; ++i) grid.heights.push_back(random.uniform(-3.0, 5.0));
  return grid;
}

void expect_same_place(const ElevationGrid& found, const ElevationGrid& expected) {
  EXPECT_EQ(found.nx, expected.nx);
  EXPECT_EQ(found.ny, expected.ny);
  EXPECT_EQ(found.spacing, expected.spacing);
  EXPECT_EQ(found.origin, expected.origin);
}

TEST(ElevationFile, TextKeepsAllDigits) {
  const TemporaryFolder folder;
  const ElevationGrid grid = random_grid(7, 5);
  write_elevation_file(grid, folder / "map.asc");
  const ElevationGrid found = read_elevation_file(folder / "map.asc");
  expect_same_place(found, grid);
  EXPECT_EQ(found.heights, grid.heights);
}

TEST(ElevationFile, RawFloatsKeepSinglePrecision) {
  const TemporaryFolder folder;
  const ElevationGrid grid = random_grid(7, 5);
  write_elevation_file(grid, folder / "map.flt");
  const ElevationGrid found = read_elevation_file(folder / "map.flt");
  expect_same_place(found, grid);
  ASSERT_EQ(found.heights.size(), grid.heights.size());
  for (std::size_t i = 0; i < grid.heights.size(); ++i)
    EXPECT_EQ(found.heights[i], static_cast<double>(static_cast<float>(grid.heights[i])));
}

TEST(ElevationFile, RawNumbersOf64BitsKeepAllDigits) {
  const TemporaryFolder folder;
  ElevationGrid grid = random_grid(7, 5);
  grid.heights[3] = 1e300;
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { write_elevation_file(grid, folder / "map.flt"); }),
               "map.flt: a height of 1e+300 m cannot be written in 32 bits; ask for all digits"));
  EXPECT_FALSE(std::filesystem::exists(folder / "map.hdr"));
  write_elevation_file(grid, folder / "map.flt", {.all_digits = true});
  EXPECT_EQ(folder.read("map.flt").size(), 8u * 35u);
  EXPECT_TRUE(contains(folder.read("map.hdr"), "nbits 64\npixeltype FLOAT\n"));
  const ElevationGrid found = read_elevation_file(folder / "map.flt");
  expect_same_place(found, grid);
  EXPECT_EQ(found.heights, grid.heights);

  folder.write("map.hdr", "ncols 7\nnrows 5\nxllcenter 0\nyllcenter 0\ncellsize 1\nnbits 16\n");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "map.flt"); }),
                       "map.hdr:6: nbits must be 32 or 64, is '16'"));
  folder.write("map.hdr",
               "ncols 7\nnrows 5\nxllcenter 0\nyllcenter 0\ncellsize 1\npixeltype SIGNEDINT\n");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "map.flt"); }),
                       "map.hdr:6: pixeltype must be FLOAT, is 'SIGNEDINT'"));
}

/// While it lives no file can grow beyond so many bytes, as on a disk that is full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_ = {};
};

TEST(ElevationFile, RawNumbersAndTheirHeaderAreReplacedTogetherOrNotAtAll) {
  const TemporaryFolder folder;
  write_elevation_file(random_grid(60, 50), folder / "map.flt");
  const std::string header = folder.read("map.hdr"), heights = folder.read("map.flt");
  ElevationGrid other = random_grid(50, 60);  // as many bytes, so that nothing else could tell
  other.spacing = 0.2;
  {
    const SmallDisk disk(4096);  // enough for the header
    EXPECT_TRUE(
        contains(message_of<RunError>([&] { write_elevation_file(other, folder / "map.flt"); }),
                 "map.flt: cannot be written"));
  }
  EXPECT_EQ(folder.read("map.hdr"), header);
  EXPECT_EQ(folder.read("map.flt"), heights);
  write_elevation_file(other, folder / "map.flt");
  expect_same_place(read_elevation_file(folder / "map.flt"), other);

  const auto leaves_nothing = [&](const std::string& folder_in_the_way, const std::string& beside) {
    std::filesystem::create_directory(folder / folder_in_the_way);
    EXPECT_THROW(write_elevation_file(other, folder / "none.flt"), RunError);
    EXPECT_FALSE(std::filesystem::exists(folder / beside));
    std::filesystem::remove(folder / folder_in_the_way);
  };
  leaves_nothing("none.flt", "none.hdr");
  leaves_nothing("none.hdr", "none.flt");
}

TEST(ElevationFile, SuffixesMayBeInCapitals) {
  const TemporaryFolder folder;
  for (const std::string& suffix : elevation_file_suffixes()) {
    std::string name = "map" + suffix;
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const ElevationGrid grid = random_grid(7, 5);
    write_elevation_file(grid, folder / name);
    write_elevation_file(grid, folder / ("map" + suffix));
    EXPECT_EQ(folder.read(name), folder.read("map" + suffix)) << name;
    EXPECT_EQ(read_elevation_file(folder / name).heights,
              read_elevation_file(folder / ("map" + suffix)).heights);
  }
}

TEST(ElevationFile, TakesNoHeightForAGap) {
  const TemporaryFolder folder;
  ElevationGrid grid = random_grid(2, 2);
  grid.heights = {-9999.0, -99999.0, std::numeric_limits<double>::quiet_NaN(), 1.0};
  for (const char* name : {"map.asc", "map.flt"}) {
    write_elevation_file(grid, folder / name);
    const ElevationGrid found = read_elevation_file(folder / name);
    EXPECT_EQ(found.height(0, 0), -9999.0);
    EXPECT_EQ(found.height(1, 0), -99999.0);
    EXPECT_TRUE(std::isnan(found.height(0, 1)));
  }
}

TEST(ElevationFile, WhatTheCallerSaysGoesFirst) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "map.asc", "ncols 2\nnrows 2\nxllcenter 3\nyllcenter 4\ncellsize 1\n1 2\n3 -9999\n");
  ElevationGrid grid = read_elevation_file(path, {.spacing = 0.5, .scale = 0.1, .offset = 7.0});
  EXPECT_EQ(grid.spacing, 0.5);
  EXPECT_EQ(grid.origin, Vec2(0, 0));
  EXPECT_EQ(grid.height(0, 1), 7.0 + 0.1);
  EXPECT_TRUE(std::isnan(grid.height(1, 0)));  // a gap is one before scaling
  grid = read_elevation_file(path, {.origin = Vec2(-1, 2)});
  EXPECT_EQ(grid.spacing, 1.0);
  EXPECT_EQ(grid.origin, Vec2(-1, 2));

  const auto refusal = [&](const ElevationReadOptions& options) {
    return message_of<InputError>([&] { read_elevation_file(path, options); });
  };
  EXPECT_TRUE(contains(refusal({.spacing = 0.0}), "the given spacing must be a positive number"));
  EXPECT_TRUE(contains(refusal({.scale = 0.0}), "the given scale must be a number other than"));
  EXPECT_TRUE(contains(refusal({.offset = std::nan("")}), "the given offset must be a finite"));
  EXPECT_TRUE(contains(refusal({.origin = Vec2(0, std::nan(""))}), "the given origin must be two"));
}

TEST(ElevationFile, WritesNoGridThatIsNone) {
  const TemporaryFolder folder;
  const auto refusal = [&](const ElevationGrid& grid) {
    return message_of<InputError>([&] { write_elevation_file(grid, folder / "map.asc"); });
  };
  ElevationGrid grid = random_grid(3, 3);
  grid.heights.pop_back();
  EXPECT_TRUE(contains(refusal(grid), "an elevation map of 3 x 3 nodes has 8 heights"));
  grid = random_grid(3, 3);
  grid.spacing = -1.0;
  EXPECT_TRUE(contains(refusal(grid), "spacing of an elevation map must be positive, it is -1"));
  EXPECT_TRUE(contains(refusal(random_grid(4, 1)), "needs at least 2 x 2 nodes, this one has 4 x"));
}

TEST(ElevationFile, RowsRunFromNorthToSouth) {
  const TemporaryFolder folder;
  const ElevationGrid grid = read_elevation_file(folder.write(
      "map.asc",
      "NCOLS 3\r\nNROWS 2\r\nXLLCORNER 10\r\nYLLCORNER 20\r\nCELLSIZE 2\r\n1 2 3\r\n4 5 6\r\n"));
  EXPECT_EQ(grid.origin, Vec2(11.0, 21.0));  // in the middle of the first cell
  EXPECT_EQ(grid.heights, (std::vector<double>{4, 5, 6, 1, 2, 3}));
}

TEST(ElevationFile, RawFloatsComeInEitherByteOrder) {
  const TemporaryFolder folder;
  folder.write("map.hdr",
               "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\nbyteorder MSBFIRST\n");
  const std::string path =
      folder.write("map.flt", std::string("\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x40\x80\0\0", 16));
  EXPECT_EQ(read_elevation_file(path).heights, (std::vector<double>{3, 4, 1, 2}));
}

TEST(ElevationFile, CellsWithoutDataAreGapsThatAMapRefuses) {
  const TemporaryFolder folder;
  for (const char* cell : {"-9999", "-32768", "nan"}) {
    const std::string no_data = cell == std::string("-32768") ? "NODATA_value -32768\n" : "";
    const std::string path =
        folder.write("map.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n" +
                                    no_data + "1 2\n3 " + cell + "\n");
    const ElevationGrid grid = read_elevation_file(path);
    EXPECT_TRUE(std::isnan(grid.height(1, 0))) << cell;
    EXPECT_TRUE(contains(
        message_of<InputError>([&] {
          ElevationMap(grid, ElevationMap::Kind::cubic, ElevationMap::Border::clamp, {path, 0, 0});
        }),
        "map.asc: the elevation map has no height at 1 of 4 nodes, the first is "
        "column 1, row 0"));
    write_elevation_file(grid, folder / "again.flt");
    EXPECT_TRUE(std::isnan(read_elevation_file(folder / "again.flt").height(1, 0)));
  }
}

TEST(ElevationFile, RefusesFilesThatAreNone) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    const std::string path = folder.write("map.asc", text);
    const std::string message = message_of<InputError>([&] { read_elevation_file(path); });
    return message.substr(message.find("map.asc"));
  };
  const std::string head = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n";
  EXPECT_EQ(refusal(""), "map.asc: the file is empty");
  EXPECT_EQ(refusal(head + "1.5 2.5\n3.5"),
            "map.asc: has 3 heights instead of the 4 that its header promises: it is cut off");
  EXPECT_EQ(refusal(head + "1 2\n3 4\n5\n"),
            "map.asc:8: more heights than the 4 that the header promises");
  EXPECT_EQ(refusal(head + "1 2\n3 x\n"), "map.asc:7: a height must be a number, is 'x'");
  EXPECT_EQ(refusal("ncols 2\nnrows 2\nwidth 3\n1 2 3 4\n"),
            "map.asc:3: the header of an ESRI grid has no 'width'");
  EXPECT_EQ(refusal("ncols 2\nncols 2\n"), "map.asc:2: 'ncols' stands twice in the header");
  EXPECT_EQ(refusal("ncols 2\n1 2\n"), "map.asc: the header has no line with 'nrows'");
  EXPECT_EQ(refusal("ncols 1\nnrows 2\n1\n"),
            "map.asc:1: ncols must be a whole number of at least 2, is '1'");
  EXPECT_EQ(refusal("ncols -4\nnrows 2\n1\n"),
            "map.asc:1: ncols must be a whole number of at least 2, is '-4'");
  EXPECT_EQ(refusal("ncols 2\nnrows 2\ncellsize 0\n1\n"), "map.asc:3: cellsize must be positive");
  EXPECT_EQ(
      refusal("ncols 2000000000\nnrows 2000000000\nxllcenter 0\nyllcenter 0\ncellsize 1\n1\n"),
      "map.asc: the header promises 2000000000 x 2000000000 cells, but the file has only 3 "
      "bytes for them: it is cut off");

  EXPECT_EQ(refusal(head + "1 2\n3 4"),
            "map.asc: seems to be cut off: its last line has no end; if it is whole, end it with a "
            "line break");
  folder.write("raw.flt", std::string(12, 'x'));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "raw.flt"); }),
                       "raw.hdr: there is no such file"));
  folder.write("raw.hdr", head);
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "raw.flt"); }),
                       "but the file has only 12 bytes for them: it is cut off"));
  folder.write("raw.flt", std::string(20, 'x'));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "raw.flt"); }),
                       "has 20 bytes instead of 16 for 2 x 2 cells"));
  EXPECT_TRUE(contains(
      message_of<InputError>([&] { write_elevation_file(random_grid(2, 2), folder / "map.bmp"); }),
      "'.bmp' is not an elevation format known here; known are .asc, .flt"));
  EXPECT_TRUE(contains(
      message_of<InputError>([&] { write_elevation_file(random_grid(2, 2), folder / "map"); }),
      "the name has no suffix that tells its format; known are .asc, .flt"));
  std::filesystem::create_directory(folder / "folder.asc");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "folder.asc"); }),
                       "folder.asc: is a directory, not an elevation map"));
  std::filesystem::resize_file(folder / "raw.flt", 8 * kMostElevationNodes + 1);  // not on disk
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "raw.flt"); }),
                       "raw.flt: has 800000001 bytes, too many for an elevation map (800000000"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_elevation_file(folder / "no.asc"); }),
                       "no.asc: there is no such file"));
  EXPECT_TRUE(contains(message_of<RunError>([&] {
                         write_elevation_file(random_grid(2, 2), folder / "nowhere/map.asc");
                       }),
                       "cannot be written"));
}

/// Reads a file that was damaged: it must be refused, or give a grid as large as it says.
void expect_refused_or_sound(const std::string& path, bool& refused) {
  refused = false;
  try {
    const ElevationGrid grid = read_elevation_file(path);
    EXPECT_EQ(grid.heights.size(), grid.nx * grid.ny);
    EXPECT_GT(grid.spacing, 0.0);
  } catch (const InputError& error) {
    refused = true;
    EXPECT_TRUE(contains(error.what(), "damaged."));
  }
}

TEST(ElevationFile, RefusesFilesCutAnywhere) {
  const TemporaryFolder folder;
  ::testing::internal::CaptureStderr();
  const auto cut = [&](const std::string& suffix, const std::string& whole) {
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 40) {
      const std::string path = folder.write("damaged" + suffix, whole.substr(0, length));
      bool refused = false;
      expect_refused_or_sound(suffix == ".hdr" ? folder / "damaged.flt" : path, refused);
      // A header may end after any line that is not needed.
      const bool may_be_whole =
          suffix == ".hdr" && length > 0 && (whole[length - 1] == '\n' || whole[length] == '\n');
      EXPECT_TRUE(refused || may_be_whole) << suffix << " cut to " << length;
    }
  };
  for (const std::string& suffix : elevation_file_suffixes()) {
    if (suffix == ".tiff") continue;  // as .tif
    write_elevation_file(random_grid(9, 6), folder / ("damaged" + suffix));
    cut(suffix, folder.read("damaged" + suffix));
    write_elevation_file(random_grid(9, 6), folder / ("damaged" + suffix));
    if (suffix == ".flt") cut(".hdr", folder.read("damaged.hdr"));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(ElevationFile, SurvivesBytesThatAreWrong) {
  const TemporaryFolder folder;
  Random random(17);
  ::testing::internal::CaptureStderr();
  const auto damage = [&](const std::string& suffix, const std::string& whole) {
    for (int trial = 0; trial < 200; ++trial) {
      std::string bytes = whole;
      for (int k = 0; k <= trial % 3; ++k) {
        // Half of them near the front, where the headers are.
        const double end = static_cast<double>(
            trial % 2 == 0 ? std::min<std::size_t>(bytes.size(), 200) : bytes.size());
        bytes[static_cast<std::size_t>(random.uniform(0.0, end))] =
            static_cast<char>(static_cast<std::uint8_t>(random.uniform(0.0, 256.0)));
      }
      const std::string path = folder.write("damaged" + suffix, bytes);
      bool refused = false;
      expect_refused_or_sound(suffix == ".hdr" ? folder / "damaged.flt" : path, refused);
    }
  };
  for (const std::string& suffix : elevation_file_suffixes()) {
    if (suffix == ".tiff") continue;  // as .tif
    write_elevation_file(random_grid(9, 6), folder / ("damaged" + suffix));
    damage(suffix, folder.read("damaged" + suffix));
    write_elevation_file(random_grid(9, 6), folder / ("damaged" + suffix));
    if (suffix == ".flt") damage(".hdr", folder.read("damaged.hdr"));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace grouser
