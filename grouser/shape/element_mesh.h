// Analytic elements as meshes, for drawing and for volumes.
#pragma once

#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/elements.h"

namespace grouser {

// Closed and outward. `radius` is that of the tube around a line, half the thickness of a plate;
// 0 gives tubes and plates a small one of their own, a hundredth of their size.
TriangleMesh mesh_of(const Segment& segment, double radius);
TriangleMesh mesh_of(const Disc& disc, double radius);
TriangleMesh mesh_of(const Polygon& polygon, double radius);
TriangleMesh mesh_of(const Polyline& polyline, double radius);
TriangleMesh mesh_of(const Spline& spline, double radius);
TriangleMesh mesh_of(const Frustum& frustum, double radius);

}  // namespace grouser
