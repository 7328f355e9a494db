#include "grouser/contact/pcm_sieve.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace grouser {
namespace {

/// Whether `mask` has so few bits that looking closer does not pay.
bool has_few(unsigned mask) {
  for (int k = 0; k < 2; ++k) mask &= mask - 1;
  return mask == 0;
}

Lanes dot(const FloatLanes3& a, const std::array<Lanes, 3>& b) {
  return Lanes(a[0].data()) * b[0] + Lanes(a[1].data()) * b[1] + Lanes(a[2].data()) * b[2];
}

std::array<Lanes, 3> spread(const FloatLanes3& a, std::size_t lane) {
  return {Lanes(a[0][lane]), Lanes(a[1][lane]), Lanes(a[2][lane])};
}

std::size_t find_crossings_portable(const LineLanes& lines, const TriangleLanes& triangles,
                                    float margin, Crossings& out) {
  // Triangles whose box and whose plane meet the box around all lines.
  unsigned near = triangles.boxes.overlaps(lines.box) & triangles.used;
  if (near == 0) return 0;
  std::array<Lanes, 3> center;
  Lanes reach(margin);
  for (std::size_t k = 0; k < 3; ++k) {
    center[k] = Lanes(0.5f * (lines.box.lower[k] + lines.box.upper[k]));
    reach = reach + abs(Lanes(triangles.normal[k].data())) *
                        Lanes(0.5f * (lines.box.upper[k] - lines.box.lower[k]));
  }
  const Lanes distance = dot(triangles.normal, center) - Lanes(triangles.offset.data());
  near &= (abs(distance) <= reach).bits();

  std::size_t count = 0;
  for_each_bit(near, [&](std::size_t t) {
    // Both ends of a line on the same side: no crossing.
    const std::array<Lanes, 3> normal = spread(triangles.normal, t);
    const Lanes offset(triangles.offset[t]);
    const Lanes start = dot(lines.start, normal) - offset;
    const Lanes end = dot(lines.end, normal) - offset;
    unsigned crossing =
        lines.used &
        ((min(start, end) <= Lanes(margin)) & (Lanes(-margin) <= max(start, end))).bits();
    if (crossing == 0) return;
    // The crossing point outside of the triangle: none either. The more a line runs along the
    // plane, the less is known of that point.
    const Lanes inverse = Lanes(1.0f) / (start - end);
    const Lanes share = start * inverse;
    const Lanes slack = Lanes(4.0f * margin * triangles.steepness[t]) *
                        (Lanes(1.0f) + Lanes(lines.length) * abs(inverse));
    Lanes first(-triangles.offset_1[t]), second(-triangles.offset_2[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const Lanes from(lines.start[k].data());
      const Lanes point = from + share * (Lanes(lines.end[k].data()) - from);
      first = first + Lanes(triangles.along_1[k][t]) * point;
      second = second + Lanes(triangles.along_2[k][t]) * point;
    }
    const LaneMask outside = (first + slack < Lanes(0.0f)) | (second + slack < Lanes(0.0f)) |
                             (Lanes(1.0f) < first + second - slack);
    crossing &= ~outside.bits();
    for_each_bit(crossing, [&](std::size_t line) {
      out[count++] = {static_cast<std::uint8_t>(line), static_cast<std::uint8_t>(t)};
    });
  });
  return count;
}

unsigned sift_portable(const BoxLanes& boxes, unsigned mask, const TriangleLanes& triangles,
                       float margin) {
  if (has_few(mask)) return mask;
  std::array<Lanes, 3> center, half;
  for (std::size_t k = 0; k < 3; ++k) {
    const Lanes lower(boxes.lower[k].data()), upper(boxes.upper[k].data());
    center[k] = Lanes(0.5f) * (lower + upper);
    half[k] = Lanes(0.5f) * (upper - lower);
  }
  unsigned near = 0;
  for_each_bit(triangles.boxes.overlaps(boxes.join()) & triangles.used, [&](std::size_t t) {
    if ((mask & ~near) == 0) return;
    Lanes distance(-triangles.offset[t]), reach(margin);
    for (std::size_t k = 0; k < 3; ++k) {
      distance = distance + Lanes(triangles.normal[k][t]) * center[k];
      reach = reach + Lanes(std::abs(triangles.normal[k][t])) * half[k];
    }
    near |= boxes.overlaps(triangles.boxes.at(t)) & (abs(distance) <= reach).bits();
  });
  return mask & near;
}

#if defined(__x86_64__)

// The same with registers of eight.

[[gnu::target("avx2,fma")]] inline __m256 load(const std::array<float, kLanes>& lanes) {
  return _mm256_load_ps(lanes.data());
}
[[gnu::target("avx2,fma")]] inline __m256 magnitude(__m256 a) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
[[gnu::target("avx2,fma")]] inline __m256 less_or_equal(__m256 a, __m256 b) {
  return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
[[gnu::target("avx2,fma")]] inline __m256 add_product(__m256 sum, __m256 a, __m256 b) {
  return _mm256_fmadd_ps(a, b, sum);
}
[[gnu::target("avx2,fma")]] inline unsigned bits(__m256 mask) {
  return static_cast<unsigned>(_mm256_movemask_ps(mask));
}

[[gnu::target("avx2,fma")]] std::size_t find_crossings_avx2(const LineLanes& lines,
                                                            const TriangleLanes& triangles,
                                                            float margin, Crossings& out) {
  __m256 near = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  __m256 distance = _mm256_sub_ps(_mm256_setzero_ps(), load(triangles.offset));
  __m256 reach = _mm256_set1_ps(margin);
  for (std::size_t k = 0; k < 3; ++k) {
    const float lower = lines.box.lower[k], upper = lines.box.upper[k];
    near =
        _mm256_and_ps(near, less_or_equal(load(triangles.boxes.lower[k]), _mm256_set1_ps(upper)));
    near =
        _mm256_and_ps(near, less_or_equal(_mm256_set1_ps(lower), load(triangles.boxes.upper[k])));
    const __m256 normal = load(triangles.normal[k]);
    distance = add_product(distance, normal, _mm256_set1_ps(0.5f * (lower + upper)));
    reach = add_product(reach, magnitude(normal), _mm256_set1_ps(0.5f * (upper - lower)));
  }
  near = _mm256_and_ps(near, less_or_equal(magnitude(distance), reach));

  std::size_t count = 0;
  const __m256 one = _mm256_set1_ps(1.0f), zero = _mm256_setzero_ps();
  for (unsigned mask = bits(near) & triangles.used; mask != 0; mask &= mask - 1) {
    const auto t = static_cast<std::size_t>(std::countr_zero(mask));
    __m256 start = _mm256_set1_ps(-triangles.offset[t]);
    __m256 end = start;
    for (std::size_t k = 0; k < 3; ++k) {
      const __m256 normal = _mm256_set1_ps(triangles.normal[k][t]);
      start = add_product(start, normal, load(lines.start[k]));
      end = add_product(end, normal, load(lines.end[k]));
    }
    const __m256 crossing =
        _mm256_and_ps(less_or_equal(_mm256_min_ps(start, end), _mm256_set1_ps(margin)),
                      less_or_equal(_mm256_set1_ps(-margin), _mm256_max_ps(start, end)));
    unsigned found = bits(crossing) & lines.used;
    if (found == 0) continue;

    const __m256 inverse = _mm256_div_ps(one, _mm256_sub_ps(start, end));
    const __m256 share = _mm256_mul_ps(start, inverse);
    const __m256 slack =
        _mm256_mul_ps(_mm256_set1_ps(4.0f * margin * triangles.steepness[t]),
                      add_product(one, _mm256_set1_ps(lines.length), magnitude(inverse)));
    __m256 first = _mm256_set1_ps(-triangles.offset_1[t]);
    __m256 second = _mm256_set1_ps(-triangles.offset_2[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const __m256 from = load(lines.start[k]);
      const __m256 point = add_product(from, share, _mm256_sub_ps(load(lines.end[k]), from));
      first = add_product(first, _mm256_set1_ps(triangles.along_1[k][t]), point);
      second = add_product(second, _mm256_set1_ps(triangles.along_2[k][t]), point);
    }
    __m256 outside = _mm256_cmp_ps(_mm256_add_ps(first, slack), zero, _CMP_LT_OQ);
    outside = _mm256_or_ps(outside, _mm256_cmp_ps(_mm256_add_ps(second, slack), zero, _CMP_LT_OQ));
    outside = _mm256_or_ps(
        outside,
        _mm256_cmp_ps(one, _mm256_sub_ps(_mm256_add_ps(first, second), slack), _CMP_LT_OQ));
    for (found &= ~bits(outside); found != 0; found &= found - 1)
      out[count++] = {static_cast<std::uint8_t>(std::countr_zero(found)),
                      static_cast<std::uint8_t>(t)};
  }
  return count;
}

[[gnu::target("avx2,fma")]] unsigned sift_avx2(const BoxLanes& boxes, unsigned mask,
                                               const TriangleLanes& triangles, float margin) {
  if (has_few(mask)) return mask;
  const __m256 half = _mm256_set1_ps(0.5f);
  const FloatBox box = boxes.join();
  __m256 overlap = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  __m256 lower[3], upper[3], center[3], extent[3];
  for (std::size_t k = 0; k < 3; ++k) {
    overlap = _mm256_and_ps(
        overlap, less_or_equal(load(triangles.boxes.lower[k]), _mm256_set1_ps(box.upper[k])));
    overlap = _mm256_and_ps(
        overlap, less_or_equal(_mm256_set1_ps(box.lower[k]), load(triangles.boxes.upper[k])));
    lower[k] = load(boxes.lower[k]);
    upper[k] = load(boxes.upper[k]);
    center[k] = _mm256_mul_ps(half, _mm256_add_ps(lower[k], upper[k]));
    extent[k] = _mm256_mul_ps(half, _mm256_sub_ps(upper[k], lower[k]));
  }
  unsigned near = 0;
  for (unsigned left = bits(overlap) & triangles.used; left != 0 && (mask & ~near) != 0;
       left &= left - 1) {
    const auto t = static_cast<std::size_t>(std::countr_zero(left));
    __m256 distance = _mm256_set1_ps(-triangles.offset[t]);
    __m256 reach = _mm256_set1_ps(margin);
    __m256 meet = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (std::size_t k = 0; k < 3; ++k) {
      const __m256 normal = _mm256_set1_ps(triangles.normal[k][t]);
      distance = add_product(distance, normal, center[k]);
      reach = add_product(reach, magnitude(normal), extent[k]);
      meet =
          _mm256_and_ps(meet, less_or_equal(lower[k], _mm256_set1_ps(triangles.boxes.upper[k][t])));
      meet =
          _mm256_and_ps(meet, less_or_equal(_mm256_set1_ps(triangles.boxes.lower[k][t]), upper[k]));
    }
    near |= bits(_mm256_and_ps(meet, less_or_equal(magnitude(distance), reach)));
  }
  return mask & near;
}

constexpr PcmSieve kAvx2Sieve = {find_crossings_avx2, sift_avx2};

#endif

}  // namespace

const PcmSieve kPortableSieve = {find_crossings_portable, sift_portable};

const PcmSieve& quickest_sieve() {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return kAvx2Sieve;
#endif
  return kPortableSieve;
}

}  // namespace grouser
