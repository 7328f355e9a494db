// What must be known of a rover to build contact for it: its wheels and chassis, whoever found
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A wheel as it was found. The rover's frame R is that of its chassis: x forward, y left, z up.
struct RoverWheel {
  std::string body;
  std::string spin_joint;
  std::string steering_joint;  ///< empty: none
  /// +1 if the joint's positive direction rolls forward, or steers to the left; else -1.
  double spin_sign = 1.0;
  double steering_sign = 1.0;
  Vec3 axis = Vec3::UnitY();  ///< of the spin, in the body's frame, towards the rover's left
  Vec3 p_BC = Vec3::Zero();   ///< centre of the wheel in the body's frame: on the axis
  Vec3 p_RC = Vec3::Zero();   ///< the same in the rover's frame, in the model's initial pose
  Vec3 p_RS = Vec3::Zero();   ///< where the steering axis meets the height of p_RC; p_RC if none
  /// Limits of the steering angle, positive to the left [rad]; infinite if the joint has none.
  double steering_least = 0.0;
  double steering_most = 0.0;
  double radius = 0.0;  ///< without grousers [m]; 0: the model has no geometry of it
  double width = 0.0;   ///< [m]; 0 as well
  /// Speed of the rim per spin [m]: the scene says how high grousers are; without them the radius.
  double rolling_radius = 0.0;
  TriangleMesh mesh;  ///< what the model has of it, in the body's frame; may be empty
};

struct RoverFacts {
  std::string chassis;     ///< body
  std::string free_joint;  ///< of the chassis
  std::vector<RoverWheel> wheels;
  double mass = 0.0;         ///< of all bodies of the rover [kg]
  Vec3 p_RM = Vec3::Zero();  ///< centre of mass, in the initial pose
  /// Hinges on which the left and the right side tilt and that nothing in the file couples: the
  /// body could tip over. With the factors of the coupling that a differential would be. Or none.
  std::vector<std::pair<std::string, double>> loose_rockers;
  std::vector<std::string> notes;  ///< what the user should know, one sentence each
};

}  // namespace grouser
