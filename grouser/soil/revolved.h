// Closed rings that turn about an axis. Inside the soil room.
#pragma once

#include <span>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A closed outline, points (place along z, distance from z), turned about z in `around` steps. It
/// looks outwards if the outline runs up where it is far from the axis, and down where it is near.
TriangleMesh revolved(std::span<const Vec2> outline, int around);

}  // namespace grouser
