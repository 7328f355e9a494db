// Readers and writers of single elevation formats. Inside the room only: everybody else
// calls elevation_file.h.
#pragma once

#include <limits>

#include "grouser/map/elevation_file.h"

namespace grouser::elevation_formats {

/// The height of a cell without data.
inline constexpr double kNoHeight = std::numeric_limits<double>::quiet_NaN();

ElevationGrid read_asc(const std::string& path, const ElevationReadOptions& options);
ElevationGrid read_flt(const std::string& path, const ElevationReadOptions& options);
void write_asc(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&);
void write_flt(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&);

bool have_gdal();  ///< is its plugin there?
ElevationGrid read_with_gdal(const std::string& path, const ElevationReadOptions& options);
void write_tif(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&);
void write_png(const ElevationGrid& grid, const std::string& path, const ElevationWriteOptions&);

/// Refuses fewer than 2 x 2 nodes and more than kMostElevationNodes.
void require_node_count(std::size_t nx, std::size_t ny, const Place& place);

/// Refuses finite heights that are not so as 32-bit numbers.
void require_single_precision(const ElevationGrid& grid, const Place& place);

/// Place in a grid of the k-th cell of a file, whose rows run from north to south.
inline std::size_t node_of(const ElevationGrid& grid, std::size_t k) {
  return (grid.ny - 1 - k / grid.nx) * grid.nx + k % grid.nx;
}

}  // namespace grouser::elevation_formats
