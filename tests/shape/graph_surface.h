// A surface z(x, y) by formula, for tests.
#pragma once

#include <functional>
#include <utility>

#include "grouser/shape/map_surface.h"

namespace grouser {

/// With the body below it or above it; then coordinates are in the order y, x, so that the normal
/// points down.
class GraphSurface final : public SmoothSurface {
 public:
  enum class Side { above, below };
  struct Height {
    double z, dx, dy, dxx, dxy, dyy;
  };

  GraphSurface(Side side, std::function<Height(double, double)> height)
      : side_(side), height_(std::move(height)) {}

  SurfaceJet at(const SurfaceCoordinates& x) const override {
    const bool above = side_ == Side::above;
    const double px = above ? x.u : x.v, py = above ? x.v : x.u;
    const Height h = height_(px, py);
    SurfaceJet jet = jet_of(px, py, {h.z, h.dx, h.dy, h.dxx, h.dxy, h.dyy});
    if (!above) {
      std::swap(jet.fu, jet.fv);
      std::swap(jet.fuu, jet.fvv);
    }
    return jet;
  }
  SurfaceFoot foot(const Vec3& p) const override {
    const double gap = p.z() - height_(p.x(), p.y()).z;
    return side_ == Side::above ? SurfaceFoot{gap, {p.x(), p.y()}}
                                : SurfaceFoot{-gap, {p.y(), p.x()}};
  }
  bool may_touch(const Vec3&, double) const override { return true; }
  double size() const override { return 1.0; }
  std::vector<Grid> grids() const override { return {}; }
  TriangleMesh mesh() const override { return {}; }

 private:
  Side side_;
  std::function<Height(double, double)> height_;
};

}  // namespace grouser
