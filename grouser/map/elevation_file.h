// Elevation maps in files: reading and writing.
//
//   .asc         ESRI ASCII grid, all digits
//   .flt         ESRI float grid: raw numbers, with a header of the same name that ends in .hdr
//   .png         grey levels of 16 bits; what they mean stands in text chunks of the file
//   .tif .tiff   GeoTIFF
//   others       whatever GDAL reads, to read only
//
// .asc and .flt are read and written here; the rest goes through GDAL, if the build has it.
//
// Cells of a raster are the nodes of the map: a node stands in the middle of its cell. Rows of a
// file run from north to south, those of a grid from south to north. One band, square cells along
// the axes, lengths in metres: everything else is refused, not guessed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grouser/map/elevation_map.h"

namespace grouser {

/// Files with more nodes are refused before memory is asked for.
inline constexpr std::size_t kMostElevationNodes = 100'000'000;

/// What a file does not tell, or tells wrongly: what is given here goes first.
struct ElevationReadOptions {
  std::optional<double> spacing = {};  ///< [m]; > 0
  std::optional<Vec2> origin = {};  ///< of node (0, 0) [m]; with a spacing and no origin it is zero
  std::optional<double> scale = {};  ///< [m] per unit of the file; height = offset + scale * number
  std::optional<double> offset = {};  ///< [m]; with a scale and no offset it is zero
};

struct ElevationWriteOptions {
  /// .flt and .tif with 64 bits per height instead of 32. A .asc has all digits in any case, a .png
  /// always has 65,536 levels between the lowest and the highest point.
  bool all_digits = false;
};

/// The suffix tells the format. A cell without data becomes a height that is not a number, which an
/// ElevationMap refuses. Throws InputError with the file, the line if there is one, and what is
/// wrong; a file that is cut off is refused, not read in part.
ElevationGrid read_elevation_file(const std::string& path,
                                  const ElevationReadOptions& options = {});

/// Heights that are not a number are written as cells without data. Throws InputError for an
/// unknown suffix, a grid that is none or heights the format cannot hold, and RunError if the file
/// cannot be written, and then leaves none behind.
void write_elevation_file(const ElevationGrid& grid, const std::string& path,
                          const ElevationWriteOptions& options = {});

/// ".asc", ".flt", ...: what this build can write and read.
std::vector<std::string> elevation_file_suffixes();

}  // namespace grouser
