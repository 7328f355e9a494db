// What the files that know MuJoCo share. Only mujoco_*.cpp include this header.
#pragma once

#ifdef GROUSER_HAVE_MUJOCO

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "grouser/base/error.h"
#include "grouser/mechanism/tree.h"

namespace grouser {

struct MujocoModel;

struct MujocoModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct MujocoDataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoHandle = std::unique_ptr<mjModel, MujocoModelDeleter>;
using MujocoDataHandle = std::unique_ptr<mjData, MujocoDataDeleter>;

/// The name of an object, or `fallback` and its number.
std::string name_of(const mjModel* m, int type, int id, const char* fallback);

JointKind joint_kind(int type);

/// Fills in bodies, joints and geoms.
void read_facts(const mjModel* m, MujocoModel& out);

std::unique_ptr<Tree> make_mujoco_tree(MujocoHandle model);

/// Makes a model `scale` times as large, of the same materials: lengths grow with it, masses with
/// its third power, inertias with its fifth; springs and dampers of joints so that under the same
/// gravity it moves alike, times growing with the square root. Throws InputError, with `path`, for
/// a model with tendons.
void scale_model(mjModel* m, double scale, const std::string& path);

}  // namespace grouser

#endif
