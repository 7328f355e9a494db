// What there is to say of meshes and maps, for people.
#pragma once

#include <iosfwd>

#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser::cli {

/// Counts, size, whether it is closed, area, volume and inertia, groups.
void print_mesh_facts(std::ostream& out, const TriangleMesh& mesh);

/// Nodes, extent, heights, slope; how many nodes have none.
void print_map_facts(std::ostream& out, const ElevationGrid& grid);

}  // namespace grouser::cli
