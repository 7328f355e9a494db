// Elevation maps that go through GDAL: GeoTIFF and PNG both ways, and what other files may say.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "grouser/base/random.h"
#include "grouser/map/elevation_file.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

#if GROUSER_TEST_GDAL

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ElevationGrid near_grid(std::size_t nx, std::size_t ny) {
  Random random(8);
  ElevationGrid grid{Vec2(-12.5, 1e4), 0.1, nx, ny, {}};
  for (std::size_t i = 0; i < nx * ny; ++i) grid.heights.push_back(random.uniform(-3.0, 5.0));
  return grid;
}

class GdalFile : public ::testing::Test {
 protected:
  GdalFile() { ::testing::internal::CaptureStderr(); }
  ~GdalFile() override { EXPECT_EQ(::testing::internal::GetCapturedStderr(), ""); }

  std::string refusal(const std::string& name, const ElevationReadOptions& options = {}) {
    const std::string message =
        message_of<InputError>([&] { read_elevation_file(folder_ / name, options); });
    return message.substr(std::min(message.find(name), message.size()));
  }

  /// A map of two rows with numbers 1, 2, 3 and 4, 5, 6, from the north, told in GDAL's own words.
  std::string write_vrt(const std::string& dataset, const std::string& band = "",
                        const std::string& type = "Float32", int bands = 1) {
    ElevationGrid grid{Vec2::Zero(), 1.0, 3, 2, {4, 5, 6, 1, 2, 3}};
    write_elevation_file(grid, folder_ / "source.tif");
    std::string text = R"(<VRTDataset rasterXSize="3" rasterYSize="2">)" + dataset;
    for (int b = 1; b <= bands; ++b)
      text += R"(<VRTRasterBand dataType=")" + type + R"(" band=")" + std::to_string(b) + R"(">)" +
              band + R"(<SimpleSource><SourceFilename relativeToVRT="1">source.tif)" +
              "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>";
    folder_.write("map.vrt", text + "</VRTDataset>");
    return folder_ / "map.vrt";
  }
  static constexpr char kPlace[] = "<GeoTransform>10, 2, 0, 24, 0, -2</GeoTransform>";

  const TemporaryFolder folder_;
};

TEST_F(GdalFile, GeoTiffReadsBack) {
  ElevationGrid grid = near_grid(7, 5);
  grid.heights[8] = kNan;
  for (const bool all_digits : {false, true}) {
    write_elevation_file(grid, folder_ / "map.tif", {.all_digits = all_digits});
    const ElevationGrid found = read_elevation_file(folder_ / "map.tif");
    EXPECT_EQ(found.nx, grid.nx);
    EXPECT_EQ(found.ny, grid.ny);
    EXPECT_EQ(found.spacing, grid.spacing);
    EXPECT_LT((found.origin - grid.origin).norm(), 1e-11);  // a few roundings of 1e4
    for (std::size_t i = 0; i < grid.heights.size(); ++i) {
      const double z = grid.heights[i];
      if (std::isnan(z))
        EXPECT_TRUE(std::isnan(found.heights[i]));
      else
        EXPECT_EQ(found.heights[i], all_digits ? z : double{static_cast<float>(z)});
    }
  }
}

TEST_F(GdalFile, PngKeepsPlaceAndLevels) {
  ElevationGrid grid = near_grid(40, 30);
  const auto [low, high] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  const double level = (*high - *low) / 65534.0;
  for (const bool gap : {false, true}) {
    if (gap) grid.heights[77] = kNan;
    write_elevation_file(grid, folder_ / "map.png");
    const ElevationGrid found = read_elevation_file(folder_ / "map.png");
    EXPECT_EQ(found.nx, grid.nx);
    EXPECT_EQ(found.ny, grid.ny);
    EXPECT_EQ(found.spacing, grid.spacing);
    EXPECT_EQ(found.origin, grid.origin);
    for (std::size_t i = 0; i < grid.heights.size(); ++i) {
      if (gap && i == 77)
        EXPECT_TRUE(std::isnan(found.heights[i]));
      else
        EXPECT_NEAR(found.heights[i], grid.heights[i], 0.501 * level);  // the nearest, and rounding
    }
  }
}

TEST_F(GdalFile, PngHoldsAFlatMapAndOneOfGaps) {
  ElevationGrid grid{Vec2::Zero(), 1.0, 2, 2, {3.7, 3.7, 3.7, 3.7}};
  write_elevation_file(grid, folder_ / "map.png");
  EXPECT_EQ(read_elevation_file(folder_ / "map.png").heights, grid.heights);
  grid.heights = {kNan, kNan, kNan, kNan};
  write_elevation_file(grid, folder_ / "map.png");
  for (const double z : read_elevation_file(folder_ / "map.png").heights)
    EXPECT_TRUE(std::isnan(z));
}

