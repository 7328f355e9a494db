#include "grouser/shape/parametric_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grouser/base/error.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

std::string place_text(double u, double v) {
  return "u = " + to_text(u, 6) + ", v = " + to_text(v, 6);
}

bool is_finite(const SurfaceJet& jet) {
  const Vec3 sum = jet.p + jet.fu + jet.fv + jet.fuu + jet.fuv + jet.fvv;
  return sum.allFinite();
}

/// Makes one coordinate of a jet from a formula.
void set_coordinate(SurfaceJet& jet, Eigen::Index k, const Jet& f) {
  jet.p[k] = f.f;
  jet.fu[k] = f.fu;
  jet.fv[k] = f.fv;
  jet.fuu[k] = f.fuu;
  jet.fuv[k] = f.fuv;
  jet.fvv[k] = f.fvv;
}

double wrapped(double x, const Vec2& range) {
  if (x >= range.x() && x < range.y()) return x;
  const double length = range.y() - range.x();
  const double out = x - length * std::floor((x - range.x()) / length);
  return out < range.y() ? out : range.x();
}

void require_range(const Vec2& range, const char* name) {
  if (!(range.x() < range.y()) || !std::isfinite(range.y() - range.x()))
    throw InputError(std::string("the range of ") + name + " must go up, is from " +
                     to_text(range.x()) + " to " + to_text(range.y()));
}

/// The principal curvature of larger size.
double greatest(const Mat2& K) {
  return std::abs(0.5 * K.trace()) + std::hypot(0.5 * (K(0, 0) - K(1, 1)), K(0, 1));
}

/// Of a height field with that normal.
double slope_of(const Vec3& normal) {
  return std::hypot(normal.x(), normal.y()) / std::abs(normal.z());
}

constexpr int kLooks = 128;  // cells of the grid that is looked at, each way

}  // namespace

ParametricDef parametric_formulas(const Formula& x, const Formula& y, const Formula& z) {
  ParametricDef def;
  def.height_field = x.is_variable(0) && y.is_variable(1);
  if (def.height_field)
    def.f = [z](double u, double v) {
      SurfaceJet jet;
      jet.p = Vec3(u, v, 0.0);
      set_coordinate(jet, 2, z.at(u, v));
      return jet;
    };
  else
    def.f = [x, y, z](double u, double v) {
      SurfaceJet jet;
      set_coordinate(jet, 0, x.at(u, v));
      set_coordinate(jet, 1, y.at(u, v));
      set_coordinate(jet, 2, z.at(u, v));
      return jet;
    };
  return def;
}

/// What the surface looks like all over.
struct ParametricSurface::Census {
  Box box;
  double greatest_curvature = 0.0;    // [1/m], of either sign
  double steepest = 0.0;              // |slope| of a height field
  double turn_u = 0.0, turn_v = 0.0;  // of the normal from one place to the next [rad]
};

ParametricSurface::ParametricSurface(const ParametricDef& def)
    : f_(def.f),
      height_field_(def.height_field),
      flip_(def.flip),
      u_(def.flip ? def.v : def.u),
      v_(def.flip ? def.u : def.v),
      periodic_u_(def.flip ? def.periodic_v : def.periodic_u),
      periodic_v_(def.flip ? def.periodic_u : def.periodic_v) {
  if (!f_) throw InputError("a parametrised surface needs a function f");
  require_range(def.u, "u");
  require_range(def.v, "v");
  const Census census = look_around();
  const double extent = census.box.half_size().norm();
  require_closed(extent);
  size_ = std::min(extent, 1.0 / std::max(census.greatest_curvature, 1e-300));
  // 10 % for what is between the places that were looked at.
  steepest_ = 1.1 * census.steepest;
  // The normal turns by less than this from cell to cell.
  constexpr double kTurn = 0.3;
  const auto cells = [&](double turn) {
    return static_cast<int>(std::clamp(std::ceil(kLooks * turn / kTurn), 8.0, double{kLooks}));
  };
  grid_ = {0, u_.x(), u_.y(), v_.x(), v_.y(), cells(census.turn_u), cells(census.turn_v)};
  if (!height_field_) samples_ = std::make_unique<const SurfaceSamples>(*this);
}

