// Sums of octaves of gradient noise with a given deviogram.
//
// The deviogram nu(L) is the root mean square of z(p + L) - z(p). Octaves of wavelength w and
// amplitude ~ w^H make nu ~ L^H. Those beyond the longest and below the shortest wavelength are
// missing, and would bend the law: seen from well inside, the first only tilt and the second only
// roughen, so the longest and the shortest octave do it in their place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grouser/assets/noise.h"
#include "grouser/assets/surface_layers.h"

namespace grouser {

/// Half the mean square of n(p + r) - n(p) for an octave of wavelength 1 and variance 1, over all
/// places, seeds and directions: 0 at r = 0, 1 far away.
double octave_variogram(NoiseLayer::Kind kind, double r);

class FractalNoise {
 public:
  struct Law {
    NoiseLayer::Kind kind = NoiseLayer::Kind::fbm;
    double hurst = 0.8;
    double longest = 1.0, shortest = 0.001;  ///< wavelengths [m]
    double lacunarity = 2.0;
    std::uint64_t seed = 0;
  };
  /// The longest octave, and as many more as are not below the shortest wavelength.
  static double octave_count(const Law& law);

  /// Amplitudes in the ratios that `hurst` asks for, but of no particular size. Precondition:
  /// octave_count() is reasonable.
  explicit FractalNoise(const Law& law);

  /// Makes the expected nu(distance) = deviation.
  void calibrate(double distance, double deviation);
  /// Makes nu(distance) = deviation for pairs of points along x and y between two corners, as far
  /// as a sample of 16200 pairs tells. Long octaves, which have few hills there, get the height
  /// they have on average. Precondition: distance is at most half of the longer side.
  void calibrate(double distance, double deviation, const Vec2& lower, const Vec2& upper);

  double height(double x, double y) const;
  Noise derivatives(double x, double y) const;
  /// Adds height(x[i], y) to z[i]; the same bits.
  void add_row(std::span<const double> x, double y, std::span<double> z) const;

 private:
  struct Octave {
    double cosine, sine;  // of its lattice's direction, per wavelength [1/m]
    double shift_u, shift_v;
    double amplitude;
    double wavelength;
    std::uint64_t seed;
  };
  void scale(double factor);
  double height_of(const Octave& octave, double x, double y) const;

  NoiseLayer::Kind kind_;
  std::vector<Octave> octaves_;
};

}  // namespace grouser