TEST_F(GdalFile, PngWithoutItsTextsNeedsTheCaller) {
  // A grey 16-bit picture of 2 x 2 levels 1, 2, 3, 258, from another program.
  const unsigned char bytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
      0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00, 0x00, 0x00, 0x00, 0x07,
      0x4d, 0x8e, 0xbb, 0x00, 0x00, 0x00, 0x12, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60,
      0x60, 0x64, 0x60, 0x62, 0x60, 0x60, 0x66, 0x64, 0x02, 0x00, 0x00, 0x2b, 0x00, 0x0a, 0x66,
      0x63, 0x7d, 0x31, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  folder_.write("map.png", std::string(reinterpret_cast<const char*>(bytes), sizeof bytes));
  EXPECT_EQ(refusal("map.png"), "map.png: does not tell the size of its cells; give a spacing");
  EXPECT_EQ(refusal("map.png", {.spacing = 0.5}),
            "map.png: is a picture that does not tell how high its levels are (no text chunk "
            "grouser_scale); give a scale, in metres per level, and an offset");
  const ElevationGrid grid = read_elevation_file(
      folder_ / "map.png", {.spacing = 0.5, .origin = Vec2(1, 2), .scale = 0.25, .offset = -1.0});
  EXPECT_EQ(grid.spacing, 0.5);
  EXPECT_EQ(grid.origin, Vec2(1, 2));
  EXPECT_EQ(grid.heights, (std::vector<double>{-0.25, 63.5, -0.75, -0.5}));
}

TEST_F(GdalFile, PngMayHaveFilesBesideIt) {
  ElevationGrid grid{Vec2::Zero(), 1.0, 2, 2, {0, 1, 2, 65535}};
  write_elevation_file(grid, folder_ / "map.png");
  // Our texts made unknown: their names no longer ours, their check sums those of before.
  std::string bytes = folder_.read("map.png");
  for (std::size_t at = bytes.find("grouser_"); at != std::string::npos;
       at = bytes.find("grouser_", at))
    bytes[at] = 'G';
  folder_.write("map.png", bytes);
  EXPECT_EQ(refusal("map.png"), "map.png: does not tell the size of its cells; give a spacing");
  folder_.write("map.wld", "0.5\n0\n0\n-0.5\n10\n20\n");  // the middle of the first cell
  EXPECT_TRUE(contains(refusal("map.png"), "does not tell how high its levels are"));
  folder_.write("map.png.aux.xml",
                "<PAMDataset><PAMRasterBand band=\"1\"><Offset>-1</Offset><Scale>0.25</Scale>"
                "</PAMRasterBand></PAMDataset>");
  const ElevationGrid found = read_elevation_file(folder_ / "map.png");
  EXPECT_EQ(found.spacing, 0.5);
  EXPECT_EQ(found.origin, Vec2(10.0, 19.5));
  EXPECT_EQ(found.heights, (std::vector<double>{-1.0, -0.75, -0.5, 16382.75}));
}

TEST_F(GdalFile, WritesTheSameBytesEachTime) {
  for (const char* name : {"map.tif", "map.png"}) {
    write_elevation_file(near_grid(30, 20), folder_ / name);
    const std::string first = folder_.read(name);
    write_elevation_file(near_grid(30, 20), folder_ / name);
    EXPECT_EQ(folder_.read(name), first);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / ""), {}), 1);
    std::filesystem::remove(folder_ / name);
  }
}

TEST_F(GdalFile, GdalReadsGridsThatWeWrite) {
  ElevationGrid grid = near_grid(7, 5);
  grid.heights[8] = kNan;
  // Under another suffix it is GDAL that reads; then raw numbers must be said to be floats.
  const auto expect_read = [&](const std::string& ours, const std::string& theirs) {
    std::filesystem::copy_file(folder_ / ours, folder_ / theirs);
    const ElevationGrid expected = read_elevation_file(folder_ / ours);
    const ElevationGrid found = read_elevation_file(folder_ / theirs);
    EXPECT_NEAR(found.spacing, expected.spacing, 1e-16);
    EXPECT_LT((found.origin - expected.origin).norm(), 1e-11);  // a few roundings of 1e4
    for (std::size_t i = 0; i < grid.heights.size(); ++i) {
      if (i == 8)
        EXPECT_TRUE(std::isnan(found.heights[i]));
      else
        EXPECT_FLOAT_EQ(static_cast<float>(found.heights[i]),
                        static_cast<float>(expected.heights[i]));
    }
  };
  write_elevation_file(grid, folder_ / "text.asc");
  expect_read("text.asc", "text.agr");
  write_elevation_file(grid, folder_ / "raw.flt");
  folder_.write("raw.hdr", folder_.read("raw.hdr") + "pixeltype FLOAT\n");
  expect_read("raw.flt", "raw.bil");

  // 64 bits are not known to GDAL's driver; it does not take them for something else either.
  write_elevation_file(grid, folder_ / "raw.flt", {.all_digits = true});
  EXPECT_TRUE(contains(refusal("raw.bil"), "GDAL: EHdr driver does not support 64 NBITS value"));
}

