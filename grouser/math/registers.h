// Two doubles or four floats side by side: registers that every 64-bit processor has.
//
// With SSE2 the instructions themselves, else the same in plain code. Lesser and greater are one
// instruction each; where one of the two is not a number they are the second.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace grouser::registers {

using Double2 [[gnu::vector_size(16)]] = double;
using Long2 [[gnu::vector_size(16)]] = std::int64_t;
using Float4 [[gnu::vector_size(16)]] = float;
using Int4 [[gnu::vector_size(16)]] = std::int32_t;

template <class Register, class Number>
Register load(const Number* p) {
  Register v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class Register, class Number>
void store(Number* p, Register v) {
  std::memcpy(p, &v, sizeof v);
}
inline Double2 load2(const double* p) {
  return load<Double2>(p);
}
/// The same number in all places.
inline Double2 two(double x) {
  return Double2{x, x};
}
inline Float4 four(float x) {
  return Float4{x, x, x, x};
}

inline Double2 bits_and(Double2 a, Double2 b) {
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) & reinterpret_cast<Long2>(b));
}
inline Double2 bits_or(Double2 a, Double2 b) {
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) | reinterpret_cast<Long2>(b));
}
inline Double2 abs(Double2 a) {
  const std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) & Long2{all_but_sign, all_but_sign});
}
/// `yes` where a < b, else `no`.
inline Double2 where_less(Double2 a, Double2 b, Double2 yes, Double2 no) {
  const Long2 less = a < b;
  return reinterpret_cast<Double2>((reinterpret_cast<Long2>(yes) & less) |
                                   (reinterpret_cast<Long2>(no) & ~less));
}
/// The first where it is a number, else the second.
inline Double2 number_or(Double2 a, Double2 b) {
  const Long2 is_number = a == a;
  return reinterpret_cast<Double2>((reinterpret_cast<Long2>(a) & is_number) |
                                   (reinterpret_cast<Long2>(b) & ~is_number));
}
/// First, second number of each of two pairs.
inline Double2 firsts(Double2 a, Double2 b) {
  return Double2{a[0], b[0]};
}
inline Double2 seconds(Double2 a, Double2 b) {
  return Double2{a[1], b[1]};
}

inline double lesser(double a, double b) {
  return a < b ? a : b;
}
inline double greater(double a, double b) {
  return a > b ? a : b;
}
#if defined(__SSE2__)
inline Double2 lesser(Double2 a, Double2 b) {
  return _mm_min_pd(a, b);
}
inline Double2 greater(Double2 a, Double2 b) {
  return _mm_max_pd(a, b);
}
inline Float4 greater(Float4 a, Float4 b) {
  return _mm_max_ps(a, b);
}
inline Float4 sqrt(Float4 a) {
  return _mm_sqrt_ps(a);
}
inline Double2 sqrt(Double2 a) {
  return _mm_sqrt_pd(a);
}
/// One bit for each number of a that is greater than that of b.
inline int which_above(Double2 a, Double2 b) {
  return _mm_movemask_pd(_mm_cmpgt_pd(a, b));
}
#else
inline Double2 lesser(Double2 a, Double2 b) {
  return a < b ? a : b;
}
inline Double2 greater(Double2 a, Double2 b) {
  return a > b ? a : b;
}
inline Float4 greater(Float4 a, Float4 b) {
  return a > b ? a : b;
}
inline Double2 sqrt(Double2 a) {
  return Double2{std::sqrt(a[0]), std::sqrt(a[1])};
}
inline Float4 sqrt(Float4 a) {
  return Float4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
inline int which_above(Double2 a, Double2 b) {
  return static_cast<int>(a[0] > b[0]) | static_cast<int>(a[1] > b[1]) << 1;
}
#endif
inline bool any_above(Double2 a, Double2 b) {
  return which_above(a, b) != 0;
}

}  // namespace grouser::registers
