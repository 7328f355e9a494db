// Where two smooth surfaces are nearest, or deepest in each other, and how these points move.
//
// A contact is a pair of points whose outward normals are opposite and in line:
//
//   n1 = -n2,   p2 = p1 + D n1,   gap D < 0 where the bodies overlap.
//
// Both conditions together are four equations for two coordinates on each surface. (That the line
// between the points be normal to both is not enough: overlapping bodies then fulfil it with D = 0
// all along the curve where they cut each other.) In a common tangent basis, with steps t1 and t2
// along the surfaces, Newton's method is
//
//   (I + D K1) t1 - t2 = r1,    K1 t1 + K2 t2 = -r2,
//
// so M t1 = K2 r1 - r2 with M = K1 + K2 + D K2 K1: the matrix that also says how the points move
// when the bodies do.
#pragma once

#include <optional>

#include "grouser/math/spatial.h"
#include "grouser/shape/smooth_surface.h"

namespace grouser {

/// What kind of place a pair of opposite normals is.
enum class ContactKind {
  nearest,  ///< the gap is smallest there: a contact
  saddle,   ///< smallest one way, greatest across: between two contacts
  farthest,
};

/// Two surfaces where their normals are opposite, in the frame of the first.
struct ClosestPoints {
  SurfaceCoordinates x1, x2;
  Vec3 p1 = Vec3::Zero(), p2 = Vec3::Zero();  ///< [m]
  /// Common tangent basis, and the outward normal of the first.
  Vec3 e1 = Vec3::UnitX(), e2 = Vec3::UnitY(), n = Vec3::UnitZ();
  /// Steps in coordinates as steps along the surface, in e1, e2.
  Mat2 B1 = Mat2::Identity(), B2 = Mat2::Identity();
  Mat2 K1 = Mat2::Zero(), K2 = Mat2::Zero();  ///< curvatures [1/m], in e1, e2
  double gap = 0.0;
  SurfaceStatus status1 = SurfaceStatus::ok, status2 = SurfaceStatus::ok;

  /// M of the equations above.
  Mat2 relative_curvature() const { return K1 + K2 + gap * K2 * K1; }
};

/// Curvature of the gap: the eigenvalues of M, smaller first [1/m]. Both are positive where the gap
/// is smallest: M = S (I + D K1), and S is the second derivative of the gap over the surface at a
/// distance D from the first. For convex bodies it holds at any depth, where S has no meaning.
Vec2 gap_curvatures(const ClosestPoints& c);
ContactKind kind_of(const ClosestPoints& c);

/// From a start downhill to a contact; none if it does not come to one. With `over`, a direction in
/// the first frame, to a saddle: up along it and down across it. X_12 is where the second surface
/// is, seen from the first.
std::optional<ClosestPoints> find_closest(const SmoothSurface& first, const SmoothSurface& second,
                                          const Pose& X_12, SurfaceCoordinates x1,
                                          SurfaceCoordinates x2,
                                          const std::optional<Vec3>& over = {});

/// The two surfaces at given coordinates, which need not be a solution: B and K in a common basis,
/// the gap along n.
ClosestPoints pair_at(const SmoothSurface& first, const SmoothSurface& second, const Pose& X_12,
                      const SurfaceCoordinates& x1, const SurfaceCoordinates& x2);
/// The Newton step from there; none if the equations have no solution.
struct NewtonStep {
  Vec2 t1, t2;  ///< along the surfaces [m]
};
std::optional<NewtonStep> newton_step(const SmoothSurface& first, const SmoothSurface& second,
                                      const Pose& X_12, const SurfaceCoordinates& x1,
                                      const SurfaceCoordinates& x2);

/// How the points move over their surfaces, in e1, e2 [m/s].
struct ContactRates {
  double gap = 0.0;  ///< D'
  Vec2 t1 = Vec2::Zero(), t2 = Vec2::Zero();
};
/// `velocity` is that of the second body's material at p2, `spin` its angular velocity, both
/// relative to the first body and in its frame. None where M is singular. With D = 0 these are
/// Montana's equations.
std::optional<ContactRates> contact_rates(const ClosestPoints& c, const Vec3& velocity,
                                          const Vec3& spin);

}  // namespace grouser
