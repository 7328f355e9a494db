// Convex hulls with few corners, for bodies that touch others often.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grouser/math/types.h"

namespace grouser {

/// At most `most` of the points, so that their hull is near that of all of them: beginning with a
/// tetrahedron, always the point that is farthest outside. All corners of the hull if there are no
/// more. The hull of the answer lies inside the hull of the points. The same points give the same
/// answer in whatever order. Throws InputError, starting with `what`, as make_convex_hull() does.
/// Precondition: most >= 4.
std::vector<Vec3> main_corners(std::span<const Vec3> points, std::size_t most,
                               const std::string& what = "hull");

}  // namespace grouser
