// The door for URDF: reads a robot description with urdfdom and writes it as MJCF.
//
// MuJoCo computes tree dynamics only, so the MJCF holds bodies, joints and inertias, no geometry;
// urdf_geometry.h reads that.
// Every link stays a body of its own, so that its name can be used as a port; a fixed joint nests
// the child in its parent without a joint. Bodies and joints follow the order of the URDF text.
#pragma once

#include <string>
#include <vector>

#include "grouser/math/spatial.h"

namespace grouser {

/// From <mimic>: coordinate of `joint` = multiplier * coordinate of `other` + offset.
struct JointCoupling {
  std::string joint;
  std::string other;
  double multiplier = 1.0;
  double offset = 0.0;  ///< [rad] or [m], the unit of `joint`
};

/// A <visual> or <collision> of a link, as it is written; see urdf_geometry.h.
struct UrdfGeometry {
  enum class Use { visual, collision };
  enum class Kind { mesh, box, cylinder, sphere };

  std::string link;
  Use use = Use::visual;
  Kind kind = Kind::mesh;
  std::string file;  ///< of a mesh, as written (may be package://...)
  Pose X_LG;         ///< pose of the geometry in the link
  /// mesh: scale factors; box: sides [m]; cylinder: radius, length (along z), 0; sphere: radius, 0,
  /// 0
  Vec3 size = Vec3::Ones();
};

/// What holds the root link. A root link called "world" is the world itself.
enum class UrdfBase {
  fixed,     ///< welded to the world
  floating,  ///< free, joint <root>_free; the root or a link welded to it must have mass
};

struct UrdfConversion {
  std::string mjcf;
  std::vector<JointCoupling> couplings;  ///< in the order of the text
  std::vector<UrdfGeometry> geometries;
  std::vector<std::string> notes;  ///< what was dropped or changed, one sentence each
};

/// Converts a URDF text; `path` is used in messages, and finds meshes that they tell about. What
/// URDF leaves open is read so:
///   revolute, prismatic   hinge and slide with range, damping and frictionloss
///   continuous            hinge without range
///   planar                slides <joint>_x and <joint>_y, then hinge <joint>_yaw about the axis; x
///                         and y are those of the joint frame turned the short way from z to axis
///   floating              a free joint under the world; elsewhere, slides <joint>_x, _y, _z and a
///                         ball <joint>_ball, since MuJoCo frees top-level bodies only
/// A moving link without mass takes over the masses of the links welded to it; if there are none it
/// is refused, as MuJoCo has no use for mass behind a further joint.
/// Throws InputError, with the line where there is one, for everything that is not a tree of
/// physically possible links.
UrdfConversion convert_urdf(const std::string& urdf_text, const std::string& path,
                            UrdfBase base = UrdfBase::fixed);

}  // namespace grouser
