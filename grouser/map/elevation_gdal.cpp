// Whatever GDAL reads; GeoTIFF and PNG written. The only file that knows GDAL.
//
// The numbers of a PNG are levels. What they mean stands in its text chunks: grouser_scale and
// grouser_offset (height = offset + scale * level), grouser_spacing, grouser_origin_x and
// grouser_origin_y, all in metres. A cell without data is transparent.
//
// This is the plugin grouser_gdal.so; gdal_door.h says what it is asked and answers.
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/map/elevation_file.h"
#include "grouser/map/gdal_door.h"

namespace grouser {
namespace {

constexpr char kScale[] = "grouser_scale", kOffset[] = "grouser_offset";
constexpr char kSpacing[] = "grouser_spacing";
constexpr char kOriginX[] = "grouser_origin_x", kOriginY[] = "grouser_origin_y";

/// Hears what GDAL would print while it lives, in this thread.
class Listener {
 public:
  Listener() { CPLPushErrorHandlerEx(hear, this); }
  ~Listener() { CPLPopErrorHandler(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void forget() { first_.clear(); }
  bool heard() const { return !first_.empty(); }
  /// The first complaint, on one line.
  std::string text() const { return heard() ? "GDAL: " + first_ : "GDAL does not say why"; }

 private:
  static void CPL_STDCALL hear(CPLErr kind, CPLErrorNum, const char* message) {
    auto& self = *static_cast<Listener*>(CPLGetErrorHandlerUserData());
    if (kind < CE_Warning || self.heard()) return;
    self.first_ = message;
    std::replace(self.first_.begin(), self.first_.end(), '\n', ' ');
  }
  std::string first_;
};

struct Close {
  void operator()(void* data) const { GDALClose(data); }
};
using DataSet = std::unique_ptr<void, Close>;

/// Words of a C list that GDAL takes and never keeps.
class WordList {
 public:
  void add(const std::string& word) { words_ = CSLAddString(words_, word.c_str()); }
  char** get() const { return words_; }
  WordList() = default;
  ~WordList() { CSLDestroy(words_); }
  WordList(const WordList&) = delete;
  WordList& operator=(const WordList&) = delete;

 private:
  char** words_ = nullptr;
};

/// GDAL's table of formats, filled in once per process.
void register_formats() {
  static std::once_flag once;
  std::call_once(once, [] { GDALAllRegister(); });
}

/// Drivers of raster files; those that ask a server are left out, since a file must not make us
/// wait for the net.
void add_file_drivers(WordList& out) {
  constexpr const char* kServers[] = {"HTTP",      "WMS",    "WCS", "WMTS",     "DAAS",
                                      "EEDAI",     "EEDA",   "NGW", "OGCAPI",   "PLMOSAIC",
                                      "STACIT",    "STACTA", "RDA", "PLSCENES", "PostGISRaster",
                                      "GeoRaster", "ECRGTOC"};
  for (int i = 0; i < GDALGetDriverCount(); ++i) {
    const GDALDriverH driver = GDALGetDriver(i);
    const std::string name = GDALGetDriverShortName(driver);
    if (std::find(std::begin(kServers), std::end(kServers), name) == std::end(kServers) &&
        GDALGetMetadataItem(driver, GDAL_DCAP_RASTER, nullptr))
      out.add(name);
  }
}

DataSet open(const std::string& path, const Listener& listener) {
  const Place place{path, 0, 0};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(place, "there is no such file");
  if (std::filesystem::is_directory(status))
    throw InputError(place, "is a directory, not an elevation map");
  if (!std::filesystem::is_regular_file(status))
    throw InputError(place, "is no regular file, which GDAL wants");
  if (std::filesystem::file_size(path, error) == 0) throw InputError(place, "the file is empty");

  WordList drivers;
  add_file_drivers(drivers);
  DataSet data(GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                          drivers.get(), nullptr, nullptr));
  if (!data) throw InputError(place, "cannot be read as an elevation map: " + listener.text());
  return data;
}

bool is_picture(const DataSet& data) {
  return GDALGetDriverShortName(GDALGetDatasetDriver(data.get())) == std::string("PNG");
}

/// GDAL stops reading a PNG after its last row, and does not see whether there is an end.
void require_end_of_picture(const std::string& path) {
  constexpr std::string_view kEnd("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  std::ifstream file(path, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(kEnd.size()), std::ios::end);
  std::string last(kEnd.size(), ' ');
  file.read(last.data(), static_cast<std::streamsize>(last.size()));
  if (!file || last != kEnd)
    throw InputError(Place{path, 0, 0},
                     "does not end as a PNG file does: it is cut off, or has something behind it");
}

/// A number of ours in a file's texts.
std::optional<double> number_in(const DataSet& data, const char* key, const Place& place) {
  const char* text = GDALGetMetadataItem(data.get(), key, nullptr);
  if (!text) return {};
  const std::optional<double> x = to_number(text);
  if (!x || !std::isfinite(*x))
    throw InputError(place, std::string(key) + " must be a number, is " + in_quotes(text));
  return x;
}

/// Refuses what has more or less than one band of plain numbers.
GDALRasterBandH only_band(const DataSet& data, const Place& place) {
  const int count = GDALGetRasterCount(data.get());
  const char* parts = " (gdal_translate takes one out of a file)";
  if (count == 0)
    throw InputError(place, std::string("holds no band of heights of its own, but perhaps several "
                                        "maps; one is needed") +
                                parts);
  if (count > 1)
    throw InputError(place,
                     "has " + std::to_string(count) + " bands, an elevation map has one" + parts);
  const GDALRasterBandH band = GDALGetRasterBand(data.get(), 1);
  if (GDALGetRasterColorInterpretation(band) == GCI_PaletteIndex)
    throw InputError(place, "has colours of a palette, not heights");
  if (GDALDataTypeIsComplex(GDALGetRasterDataType(band)))
    throw InputError(place, "has complex numbers, not heights");
  // A block is read as a whole, so it must not be beyond all measure either.
  int block_x = 0, block_y = 0;
  GDALGetBlockSize(band, &block_x, &block_y);
  if (double{1} * block_x * block_y > static_cast<double>(kMostElevationNodes))
    throw InputError(place, "has blocks of " + std::to_string(block_x) + " x " +
                                std::to_string(block_y) + " cells, too large to read");
  return band;
}

void require_metres(const DataSet& data, const Place& place) {
  const OGRSpatialReferenceH system = GDALGetSpatialRef(data.get());
  if (!system) return;
  if (OSRIsGeographic(system))
    throw InputError(place,
                     "its coordinates are angles, an elevation map needs metres; project it "
                     "(gdalwarp -t_srs) or give a spacing");
  char* name = nullptr;
  const double unit = OSRGetLinearUnits(system, &name);
  if (std::abs(unit - 1.0) > 1e-9)
    throw InputError(place, "its coordinates are in " + in_quotes(name ? name : "") +
                                ", an elevation map needs metres; project it (gdalwarp -t_srs) or "
                                "give a spacing");
}

constexpr double kNoHeight = std::numeric_limits<double>::quiet_NaN();

/// Where the cells are.
struct Layout {
  double spacing;
  double first_x, first_y;  // middle of the first cell of the file
  bool north_first;         // rows run from north to south
};

/// Of what the file tells of its place; refuses all but square cells along the axes.
Layout layout_of(const DataSet& data, const Place& place) {
  double g[6];
  if (GDALGetGeoTransform(data.get(), g) != CE_None)
    throw InputError(place, "does not tell the size of its cells; give a spacing");
  for (const double x : g)
    if (!std::isfinite(x))
      throw InputError(place, "the place of its cells is not told in finite numbers");
  require_metres(data, place);
  if (g[2] != 0.0 || g[4] != 0.0)
    throw InputError(place,
                     "its rows are turned against the x axis; turn it north up (gdalwarp) first");
  if (!(g[1] > 0.0) || g[5] == 0.0)
    throw InputError(place, "its cells are " + to_text(g[1]) + " by " + to_text(std::abs(g[5])) +
                                " m large; both must be positive");
  // Header texts are rounded: a thousandth of a cell over the whole map is none.
  const double rows = GDALGetRasterYSize(data.get());
  if (std::abs(g[1] - std::abs(g[5])) * rows > 1e-3 * g[1])
    throw InputError(place, "its cells are " + to_text(g[1]) + " by " + to_text(std::abs(g[5])) +
                                " m large, those of an elevation map are squares; sample it anew "
                                "(gdalwarp -tr) first");
  return {g[1], g[0] + 0.5 * g[1], g[3] + 0.5 * g[5], g[5] < 0.0};
}

/// Size and place of the grid.
struct Raster {
  std::size_t nx = 0, ny = 0;
  double spacing = 0.0;
  double origin[2] = {0.0, 0.0};
  bool north_first = true;
};

Raster raster_of(const DataSet& data, const GdalReadOptions& options, const Place& place) {
  Raster out;
  out.nx = static_cast<std::size_t>(GDALGetRasterXSize(data.get()));
  out.ny = static_cast<std::size_t>(GDALGetRasterYSize(data.get()));
  if (options.spacing) {
    out.spacing = *options.spacing;
  } else if (const std::optional<double> spacing = number_in(data, kSpacing, place)) {
    if (!(*spacing > 0.0)) throw InputError(place, std::string(kSpacing) + " must be positive");
    out.spacing = *spacing;
    out.origin[0] = number_in(data, kOriginX, place).value_or(0.0);
    out.origin[1] = number_in(data, kOriginY, place).value_or(0.0);
  } else {
    const Layout layout = layout_of(data, place);
    out.north_first = layout.north_first;
    out.spacing = layout.spacing;
    out.origin[0] = layout.first_x;
    out.origin[1] = layout.first_y;
    if (out.north_first) out.origin[1] -= static_cast<double>(out.ny - 1) * out.spacing;
  }
  if (options.origin) std::copy_n(options.origin, 2, out.origin);
  return out;
}

struct Scaling {
  double scale = 1.0, offset = 0.0;
};

/// What the numbers of the file mean.
Scaling scaling_of(const DataSet& data, GDALRasterBandH band, const GdalReadOptions& options,
                   const Place& place) {
  if (options.scale) return {*options.scale, options.offset ? *options.offset : 0.0};
  Scaling out;
  int has_scale = 0, has_offset = 0;
  out.scale = GDALGetRasterScale(band, &has_scale);
  out.offset = GDALGetRasterOffset(band, &has_offset);
  if (!has_scale) out.scale = 1.0;
  if (!has_offset) out.offset = 0.0;
  if (const auto scale = number_in(data, kScale, place)) {
    out = {*scale, number_in(data, kOffset, place).value_or(0.0)};
  } else if (is_picture(data) && !has_scale) {
    throw InputError(place,
                     "is a picture that does not tell how high its levels are (no text chunk "
                     "grouser_scale); give a scale, in metres per level, and an offset");
  }
  if (out.scale == 0.0 || !std::isfinite(out.scale) || !std::isfinite(out.offset))
    throw InputError(place, "its heights have scale " + to_text(out.scale) + " and offset " +
                                to_text(out.offset) + ", which cannot be");
  const std::string unit = GDALGetRasterUnitType(band);
  const std::string known[] = {"", "m", "metre", "meter", "metres", "meters"};
  if (std::find(std::begin(known), std::end(known), unit) == std::end(known))
    throw InputError(place, "its heights are in " + in_quotes(unit) + ", not metres; give a scale");
  if (options.offset) out.offset = *options.offset;
  return out;
}

/// Cells that are not in the file at all come as zeros, which nobody has measured.
void refuse_missing_cells(GDALRasterBandH band, const Raster& raster, const Place& place) {
  int has_no_data = 0;
  GDALGetRasterNoDataValue(band, &has_no_data);
  if (has_no_data) return;  // then they come as such
  const int status = GDALGetDataCoverageStatus(band, 0, 0, static_cast<int>(raster.nx),
                                               static_cast<int>(raster.ny), 0, nullptr);
  if (status & GDAL_DATA_COVERAGE_STATUS_EMPTY)
    throw InputError(place,
                     "some of its cells are nowhere in the file, and no value stands for them");
}

/// Reads row by row and passes each on.
void read_heights(GDALRasterBandH band, const Raster& raster, const Scaling& scaling,
                  const GdalGridTaker& taker, Listener& listener, const Place& place) {
  listener.forget();
  const GDALRasterBandH mask =
      GDALGetMaskFlags(band) & GMF_ALL_VALID ? nullptr : GDALGetMaskBand(band);
  const int nx = static_cast<int>(raster.nx);
  std::vector<double> row(raster.nx);
  std::vector<std::uint8_t> known(raster.nx, 255);
  for (std::size_t k = 0; k < raster.ny; ++k) {
    const int y = static_cast<int>(k);
    const bool good =
        GDALRasterIO(band, GF_Read, 0, y, nx, 1, row.data(), nx, 1, GDT_Float64, 0, 0) == CE_None &&
        (!mask ||
         GDALRasterIO(mask, GF_Read, 0, y, nx, 1, known.data(), nx, 1, GDT_Byte, 0, 0) == CE_None);
    // Some formats only warn of data they could not read.
    if (!good || listener.heard())
      throw InputError(place, "row " + std::to_string(k) + " of " + std::to_string(raster.ny) +
                                  " cannot be read: " + listener.text());
    for (std::size_t i = 0; i < raster.nx; ++i) {
      const double z = scaling.offset + scaling.scale * row[i];
      row[i] = known[i] == 0 || !std::isfinite(z) ? kNoHeight : z;
    }
    continue_if(taker.row(taker.self, raster.north_first ? raster.ny - 1 - k : k, row.data()));
  }
}

/// A folder of GDAL's files in memory, of its own, gone at the end.
class MemoryFolder {
 public:
  MemoryFolder() {
    static std::atomic<unsigned> count = 0;
    path_ = "/vsimem/grouser_" + std::to_string(count++);
  }
  ~MemoryFolder() { VSIRmdirRecursive(path_.c_str()); }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  std::string file() const { return path_ + "/map"; }
  /// What was written to file().
  std::string_view bytes() const {
    vsi_l_offset size = 0;
    const GByte* data = VSIGetMemFileBuffer(file().c_str(), &size, FALSE);
    return {reinterpret_cast<const char*>(data), data ? static_cast<std::size_t>(size) : 0};
  }

 private:
  std::string path_;
};

void require(bool done, const std::string& path, const Listener& listener) {
  if (!done) throw RunError(path + ": cannot be written: " + listener.text());
}

GDALDriverH driver_named(const char* name, const std::string& path) {
  const GDALDriverH driver = GDALGetDriverByName(name);
  if (!driver)
    throw InputError(Place{path, 0, 0}, std::string("the GDAL installed here has no ") + name);
  return driver;
}

/// Rows from north to south.
void write_rows(const DataSet& data, const GdalGrid& grid, const double* numbers,
                const std::string& path, const Listener& listener) {
  const GDALRasterBandH band = GDALGetRasterBand(data.get(), 1);
  const int nx = static_cast<int>(grid.nx);
  std::vector<double> row(grid.nx);
  for (std::size_t k = 0; k < grid.ny; ++k) {
    std::copy_n(numbers + (grid.ny - 1 - k) * grid.nx, grid.nx, row.data());
    require(GDALRasterIO(band, GF_Write, 0, static_cast<int>(k), nx, 1, row.data(), nx, 1,
                         GDT_Float64, 0, 0) == CE_None,
            path, listener);
  }
}

DataSet created(const char* driver, const std::string& name, const GdalGrid& grid,
                GDALDataType type, const std::string& path, const Listener& listener) {
  DataSet data(GDALCreate(driver_named(driver, path), name.c_str(), static_cast<int>(grid.nx),
                          static_cast<int>(grid.ny), 1, type, nullptr));
  require(data != nullptr, path, listener);
  return data;
}

/// Levels of a PNG, and what they mean. Level 0 is left for gaps if there are any.
struct Levels {
  std::vector<double> numbers;
  Scaling scaling;
  bool has_gaps = false;
};

Levels levels_of(const GdalGrid& grid) {
  const std::span<const double> heights(grid.heights, grid.nx * grid.ny);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  Levels out;
  for (const double z : heights) {
    if (!std::isfinite(z)) {
      out.has_gaps = true;
      continue;
    }
    low = std::min(low, z);
    high = std::max(high, z);
  }
  const double first = out.has_gaps ? 1.0 : 0.0;
  if (low > high) low = high = 0.0;  // nothing but gaps
  const double scale = high / (65535.0 - first) - low / (65535.0 - first);
  out.scaling.scale = scale > std::numeric_limits<double>::min() ? scale : 1.0;
  out.scaling.offset = low - first * out.scaling.scale;
  for (const double z : heights)
    out.numbers.push_back(
        std::isfinite(z)
            ? std::clamp(std::round((z - out.scaling.offset) / out.scaling.scale), first, 65535.0)
            : 0.0);
  return out;
}

void read(const std::string& path, const GdalReadOptions& options, const GdalGridTaker& taker) {
  const Place place{path, 0, 0};
  Listener listener;
  register_formats();
  const DataSet data = open(path, listener);
  if (is_picture(data)) require_end_of_picture(path);
  const GDALRasterBandH band = only_band(data, place);
  const Raster raster = raster_of(data, options, place);
  continue_if(taker.size(taker.self, raster.nx, raster.ny, raster.spacing, raster.origin));
  const Scaling scaling = scaling_of(data, band, options, place);
  refuse_missing_cells(band, raster, place);
  read_heights(band, raster, scaling, taker, listener, place);
}

void pass_on(const MemoryFolder& memory, const GdalByteTaker& taker) {
  const std::string_view bytes = memory.bytes();
  continue_if(taker.take(taker.self, bytes.data(), bytes.size()));
}

void write_tif(const GdalGrid& grid, bool all_digits, const std::string& path,
               const GdalByteTaker& taker) {
  Listener listener;
  register_formats();
  const MemoryFolder memory;
  DataSet data =
      created("GTiff", memory.file(), grid, all_digits ? GDT_Float64 : GDT_Float32, path, listener);
  const double d = grid.spacing;
  double g[6] = {grid.origin[0] - 0.5 * d,
                 d,
                 0.0,
                 grid.origin[1] + (static_cast<double>(grid.ny) - 0.5) * d,
                 0.0,
                 -d};
  require(GDALSetGeoTransform(data.get(), g) == CE_None &&
              GDALSetRasterNoDataValue(GDALGetRasterBand(data.get(), 1), kNoHeight) == CE_None,
          path, listener);
  write_rows(data, grid, grid.heights, path, listener);
  listener.forget();
  data.reset();  // writes the rest
  require(!listener.heard(), path, listener);
  pass_on(memory, taker);
}

void write_png(const GdalGrid& grid, const std::string& path, const GdalByteTaker& taker) {
  Listener listener;
  register_formats();
  const Levels levels = levels_of(grid);
  const DataSet source = created("MEM", "", grid, GDT_UInt16, path, listener);
  write_rows(source, grid, levels.numbers.data(), path, listener);
  if (levels.has_gaps) GDALSetRasterNoDataValue(GDALGetRasterBand(source.get(), 1), 0.0);
  const auto tell = [&](const std::string& key, double x) {
    GDALSetMetadataItem(source.get(), key.c_str(), to_text(x).c_str(), nullptr);
  };
  tell(kScale, levels.scaling.scale);
  tell(kOffset, levels.scaling.offset);
  tell(kSpacing, grid.spacing);
  tell(kOriginX, grid.origin[0]);
  tell(kOriginY, grid.origin[1]);

  const MemoryFolder memory;
  WordList words;
  words.add("WRITE_METADATA_AS_TEXT=YES");
  listener.forget();
  DataSet data(GDALCreateCopy(driver_named("PNG", path), memory.file().c_str(), source.get(), FALSE,
                              words.get(), nullptr, nullptr));
  require(data != nullptr && !listener.heard(), path, listener);
  data.reset();
  pass_on(memory, taker);
}

constexpr GdalTable kTable = {
    GdalTable::kVersion,
    [](const char* path, const GdalReadOptions* options, const GdalGridTaker* taker,
       const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { read(path, *options, *taker); });
    },
    [](const GdalGrid* grid, int all_digits, const char* path, const GdalByteTaker* taker,
       const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { write_tif(*grid, all_digits != 0, path, *taker); });
    },
    [](const GdalGrid* grid, const char* path, const GdalByteTaker* taker,
       const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { write_png(*grid, path, *taker); });
    },
};

}  // namespace
}  // namespace grouser

GROUSER_PLUGIN_ENTRY const void* grouser_plugin() {
  return &grouser::kTable;
}
