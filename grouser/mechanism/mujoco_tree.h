// Tree dynamics by MuJoCo, from MJCF: mass matrix, bias, Jacobians, kinematics. Its contacts,
// constraints, actuators and stepping are not used.
#pragma once

#include <memory>
#include <optional>

#include "grouser/base/error.h"
#include "grouser/mechanism/constraints.h"
#include "grouser/mechanism/tree.h"
#include "grouser/mesh/picture_shape.h"

namespace grouser {

/// A body of the file, in the order of Tree::body_names().
struct ModelBody {
  std::string name;
  int parent = -1;             ///< index of the body that carries it; -1: the world
  double mass = 0.0;           ///< [kg]
  Vec3 center = Vec3::Zero();  ///< of mass, in the body's frame
  Pose X_WB;                   ///< in the file's initial pose
};

/// A joint of the file, in the order of Tree::joints().
struct ModelJoint {
  std::string name;
  JointKind kind = JointKind::hinge;
  std::size_t body = 0;         ///< the one it moves
  Vec3 axis = Vec3::UnitZ();    ///< unit, in the body's frame; of hinge and slide
  Vec3 anchor = Vec3::Zero();   ///< in the body's frame
  std::optional<double> lower;  ///< limits of the coordinate [rad] or [m]
  std::optional<double> upper;
  double damping = 0.0;  ///< [Nms/rad] or [Ns/m]
};

/// A geom of the file, shown in pictures or not.
struct ModelGeom {
  enum class Kind { sphere, capsule, cylinder, other };
  std::string name;
  int body = -1;  ///< index; -1: the world
  bool shown = true;
  Kind kind = Kind::other;
  Pose X_BG;            ///< round kinds lie along z
  double radius = 0.0;  ///< of round kinds [m]
  double length = 0.0;  ///< of capsule (without its caps) and cylinder [m]
  TriangleMesh mesh;    ///< in the body's frame
  std::vector<std::pair<std::string, double>> color;  ///< red, green, blue; empty: none given
};

struct MujocoModel {
  std::unique_ptr<Tree> tree;
  /// The file's <equality> constraints, to be kept exactly by Mechanism.
  std::vector<CouplingDef> couplings;
  std::vector<LoopDef> loops;
  std::vector<ModelBody> bodies;
  std::vector<ModelJoint> joints;
  std::vector<ModelGeom> solids;  ///< all geoms, for measuring
  /// The file's geoms as meshes, for pictures; those of groups 3 to 5, which MuJoCo does not show,
  /// are left out.
  std::vector<PictureShape> geoms;
  /// What the file says that this simulator does not use, for the user.
  std::vector<std::string> notes;
};

/// Reads an MJCF file. If `text` is given it is read instead of the file's contents (`path` then
/// only names it in messages, and locates included files). Throws InputError with MuJoCo's own
/// message if it rejects the model. `gravity` replaces the file's. With a `scale` all is that many
/// times as large: masses go with its third power, inertias with its fifth; springs and dampers of
/// joints go so that the model moves alike, times growing with the square root.
MujocoModel load_mujoco(const std::string& path, const std::optional<std::string>& text,
                        const Vec3& gravity, double scale = 1.0);

/// A geom for pictures.
PictureShape picture_of(const ModelGeom& geom, const std::vector<ModelBody>& bodies);

/// False in a build without MuJoCo; load_mujoco then throws and says so.
bool have_mujoco();

}  // namespace grouser
