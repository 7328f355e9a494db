#include "benchmarks/peers/plain_bicubic.h"

#include <cmath>

namespace grouser {
namespace {

/// From values and slopes at 0 and 1 to coefficients of a cubic.
const Eigen::Matrix4d& from_ends() {
  static const Eigen::Matrix4d matrix =
      (Eigen::Matrix4d() << 1, 0, 0, 0, 0, 0, 1, 0, -3, 3, -2, -1, 2, -2, 1, 1).finished();
  return matrix;
}

}  // namespace

SurfaceHeight PlainBicubic::at(double x, double y) const {
  const double u = (x - grid_.origin.x()) / grid_.spacing;
  const double v = (y - grid_.origin.y()) / grid_.spacing;
  const auto ix = static_cast<std::size_t>(u), iy = static_cast<std::size_t>(v);
  const double s = u - static_cast<double>(ix), t = v - static_cast<double>(iy);

  // Corners: values, slopes along x, along y, and the twist.
  const auto z = [&](std::size_t i, std::size_t j) { return grid_.height(i, j); };
  Eigen::Matrix4d ends;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) {
      const std::size_t i = ix + a, j = iy + b;
      const auto row = static_cast<Eigen::Index>(a), column = static_cast<Eigen::Index>(b);
      ends(row, column) = z(i, j);
      ends(row + 2, column) = 0.5 * (z(i + 1, j) - z(i - 1, j));
      ends(row, column + 2) = 0.5 * (z(i, j + 1) - z(i, j - 1));
      ends(row + 2, column + 2) =
          0.25 * (z(i + 1, j + 1) - z(i - 1, j + 1) - z(i + 1, j - 1) + z(i - 1, j - 1));
    }
  const Eigen::Matrix4d c = from_ends() * ends * from_ends().transpose();

  const Eigen::Vector4d x0(1, s, s * s, s * s * s), x1(0, 1, 2 * s, 3 * s * s), x2(0, 0, 2, 6 * s);
  const Eigen::Vector4d y0(1, t, t * t, t * t * t), y1(0, 1, 2 * t, 3 * t * t), y2(0, 0, 2, 6 * t);
  const double d = grid_.spacing;
  SurfaceHeight out;
  out.z = x0.dot(c * y0);
  out.dx = x1.dot(c * y0) / d;
  out.dy = x0.dot(c * y1) / d;
  out.dxx = x2.dot(c * y0) / (d * d);
  out.dxy = x1.dot(c * y1) / (d * d);
  out.dyy = x0.dot(c * y2) / (d * d);
  return out;
}

SurfaceHeight plain_bilinear(const ElevationGrid& grid, double x, double y) {
  const double u = (x - grid.origin.x()) / grid.spacing;
  const double v = (y - grid.origin.y()) / grid.spacing;
  const auto ix = static_cast<std::size_t>(u), iy = static_cast<std::size_t>(v);
  const double s = u - static_cast<double>(ix), t = v - static_cast<double>(iy);
  const double a = grid.height(ix, iy), b = grid.height(ix + 1, iy);
  const double c = grid.height(ix, iy + 1), d = grid.height(ix + 1, iy + 1);
  SurfaceHeight out;
  out.z = (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d);
  out.dx = ((1 - t) * (b - a) + t * (d - c)) / grid.spacing;
  out.dy = ((1 - s) * (c - a) + s * (d - b)) / grid.spacing;
  out.dxy = (a - b - c + d) / (grid.spacing * grid.spacing);
  return out;
}

}  // namespace grouser
