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

/// While one is alive, an error of MuJoCo in this thread throws RunError, and a warning is dropped:
/// what matters comes back as an error. Otherwise both go to the handlers that others have
/// installed in the process, as if we were not there.
class MujocoCall {
 public:
  MujocoCall() { ++open_; }
  ~MujocoCall() { --open_; }
  MujocoCall(const MujocoCall&) = delete;
  MujocoCall& operator=(const MujocoCall&) = delete;

  /// Puts our handlers before those of others. MuJoCo has one for the whole process.
  static void install_handlers();

 private:
  static void on_error(const char* message);
  static void on_warning(const char* message);
  static thread_local int open_;
};

/// The name of an object, or `fallback` and its number.
std::string name_of(const mjModel* m, int type, int id, const char* fallback);

JointKind joint_kind(int type);

/// Fills in bodies, joints and geoms.
void read_facts(const mjModel* m, MujocoModel& out);

/// Everything that dynamics of trees depend on, and the names of bodies and joints.
void add_model(const mjModel* m, Hash& hash);

/// Of a model without contacts, constraints and actuators.
std::unique_ptr<Tree> make_mujoco_tree(MujocoHandle model);

/// Makes a model `scale` times as large, of the same materials: lengths grow with it, masses with
/// its third power, inertias with its fifth; springs and dampers of joints so that under the same
/// gravity it moves alike, times growing with the square root. Throws InputError, with `path`, for
/// a model with tendons.
void scale_model(mjModel* m, double scale, const std::string& path);

}  // namespace grouser

#endif
