// Sheets of triangles over a grid.
#pragma once

#include <cstddef>
#include <functional>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Two triangles per cell of a sheet whose nx x ny vertices, in rows, are all that the mesh has.
/// They look up and are cut along the diagonal whose ends differ less in height; where they differ
/// by no more than `margin` [m] diagonals alternate. Cells that `has_cell`, if given, does not have
/// are left out.
void add_sheet(TriangleMesh& mesh, std::size_t nx, std::size_t ny, double margin,
               const std::function<bool(std::size_t ix, std::size_t iy)>& has_cell = {});

}  // namespace grouser
