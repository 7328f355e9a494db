// Rigid bodies that nothing holds: the mechanism of a scene without a mechanism file.
#pragma once

#include <memory>

#include "grouser/mechanism/tree.h"

namespace grouser {

struct FreeBody {
  std::string name;
  MassProperties mass;
  Pose X_WB;   ///< at the start
  Twist V_WB;  ///< at the start
};

/// One free joint per body, named like the body. Its position coordinates are those of the centre
/// of mass and a quaternion; its velocities that of the centre of mass, in W, and w in the body
/// frame, so the mass matrix is constant.
std::unique_ptr<Tree> make_free_bodies(const std::vector<FreeBody>& bodies, const Vec3& gravity);

}  // namespace grouser
