// What presses two convex bodies apart that overlap: one of them gives way like an elastic
// foundation, its pressure the deeper the higher, and the surface of the other bears it.
//
// Pressure per stiffness is the depth under the nearest face of the body that gives way. It is
// nought on that body's surface and continuous inside, and it acts along the normals of the other
// one's surface. So force and moment are the slopes of one energy, the integral of the depth over
// the overlap; and both are continuous functions of the pose, also where a face comes to lie in the
// plane of another one.
#pragma once

#include "grouser/base/scratch.h"
#include "grouser/shape/convex_contact.h"
#include "grouser/shape/pressure_sums.h"

namespace grouser {

/// Whether a body touches over an area: box, hull, cylinder, cone, half-space, and any other that
/// has a hull. The rest is round and touches in a point, or in a row of them.
inline bool has_faces(const ConvexShape& shape) {
  using K = ConvexKind;
  return shape.hull || shape.kind == K::half_space || shape.kind == K::cylinder ||
         shape.kind == K::cone;
}

/// Whether it is a cylinder or a cone.
inline bool is_round(const ConvexShape& shape) {
  return shape.kind == ConvexKind::cylinder || shape.kind == ConvexKind::cone;
}

/// Forces on A per stiffness of the foundation [Pa/m].
struct ConvexPressure {
  Vec3 force_W = Vec3::Zero();       ///< [m^3]
  Vec3 p_WO = Vec3::Zero();          ///< a point in the overlap
  Vec3 moment_W = Vec3::Zero();      ///< about it [m^4]
  double area = 0.0;                 ///< of the surface that bears the pressure [m^2]
  double total = 0.0;                ///< of the pressure's size over the surface [m^3]; 0: no touch
  Vec3 center_W = Vec3::Zero();      ///< of the pressure
  Mat3 covariance_W = Mat3::Zero();  ///< of places, weighted with the pressure [m^2]

  /// The same on B.
  ConvexPressure swapped() const {
    ConvexPressure out = *this;
    out.force_W = -force_W;
    out.moment_W = -moment_W;
    return out;
  }
};

/// Of two bodies that have faces (but not two half-spaces). `contact` is what
/// find_convex_contact() says of them, with depth > 0.
ConvexPressure find_convex_pressure(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                    const Pose& X_WB, const ConvexContact& contact,
                                    Scratch& scratch);

/// From sums about p_WO, along axes that R_WS turns into those of W; `swapped`: they act on B.
ConvexPressure make_convex_pressure(const PressureSums& sums, const Mat3& R_WS, const Vec3& p_WO,
                                    bool swapped);

}  // namespace grouser
