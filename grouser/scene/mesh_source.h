// Where a scene takes meshes and maps from: files, generators and assets, and what is done with
// them.
//
//   mesh = { file = "x.obj", scale = 0.001 }
//   mesh.torus = { major_radius = 1.0, minor_radius = 0.3 }
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Files are looked up relative to `folder`. Throws InputError with the place.
std::shared_ptr<const TriangleMesh> read_mesh_source(const Value& value, const std::string& path,
                                                     const std::string& folder);

/// `{ file = "..." }` or, if `generator`, `{ surface = { ... } }`: an elevation map.
std::shared_ptr<const ElevationGrid> read_map_source(const Value& value, const std::string& path,
                                                     const std::string& folder, bool generator,
                                                     ElevationGaps gaps = ElevationGaps::refuse);

/// The keys of a table of a mesh, without those of generators.
std::vector<ParameterInfo> mesh_parameter_infos();

}  // namespace grouser
