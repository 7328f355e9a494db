#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/shape/smooth_bodies.h"
#include "grouser/shape/surface_samples.h"

namespace grouser {
namespace {

constexpr int kFaces = 6;

/// Which axis of the cube a face belongs to, and which ones its coordinates follow.
struct Face {
  int axis, along_u, along_v;
  double sign;
};
/// On opposite faces u and v change places, so that f_u x f_v points outward.
constexpr std::array<Face, kFaces> kFace = {{{0, 1, 2, 1.0},
                                             {0, 2, 1, -1.0},
                                             {1, 2, 0, 1.0},
                                             {1, 0, 2, -1.0},
                                             {2, 0, 1, 1.0},
                                             {2, 1, 0, -1.0}}};
const Face& face_of(int chart) {
  return kFace[static_cast<std::size_t>(chart)];
}

Vec3 place_on_cube(const SurfaceCoordinates& x) {
  const Face& face = face_of(x.chart);
  Vec3 q;
  q[face.axis] = face.sign;
  q[face.along_u] = x.u;
  q[face.along_v] = x.v;
  return q;
}

/// The face that a direction goes through, and where; that of z for none.
SurfaceCoordinates through_cube(const Vec3& q) {
  Eigen::Index axis = 2;
  const double most = q.cwiseAbs().maxCoeff(&axis);
  if (!(most > 0.0)) return {0.0, 0.0, 4};
  const int chart = static_cast<int>(2 * axis + (q[axis] < 0.0));
  const Face& face = face_of(chart);
  return {q[face.along_u] / most, q[face.along_v] / most, chart};
}

/// The p-norm r of two numbers that are not negative, p >= 2, and what its derivatives are made of:
/// the ratios a / r and b / r, and these to the power p - 2.
struct PlaneNorm {
  double r, a, b, a_low, b_low;

