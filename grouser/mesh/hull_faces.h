// The faces of a convex surface of triangles: the second half of making a convex hull.
#pragma once

#include <vector>

#include "grouser/mesh/quickhull.h"

namespace grouser {

/// The corners of a face, counter-clockwise seen from outside: numbers of points.
using HullLoop = std::vector<int>;

/// Twice the area of a face times its unit normal (Newell).
Vec3 area_normal(const std::vector<Vec3>& points, const HullLoop& loop);

/// Joins neighbours that lie in one plane within the tolerance to convex polygons, the largest
/// triangles first.
std::vector<HullLoop> join_triangles(const std::vector<Vec3>& points,
                                     const HullTriangles& triangles, double tolerance);

/// A vertex of two faces only is none: it lies on their edge. Faces of two corners go with it.
void drop_false_corners(std::vector<HullLoop>& loops, std::size_t point_count);

}  // namespace grouser