/// f in the coordinates of the chart.
SurfaceJet ParametricSurface::raw(double u, double v) const {
  if (!flip_) return f_(u, v);
  SurfaceJet jet = f_(v, u);
  std::swap(jet.fu, jet.fv);
  std::swap(jet.fuu, jet.fvv);
  return jet;
}

ParametricSurface::Census ParametricSurface::look_around() const {
  const auto refuse = [&](const char* what, double u, double v) {
    if (flip_) std::swap(u, v);
    throw InputError(std::string(what) + " at " + place_text(u, v));
  };
  struct Look {
    double u, v, area;
    Vec3 n;
  };
  Census out;
  std::vector<Look> looks;
  double largest = 0.0;
  for (int j = 0; j <= kLooks; ++j)
    for (int i = 0; i <= kLooks; ++i) {
      const double u = u_.x() + (u_.y() - u_.x()) * i / kLooks;
      const double v = v_.x() + (v_.y() - v_.x()) * j / kLooks;
      const SurfaceJet jet = raw(u, v);
      if (!is_finite(jet)) refuse("the surface or a derivative of it is not finite", u, v);
      const Vec3 n = jet.fu.cross(jet.fv);
      looks.push_back({u, v, n.norm(), n.normalized()});
      largest = std::max(largest, n.norm());
      out.box.add(jet.p);
      if (n.norm() > 0.0)
        out.greatest_curvature = std::max(out.greatest_curvature, greatest(gauss_frame(jet).K));
      if (!height_field_) continue;
      out.steepest = std::max(out.steepest, slope_of(n));
      if (flip_ ? jet.p.x() != v || jet.p.y() != u : jet.p.x() != u || jet.p.y() != v)
        refuse("a height field must have x = u and y = v", u, v);
    }
  for (const Look& look : looks)  // against the largest: rounding leaves a little where it is zero
    if (!(look.area > 1e-9 * largest)) refuse("the surface has no normal", look.u, look.v);
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const auto turn = [&](std::size_t other) { return (looks[other].n - looks[k].n).norm(); };
    if (k % (kLooks + 1) < kLooks) out.turn_u = std::max(out.turn_u, turn(k + 1));
    if (k + kLooks + 1 < looks.size()) out.turn_v = std::max(out.turn_v, turn(k + kLooks + 1));
  }
  return out;
}

/// Both ends of what is periodic are the same, with the same slopes.
void ParametricSurface::require_closed(double extent) const {
  const auto compare = [&](const char* name, const SurfaceJet& a, const SurfaceJet& b) {
    const double gap = (a.p - b.p).norm();
    if (gap > 1e-9 * extent)
      throw InputError(std::string("periodic in ") + name + ", but its ends are " +
                       to_text(gap, 3) + " m apart");
    const double kink =
        std::max((a.fu - b.fu).norm() / a.fu.norm(), (a.fv - b.fv).norm() / a.fv.norm());
    if (kink > 1e-6)
      throw InputError(std::string("periodic in ") + name + ", but there is a kink at its ends");
  };
  const char* names[] = {flip_ ? "v" : "u", flip_ ? "u" : "v"};
  for (int i = 0; i <= kLooks; ++i) {
    const double u = u_.x() + (u_.y() - u_.x()) * i / kLooks;
    const double v = v_.x() + (v_.y() - v_.x()) * i / kLooks;
    if (periodic_u_) compare(names[0], raw(u_.x(), v), raw(u_.y(), v));
    if (periodic_v_) compare(names[1], raw(u, v_.x()), raw(u, v_.y()));
  }
}

SurfaceCoordinates ParametricSurface::recharted(const SurfaceCoordinates& x) const {
  return {periodic_u_ ? wrapped(x.u, u_) : x.u, periodic_v_ ? wrapped(x.v, v_) : x.v, 0};
}

