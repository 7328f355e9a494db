// Masses and moments of inertia as MuJoCo accepts them.
//
// Only urdf_*.cpp include this header.
#pragma once

#include <string>

#include "grouser/math/spatial.h"

namespace grouser {

inline constexpr double kLeastMass = 1e-14;  // kg, kg m^2; MuJoCo refuses moving bodies below 1e-15

struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< columns in the link frame, right-handed
};

/// Our own decomposition, since MuJoCo's stops at off-diagonal elements of 1e-12 kg m^2.
PrincipalInertia principal_inertia(const Mat3& inertia);

/// Why no rigid body has these principal moments; empty if one has.
std::string impossible_inertia(const Vec3& moments);

/// Takes rounding out of moments that are possible but for it: none negative, largest <= sum of the
/// others as MuJoCo will compute it. Returns the share by which the largest was lowered.
double remove_rounding(Vec3& moments);

/// The mass properties of two bodies welded together, in the frame of `a`.
MassProperties welded(const MassProperties& a, const Pose& X_AB, const MassProperties& b);

/// Whether MuJoCo takes it as a body with joints.
bool can_move(const MassProperties& body);

}  // namespace grouser
