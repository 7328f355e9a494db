// Gradient noise: smooth random functions of the plane and of space.
//
// The function is zero at all points of an integer lattice and has a random slope there; in between
// the slopes are blended by a polynomial of fifth degree, so that curvature is continuous. Slopes
// come from a hash of the lattice point and a seed, by integer arithmetic alone: a point has the
// same noise whatever was asked before, and the same on every machine.
//
// Mean 0. The mean square over seeds and places is 1; values lie within about +-4.
#pragma once

#include <cstdint>

#include "grouser/math/types.h"

namespace grouser {

/// Value and derivatives at a point of the plane.
struct Noise {
  double value = 0.0;
  double dx = 0.0, dy = 0.0;
  double dxx = 0.0, dxy = 0.0, dyy = 0.0;
};

/// Rises from 0 to 1 over the unit interval; slope and curvature are zero at both ends.
inline double fade(double u) {
  return u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
}
/// The same with its derivatives.
struct Fade {
  double value, first, second;
};
inline Fade fade_derivatives(double u) {
  return {fade(u), 30.0 * u * u * (u * (u - 2.0) + 1.0), 60.0 * u * (u * (2.0 * u - 3.0) + 1.0)};
}

/// Noise of the plane within one cell of the lattice: for who walks along a line and asks for many
/// points of a cell. The same bits as gradient_noise_derivatives().
class NoiseCell {
 public:
  /// Flat: a place for a cell.
  NoiseCell() = default;
  /// The cell whose lower corner is (i, j).
  NoiseCell(std::int64_t i, std::int64_t j, std::uint64_t seed);

  /// At corner + (u, v), both in [0, 1].
  double value(double u, double v) const {
    const double za = a_.x * u + a_.y * v, zb = b_.x * (u - 1.0) + b_.y * v;
    const double zc = c_.x * u + c_.y * (v - 1.0), zd = d_.x * (u - 1.0) + d_.y * (v - 1.0);
    const double s = fade(u), t = fade(v), ab = zb - za;
    return kScale * (za + s * ab + t * (zc - za) + s * t * (zd - zc - ab));
  }
  Noise derivatives(double u, double v) const;

  struct Slope {
    double x = 0.0, y = 0.0;
  };
  /// The slope of the noise at a lattice point, divided by kScale.
  static Slope slope_at(std::int64_t i, std::int64_t j, std::uint64_t seed);
  /// sqrt(3 / (8 A B)) with A = 535/18018, B = 181/462: see noise.cpp.
  static constexpr double kScale = 5.677716904867669;

 private:
  Slope a_, b_, c_, d_;  // at (0, 0), (1, 0), (0, 1), (1, 1)
};

/// Without a cell to keep: the value but for rounding.
double gradient_noise(double x, double y, std::uint64_t seed);
Noise gradient_noise_derivatives(double x, double y, std::uint64_t seed);

double gradient_noise(const Vec3& point, std::uint64_t seed);

/// A seed for part `part` of what has the seed `seed`: octaves, layers, rocks of a field.
std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part);

}  // namespace grouser
