#include "grouser/assets/fractal_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grouser/assets/surface_field.h"
#include "grouser/base/assert.h"
#include "grouser/base/random.h"
#include "grouser/base/text.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

/// Octaves are refused beyond this number; 64 octaves span a factor of 10^19.
constexpr double kMostOctaves = 64;

/// Wavelengths between the origin and the end of a surface.
constexpr double kMostCells = 1e12;

/// Folded noise is |n|, n the sum of two noises whose lattices are half a cell apart: one alone is
/// zero at all points of its lattice, and crests would mark them. Crests are rounded, so that
/// curvature is finite: |n| -> sqrt(n^2 + kCrest^2).
constexpr double kCrest = 0.1;
const double kRootOfHalf = std::sqrt(0.5);

/// Folding makes wavelengths shorter: lattices are made wider in return.
constexpr double kFoldedCell = 1.5;

/// Mean and standard deviation of folded noise, and its variogram divided by that of plain noise,
/// at distances of k/8 cells: measured once on 4 million random pairs each. A test repeats it.
constexpr double kFoldedMean = 0.8181;
constexpr double kFoldedDeviation = 0.5839;
constexpr std::array<double, 17> kFoldedRatio = {2.587, 2.337, 1.958, 1.604, 1.307, 1.079,
                                                 0.933, 0.864, 0.854, 0.880, 0.917, 0.951,
                                                 0.976, 0.991, 0.998, 1.0,   1.0};

/// A walk over points of one lattice that keeps the cell it is in.
class Walk {
 public:
  explicit Walk(std::uint64_t seed) : seed_(seed) {}

  double value(double u, double v) {
    enter(u, v);
    return cell_.value(u - corner_u_, v - corner_v_);
  }
  Noise derivatives(double u, double v) {
    enter(u, v);
    return cell_.derivatives(u - corner_u_, v - corner_v_);
  }

 private:
  void enter(double u, double v) {
    // The same cell? Most of the time, and without a call of floor().
    if (u >= corner_u_ && u < corner_u_ + 1.0 && v >= corner_v_ && v < corner_v_ + 1.0) return;
    corner_u_ = std::floor(u), corner_v_ = std::floor(v);
    cell_ = NoiseCell(static_cast<std::int64_t>(corner_u_), static_cast<std::int64_t>(corner_v_),
                      seed_);
  }

  static constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t seed_;
  double corner_u_ = kNowhere, corner_v_ = kNowhere;
  NoiseCell cell_;
};

/// Two walks whose lattices are half a cell apart.
class FoldedWalk {
 public:
  explicit FoldedWalk(std::uint64_t seed)
      : first_(seed_of_part(seed, 1)), second_(seed_of_part(seed, 2)) {}

  double value(double u, double v) {
    const double n = kRootOfHalf * (first_.value(u, v) + second_.value(u + 0.5, v + 0.5));
    return (std::sqrt(n * n + kCrest * kCrest) - kFoldedMean) * (1.0 / kFoldedDeviation);
  }
  Noise derivatives(double u, double v) {
    const Noise a = first_.derivatives(u, v), b = second_.derivatives(u + 0.5, v + 0.5);
    const double n = kRootOfHalf * (a.value + b.value);
    const double nx = kRootOfHalf * (a.dx + b.dx), ny = kRootOfHalf * (a.dy + b.dy);
    const double folded = std::sqrt(n * n + kCrest * kCrest);
    const double first = n / folded, second = kCrest * kCrest / (folded * folded * folded);
    const double f = 1.0 / kFoldedDeviation;
    return {(folded - kFoldedMean) * f,
            f * first * nx,
            f * first * ny,
            f * (second * nx * nx + first * kRootOfHalf * (a.dxx + b.dxx)),
            f * (second * nx * ny + first * kRootOfHalf * (a.dxy + b.dxy)),
            f * (second * ny * ny + first * kRootOfHalf * (a.dyy + b.dyy))};
  }

 private:
  Walk first_, second_;
};

/// Calls `visit(walk)` with the walk of a kind.
template <class Visit>
void with_walk(NoiseLayer::Kind kind, std::uint64_t seed, Visit&& visit) {
  if (kind == NoiseLayer::Kind::fbm)
    visit(Walk(seed));
  else
    visit(FoldedWalk(seed));
}

