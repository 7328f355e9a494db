// Bodies with a smooth surface: ellipsoids, superellipsoids and tori.
#pragma once

#include "grouser/shape/smooth_surface.h"

namespace grouser {

/// A superellipsoid with half axes a, b, c and exponents e1, e2: where N(p) = 1 for
///
///   N(p) = ((|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1))^(e1/2)
///
/// e1 tells how round it is seen from the side, e2 seen along z; 1 is an ellipse, less comes nearer
/// to a rectangle. With e1 = e2 = 1 it is an ellipsoid.
///
/// The coordinates are those of a cube around the body, scaled by the half axes: face 2 k is where
/// coordinate k = 1, face 2 k + 1 where it is -1, and u, v in [-1, 1] are the other two. A place is
/// where the line from the centre through that place of the cube leaves the body. So there are no
/// poles, and faces go on beyond their edges.
///
/// First and second derivatives are continuous, but for one case: with e1 = 1 and e2 < 1 the
/// curvature jumps at the two points on the z axis, where it is given as that of the ellipsoid.
/// Where an exponent is below 1 the surface is flat across coordinate planes: curvature 0.
class StarSurface final : public SmoothSurface {
 public:
  /// Throws InputError unless half axes are positive and exponents within [0.1, 1].
  explicit StarSurface(const Vec3& half_axes, const Vec2& exponents = Vec2::Ones());

  const Vec3& half_axes() const { return half_axes_; }
  const Vec2& exponents() const { return exponents_; }
  bool is_ellipsoid() const { return exponents_ == Vec2::Ones(); }
  bool is_sphere() const { return is_ellipsoid() && half_axes_ == Vec3::Constant(half_axes_.x()); }

  SurfaceJet at(const SurfaceCoordinates& x) const override;
  SurfaceCoordinates recharted(const SurfaceCoordinates& x) const override;
  SurfaceFoot foot(const Vec3& p) const override;
  bool may_touch(const Vec3& centre, double radius) const override;
  /// The smallest radius of curvature.
  double size() const override { return size_; }
  Vec3 numbers(const SurfaceCoordinates& x) const override { return at(x).p; }
  SurfaceCoordinates coordinates(const Vec3& numbers) const override;
  Vec3 numbers_step(const GaussFrame& frame, const Vec2& t) const override {
    return frame.along(t);
  }
  std::vector<Grid> grids() const override;
  TriangleMesh mesh() const override;

 private:
  Vec3 half_axes_, per_axis_;  // and one over them
  Vec2 exponents_;
  bool ellipsoid_;
  double size_;
};

/// A torus about z: u goes around the axis, v around the tube, from the outer rim upwards.
class TorusSurface final : public SmoothSurface {
 public:
  /// Throws InputError unless 0 < minor_radius < major_radius.
  TorusSurface(double major_radius, double minor_radius);

  double major_radius() const { return major_; }
  double minor_radius() const { return minor_; }

  SurfaceJet at(const SurfaceCoordinates& x) const override;
  /// Both angles in [-pi, pi).
  SurfaceCoordinates recharted(const SurfaceCoordinates& x) const override;
  /// Exact.
  SurfaceFoot foot(const Vec3& p) const override;
  bool may_touch(const Vec3& centre, double radius) const override;
  double size() const override;
  std::vector<Grid> grids() const override;
  TriangleMesh mesh() const override;

 private:
  double major_, minor_;
};

}  // namespace grouser
