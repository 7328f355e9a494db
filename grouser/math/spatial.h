// Poses, twists, wrenches and inertia of rigid bodies, in monogram notation.
//
//   X_WB    pose of frame B in W: x_W = R_WB x_B + p_WB; inner letters cancel, X_WC = X_WB * X_BC
//   V_WB    twist of B in W: angular velocity and velocity of the origin Bo, expressed in W
//   F_B_W   wrench on B: torque about Bo and force, expressed in W
#pragma once

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Vec3 operator*(const Vec3& point) const { return R * point + p; }
  Pose operator*(const Pose& next) const { return {R * next.R, R * next.p + p}; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  bool operator==(const Pose& other) const { return R == other.R && p == other.p; }
};

/// Pose from a position and a quaternion of any positive length.
inline Pose make_pose(const Vec3& p, const Quat& q) {
  GROUSER_ASSERT(q.squaredNorm() != 0.0);
  return {q.normalized().toRotationMatrix(), p};
}

struct Twist {
  Vec3 w = Vec3::Zero();  ///< angular velocity [rad/s]
  Vec3 v = Vec3::Zero();  ///< velocity of the reference point [m/s]

  /// Velocity of the material point that lies `offset` away from the reference point.
  Vec3 at(const Vec3& offset) const { return v + w.cross(offset); }
  bool operator==(const Twist& other) const { return w == other.w && v == other.v; }
};

struct Wrench {
  Vec3 torque = Vec3::Zero();  ///< about the reference point [Nm]
  Vec3 force = Vec3::Zero();   ///< [N]

  Wrench& operator+=(const Wrench& other) {
    torque += other.torque;
    force += other.force;
    return *this;
  }
  Wrench operator-() const { return {-torque, -force}; }
  /// Adds a force whose line of action passes `offset` away from the reference point.
  void add_force_at(const Vec3& offset, const Vec3& f) {
    torque += offset.cross(f);
    force += f;
  }
  /// The same wrench about a point that lies `offset` away from the present reference point.
  Wrench moved_by(const Vec3& offset) const { return {torque - offset.cross(force), force}; }
};

/// What a host tells about a body: where it is and how it moves, in the world frame.
struct BodyKinematics {
  Pose X_WB;
  Twist V_WB;
  bool operator==(const BodyKinematics& other) const {
    return X_WB == other.X_WB && V_WB == other.V_WB;
  }
};

/// How a body gives way, at most: what a host knows of its inertia that a contact may want to know.
struct BodyMobility {
  double linear = 0.0;         ///< to a force at its centre of mass [1/kg]
  double angular = 0.0;        ///< to a torque [1/(kg m^2)]
  Vec3 center = Vec3::Zero();  ///< of mass, in the body's frame [m]
};

struct MassProperties {
  double mass = 0.0;            ///< [kg]
  Vec3 center = Vec3::Zero();   ///< centre of mass in the body frame [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, along the body axes [kg m^2]
};

}  // namespace grouser
