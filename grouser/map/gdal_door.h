// What core and the plugin grouser_gdal.so say to each other, see base/plugin.h.
#pragma once

#include <cstddef>

#include "grouser/base/plugin.h"

namespace grouser {

/// ElevationReadOptions; null is what is not given.
struct GdalReadOptions {
  const double* spacing;
  const double* origin;  ///< two numbers
  const double* scale;
  const double* offset;
};

/// Takes a grid as it is read: its size and place, then its rows in any order, each once.
struct GdalGridTaker {
  void* self;
  PluginAnswer (*size)(void* self, std::size_t nx, std::size_t ny, double spacing,
                       const double* origin);
  /// `y` counts from the south; cells without data are not a number.
  PluginAnswer (*row)(void* self, std::size_t y, const double* heights);
};

/// ElevationGrid, to be written.
struct GdalGrid {
  std::size_t nx, ny;
  double spacing;
  double origin[2];
  const double* heights;
};

/// Takes the bytes of a file, all at once.
struct GdalByteTaker {
  void* self;
  PluginAnswer (*take)(void* self, const char* bytes, std::size_t count);
};

/// What grouser_plugin() of grouser_gdal.so returns. Paths are for messages where the plugin
/// writes: it gives bytes, no files.
struct GdalTable {
  static constexpr char kName[] = "gdal";
  static constexpr int kVersion = 1;

  int version;
  PluginAnswer (*read)(const char* path, const GdalReadOptions* options, const GdalGridTaker* taker,
                       const PluginErrors* errors);
  PluginAnswer (*write_tif)(const GdalGrid* grid, int all_digits, const char* path,
                            const GdalByteTaker* taker, const PluginErrors* errors);
  PluginAnswer (*write_png)(const GdalGrid* grid, const char* path, const GdalByteTaker* taker,
                            const PluginErrors* errors);
};

}  // namespace grouser