/// The integral of f between two ends, by Gauss' rule of three points on each of some pieces.
template <class Function>
double integral(double from, double to, int pieces, Function&& f) {
  const double node = std::sqrt(0.6), half = 0.5 * (to - from) / pieces;
  double sum = 0.0;
  for (int i = 0; i < pieces; ++i) {
    const double middle = from + half * (2 * i + 1);
    sum += 5.0 * f(middle - half * node) + 8.0 * f(middle) + 5.0 * f(middle + half * node);
  }
  return half * sum / 9.0;
}

/// Integrals over s of w(s) w(s + d) and of w(s) w(s + d) s (s + d), w the weight of a lattice
/// point at distance s.
struct Overlap {
  double weights, moments;
};
Overlap overlap(double d) {
  const auto weight = [](double s) {
    const double t = std::abs(s);
    return t < 1.0 ? 1.0 - fade(t) : 0.0;
  };
  if (d >= 2.0) return {0.0, 0.0};
  const auto product = [&](double s) { return weight(s) * weight(s + d); };
  return {integral(-1.0, 1.0 - d, 32, product),
          integral(-1.0, 1.0 - d, 32, [&](double s) { return product(s) * s * (s + d); })};
}

/// The covariance of noise at (0, 0) and (x, y) is a sum over lattice points, and separates.
double covariance(double x, double y) {
  const Overlap along_x = overlap(std::abs(x)), along_y = overlap(std::abs(y));
  const Overlap none = overlap(0.0);
  return 0.5 * (along_x.weights * along_y.moments + along_x.moments * along_y.weights) /
         (none.weights * none.moments);
}

double plain_variogram(double r) {
  if (r >= 2.0 * std::sqrt(2.0)) return 1.0;
  // The mean over a quarter turn, by the tangent of half the angle: cosines that a compiler works
  // out itself may differ in the last bit from those of the library.
  const auto share = [](double t) { return 1.0 / (1.0 + t * t); };
  const double mean = integral(0.0, 1.0, 8, [&](double t) {
    return share(t) * covariance(r * (1.0 - t * t) * share(t), r * 2.0 * t * share(t));
  });
  return 1.0 - mean / integral(0.0, 1.0, 8, share);
}

struct Steps {
  Vec2 lower, upper;
  double length;
};
/// Mean square of z(p + step) - z(p) over pairs along x and y between two corners; along one axis
/// only, if the other side is shorter than two steps. The pairs are the same for all functions.
template <class Height>
double mean_square_step(const Steps& steps, Height&& height) {
  constexpr int kAcross = 90;  // squares, with a pair along x and one along y in each
  const Vec2 size = steps.upper - steps.lower;
  Random random(1);
  double sum = 0.0;
  int count = 0;
  for (int j = 0; j < kAcross; ++j)
    for (int i = 0; i < kAcross; ++i)
      for (int axis = 0; axis < 2; ++axis) {
        if (steps.length > 0.5 * size[axis]) continue;
        Vec2 room = size;
        room[axis] -= steps.length;
        const double s = random.uniform(), t = random.uniform();
        Vec2 p = steps.lower + Vec2((i + s) / kAcross * room.x(), (j + t) / kAcross * room.y());
        const double from = height(p.x(), p.y());
        p[axis] += steps.length;
        const double rise = height(p.x(), p.y()) - from;
        sum += rise * rise;
        ++count;
      }
  GROUSER_ASSERT(count > 0);
  return sum / count;
}

}  // namespace

double octave_variogram(NoiseLayer::Kind kind, double r) {
  if (kind == NoiseLayer::Kind::fbm) return plain_variogram(r);
  const double cells = r / kFoldedCell, place = std::min(8.0 * cells, 15.999999);
  const auto k = static_cast<std::size_t>(place);
  const double t = place - static_cast<double>(k);
  GROUSER_ASSERT(r >= 0.0 && is_share(t));
  return plain_variogram(cells) * (kFoldedRatio[k] + t * (kFoldedRatio[k + 1] - kFoldedRatio[k]));
}