TEST_F(GdalFile, ReadsWhateverGdalReads) {
  const ElevationGrid grid = read_elevation_file(write_vrt(kPlace));
  EXPECT_EQ(grid.spacing, 2.0);
  EXPECT_EQ(grid.origin, Vec2(11.0, 21.0));  // in the middle of the lower left cell
  EXPECT_EQ(grid.heights, (std::vector<double>{4, 5, 6, 1, 2, 3}));
}

TEST_F(GdalFile, RowsMayRunFromSouthToNorth) {
  const ElevationGrid grid =
      read_elevation_file(write_vrt("<GeoTransform>10, 2, 0, 20, 0, 2</GeoTransform>"));
  EXPECT_EQ(grid.origin, Vec2(11.0, 21.0));
  EXPECT_EQ(grid.heights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST_F(GdalFile, HeedsScaleOffsetAndCellsWithoutData) {
  const std::string path = write_vrt(
      kPlace, "<NoDataValue>5</NoDataValue><Offset>100</Offset><Scale>0.5</Scale>", "Int16");
  const ElevationGrid grid = read_elevation_file(path);
  EXPECT_EQ(grid.height(0, 1), 100.5);
  EXPECT_EQ(grid.height(2, 0), 103.0);
  EXPECT_TRUE(std::isnan(grid.height(1, 0)));
  EXPECT_EQ(read_elevation_file(path, {.scale = 2.0}).height(2, 0), 12.0);
}

TEST_F(GdalFile, RefusesWhatIsNoMapOfSquaresInMetres) {
  const auto refused = [&](const std::string& dataset, const std::string& band = "",
                           const std::string& type = "Float32", int bands = 1) {
    write_vrt(dataset, band, type, bands);
    return refusal("map.vrt");
  };
  EXPECT_EQ(refused(""), "map.vrt: does not tell the size of its cells; give a spacing");
  EXPECT_EQ(refused("<GeoTransform>0, 1, 0.1, 0, 0.1, -1</GeoTransform>"),
            "map.vrt: its rows are turned against the x axis; turn it north up (gdalwarp) first");
  EXPECT_EQ(refused("<GeoTransform>0, 1, 0, 0, 0, -1.5</GeoTransform>"),
            "map.vrt: its cells are 1 by 1.5 m large, those of an elevation map are squares; "
            "sample it anew (gdalwarp -tr) first");
  EXPECT_EQ(refused("<GeoTransform>0, 0, 0, 0, 0, 0</GeoTransform>"),
            "map.vrt: its cells are 0 by 0 m large; both must be positive");
  EXPECT_EQ(refused("<GeoTransform>0, -1, 0, 0, 0, -1</GeoTransform>"),
            "map.vrt: its cells are -1 by 1 m large; both must be positive");
  EXPECT_EQ(refused("<GeoTransform>0, nan, 0, 0, 0, -1</GeoTransform>"),
            "map.vrt: the place of its cells is not told in finite numbers");
  EXPECT_EQ(refused(kPlace, "", "Float32", 3),
            "map.vrt: has 3 bands, an elevation map has one (gdal_translate takes one out of a "
            "file)");
  EXPECT_EQ(refused(kPlace, "<ColorInterp>Palette</ColorInterp>", "Byte"),
            "map.vrt: has colours of a palette, not heights");
  EXPECT_EQ(refused(kPlace, "", "CFloat32"), "map.vrt: has complex numbers, not heights");
  EXPECT_EQ(refused(kPlace, "<UnitType>ft</UnitType>"),
            "map.vrt: its heights are in 'ft', not metres; give a scale");
  EXPECT_EQ(refused(kPlace, "<Scale>0</Scale>"),
            "map.vrt: its heights have scale 0 and offset 0, which cannot be");

  const std::string ball = R"(DATUM["d",SPHEROID["s",1737400,0]],PRIMEM["p",0])";
  const std::string degrees =
      R"(<SRS>GEOGCS["g",)" + ball + R"(,UNIT["degree",0.017453292519943295]]</SRS>)";
  EXPECT_EQ(refused(degrees + kPlace),
            "map.vrt: its coordinates are angles, an elevation map needs metres; project it "
            "(gdalwarp -t_srs) or give a spacing");
  EXPECT_EQ(read_elevation_file(folder_ / "map.vrt", {.spacing = 30.0}).origin, Vec2(0, 0));
  const std::string feet = R"(<SRS>LOCAL_CS["l",UNIT["foot",0.3048]]</SRS>)";
  EXPECT_TRUE(contains(refused(feet + kPlace), "map.vrt: its coordinates are in 'foot', an"));
}

TEST_F(GdalFile, RefusesFilesThatAreNone) {
  EXPECT_EQ(refusal("no.tif"), "no.tif: there is no such file");
  std::filesystem::create_directory(folder_ / "folder.tif");
  EXPECT_EQ(refusal("folder.tif"), "folder.tif: is a directory, not an elevation map");
  folder_.write("empty.png", "");
  EXPECT_EQ(refusal("empty.png"), "empty.png: the file is empty");
  folder_.write("junk.xyz7", "junk");
  EXPECT_TRUE(
      contains(refusal("junk.xyz7"), "junk.xyz7: cannot be read as an elevation map: GDAL: "));
  folder_.write("junk", "junk");
  EXPECT_TRUE(contains(refusal("junk"), "junk: cannot be read as an elevation map: GDAL: "));
  folder_.write("one.vrt", std::string(R"(<VRTDataset rasterXSize="3" rasterYSize="1">)") + kPlace +
                               R"(<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>)");
  EXPECT_EQ(refusal("one.vrt"),
            "one.vrt: an elevation map needs at least 2 x 2 nodes, this one has 3 x 1");
  folder_.write("huge.vrt",
                std::string(R"(<VRTDataset rasterXSize="2000000000" rasterYSize="2000000000">)") +
                    kPlace + R"(<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>)");
  EXPECT_EQ(refusal("huge.vrt"),
            "huge.vrt: has 2000000000 x 2000000000 nodes, more than the 100000000 of the largest "
            "elevation map; cut out a part or thin it");
  folder_.write("hole.vrt", std::string(R"(<VRTDataset rasterXSize="3" rasterYSize="3">)") +
                                kPlace +
                                R"(<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>)");
  EXPECT_EQ(refusal("hole.vrt"),
            "hole.vrt: some of its cells are nowhere in the file, and no value stands for them");
  write_vrt(kPlace, "<NoDataValue>0</NoDataValue>");
  std::filesystem::remove(folder_ / "source.tif");
  EXPECT_TRUE(contains(refusal("map.vrt"), "map.vrt: row 0 of 2 cannot be read: GDAL: "));
}

TEST_F(GdalFile, LeavesNothingBehindWhereItCannotWrite) {
  for (const char* name : {"nowhere/map.tif", "nowhere/map.png"})
    EXPECT_TRUE(contains(
        message_of<RunError>([&] { write_elevation_file(near_grid(3, 3), folder_ / name); }),
        std::string(name) + ": cannot be written: No such file"));
}

TEST_F(GdalFile, ThreadsDoNotDisturbEachOther) {
  const ElevationGrid grid = near_grid(20, 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::string path = folder_ / (std::to_string(t) + ".tif");
      for (int i = 0; i < 20; ++i) {
        write_elevation_file(grid, path, {.all_digits = true});
        EXPECT_EQ(read_elevation_file(path).heights, grid.heights);
        EXPECT_THROW(read_elevation_file(folder_ / "no.tif"), InputError);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

#else

TEST(ElevationWithoutGdal, SaysHowToGetIt) {
  const TemporaryFolder folder;
  const std::string needed =
      ": this build of grouser knows the elevation formats .asc and .flt only; for others install "
      "GDAL (libgdal-dev) and build with -DGROUSER_WITH_GDAL=ON (grouser_gdal.so is in none of /";
  const ElevationGrid grid{Vec2::Zero(), 1.0, 2, 2, {1, 2, 3, 4}};
  for (const char* name : {"map.tif", "map.png"}) {
    const std::string path = folder.write(name, "x");
    EXPECT_TRUE(
        contains(message_of<InputError>([&] { read_elevation_file(path); }), path + needed));
    EXPECT_TRUE(
        contains(message_of<InputError>([&] { write_elevation_file(grid, path); }), path + needed));
  }
  EXPECT_EQ(elevation_file_suffixes(), (std::vector<std::string>{".asc", ".flt"}));
}

#endif

}  // namespace
}  // namespace grouser
