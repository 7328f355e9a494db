// What holds the coordinates of a mechanism besides its joints: definitions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/math/spatial.h"
#include "grouser/mechanism/signal.h"

namespace grouser {

/// sum of factor * joint coordinate = offset: differentials, gears, mimic joints.
struct CouplingDef {
  std::string name;
  std::vector<std::pair<std::string, double>> joints;  ///< hinge or slide joints
  double offset = 0.0;
  Place place;
};

/// Closes a loop of bodies: a point of one stays at a point of the other, or all of it does.
struct LoopDef {
  enum class Kind { point, weld };
  std::string name;
  Kind kind = Kind::point;
  std::string body_a, body_b;
  Vec3 point_a = Vec3::Zero();   ///< in the frame of body_a
  Vec3 point_b = Vec3::Zero();   ///< in the frame of body_b
  Mat3 R_AB = Mat3::Identity();  ///< rotation of b in a that a weld keeps
  /// point_b, and for a weld R_AB, are those of the initial state, before it is assembled.
  bool find_b = false;
  Place place;
};

/// A hinge or slide joint that follows a signal exactly, by whatever force that takes.
struct PrescribedJointDef {
  std::string joint;
  bool speed = false;  ///< the signal is the speed, not the position
  Signal signal;
  Place place;
};

/// A motor on a hinge or slide joint: torque = gains on the error, limited.
struct MotorDef {
  enum class Control { torque, speed, position };
  std::string name;
  std::string joint;
  std::vector<std::string> joints;  ///< patterns, instead of joint: one motor for each
  Control control = Control::speed;
  Signal target;
  /// Per position error [Nm/rad] or [N/m]. Under speed control the position is the initial one and
  /// what the target speed has come to since: a motor with stiffness holds its place.
  double stiffness = 0.0;
  double damping = 0.0;          ///< per speed error [Nms/rad] or [Ns/m]
  double limit = 1e300;          ///< greatest torque or force
  double torque_constant = 0.0;  ///< [Nm/A] or [N/A]; 0: currents are not known
  double current_limit = 1e300;  ///< [A], instead of limit
  /// Speed at which nothing is left of the torque in the direction of motion [rad/s] or [m/s].
  double no_load_speed = 1e300;
  Place place;
};

/// A body without mass that moves as told: position + translation(t), and turned: by the angle
/// about the axis, then by roll, pitch and yaw about x, y and z of the frame in which it is placed.
struct MovingBodyDef {
  std::string name;
  Pose X_WB;       ///< where it is when all signals are zero
  Signal x, y, z;  ///< added to the position, in W
  Signal roll, pitch, yaw;
  Vec3 axis = Vec3::UnitZ();  ///< of the turn, in the body frame
  Signal angle;
  Place place;
};

}  // namespace grouser
