// A mesh written out in a scene, number by number.
//
//   mesh.triangles = { vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces = [[0, 1, 2]] }
//
// Inside the geometry room only: everybody else calls generate_mesh of mesh_shapes.h.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Vertices and triangles as they stand: nothing is welded. Throws InputError with place and key.
TriangleMesh read_listed_mesh(const Value& parameters, const std::string& path);

/// What its table may say.
std::vector<ParameterInfo> listed_mesh_parameters();

}  // namespace grouser