  PlaneNorm(double x, double y, double p) {
    const double large = std::max(x, y), small = std::min(x, y);
    const double ratio = large > 0.0 ? small / large : 1.0;
    const double ratio_low = std::pow(ratio, p - 2.0);  // 0^0 = 1, the limit of an ellipse
    const double sum = 1.0 + ratio_low * ratio * ratio;
    const double stretch = std::pow(sum, 1.0 / p);
    r = large * stretch;
    const double large_share = 1.0 / stretch, small_share = ratio * large_share;
    const double large_low = stretch * stretch / sum, small_low = ratio_low * large_low;
    const bool swapped = y > x;
    a = swapped ? small_share : large_share;
    b = swapped ? large_share : small_share;
    a_low = swapped ? small_low : large_low;
    b_low = swapped ? large_low : small_low;
  }
};

/// N in coordinates scaled by the half axes, and its derivatives.
struct Gauge {
  double value;
  Vec3 slope;
  Mat3 bend;
};

Gauge ellipsoid_gauge(const Vec3& q) {
  Gauge out;
  out.value = q.norm();
  out.slope = q / out.value;
  out.bend = (Mat3::Identity() - out.slope * out.slope.transpose()) / out.value;
  return out;
}

/// N is the norm of (r, z), where r is the norm of (x, y). The second derivatives of a p-norm have
/// the factor 1 / r; it cancels against the slope of N by r, which is written as
/// (r / N)^(p - 2) / N * r.
Gauge gauge(const Vec3& q, const Vec2& exponents) {
  const double p = 2.0 / exponents.y(), s = 2.0 / exponents.x();
  const PlaneNorm inner(std::abs(q.x()), std::abs(q.y()), p);
  const PlaneNorm outer(inner.r, std::abs(q.z()), s);
  const double n = outer.r;
  const double rx = std::copysign(inner.a_low * inner.a, q.x());
  const double ry = std::copysign(inner.b_low * inner.b, q.y());
  const double nr = outer.a_low * outer.a, nz = std::copysign(outer.b_low * outer.b, q.z());
  Gauge out;
  out.value = n;
  out.slope = Vec3(nr * rx, nr * ry, nz);
  // Powers of the ratios to p are shares that add up to 1.
  const double r_share = nr * outer.a, z_share = std::abs(nz) * outer.b;
  const double low = outer.a_low / n;
  const double radial = (s - 1.0) * z_share - (p - 1.0);
  double xx = low * (radial * rx * rx + (p - 1.0) * inner.a_low);
  double xy = low * radial * rx * ry;
  double yy = low * (radial * ry * ry + (p - 1.0) * inner.b_low);
  if (inner.r == 0.0) {  // on the axis, where directions x and y do not exist
    xx = yy = low;
    xy = 0.0;
  }
  const double mixed = -(s - 1.0) / n * nr * nz;
  const double xz = mixed * rx, yz = mixed * ry;
  const double zz = (s - 1.0) / n * outer.b_low * r_share;
  out.bend << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return out;
}

Gauge gauge(const Vec3& q, const Vec2& exponents, bool ellipsoid) {
  return ellipsoid ? ellipsoid_gauge(q) : gauge(q, exponents);
}

double greatest_curvature(const StarSurface& surface) {
  constexpr int kCells = 24;
  double greatest = 0.0;
  for (int chart = 0; chart < kFaces; ++chart)
    for (int i = 0; i <= kCells; ++i)
      for (int j = 0; j <= kCells; ++j) {
        const SurfaceCoordinates x = {2.0 * i / kCells - 1.0, 2.0 * j / kCells - 1.0, chart};
        const Mat2 K = gauss_frame(surface.at(x)).K;
        const double mean = 0.5 * K.trace();
        const double spread = std::hypot(0.5 * (K(0, 0) - K(1, 1)), K(0, 1));
        greatest = std::max(greatest, mean + spread);
      }
  return greatest;
}

std::vector<SmoothSurface::Grid> faces(int cells) {
  std::vector<SmoothSurface::Grid> out;
  for (int chart = 0; chart < kFaces; ++chart)
    out.push_back({chart, -1.0, 1.0, -1.0, 1.0, cells, cells});
  return out;
}

}  // namespace

StarSurface::StarSurface(const Vec3& half_axes, const Vec2& exponents)
    : half_axes_(half_axes),
      per_axis_(half_axes.cwiseInverse()),
      exponents_(exponents),
      ellipsoid_(is_ellipsoid()) {
  for (int k = 0; k < 3; ++k)
    if (!(half_axes[k] > 0.0) || !std::isfinite(half_axes[k]))
      throw InputError("half axes must be positive, one is " + to_text(half_axes[k]));
  for (int k = 0; k < 2; ++k)
    if (!(exponents[k] >= 0.1 && exponents[k] <= 1.0))
      throw InputError("exponents must lie in [0.1, 1], one is " + to_text(exponents[k]));
  const double least = half_axes.minCoeff();
  size_ = ellipsoid_ ? least * (least / half_axes.maxCoeff()) : 1.0 / greatest_curvature(*this);
}

SurfaceJet StarSurface::at(const SurfaceCoordinates& x) const {
  const Face& face = face_of(x.chart);
  const Vec3 q = place_on_cube(x);
  const Gauge g = gauge(q, exponents_, ellipsoid_);
  // p = A q m with m = 1 / N, and q has no second derivatives.
  const int u = face.along_u, v = face.along_v;
  const double m = 1.0 / g.value, mm = m * m;
  const double mu = -mm * g.slope[u], mv = -mm * g.slope[v];
  const double muu = -mm * g.bend(u, u) - 2.0 * m * g.slope[u] * mu;
  const double muv = -mm * g.bend(u, v) - 2.0 * m * g.slope[u] * mv;
  const double mvv = -mm * g.bend(v, v) - 2.0 * m * g.slope[v] * mv;
  const Vec3 aq = half_axes_.cwiseProduct(q);
  SurfaceJet jet;
  jet.p = aq * m;
  jet.fu = aq * mu;
  jet.fv = aq * mv;
  jet.fuu = aq * muu;
  jet.fuv = aq * muv;
  jet.fvv = aq * mvv;
  jet.fu[u] += half_axes_[u] * m;
  jet.fv[v] += half_axes_[v] * m;
  jet.fuu[u] += 2.0 * half_axes_[u] * mu;
  jet.fuv[u] += half_axes_[u] * mv;
  jet.fuv[v] += half_axes_[v] * mu;
  jet.fvv[v] += 2.0 * half_axes_[v] * mv;
  return jet;
}

SurfaceCoordinates StarSurface::recharted(const SurfaceCoordinates& x) const {
  if (std::abs(x.u) <= 1.0 && std::abs(x.v) <= 1.0) return x;
  return through_cube(place_on_cube(x));
}

SurfaceCoordinates StarSurface::coordinates(const Vec3& numbers) const {
  return through_cube(per_axis_.cwiseProduct(numbers));
}

SurfaceFoot StarSurface::foot(const Vec3& p) const {
  const Vec3 q = per_axis_.cwiseProduct(p);
  const double inside = q.cwiseAbs().maxCoeff();
  if (!(inside > 0.0)) {  // the centre: towards the shortest axis
    Eigen::Index axis = 0;
    return {-half_axes_.minCoeff(&axis), {0.0, 0.0, static_cast<int>(2 * axis)}};
  }
  // The slope of N is the same all along a line from the centre.
  const Vec3 direction = q / inside;
  if (ellipsoid_) {
    const double value = direction.norm();
    const double slope = per_axis_.cwiseProduct(direction).norm() / value;
    return {(inside * value - 1.0) / slope, through_cube(q)};
  }
  const Gauge g = gauge(direction, exponents_);
  const double slope = per_axis_.cwiseProduct(g.slope).norm();
  return {(inside * g.value - 1.0) / slope, through_cube(q)};
}

bool StarSurface::may_touch(const Vec3& centre, double radius) const {
  // The body is within its box, and N grows by at most 1 / (shortest half axis) per length.
  const Vec3 outside = (centre.cwiseAbs() - half_axes_).cwiseMax(0.0);
  if (outside.squaredNorm() > radius * radius) return false;
  const Vec3 q = per_axis_.cwiseProduct(centre);
  const double largest = q.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return true;
  const double n = ellipsoid_ ? q.norm() : largest * gauge(q / largest, exponents_).value;
  return (n - 1.0) * half_axes_.minCoeff() <= radius;
}

std::vector<SmoothSurface::Grid> StarSurface::grids() const {
  return faces(ellipsoid_ ? 8 : 16);
}

TriangleMesh StarSurface::mesh() const {
  return mesh_of_grids(*this, faces(ellipsoid_ ? 16 : 32));
}

}  // namespace grouser
