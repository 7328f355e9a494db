// Eight single-precision numbers side by side, for rejecting eight candidates at once.
//
// Two registers of four: every 64-bit processor has these. Single precision is enough to say "far
// apart" with a margin; whatever is close is computed in double precision afterwards.
#pragma once

#include <cstdint>

#include "grouser/math/registers.h"

namespace grouser {

inline constexpr int kLanes = 8;

namespace lanes_detail {
using registers::Float4;
using registers::Int4;
using registers::store;
inline Float4 load(const float* p) {
  return registers::load<Float4>(p);
}
#if defined(__SSE2__)
inline Float4 min(Float4 a, Float4 b) {
  return _mm_min_ps(a, b);
}
inline Float4 max(Float4 a, Float4 b) {
  return _mm_max_ps(a, b);
}
inline unsigned bits(Int4 m) {
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(m)));
}
inline Float4 halves_swapped(Float4 a) {
  return _mm_movehl_ps(a, a);
}
inline Float4 neighbours_swapped(Float4 a) {
  return _mm_shuffle_ps(a, a, 1);
}
#else
inline Float4 min(Float4 a, Float4 b) {
  return a < b ? a : b;
}
inline Float4 max(Float4 a, Float4 b) {
  return a > b ? a : b;
}
inline Float4 halves_swapped(Float4 a) {
  return Float4{a[2], a[3], a[2], a[3]};
}
inline Float4 neighbours_swapped(Float4 a) {
  return Float4{a[1], a[0], a[0], a[0]};
}
inline unsigned bits(Int4 m) {
  return (m[0] & 1u) | (m[1] & 2u) | (m[2] & 4u) | (m[3] & 8u);
}
#endif
}  // namespace lanes_detail

/// Answers of a comparison, one per lane.
struct LaneMask {
  lanes_detail::Int4 low, high;

  LaneMask operator&(const LaneMask& other) const { return {low & other.low, high & other.high}; }
  LaneMask operator|(const LaneMask& other) const { return {low | other.low, high | other.high}; }
  /// Bit i is set where lane i says yes.
  unsigned bits() const { return lanes_detail::bits(low) | lanes_detail::bits(high) << 4; }
};

struct Lanes {
  lanes_detail::Float4 low, high;

  Lanes() = default;
  Lanes(lanes_detail::Float4 l, lanes_detail::Float4 h) : low(l), high(h) {}
  /// The same number in all lanes.
  explicit Lanes(float x) : low{x, x, x, x}, high{x, x, x, x} {}
  /// Eight numbers from memory.
  explicit Lanes(const float* p) : low(lanes_detail::load(p)), high(lanes_detail::load(p + 4)) {}
  void store(float* p) const {
    lanes_detail::store(p, low);
    lanes_detail::store(p + 4, high);
  }

  Lanes operator+(const Lanes& o) const { return {low + o.low, high + o.high}; }
  Lanes operator-(const Lanes& o) const { return {low - o.low, high - o.high}; }
  Lanes operator*(const Lanes& o) const { return {low * o.low, high * o.high}; }
  Lanes operator/(const Lanes& o) const { return {low / o.low, high / o.high}; }
  LaneMask operator<(const Lanes& o) const { return {low < o.low, high < o.high}; }
  LaneMask operator<=(const Lanes& o) const { return {low <= o.low, high <= o.high}; }
};

inline Lanes min(const Lanes& a, const Lanes& b) {
  return {lanes_detail::min(a.low, b.low), lanes_detail::min(a.high, b.high)};
}
inline Lanes max(const Lanes& a, const Lanes& b) {
  return {lanes_detail::max(a.low, b.low), lanes_detail::max(a.high, b.high)};
}
/// The least of all lanes.
inline float lowest(const Lanes& a) {
  using namespace lanes_detail;
  const Float4 four = min(a.low, a.high);
  const Float4 two = min(four, halves_swapped(four));
  return min(two, neighbours_swapped(two))[0];
}
/// The greatest of all lanes.
inline float highest(const Lanes& a) {
  using namespace lanes_detail;
  const Float4 four = max(a.low, a.high);
  const Float4 two = max(four, halves_swapped(four));
  return max(two, neighbours_swapped(two))[0];
}
inline Lanes abs(const Lanes& a) {
  return max(a, Lanes(0.0f) - a);
}

}  // namespace grouser
