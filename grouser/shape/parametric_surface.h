// Surfaces f(u, v) as the user gives them: by formulas, or by a function with its derivatives.
#pragma once

#include <functional>
#include <memory>

#include "grouser/math/formula.h"
#include "grouser/shape/smooth_surface.h"
#include "grouser/shape/surface_samples.h"

namespace grouser {

struct ParametricDef {
  /// f and its derivatives [m]; `status` is left alone. Must not allocate.
  std::function<SurfaceJet(double u, double v)> f;
  Vec2 u = Vec2::Zero(), v = Vec2::Zero();  ///< ranges, from and to
  bool periodic_u = false, periodic_v = false;
  /// The outside is where f_u x f_v points; with `flip` it is the other side.
  bool flip = false;
  /// f(u, v) = (u, v, z(u, v)).
  bool height_field = false;
};

/// Coordinates as formulas of u and v: `f` and whether they are a height field.
ParametricDef parametric_formulas(const Formula& x, const Formula& y, const Formula& z);

/// One chart. If it is flipped its coordinates are (v, u), so that f_u x f_v points outward again.
///
/// Beyond a range that is not periodic the status is `beyond` and the formula goes on; where it is
/// not finite, the surface goes on straight from its border.
///
/// What is behind a surface is inside, however far away, also if it is not closed.
class ParametricSurface final : public SmoothSurface {
 public:
  /// Throws InputError if a range is empty, f is not finite or has no normal somewhere (it is
  /// looked at in 129 x 129 places, borders too), or what is periodic does not close.
  explicit ParametricSurface(const ParametricDef& def);

  SurfaceJet at(const SurfaceCoordinates& x) const override;
  SurfaceCoordinates recharted(const SurfaceCoordinates& x) const override;
  /// Of a height field: vertically below or above. Else from the nearest of its samples, by a few
  /// steps of Newton's method.
  SurfaceFoot foot(const Vec3& p) const override;
  bool may_touch(const Vec3& centre, double radius) const override;
  /// The smallest radius of curvature, or half the extent if that is less.
  double size() const override { return size_; }
  std::vector<Grid> grids() const override { return {grid_}; }
  TriangleMesh mesh() const override;

 private:
  struct Census;
  SurfaceJet raw(double u, double v) const;
  Census look_around() const;
  void require_closed(double extent) const;
  SurfaceCoordinates below(const Vec3& p) const;

  std::function<SurfaceJet(double, double)> f_;
  bool height_field_, flip_;
  // Of the chart: with `flip` those of v are first.
  Vec2 u_, v_;
  bool periodic_u_, periodic_v_;
  Grid grid_;
  double size_ = 0.0;
  double steepest_ = 0.0;                          // slope of a height field
  std::unique_ptr<const SurfaceSamples> samples_;  // not of a height field
};

}  // namespace grouser
