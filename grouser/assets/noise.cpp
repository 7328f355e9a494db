#include "grouser/assets/noise.h"

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

/// A finaliser of 64 bits (splitmix64, Steele et al. 2014): every bit of the answer depends on
/// every bit of the word.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15ull;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
  return word ^ (word >> 31);
}

std::uint64_t lattice_hash(std::int64_t i, std::int64_t j, std::uint64_t seed) {
  return mixed(seed ^ (static_cast<std::uint64_t>(i) * 0x8cb92ba72f3d8dd7ull +
                       static_cast<std::uint64_t>(j) * 0xd6e8feb86659fd93ull));
}
std::uint64_t lattice_hash(std::int64_t i, std::int64_t j, std::int64_t k, std::uint64_t seed) {
  return mixed(seed ^ (static_cast<std::uint64_t>(i) * 0x8cb92ba72f3d8dd7ull +
                       static_cast<std::uint64_t>(j) * 0xd6e8feb86659fd93ull +
                       static_cast<std::uint64_t>(k) * 0xa0761d6478bd642full));
}

/// Bits of a hash as a number in [-1, 1), with variance 1/3.
double component(std::uint64_t bits, int shift, int count) {
  const auto piece = static_cast<double>((bits >> shift) & ((1ull << count) - 1));
  return (piece + 0.5) * (2.0 / static_cast<double>(1ull << count)) - 1.0;
}

// With components of variance 1/3, the mean square of the blended noise is
// (8 A B) / 3 in the plane and (24 A B^2) / 3 in space, A and B the integrals over [0, 1] of
// (1 - fade)^2 u^2 and (1 - fade)^2, fade = 6u^5 - 15u^4 + 10u^3.
constexpr double kA = 535.0 / 18018.0, kB = 181.0 / 462.0;
const double kScale3 = std::sqrt(3.0 / (24.0 * kA * kB * kB));

double mix(double a, double b, double w) {
  return a + w * (b - a);
}

}  // namespace

double gradient_noise(double x, double y, std::uint64_t seed) {
  const double fx = std::floor(x), fy = std::floor(y);
  const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
  const double u = x - fx, v = y - fy;
  const auto ramp = [&](int di, int dj) {
    const NoiseCell::Slope s = NoiseCell::slope_at(i + di, j + dj, seed);
    return s.x * (u - di) + s.y * (v - dj);
  };
  const double wu = fade(u), wv = fade(v);
  return NoiseCell::kScale *
         mix(mix(ramp(0, 0), ramp(1, 0), wu), mix(ramp(0, 1), ramp(1, 1), wu), wv);
}

NoiseCell::NoiseCell(std::int64_t i, std::int64_t j, std::uint64_t seed)
    : a_(slope_at(i, j, seed)),
      b_(slope_at(i + 1, j, seed)),
      c_(slope_at(i, j + 1, seed)),
      d_(slope_at(i + 1, j + 1, seed)) {}

NoiseCell::Slope NoiseCell::slope_at(std::int64_t i, std::int64_t j, std::uint64_t seed) {
  const std::uint64_t bits = lattice_hash(i, j, seed);
  return {component(bits, 32, 32), component(bits, 0, 32)};
}

Noise NoiseCell::derivatives(double u, double v) const {
  GROUSER_ASSERT(is_share(u) && is_share(v));
  const Slope &a = a_, &b = b_, &c = c_, &d = d_;
  const double za = a.x * u + a.y * v, zb = b.x * (u - 1.0) + b.y * v;
  const double zc = c.x * u + c.y * (v - 1.0), zd = d.x * (u - 1.0) + d.y * (v - 1.0);
  const Fade s = fade_derivatives(u), t = fade_derivatives(v);

  // z = za + s (zb - za) + t (zc - za) + s t (za - zb - zc + zd), derived by the product rule.
  const double ab = zb - za, ab_x = b.x - a.x, ab_y = b.y - a.y;
  const double ac = zc - za, ac_x = c.x - a.x, ac_y = c.y - a.y;
  const double twist = zd - zc - ab, twist_x = d.x - c.x - ab_x, twist_y = d.y - c.y - ab_y;
  Noise out;
  out.value = za + s.value * ab + t.value * ac + s.value * t.value * twist;
  out.dx = a.x + s.first * ab + s.value * ab_x + t.value * ac_x +
           t.value * (s.first * twist + s.value * twist_x);
  out.dy = a.y + s.value * ab_y + t.first * ac + t.value * ac_y +
           s.value * (t.first * twist + t.value * twist_y);
  out.dxx = s.second * (ab + t.value * twist) + 2.0 * s.first * (ab_x + t.value * twist_x);
  out.dyy = t.second * (ac + s.value * twist) + 2.0 * t.first * (ac_y + s.value * twist_y);
  out.dxy = s.first * ab_y + t.first * ac_x + s.first * (t.first * twist + t.value * twist_y) +
            s.value * t.first * twist_x;
  for (double* part : {&out.value, &out.dx, &out.dy, &out.dxx, &out.dxy, &out.dyy}) *part *= kScale;
  return out;
}

Noise gradient_noise_derivatives(double x, double y, std::uint64_t seed) {
  const double fx = std::floor(x), fy = std::floor(y);
  const NoiseCell cell(static_cast<std::int64_t>(fx), static_cast<std::int64_t>(fy), seed);
  return cell.derivatives(x - fx, y - fy);
}

double gradient_noise(const Vec3& point, std::uint64_t seed) {
  const Vec3 corner = point.array().floor();
  const Vec3 f = point - corner;
  const auto i = static_cast<std::int64_t>(corner.x()), j = static_cast<std::int64_t>(corner.y()),
             k = static_cast<std::int64_t>(corner.z());
  const auto ramp = [&](int di, int dj, int dk) {
    const std::uint64_t bits = lattice_hash(i + di, j + dj, k + dk, seed);
    return component(bits, 42, 21) * (f.x() - di) + component(bits, 21, 21) * (f.y() - dj) +
           component(bits, 0, 21) * (f.z() - dk);
  };
  const double wx = fade(f.x()), wy = fade(f.y()), wz = fade(f.z());
  const auto sheet = [&](int dk) {
    return mix(mix(ramp(0, 0, dk), ramp(1, 0, dk), wx), mix(ramp(0, 1, dk), ramp(1, 1, dk), wx),
               wy);
  };
  return kScale3 * mix(sheet(0), sheet(1), wz);
}

std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part) {
  return mixed(mixed(seed) ^ (part * 0x9e3779b97f4a7c15ull + 1));
}

}  // namespace grouser
