// What two convex bodies have in common: the body of their overlap, its volume, its faces and
// where it lies. All of it changes continuously as the bodies move, also where the shortest way out
// jumps from one face to another.
#pragma once

#include "grouser/base/scratch.h"
#include "grouser/shape/convex_contact.h"

namespace grouser {

struct ConvexLens {
  double volume = 0.0;               ///< [m^3]; 0: no overlap, and nothing else is set
  Vec3 normal_W = Vec3::UnitZ();     ///< unit; from B to A
  double area = 0.0;                 ///< of the lens, projected along the normal [m^2]
  double depth = 0.0;                ///< mean, volume / area: a face's depth, 1/3 of a corner's
  Vec3 center_W = Vec3::Zero();      ///< of the volume
  Mat3 covariance_W = Mat3::Zero();  ///< mean of (x - center)(x - center)^T over the volume [m^2]
};

/// Whether a body touches over an area: box, hull, cylinder, cone, half-space, and any other that
/// has a hull. The rest is round and touches in a point, or in a row of them.
inline bool has_lens(const ConvexShape& shape) {
  using K = ConvexKind;
  return shape.hull || shape.kind == K::half_space || shape.kind == K::cylinder ||
         shape.kind == K::cone;
}

/// The overlap of two bodies that have a lens (but not two half-spaces). `contact` is what
/// find_convex_contact() says of them, with depth > 0. Hulls and boxes are exact. Round ones are
/// cut into facets where the overlap is: volume and depth are within 1 % in 98 of 100 poses, and
/// within a few hundredths where a corner pokes into a lid near its rim.
ConvexLens find_convex_lens(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                            const Pose& X_WB, const ConvexContact& contact, Scratch& scratch);

}  // namespace grouser