double FractalNoise::octave_count(const Law& law) {
  // A ratio that is a power of the lacunarity, but for rounding, counts as one.
  return 1.0 + std::floor(std::log(law.longest / law.shortest) / std::log(law.lacunarity) + 1e-9);
}

FractalNoise::FractalNoise(const Law& law) : kind_(law.kind) {
  GROUSER_ASSERT(law.hurst > 0.0 && law.hurst < 1.0 && law.lacunarity > 1.0);
  GROUSER_ASSERT(law.shortest > 0.0 && law.shortest <= law.longest);
  const auto count = static_cast<std::size_t>(octave_count(law));
  // What stands in for all octaves that are missing at either end, as a geometric series.
  const double beyond = std::pow(law.lacunarity, 2.0 * law.hurst - 2.0);
  const double below = std::pow(law.lacunarity, -2.0 * law.hurst);
  double wavelength = law.longest;
  double cosine = 1.0, sine = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    double square = std::pow(wavelength, 2.0 * law.hurst), share = 1.0;
    if (k == 0) share += beyond / (1.0 - beyond);
    if (k + 1 == count) share += below / (1.0 - below);
    Random random(seed_of_part(law.seed, 2 * k));
    Octave octave;
    octave.wavelength = wavelength;
    const double cell = kind_ == NoiseLayer::Kind::fbm ? wavelength : kFoldedCell * wavelength;
    octave.cosine = cosine / cell, octave.sine = sine / cell;
    octave.shift_u = random.uniform(0.0, 1024.0), octave.shift_v = random.uniform(0.0, 1024.0);
    octave.amplitude = std::sqrt(square * share);
    octave.seed = seed_of_part(law.seed, 2 * k + 1);
    octaves_.push_back(octave);
    // Lattices are turned against each other by an angle that never comes round.
    const double turned = 0.8 * cosine - 0.6 * sine;
    sine = 0.6 * cosine + 0.8 * sine;
    cosine = turned;
    wavelength /= law.lacunarity;
  }
  if (kind_ == NoiseLayer::Kind::ridged) scale(-1.0);
}

void FractalNoise::scale(double factor) {
  GROUSER_ASSERT(std::isfinite(factor));
  for (Octave& octave : octaves_) octave.amplitude *= factor;
}

void FractalNoise::calibrate(double distance, double deviation) {
  double square = 0.0;
  for (const Octave& octave : octaves_)
    square += 2.0 * octave.amplitude * octave.amplitude *
              octave_variogram(kind_, distance / octave.wavelength);
  scale(deviation / std::sqrt(square));
}

void FractalNoise::calibrate(double distance, double deviation, const Vec2& lower,
                             const Vec2& upper) {
  // Long octaves have few hills between the borders, and these may be high or low by chance.
  for (Octave& octave : octaves_) {
    const double step = 0.25 * octave.wavelength;
    if (step > 0.5 * (upper - lower).maxCoeff()) continue;
    const double found = mean_square_step({lower, upper, step}, [&](double x, double y) {
      return height_of(octave, x, y) / octave.amplitude;
    });
    const double expected = 2.0 * octave_variogram(kind_, 0.25);
    octave.amplitude *= std::clamp(std::sqrt(expected / found), 0.5, 2.0);
  }
  const double found =
      mean_square_step({lower, upper, distance}, [&](double x, double y) { return height(x, y); });
  scale(deviation / std::sqrt(found));
}

double FractalNoise::height(double x, double y) const {
  double sum = 0.0;
  for (const Octave& octave : octaves_) sum += height_of(octave, x, y);
  return sum;
}

double FractalNoise::height_of(const Octave& o, double x, double y) const {
  double out = 0.0;
  with_walk(kind_, o.seed, [&](auto walk) {
    out = o.amplitude *
          walk.value(o.cosine * x + o.sine * y + o.shift_u, o.cosine * y - o.sine * x + o.shift_v);
  });
  return out;
}

