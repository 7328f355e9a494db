// Smooth surfaces: two coordinates, derivatives up to the second, Gauss map and curvature.
//
// A surface is a map f(u, v) into its own frame, in one chart or several. f_u x f_v points out of
// the body. Contact needs the outward normal n and the curvature K, both at a point: with an
// orthonormal basis e1, e2 of the tangent plane, a step t (in that basis) along the surface turns
// the normal by dn = K t. K is positive where the body is convex.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grouser/math/types.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

using Mat2 = Eigen::Matrix2d;

/// Where on a surface: two numbers in one of its charts.
struct SurfaceCoordinates {
  double u = 0.0, v = 0.0;
  int chart = 0;
};

/// What a surface has to say at a place.
enum class SurfaceStatus {
  ok,
  no_data,  ///< a map has a gap here
  beyond,   ///< beyond the border of a map or of a parametrised surface
};

/// A surface close to a point, in its frame [m].
struct SurfaceJet {
  Vec3 p = Vec3::Zero();
  Vec3 fu = Vec3::UnitX(), fv = Vec3::UnitY();
  Vec3 fuu = Vec3::Zero(), fuv = Vec3::Zero(), fvv = Vec3::Zero();
  SurfaceStatus status = SurfaceStatus::ok;
};

/// The Gauss frame at a point of a surface: e1, e2, n, right-handed.
struct GaussFrame {
  Vec3 p, e1, e2, n;
  Mat2 B;  ///< e_i . f_a: a step in coordinates, as a step along the surface
  Mat2 K;  ///< curvature [1/m]: a step along the surface turns n by K t

  /// A step along the surface, and back.
  Vec3 along(const Vec2& t) const { return e1 * t.x() + e2 * t.y(); }
  Vec2 in_plane(const Vec3& x) const { return {e1.dot(x), e2.dot(x)}; }
};
/// e1 is `hint` (not parallel to the normal), turned into the tangent plane.
GaussFrame gauss_frame(const SurfaceJet& jet, const Vec3& hint);
/// The same with e1 along f_u.
GaussFrame gauss_frame(const SurfaceJet& jet);

/// Roughly where a point is above or below a surface.
struct SurfaceFoot {
  double gap = 0.0;  ///< [m], > 0 outside; the sign and what is small are right
  SurfaceCoordinates at;
};

class SmoothSurface {
 public:
  virtual ~SmoothSurface() = default;

  /// Any coordinates: where the surface has nothing to say the status tells it, and the rest goes
  /// on smoothly as far as it can.
  virtual SurfaceJet at(const SurfaceCoordinates& x) const = 0;

  /// The same point in the chart that fits best, with angles brought back into their range.
  virtual SurfaceCoordinates recharted(const SurfaceCoordinates& x) const { return x; }

  /// Near the foot of a point on the surface, to start a search from.
  virtual SurfaceFoot foot(const Vec3& p) const = 0;

  /// False only if nothing of a ball is on or below the surface.
  virtual bool may_touch(const Vec3& centre, double radius) const = 0;

  /// A length over which the surface bends, or its extent where it is flatter [m]: steps along it
  /// are measured by it.
  virtual double size() const = 0;

  // Coordinates as numbers that can be integrated, without a jump between charts: (u, v, 0) of a
  // surface with one chart, the point itself of one with several.

  virtual Vec3 numbers(const SurfaceCoordinates& x) const { return {x.u, x.v, 0.0}; }
  virtual SurfaceCoordinates coordinates(const Vec3& numbers) const {
    return {numbers.x(), numbers.y(), 0};
  }
  /// How the numbers change under a step t along the surface.
  virtual Vec3 numbers_step(const GaussFrame& frame, const Vec2& t) const {
    const Vec2 step = frame.B.inverse() * t;
    return {step.x(), step.y(), 0.0};
  }

  /// Places all over the surface, as a grid for every chart.
  struct Grid {
    int chart = 0;
    double u0 = 0.0, u1 = 0.0, v0 = 0.0, v1 = 0.0;
    int nu = 0, nv = 0;  ///< cells each way
  };
  virtual std::vector<Grid> grids() const = 0;

  /// For pictures.
  virtual TriangleMesh mesh() const = 0;
};

}  // namespace grouser
