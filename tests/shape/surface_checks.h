// What holds for every smooth surface: differences against derivatives, normals and curvature.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/shape/smooth_surface.h"

namespace grouser {

/// Derivatives, normal and curvature at a place against central differences. `scale` [m] is the
/// length in which sizes are measured; `step` is in coordinates.
inline void expect_differences(const SmoothSurface& surface, const SurfaceCoordinates& x,
                               double step, double scale, double tolerance) {
  SCOPED_TRACE(testing::Message() << "chart " << x.chart << ", u " << x.u << ", v " << x.v);
  const auto at = [&](double du, double dv) { return surface.at({x.u + du, x.v + dv, x.chart}); };
  const SurfaceJet jet = surface.at(x);
  const SurfaceJet right = at(step, 0), left = at(-step, 0), up = at(0, step), down = at(0, -step);
  const auto slope = [&](const Vec3& after, const Vec3& before) -> Vec3 {
    return (after - before) / (2.0 * step);
  };
  const auto error = [&](const Vec3& a, const Vec3& b) { return (a - b).norm() / scale; };
  EXPECT_LT(error(slope(right.p, left.p), jet.fu), tolerance);
  EXPECT_LT(error(slope(up.p, down.p), jet.fv), tolerance);
  EXPECT_LT(error(slope(right.fu, left.fu), jet.fuu), tolerance);
  EXPECT_LT(error(slope(right.fv, left.fv), jet.fuv), tolerance);
  EXPECT_LT(error(slope(up.fu, down.fu), jet.fuv), tolerance);
  EXPECT_LT(error(slope(up.fv, down.fv), jet.fvv), tolerance);

  // The normal is that of the places themselves; along the surface it turns as K says.
  const GaussFrame frame = gauss_frame(jet);
  const Vec3 n = slope(right.p, left.p).cross(slope(up.p, down.p)).normalized();
  EXPECT_LT((n - frame.n).norm(), tolerance);
  EXPECT_NEAR(frame.K(0, 1), frame.K(1, 0), 1e-12 * (1.0 + frame.K.norm()));  // rounding
  const Mat2 back = frame.B.inverse();
  for (int k = 0; k < 2; ++k) {
    const Vec2 t = Vec2::Unit(k);
    const Vec2 d = back * t * step;
    const double shorter = std::min(1.0, step / d.norm());  // no longer than `step`
    const Vec3 after = gauss_frame(at(shorter * d.x(), shorter * d.y())).n;
    const Vec3 before = gauss_frame(at(-shorter * d.x(), -shorter * d.y())).n;
    const Vec3 turned = (after - before) / (2.0 * step * shorter);
    EXPECT_LT((turned - frame.along(frame.K * t)).norm() * scale, tolerance);
  }
}

}  // namespace grouser
