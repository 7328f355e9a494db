// Tree dynamics by MuJoCo, from MJCF: mass matrix, bias, Jacobians, kinematics. Its contacts,
// constraints, actuators and stepping are not used.
#pragma once

#include <memory>
#include <optional>

#include "grouser/base/error.h"
#include "grouser/sim/constraints.h"
#include "grouser/sim/recording.h"
#include "grouser/sim/tree.h"

namespace grouser {

struct MujocoModel {
  std::unique_ptr<Tree> tree;
  /// The file's <equality> constraints, to be kept exactly by Mechanism.
  std::vector<CouplingDef> couplings;
  std::vector<LoopDef> loops;
  /// The file's geoms as meshes, for pictures; those of groups 3 to 5, which MuJoCo does not show,
  /// are left out.
  std::vector<RecordingShape> geoms;
  /// What the file says that this simulator does not use, for the user.
  std::vector<std::string> notes;
};

/// Reads an MJCF file. If `text` is given it is read instead of the file's contents (`path` then
/// only names it in messages, and locates included files). Throws InputError with MuJoCo's own
/// message if it rejects the model. `gravity` replaces the file's.
MujocoModel load_mujoco(const std::string& path, const std::optional<std::string>& text,
                        const Vec3& gravity);

/// False in a build without MuJoCo; load_mujoco then throws and says so.
bool have_mujoco();

}  // namespace grouser