SurfaceJet ParametricSurface::at(const SurfaceCoordinates& x) const {
  const SurfaceCoordinates y = recharted(x);
  SurfaceJet jet = raw(y.u, y.v);
  const Vec2 nearest(std::clamp(y.u, u_.x(), u_.y()), std::clamp(y.v, v_.x(), v_.y()));
  const bool beyond = nearest.x() != y.u || nearest.y() != y.v;
  if (beyond) jet.status = SurfaceStatus::beyond;
  if (is_finite(jet)) return jet;
  // Straight on from the border. A singular place within the range has nothing to say.
  jet = raw(nearest.x(), nearest.y());
  if (!is_finite(jet)) jet = SurfaceJet{};
  jet.status = beyond ? SurfaceStatus::beyond : SurfaceStatus::no_data;
  const Vec3 on = jet.fu * (y.u - nearest.x()) + jet.fv * (y.v - nearest.y());
  if (on.allFinite()) jet.p += on;
  return jet;
}

/// Vertically, on a height field.
SurfaceCoordinates ParametricSurface::below(const Vec3& p) const {
  return flip_ ? SurfaceCoordinates{p.y(), p.x(), 0} : SurfaceCoordinates{p.x(), p.y(), 0};
}

SurfaceFoot ParametricSurface::foot(const Vec3& p) const {
  const auto foot_at = [&](const SurfaceJet& jet, const SurfaceCoordinates& x) {
    return SurfaceFoot{jet.fu.cross(jet.fv).normalized().dot(p - jet.p), x};
  };
  if (height_field_) return foot_at(at(below(p)), below(p));
  constexpr int kSteps = 4;
  SurfaceCoordinates x = samples_->sample(samples_->nearest(p)).at;
  const Vec2 cell((grid_.u1 - grid_.u0) / grid_.nu, (grid_.v1 - grid_.v0) / grid_.nv);
  SurfaceJet jet = at(x);
  for (int i = 0; i < kSteps; ++i) {
    // Newton's step where the distance has a minimum nearby, else to the foot of p on the tangent
    // plane; at most one cell.
    const GaussFrame frame = gauss_frame(jet);
    Vec2 t = frame.in_plane(p - jet.p);
    const Mat2 bend = Mat2::Identity() + frame.n.dot(p - jet.p) * frame.K;
    if (bend.determinant() > 0.1 && bend(0, 0) > 0.0) t = bend.inverse() * t;
    const Vec2 step = frame.B.inverse() * t;
    const double cells = step.cwiseQuotient(cell).cwiseAbs().maxCoeff();
    if (!std::isfinite(cells)) break;
    const double share = std::min(1.0, 1.0 / std::max(cells, 1e-300));
    x = recharted({x.u + share * step.x(), x.v + share * step.y(), 0});
    jet = at(x);
  }
  return foot_at(jet, x);
}

bool ParametricSurface::may_touch(const Vec3& centre, double radius) const {
  if (height_field_) {
    // Where it is no steeper than `slope`, the distance is at least this part of the height above.
    const SurfaceJet jet = at(below(centre));
    double slope = steepest_;
    if (jet.status != SurfaceStatus::ok)  // beyond the range it may grow; a rough guess
      slope = 2.0 * std::max(slope, slope_of(jet.fu.cross(jet.fv)));
    const double above = flip_ ? jet.p.z() - centre.z() : centre.z() - jet.p.z();
    return above <= radius * std::sqrt(1.0 + slope * slope);
  }
  bool found = false;
  samples_->visit(
      [&](const Vec3& c, double r) { return !found && (c - centre).norm() <= r + radius; },
      [&](int) { found = true; });
  if (found) return true;
  const SurfaceJet jet = at(samples_->sample(samples_->nearest(centre)).at);
  return jet.fu.cross(jet.fv).dot(centre - jet.p) <= 0.0;
}

TriangleMesh ParametricSurface::mesh() const {
  Grid grid = grid_;
  grid.nu = std::max(grid.nu, 48);
  grid.nv = std::max(grid.nv, 48);
  return mesh_of_grids(*this, {&grid, 1});
}

}  // namespace grouser
