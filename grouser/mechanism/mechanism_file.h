// Mechanism files: MJCF and URDF, told apart by their suffix.
#pragma once

#include <string>

#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/mechanism/urdf_reader.h"

namespace grouser {

struct MechanismFileOptions {
  UrdfBase base = UrdfBase::fixed;  ///< of a URDF
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);
  double scale = 1.0;  ///< see load_mujoco()
};

/// Reads a file with everything that is known about it: <mimic> of a URDF is among the couplings,
/// its geometry among the geoms. Throws InputError.
MujocoModel read_mechanism_file(const std::string& path, const MechanismFileOptions& options);

/// Whether the suffix says URDF.
bool is_urdf(const std::string& path);

}  // namespace grouser