Noise FractalNoise::derivatives(double x, double y) const {
  Noise sum;
  for (const Octave& o : octaves_)
    with_walk(kind_, o.seed, [&](auto walk) {
      const Noise n = walk.derivatives(o.cosine * x + o.sine * y + o.shift_u,
                                       o.cosine * y - o.sine * x + o.shift_v);
      const double c = o.cosine, s = o.sine, a = o.amplitude;
      sum.value += a * n.value;
      sum.dx += a * (c * n.dx - s * n.dy);
      sum.dy += a * (s * n.dx + c * n.dy);
      sum.dxx += a * (c * c * n.dxx - 2.0 * c * s * n.dxy + s * s * n.dyy);
      sum.dyy += a * (s * s * n.dxx + 2.0 * c * s * n.dxy + c * c * n.dyy);
      sum.dxy += a * (c * s * (n.dxx - n.dyy) + (c * c - s * s) * n.dxy);
    });
  return sum;
}

void FractalNoise::add_row(std::span<const double> x, double y, std::span<double> z) const {
  GROUSER_ASSERT(z.size() == x.size());
  std::vector<double> sum(x.size(), 0.0);
  for (const Octave& o : octaves_)
    with_walk(kind_, o.seed, [&](auto walk) {
      for (std::size_t i = 0; i < x.size(); ++i)
        sum[i] += o.amplitude * walk.value(o.cosine * x[i] + o.sine * y + o.shift_u,
                                           o.cosine * y - o.sine * x[i] + o.shift_v);
    });
  for (std::size_t i = 0; i < x.size(); ++i) z[i] += sum[i];
}

namespace {

class NoiseField final : public SurfaceField {
 public:
  explicit NoiseField(FractalNoise noise) : noise_(std::move(noise)) {}

  SurfaceHeight at(double x, double y) const override {
    const Noise n = noise_.derivatives(x, y);
    return {n.value, n.dx, n.dy, n.dxx, n.dxy, n.dyy};
  }
  void add_row(std::span<const double> x, double y, std::span<double> z) const override {
    noise_.add_row(x, y, z);
  }

 private:
  FractalNoise noise_;
};

}  // namespace

std::unique_ptr<SurfaceField> make_field(const NoiseLayer& layer, const LayerContext& context) {
  FractalNoise::Law law{layer.kind,     layer.hurst,      layer.longest,
                        layer.shortest, layer.lacunarity, context.seed};
  if (law.longest == 0.0)
    law.longest = std::max(0.5 * context.size().minCoeff(), 2.0 * layer.scale);
  // Below the shortest wavelength the law does not hold: the slope is to be meant above it.
  if (law.shortest == 0.0) law.shortest = std::min(1e-3 * law.longest, 0.25 * layer.scale);
  if (law.shortest > layer.scale)
    context.refuse("shortest", "must be at most scale, " + to_text(layer.scale) + ", is " +
                                   to_text(law.shortest));
  if (law.shortest > law.longest)
    context.refuse("shortest", "must be at most the longest wavelength, " + to_text(law.longest) +
                                   ", is " + to_text(law.shortest));
  const double farthest =
      std::max(context.lower.cwiseAbs().maxCoeff(), context.upper.cwiseAbs().maxCoeff());
  const double octaves = FractalNoise::octave_count(law);
  if (octaves > kMostOctaves)
    context.refuse("shortest", "asks for " + to_text(octaves) + " octaves, at most " +
                                   to_text(kMostOctaves) + " are allowed");
  // Positions have 16 digits: those of the finest lattice must be among them.
  if (farthest > kMostCells * law.shortest)
    context.refuse("shortest", "must be at least " + to_text(farthest / kMostCells, 3) +
                                   " for coordinates of " + to_text(farthest) + ", is " +
                                   to_text(law.shortest));

  FractalNoise noise(law);
  const double deviation = layer.slope * layer.scale;
  if (layer.calibration == NoiseLayer::Calibration::ensemble) {
    noise.calibrate(layer.scale, deviation);
  } else {
    const double room = 0.5 * context.size().maxCoeff();
    if (layer.scale > room)
      context.refuse("scale", "must be at most half of the longer side of the surface, " +
                                  to_text(room) + ", is " + to_text(layer.scale) +
                                  "; calibration = \"ensemble\" has no such limit");
    noise.calibrate(layer.scale, deviation, context.lower, context.upper);
  }
  return std::make_unique<NoiseField>(std::move(noise));
}

}  // namespace grouser
