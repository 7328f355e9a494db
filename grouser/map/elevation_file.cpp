#include "grouser/map/elevation_file.h"

#include <cmath>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/map/elevation_formats.h"

namespace grouser {
namespace {

using namespace elevation_formats;

struct FormatRow {
  const char* suffix;
  ElevationGrid (*read)(const std::string& path, const ElevationReadOptions& options);
  void (*write)(const ElevationGrid& grid, const std::string& path,
                const ElevationWriteOptions& options);
};

/// Every format that can be written. What is not here is left to GDAL to read.
constexpr FormatRow kFormats[] = {
    {".asc", read_asc, write_asc},        {".flt", read_flt, write_flt},
    {".png", read_with_gdal, write_png},  {".tif", read_with_gdal, write_tif},
    {".tiff", read_with_gdal, write_tif},
};

const FormatRow* format_of(const std::string& suffix) {
  for (const FormatRow& format : kFormats)
    if (suffix == format.suffix) return &format;
  return nullptr;
}

void require_sound(const ElevationReadOptions& options, const Place& place) {
  const auto require = [&](bool good, const char* what) {
    if (!good) throw InputError(place, std::string("the given ") + what);
  };
  if (options.spacing)
    require(*options.spacing > 0.0 && std::isfinite(*options.spacing),
            "spacing must be a positive number");
  if (options.origin) require(options.origin->allFinite(), "origin must be two finite numbers");
  if (options.scale)
    require(*options.scale != 0.0 && std::isfinite(*options.scale),
            "scale must be a number other than zero");
  if (options.offset) require(std::isfinite(*options.offset), "offset must be a finite number");
}

/// Gaps are allowed; they are written as such.
void require_writable(const ElevationGrid& grid, const Place& place) {
  require_node_count(grid.nx, grid.ny, place);
  if (grid.heights.size() != grid.nx * grid.ny)
    throw InputError(place, "an elevation map of " + std::to_string(grid.nx) + " x " +
                                std::to_string(grid.ny) + " nodes has " +
                                std::to_string(grid.heights.size()) + " heights");
  if (!(grid.spacing > 0.0) || !std::isfinite(grid.spacing) || !grid.origin.allFinite())
    throw InputError(place, "the spacing of an elevation map must be positive, it is " +
                                to_text(grid.spacing) + ", and its origin finite");
}

}  // namespace

namespace elevation_formats {

void require_node_count(std::size_t nx, std::size_t ny, const Place& place) {
  const std::string size = std::to_string(nx) + " x " + std::to_string(ny);
  if (nx < 2 || ny < 2)
    throw InputError(place, "an elevation map needs at least 2 x 2 nodes, this one has " + size);
  if (ny > kMostElevationNodes / nx)
    throw InputError(place, "has " + size + " nodes, more than the " +
                                std::to_string(kMostElevationNodes) +
                                " of the largest elevation map; cut out a part or thin it");
}

void require_single_precision(const ElevationGrid& grid, const Place& place) {
  for (const double z : grid.heights)
    if (std::isfinite(z) && std::abs(z) > double{std::numeric_limits<float>::max()})
      throw InputError(place, "a height of " + to_text(z) +
                                  " m cannot be written in 32 bits; ask for all digits");
}

}  // namespace elevation_formats

ElevationGrid read_elevation_file(const std::string& path, const ElevationReadOptions& options) {
  require_sound(options, Place{path, 0, 0});
  const FormatRow* format = format_of(suffix_of(path));
  return format ? format->read(path, options) : read_with_gdal(path, options);
}

void write_elevation_file(const ElevationGrid& grid, const std::string& path,
                          const ElevationWriteOptions& options) {
  const Place place{path, 0, 0};
  const std::string suffix = suffix_of(path);
  const FormatRow* format = format_of(suffix);
  if (!format)
    throw InputError(place,
                     (suffix.empty() ? std::string("the name has no suffix that tells its format")
                                     : "'" + suffix + "' is not an elevation format known here") +
                         "; known are " + join(elevation_file_suffixes()));
  require_writable(grid, place);
  format->write(grid, path, options);
}

std::vector<std::string> elevation_file_suffixes() {
  std::vector<std::string> out;
  for (const FormatRow& format : kFormats)
    if (format.read != read_with_gdal || have_gdal()) out.emplace_back(format.suffix);
  return out;
}

}  // namespace grouser
