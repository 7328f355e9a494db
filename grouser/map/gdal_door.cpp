// Core's side of the door to GDAL; elevation_gdal.cpp is the other.
#include "grouser/map/gdal_door.h"

#include <algorithm>

#include "grouser/base/whole_file.h"
#include "grouser/map/elevation_formats.h"

namespace grouser::elevation_formats {
namespace {

const GdalTable& gdal(const std::string& path) {
  const OpenedPlugin plugin = open_plugin(GdalTable::kName, GdalTable::kVersion);
  if (!plugin.table)
    throw InputError(Place{path, 0, 0},
                     "this build of grouser knows the elevation formats .asc and .flt only; for "
                     "others install GDAL (libgdal-dev) and build with -DGROUSER_WITH_GDAL=ON (" +
                         plugin.why_not + ")");
  return *static_cast<const GdalTable*>(plugin.table);
}

/// The grid that GDAL reads. Memory is asked for when the first row is there.
struct Reading : PluginCall {
  Place place;
  ElevationGrid grid;

  static PluginAnswer size(void* self, std::size_t nx, std::size_t ny, double spacing,
                           const double* origin) {
    auto& to = *static_cast<Reading*>(self);
    return to.guarded([&] {
      require_node_count(nx, ny, to.place);
      to.grid = {Vec2(origin[0], origin[1]), spacing, nx, ny, {}};
    });
  }
  static PluginAnswer row(void* self, std::size_t y, const double* heights) {
    auto& to = *static_cast<Reading*>(self);
    return to.guarded([&] {
      ElevationGrid& read = to.grid;
      if (read.heights.empty()) read.heights.resize(read.nx * read.ny);
      std::copy_n(heights, read.nx, read.heights.data() + y * read.nx);
    });
  }
};

/// The file that GDAL's bytes become.
struct Writing : PluginCall {
  std::string path;

  static PluginAnswer take(void* self, const char* bytes, std::size_t count) {
    auto& to = *static_cast<Writing*>(self);
    return to.guarded([&] { write_file(to.path, {bytes, count}); });
  }
};

GdalGrid plain(const ElevationGrid& grid) {
  return {grid.nx, grid.ny, grid.spacing, {grid.origin.x(), grid.origin.y()}, grid.heights.data()};
}

const double* pointer(const std::optional<double>& x) {
  return x ? &*x : nullptr;
}

}  // namespace

bool have_gdal() {
  return plugin_exists(GdalTable::kName);
}

ElevationGrid read_with_gdal(const std::string& path, const ElevationReadOptions& options) {
  const GdalTable& table = gdal(path);
  const GdalReadOptions plain_options{pointer(options.spacing),
                                      options.origin ? options.origin->data() : nullptr,
                                      pointer(options.scale), pointer(options.offset)};
  Reading reading;
  reading.place.file = path;
  const GdalGridTaker taker{&reading, Reading::size, Reading::row};
  reading.require(table.read(path.c_str(), &plain_options, &taker, reading.errors()));
  return std::move(reading.grid);
}

void write_tif(const ElevationGrid& grid, const std::string& path,
               const ElevationWriteOptions& options) {
  const GdalTable& table = gdal(path);
  if (!options.all_digits) require_single_precision(grid, Place{path, 0, 0});
  Writing writing;
  writing.path = path;
  const GdalGrid plain_grid = plain(grid);
  const GdalByteTaker taker{&writing, Writing::take};
  writing.require(
      table.write_tif(&plain_grid, options.all_digits, path.c_str(), &taker, writing.errors()));
}

void write_png(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&) {
  const GdalTable& table = gdal(path);
  Writing writing;
  writing.path = path;
  const GdalGrid plain_grid = plain(grid);
  const GdalByteTaker taker{&writing, Writing::take};
  writing.require(table.write_png(&plain_grid, path.c_str(), &taker, writing.errors()));
}

}  // namespace grouser::elevation_formats
