#include "grouser/math/powers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/registers.h"

namespace grouser {
namespace {

using registers::Double2;
using registers::greater;
using registers::lesser;
using Bits2 [[gnu::vector_size(16)]] = std::uint64_t;

/// Four numbers in two registers. The polynomials are chains in which each step waits for the last;
/// two chains at once fill the waiting.
struct Four {
  Double2 low, high;

  Four() = default;
  Four(Double2 l, Double2 h) : low(l), high(h) {}
  /// The same number four times.
  Four(double x) : low{x, x}, high{x, x} {}
  explicit Four(const double* p) : low(registers::load2(p)), high(registers::load2(p + 2)) {}
  void store(double* p) const {
    registers::store(p, low);
    registers::store(p + 2, high);
  }
};
inline Four operator+(const Four& a, const Four& b) {
  return {a.low + b.low, a.high + b.high};
}
inline Four operator-(const Four& a, const Four& b) {
  return {a.low - b.low, a.high - b.high};
}
inline Four operator*(const Four& a, const Four& b) {
  return {a.low * b.low, a.high * b.high};
}
inline Four operator/(const Four& a, const Four& b) {
  return {a.low / b.low, a.high / b.high};
}

inline Bits2 bits(Double2 x) {
  return reinterpret_cast<Bits2>(x);
}
inline Double2 number(Bits2 x) {
  return reinterpret_cast<Double2>(x);
}

// Where x is NaN so is the result.
inline Four at_least(double bound, const Four& x) {
  const Four b(bound);
  return {greater(b.low, x.low), greater(b.high, x.high)};
}
inline Four at_most(double bound, const Four& x) {
  const Four b(bound);
  return {lesser(b.low, x.low), lesser(b.high, x.high)};
}
/// x where `y` is at least `bound`, 0 elsewhere.
inline Double2 kept_where(Double2 x, Double2 y, Double2 bound) {
  return number(bits(x) & reinterpret_cast<Bits2>(y >= bound));
}

/// A whole number k, and 2^k.
struct Whole {
  Four k;
  Four power;  // 0 for k = -1023, infinity for k = 1024
};

/// The whole number nearest to y. Precondition: -1023 <= y <= 1024.
inline Whole nearest_whole(const Four& y) {
  // In a number of this size the last bit counts ones: adding rounds y, and the low bits of the sum
  // are k + 1023, the exponent of 2^k.
  constexpr double kShift = 0x1.8p52 + 1023.0;
  const Four shifted = y + kShift;
  return {shifted - kShift, {number(bits(shifted.low) << 52), number(bits(shifted.high) << 52)}};
}

/// exp(r) for |r| <= ln(2) / 2: 1 + r + r^2 q(r). Relative error of the polynomial below 1.2e-15; q
/// interpolates at Chebyshev's points.
inline Four exponential_near_zero(const Four& r) {
  const Four r2 = r * r;
  const Four r4 = r2 * r2;
  const Four q01 = r * 0.1666666666664829 + 0.5;
  const Four q23 = r * 0.008333333353729397 + 0.04166666666665136;
  const Four q45 = r * 0.00019841208732536384 + 0.0013888888905881542;
  const Four q67 = r * 2.762511557828763e-06 + 2.4801536388690766e-05;
  const Four q = (q01 + q23 * r2) + r4 * ((q45 + q67 * r2) + r4 * 2.761380686153829e-07);
  return (r + r2 * q) + 1.0;
}

/// x = 2^e m with m in [sqrt(1/2), sqrt(2)).
struct Split {
  Four e;
  Four m;
};

constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;

/// Exponent plus 1023 + 2^52, as a number: the exponent's bits are the low ones of a number of size
/// 2^52.
inline Double2 shifted_exponent(Bits2 moved) {
  return number((moved >> 52) | bits(Double2{0x1p52, 0x1p52}));
}
inline Double2 mantissa(Bits2 moved) {
  constexpr std::uint64_t kMask = 0x000fffffffffffff;
  return number((moved & Bits2{kMask, kMask}) + Bits2{kRootOfHalf, kRootOfHalf});
}

/// Precondition: x is positive and not denormal.
inline Split split(const Four& x) {
  constexpr std::uint64_t kMove = 0x3ff0000000000000 - kRootOfHalf;
  const Bits2 low = bits(x.low) + Bits2{kMove, kMove};
  const Bits2 high = bits(x.high) + Bits2{kMove, kMove};
  const Four shifted(shifted_exponent(low), shifted_exponent(high));
  return {shifted - (0x1p52 + 1023.0), {mantissa(low), mantissa(high)}};
}

/// log2(m) for m in [sqrt(1/2), sqrt(2)): with s = (m - 1) / (m + 1) it is s (2 / ln 2 + s^2
/// p(s^2)). Relative error of the polynomial below 7e-16; p interpolates at Chebyshev's points.
inline Four log2_near_one(const Four& m) {
  const Four s = (m - 1.0) / (m + 1.0);
  const Four u = s * s;
  const Four u2 = u * u;
  const Four p01 = u * 0.5770780165172612 + 0.9617966939259095;
  const Four p23 = u * 0.32060813206155053 + 0.41219851915492883;
  const Four p45 = u * 0.23980213364451677 + 0.2617076762775244;
  const Four p = p01 + u2 * (p23 + u2 * p45);
  return s * (u * p + 2.8853900817779268);
}

/// n in two parts. The upper one has so few bits that its product with an exponent is exact.
struct Exponent {
  double n;
  double upper;
  double lower;
};

Exponent in_two_parts(double n) {
  constexpr double kSplitter = 0x1p20 + 1.0;  // Dekker (1971): 33 bits remain
  const double t = kSplitter * n;
  const double upper = t - (t - n);
  return {n, upper, n - upper};
}

inline Four power(const Four& x, const Exponent& n) {
  constexpr double kLn2 = 0.6931471805599453;
  const Split part = split(x);
  // n log2(x) = large + small, large without rounding: errors do not grow with the exponent of x.
  const Four large = part.e * n.upper;
  const Four small = part.e * n.lower + log2_near_one(part.m) * n.n;
  const Whole whole = nearest_whole(at_most(1024.0, at_least(-1023.0, large + small)));
  const Four r = ((large - whole.k) + small) * kLn2;
  const Four result = exponential_near_zero(r) * whole.power;
  const Four least(std::numeric_limits<double>::min());
  const Four ordinary(kept_where(result.low, x.low, least.low),
                      kept_where(result.high, x.high, least.high));
  return ordinary + (x - x);  // the difference carries NaN
}

inline Four exponential(const Four& x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kUpperLn2 = 0x1.62e42feep-1;  // 32 bits: exact times a whole number
  constexpr double kLowerLn2 = 0x1.a39ef35793c76p-33;
  constexpr double kLowest = -709.2;  // k = -1023 there, and 2^k is taken as 0
  const Four bounded = at_least(kLowest, x);
  const Whole whole = nearest_whole(bounded * kLog2E);
  const Four r = (bounded - whole.k * kUpperLn2) - whole.k * kLowerLn2;
  return exponential_near_zero(r) * whole.power;
}

/// Calls `function` for all fours. What is left over is filled up to a four: the same arithmetic.
template <class Function>
inline void for_fours(std::span<const double> x, std::span<double> out, Function function) {
  const std::size_t whole = x.size() & ~std::size_t{3};
  for (std::size_t i = 0; i < whole; i += 4) function(Four(&x[i])).store(&out[i]);
  if (whole == x.size()) return;
  double rest[4] = {};
  std::copy(x.begin() + static_cast<std::ptrdiff_t>(whole), x.end(), rest);
  function(Four(rest)).store(rest);
  std::copy(rest, rest + (x.size() - whole), out.begin() + static_cast<std::ptrdiff_t>(whole));
}

/// What the functions below may write to.
[[maybe_unused]] bool is_same_or_apart(std::span<const double> x, std::span<double> out) {
  const std::less_equal<const double*> before;
  return x.data() == out.data() || before(x.data() + x.size(), out.data()) ||
         before(out.data() + out.size(), x.data());
}

}  // namespace

void powers(std::span<const double> x, double n, std::span<double> out) {
  GROUSER_ASSERT(n > 0.0 && n <= 3.0);
  GROUSER_ASSERT(out.size() == x.size() && is_same_or_apart(x, out));
  if (n == 1.0) {
    std::transform(x.begin(), x.end(), out.begin(), [](double v) { return v < 0.0 ? 0.0 : v; });
    return;
  }
  for_fours(x, out, [parts = in_two_parts(n)](const Four& v) { return power(v, parts); });
}

void exponentials(std::span<const double> x, std::span<double> out) {
  GROUSER_ASSERT(out.size() == x.size() && is_same_or_apart(x, out));
  GROUSER_ASSERT(std::none_of(x.begin(), x.end(), [](double v) { return v > 0.0; }));
  for_fours(x, out, [](const Four& v) { return exponential(v); });
}

}  // namespace grouser
