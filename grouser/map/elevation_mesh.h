// An elevation grid as a triangle mesh.
#pragma once

#include <string>

#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Two triangles per cell, cut along the diagonal whose ends differ less in height. A sheet looks
/// up. With a depth below its lowest point it is a closed body with walls and a flat bottom, in
/// groups "top", "side", "bottom". Throws InputError at `place`, with keys below `path`.
TriangleMesh make_elevation_mesh(const ElevationGrid& grid, double depth, const Place& place = {},
                                 const std::string& path = "surface");

}  // namespace grouser
