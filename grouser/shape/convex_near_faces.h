// The faces of a hull on one of its sides.
#pragma once

#include <span>

#include "grouser/base/scratch.h"
#include "grouser/mesh/convex_hull.h"

namespace grouser {

/// Faces with a vertex that lies no farther than `slab` behind the farthest one along a direction
/// (unit).
std::span<const int> find_near_faces(const ConvexHull& hull, const Vec3& direction, double slab,
                                     Scratch& scratch);

}  // namespace grouser
