// How large a wheel is that a mechanism has geoms of.
//
// Only rover_*.cpp include this header.
#pragma once

#include <vector>

#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/rover/rover_wheels.h"

namespace grouser {

/// A geom that turns with a wheel, maybe of a body that is welded to it.
struct TurningGeom {
  const ModelGeom* geom;
  Pose X_BG;  ///< its body's frame in that of the wheel
};

/// Fills in mesh, radius, width and centre of a wheel that turns about `wheel.axis` through
/// `anchor_B`. Exact for geoms that are round about it, else by measure_wheel(). Precondition:
/// there is a geom.
void measure_geoms(const std::vector<TurningGeom>& geoms, const Vec3& anchor_B, RoverWheel& wheel);

}  // namespace grouser
