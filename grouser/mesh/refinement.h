// Finer meshes of the same surface: triangles are cut, nothing is moved.
//
// Edges are cut in the middle, and triangles that share an edge share the new vertex, so that no
// cracks open. Old vertices keep their numbers; new ones follow. The pieces of a triangle stand in
// its place, look the same way and belong to its group. Area and enclosed volume stay the same to
// rounding.
#pragma once

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Cuts each triangle into four, `times` times. The pieces of (a, b, c) are (a, ab, ca),
/// (b, bc, ab), (c, ca, bc) and (ab, bc, ca), in this order, where ab is the middle of a and b.
/// Throws InputError if the mesh is not usable, `times` is negative or there would be more than
/// kMostTriangles.
TriangleMesh subdivided(const TriangleMesh& mesh, int times);

/// Cuts edges longer than `longest_edge` [m] in halves, until none is left. Each pass cuts all of
/// them at once: a triangle with three becomes four as above; one with two loses the corner between
/// them, and the rest is cut along its shorter diagonal; one with one becomes two. Edges in
/// a triangle's inside come out no longer than its own, so this ends.
///
/// Throws InputError if the mesh is not usable, there would be more than kMostTriangles, or
/// `longest_edge` is not positive or so small that the coordinates cannot tell it from zero.
TriangleMesh refined(const TriangleMesh& mesh, double longest_edge);

}  // namespace grouser
