// The triangles around a set of points: the first half of making a convex hull.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {

/// A closed convex surface of triangles, counter-clockwise seen from outside.
struct HullTriangles {
  std::vector<std::array<int, 3>> corners;     ///< by triangle; numbers of points
  std::vector<std::array<int, 3>> neighbours;  ///< triangle across the edge after each corner
};

/// Quickhull (Barber, Dobkin and Huhdanpaa 1996): from `first`, a tetrahedron, each step adds the
/// point farthest above a triangle and replaces all triangles below that point. Which triangles
/// these are is decided without rounding, so the surface is convex and closed for points in any
/// position. Many triangles may lie in one plane, exactly or to rounding. Points less than about
/// `tolerance` outside are left out.
/// Preconditions: coordinates within [-1, 1] and none but 0 below 1e-60 (see orientation.h); no
/// point twice; first[3] lies below the triangle of the other three.
HullTriangles quickhull(std::span<const Vec3> points, const std::array<int, 4>& first,
                        double tolerance);

}  // namespace grouser
