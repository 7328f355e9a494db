// Elevation maps in files: reading and writing.
//
//   .asc   ESRI ASCII grid, all digits
//   .flt   ESRI float grid: raw 32-bit numbers, with a header of the same name that ends in .hdr
//
// Cells of a raster are the nodes of the map: a node stands in the middle of its cell. Rows of a
// file run from north to south, those of a grid from south to north.
#pragma once

#include <string>
#include <vector>

#include "grouser/geometry/elevation_map.h"

namespace grouser {

/// The suffix tells the format. A cell without data becomes a height that is not a number, which an
/// ElevationMap refuses. Throws InputError with the file, the line if there is one, and what is
/// wrong; a file that is cut off is refused, not read in part.
ElevationGrid read_elevation_file(const std::string& path);

/// Heights that are not a number are written as cells without data. Throws InputError for an
/// unknown suffix and RunError if the file cannot be written, and then leaves none behind.
void write_elevation_file(const ElevationGrid& grid, const std::string& path);

/// ".asc", ".flt", ...: what both know in this build.
std::vector<std::string> elevation_file_suffixes();

}  // namespace grouser
