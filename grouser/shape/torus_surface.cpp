#include <algorithm>
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/shape/smooth_bodies.h"
#include "grouser/shape/surface_samples.h"

namespace grouser {
namespace {

/// The same angle in [-pi, pi).
double wrapped(double angle) {
  if (angle >= -kPi && angle < kPi) return angle;
  const double turned = angle - 2.0 * kPi * std::floor((angle + kPi) / (2.0 * kPi));
  return turned < kPi ? turned : -kPi;
}

}  // namespace

TorusSurface::TorusSurface(double major_radius, double minor_radius)
    : major_(major_radius), minor_(minor_radius) {
  if (!(minor_ > 0.0) || !(minor_ < major_) || !std::isfinite(major_))
    throw InputError("the minor radius of a torus must be positive and below the major one, are " +
                     to_text(minor_) + " and " + to_text(major_));
}

SurfaceJet TorusSurface::at(const SurfaceCoordinates& x) const {
  const double cu = std::cos(x.u), su = std::sin(x.u), cv = std::cos(x.v), sv = std::sin(x.v);
  const Vec3 out(cu, su, 0.0), along(-su, cu, 0.0);
  const double across = minor_ * cv, up = minor_ * sv, rho = major_ + across;
  SurfaceJet jet;
  jet.p = rho * out + Vec3(0.0, 0.0, up);
  jet.fu = rho * along;
  jet.fv = -up * out + Vec3(0.0, 0.0, across);
  jet.fuu = -rho * out;
  jet.fuv = -up * along;
  jet.fvv = -across * out - Vec3(0.0, 0.0, up);
  return jet;
}

SurfaceCoordinates TorusSurface::recharted(const SurfaceCoordinates& x) const {
  return {wrapped(x.u), wrapped(x.v), 0};
}

SurfaceFoot TorusSurface::foot(const Vec3& p) const {
  const double out = std::hypot(p.x(), p.y()) - major_;
  return {std::hypot(out, p.z()) - minor_, {std::atan2(p.y(), p.x()), std::atan2(p.z(), out), 0}};
}

bool TorusSurface::may_touch(const Vec3& centre, double radius) const {
  return std::hypot(std::hypot(centre.x(), centre.y()) - major_, centre.z()) - minor_ <= radius;
}

double TorusSurface::size() const {
  return std::min(minor_, major_ - minor_);
}

std::vector<SmoothSurface::Grid> TorusSurface::grids() const {
  constexpr int kAroundTube = 16;
  const double cells = kAroundTube * (major_ + minor_) / minor_;  // about square at the outer rim
  const int around_axis = static_cast<int>(std::clamp(std::ceil(cells), 16.0, 256.0));
  return {{0, -kPi, kPi, -kPi, kPi, around_axis, kAroundTube}};
}

TriangleMesh TorusSurface::mesh() const {
  std::vector<Grid> grids = this->grids();
  grids[0].nu = std::max(grids[0].nu, 64);
  grids[0].nv = 32;
  return mesh_of_grids(*this, grids);
}

}  // namespace grouser
