#include "grouser/contact/pcm_detection.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "grouser/contact/pcm_moved.h"

namespace grouser {
namespace {

Lanes dot(const FloatLanes3& a, const std::array<Lanes, 3>& b) {
  return Lanes(a[0].data()) * b[0] + Lanes(a[1].data()) * b[1] + Lanes(a[2].data()) * b[2];
}

/// Lanes of a line and a triangle that may cross.
struct Crossing {
  std::uint8_t line, triangle;
};
using Crossings = std::array<Crossing, kLanes * kLanes>;

/// Which of eight lines may cross which of eight triangles; tells how many pairs. `margin`: how far
/// single precision may be wrong.
std::size_t find_crossings_portable(const LineLanes& lines, const TriangleLanes& triangles,
                                    float margin, Crossings& out) {
  // Triangles whose box and whose plane meet the box around all lines.
  unsigned near = triangles.boxes.overlaps(lines.box);
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
    unsigned crossing = lines.boxes.overlaps(triangles.boxes.at(t));
    if (crossing == 0) return;
    // Both ends of a line on the same side: no crossing.
    const std::array<Lanes, 3> normal = {Lanes(triangles.normal[0][t]),
                                         Lanes(triangles.normal[1][t]),
                                         Lanes(triangles.normal[2][t])};
    const Lanes offset(triangles.offset[t]);
    const Lanes start = dot(lines.start, normal) - offset;
    const Lanes end = dot(lines.end, normal) - offset;
    crossing &= ((min(start, end) <= Lanes(margin)) & (Lanes(-margin) <= max(start, end))).bits();
    for_each_bit(crossing, [&](std::size_t line) {
      out[count++] = {static_cast<std::uint8_t>(line), static_cast<std::uint8_t>(t)};
    });
  });
  return count;
}

#if defined(__x86_64__)
/// The same with registers of eight.
[[gnu::target("avx2")]] std::size_t find_crossings_avx2(const LineLanes& lines,
                                                        const TriangleLanes& triangles,
                                                        float margin, Crossings& out) {
  __m256 near = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  __m256 distance = _mm256_sub_ps(_mm256_setzero_ps(), _mm256_load_ps(triangles.offset.data()));
  __m256 reach = _mm256_set1_ps(margin);
  const __m256 sign = _mm256_set1_ps(-0.0f);
  for (std::size_t k = 0; k < 3; ++k) {
    const __m256 lower = _mm256_set1_ps(lines.box.lower[k]);
    const __m256 upper = _mm256_set1_ps(lines.box.upper[k]);
    const __m256 triangle_lower = _mm256_load_ps(triangles.boxes.lower[k].data());
    const __m256 triangle_upper = _mm256_load_ps(triangles.boxes.upper[k].data());
    near = _mm256_and_ps(near, _mm256_cmp_ps(triangle_lower, upper, _CMP_LE_OQ));
    near = _mm256_and_ps(near, _mm256_cmp_ps(lower, triangle_upper, _CMP_LE_OQ));
    const __m256 half = _mm256_set1_ps(0.5f);
    const __m256 normal = _mm256_load_ps(triangles.normal[k].data());
    const __m256 center = _mm256_mul_ps(half, _mm256_add_ps(lower, upper));
    const __m256 extent = _mm256_mul_ps(half, _mm256_sub_ps(upper, lower));
    distance = _mm256_add_ps(distance, _mm256_mul_ps(normal, center));
    reach = _mm256_add_ps(reach, _mm256_mul_ps(_mm256_andnot_ps(sign, normal), extent));
  }
  near = _mm256_and_ps(near, _mm256_cmp_ps(_mm256_andnot_ps(sign, distance), reach, _CMP_LE_OQ));

  std::size_t count = 0;
  auto mask = static_cast<unsigned>(_mm256_movemask_ps(near));
  for (; mask != 0; mask &= mask - 1) {
    const auto t = static_cast<std::size_t>(std::countr_zero(mask));
    __m256 crossing = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    const __m256 offset = _mm256_set1_ps(triangles.offset[t]);
    __m256 start = _mm256_sub_ps(_mm256_setzero_ps(), offset);
    __m256 end = start;
    for (std::size_t k = 0; k < 3; ++k) {
      crossing = _mm256_and_ps(
          crossing, _mm256_cmp_ps(_mm256_load_ps(lines.boxes.lower[k].data()),
                                  _mm256_set1_ps(triangles.boxes.upper[k][t]), _CMP_LE_OQ));
      crossing = _mm256_and_ps(
          crossing, _mm256_cmp_ps(_mm256_set1_ps(triangles.boxes.lower[k][t]),
                                  _mm256_load_ps(lines.boxes.upper[k].data()), _CMP_LE_OQ));
      const __m256 normal = _mm256_set1_ps(triangles.normal[k][t]);
      start = _mm256_add_ps(start, _mm256_mul_ps(normal, _mm256_load_ps(lines.start[k].data())));
      end = _mm256_add_ps(end, _mm256_mul_ps(normal, _mm256_load_ps(lines.end[k].data())));
    }
    const __m256 lowest = _mm256_min_ps(start, end), highest = _mm256_max_ps(start, end);
    crossing = _mm256_and_ps(crossing, _mm256_cmp_ps(lowest, _mm256_set1_ps(margin), _CMP_LE_OQ));
    crossing = _mm256_and_ps(crossing, _mm256_cmp_ps(_mm256_set1_ps(-margin), highest, _CMP_LE_OQ));
    for (auto bits = static_cast<unsigned>(_mm256_movemask_ps(crossing)); bits != 0;
         bits &= bits - 1)
      out[count++] = {static_cast<std::uint8_t>(std::countr_zero(bits)),
                      static_cast<std::uint8_t>(t)};
  }
  return count;
}
#endif

using FindCrossings = std::size_t (*)(const LineLanes&, const TriangleLanes&, float, Crossings&);

/// The quickest this processor can run. All find every pair that crosses; what they find besides
/// does not matter, since the cut in double precision decides.
FindCrossings quickest_find_crossings() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return find_crossings_avx2;
#endif
  return find_crossings_portable;
}
const FindCrossings find_crossings = quickest_find_crossings();

/// Which of eight boxes, bits of `mask`, meet the box and the plane of one of eight triangles.
/// Worth it where triangles are large: their boxes hold much that is far from them.
unsigned sift(const BoxLanes& boxes, unsigned mask, const TriangleLanes& triangles, float margin) {
  unsigned fourth = mask;
  for (int k = 0; k < 3; ++k) fourth &= fourth - 1;
  if (fourth == 0) return mask;  // for three boxes it does not pay
  std::array<Lanes, 3> center, half;
  for (std::size_t k = 0; k < 3; ++k) {
    const Lanes lower(boxes.lower[k].data()), upper(boxes.upper[k].data());
    center[k] = Lanes(0.5f) * (lower + upper);
    half[k] = Lanes(0.5f) * (upper - lower);
  }
  unsigned near = 0;
  for_each_bit(triangles.boxes.overlaps(boxes.join()), [&](std::size_t t) {
    if ((mask & ~near) == 0) return;
    Lanes distance = Lanes(-triangles.offset[t]), reach(margin);
    for (std::size_t k = 0; k < 3; ++k) {
      distance = distance + Lanes(triangles.normal[k][t]) * center[k];
      reach = reach + Lanes(std::abs(triangles.normal[k][t])) * half[k];
    }
    near |= boxes.overlaps(triangles.boxes.at(t)) & (abs(distance) <= reach).bits();
  });
  return mask & near;
}

/// Lines of the base, target triangles moved to them.
template <class Moved, class Visit>
struct LinesAndMovedTriangles : ClusterVisitor<Moved, Visit> {
  unsigned sift_a(const BoxLanes& boxes, unsigned mask, std::size_t triangles) {
    return sift(boxes, mask, this->moved.cluster(triangles).lanes, this->moved.boxes.margin());
  }
};
template <class Moved, class Visit>
LinesAndMovedTriangles(ClusterVisitor<Moved, Visit>) -> LinesAndMovedTriangles<Moved, Visit>;

/// Triangles of the target, lines of the base moved to them.
template <class Moved, class Visit>
struct TrianglesAndMovedLines : ClusterVisitor<Moved, Visit> {
  const TargetSurface& target;
  unsigned sift_b(const BoxLanes& boxes, unsigned mask, std::size_t triangles) {
    return sift(boxes, mask, target.lanes[triangles], this->moved.boxes.margin());
  }
};
template <class Moved, class Visit>
TrianglesAndMovedLines(ClusterVisitor<Moved, Visit>, const TargetSurface&)
    -> TrianglesAndMovedLines<Moved, Visit>;

void find_hits(const BaseSurface& base, const TargetSurface& target, const Pose& X_BT,
               bool in_base_frame, BoxTree::Ref part, Scratch& scratch, PcmHits& hits,
               PcmWork* work) {
  Crossings crossings;
  if (in_base_frame) {
    MovedSurface<TargetSurface, MovedTriangles> moved(target, X_BT, scratch);
    const auto visit = [&](std::size_t b, std::size_t t) {
      MovedTriangles& triangles = moved.cluster(t);
      const std::size_t found =
          find_crossings(base.lanes[b], triangles.lanes, moved.boxes.margin(), crossings);
      const std::int32_t* line_numbers = base.tree.primitives().data() + kLanes * b;
      const std::int32_t* numbers = target.tree.primitives().data() + kLanes * t;
      for (std::size_t k = 0; k < found; ++k) {
        const auto [line, lane] = crossings[k];
        hits.cut(line_numbers[line], base.lines_by_cluster[kLanes * b + line], numbers[lane],
                 moved.exact(triangles, t, lane), base.length);
      }
      if (work != nullptr) work->ray_tests += found;
    };
    for_each_cluster_pair(base.tree, part, target.tree, target.tree.root(), moved.boxes,
                          LinesAndMovedTriangles{ClusterVisitor{moved, work, visit}});
  } else {
    MovedSurface<BaseSurface, MovedLines> moved(base, X_BT.inverse(), scratch);
    const auto visit = [&](std::size_t t, std::size_t b) {
      MovedLines& lines = moved.cluster(b);
      const std::size_t found =
          find_crossings(lines.lanes, target.lanes[t], moved.boxes.margin(), crossings);
      const std::int32_t* line_numbers = base.tree.primitives().data() + kLanes * b;
      const std::int32_t* numbers = target.tree.primitives().data() + kLanes * t;
      for (std::size_t k = 0; k < found; ++k) {
        const auto [line, lane] = crossings[k];
        hits.cut(line_numbers[line], moved.exact(lines, b, line), numbers[lane],
                 target.triangles_by_cluster[kLanes * t + lane], base.length);
      }
      if (work != nullptr) work->ray_tests += found;
    };
    for_each_cluster_pair(target.tree, target.tree.root(), base.tree, part, moved.boxes,
                          TrianglesAndMovedLines{ClusterVisitor{moved, work, visit}, target});
  }
}

/// A base triangle and a target triangle.
struct Candidate {
  std::int32_t base, target;
  bool operator<(const Candidate& other) const {
    return base != other.base ? base < other.base : target < other.target;
  }
};

}  // namespace

PcmHits::PcmHits(std::size_t base_triangles, Scratch& scratch)
    : touched_(scratch.take<std::uint64_t>((base_triangles + 63) / 64)),
      hits_(scratch.take<Hit>(base_triangles)) {
  std::fill(touched_.begin(), touched_.end(), 0);
}

std::span<const PcmElement> PcmHits::elements(Scratch& scratch) const {
  const std::span<PcmElement> elements = scratch.take<PcmElement>(count_);
  std::size_t count = 0;
  for (std::size_t w = 0; w < touched_.size(); ++w)
    for_each_bit(touched_[w], [&](std::size_t bit) {
      const std::size_t i = 64 * w + bit;
      if (hits_[i].active)
        elements[count++] = {static_cast<std::int32_t>(i), hits_[i].target, hits_[i].depth};
    });
  return elements.first(count);
}

PieceTarget piece_target(const TargetSurface& target, std::int32_t triangle, const Pose& X_BT) {
  const auto t = static_cast<std::size_t>(triangle);
  return {{X_BT * target.mesh.corner(t, 0), X_BT * target.mesh.corner(t, 1),
           X_BT * target.mesh.corner(t, 2)},
          X_BT.R * target.triangles[t].normal};
}

PcmPieces find_pieces(const BaseSurface& base, const TargetSurface& target, const Pose& X_BT,
                      BoxTree::Ref part, Scratch& scratch, PcmWork* work) {
  if (work != nullptr) ++work->box_tests;
  if (!boxes_meet(base.tree, target.tree, X_BT)) return {};

  ScratchList<Candidate> candidates(scratch);
  MovedSurface<TargetSurface, MovedTriangles> moved(target, X_BT, scratch);
  const auto visit = [&](std::size_t b, std::size_t t) {
    const TriangleLanes& triangles = moved.cluster(t).lanes;
    for_each_bit(triangles.boxes.overlaps(base.lanes[b].box), [&](std::size_t lane) {
      for_each_bit(base.lanes[b].boxes.overlaps(triangles.boxes.at(lane)), [&](std::size_t prism) {
        candidates.add({base.tree.cluster(b)[prism], target.tree.cluster(t)[lane]});
      });
    });
  };
  for_each_cluster_pair(base.tree, part, target.tree, target.tree.root(), moved.boxes,
                        LinesAndMovedTriangles{ClusterVisitor{moved, work, visit}});

  const std::span<Candidate> pairs = candidates.items();
  std::sort(pairs.begin(), pairs.end());
  const std::span<PcmElement> elements = scratch.take<PcmElement>(pairs.size());
  const std::span<Piece> pieces = scratch.take<Piece>(pairs.size());
  const std::span<PieceTarget> targets = scratch.take<PieceTarget>(pairs.size());
  std::size_t found = 0;
  for (std::size_t first = 0, end = 0; first < pairs.size(); first = end) {
    // All target triangles below one base triangle.
    const PieceBase& prism = base.prisms[static_cast<std::size_t>(pairs[first].base)];
    for (end = first; end < pairs.size() && pairs[end].base == pairs[first].base; ++end)
      targets[end] = piece_target(target, pairs[end].target, X_BT);
    for (std::size_t k = first; k < end; ++k) {
      if (work != nullptr) ++work->ray_tests;
      Piece& piece = pieces[found];
      if (!make_piece(prism, targets[k], base.length, piece)) continue;
      bool covered = false;
      if (piece.area > 0.0)
        for (std::size_t other = first; other < end && !covered; ++other) {
          if (other == k) continue;
          const std::optional<double> depth = depth_at(prism, targets[other], piece.middle);
          covered = depth && *depth > 0.0 && *depth < (1.0 - kPcmEps) * piece.depth;
        }
      if (covered) continue;
      elements[found++] = {pairs[k].base, pairs[k].target, piece.greatest_depth};
    }
  }
  return {elements.first(found), pieces.first(found)};
}

PcmFrame frame_of(PcmFrame wanted, const BaseSurface& base, const TargetSurface& target) {
  if (wanted != PcmFrame::automatic) return wanted;
  return base.lines.size() >= target.triangles.size() ? PcmFrame::base : PcmFrame::target;
}

bool boxes_meet(const BoxTree& a, const BoxTree& b, const Pose& X_AB) {
  const Vec3 apart = (X_AB * b.box().center() - a.box().center()).cwiseAbs();
  const Vec3 reach = a.box().half_size() + X_AB.R.cwiseAbs() * b.box().half_size();
  return ((apart - reach).array() <= 1e-9).all();
}

std::span<const PcmElement> find_penetrations(const BaseSurface& base, const TargetSurface& target,
                                              const Pose& X_BT, PcmFrame frame, BoxTree::Ref part,
                                              Scratch& scratch, PcmWork* work) {
  if (work != nullptr) ++work->box_tests;
  if (!boxes_meet(base.tree, target.tree, X_BT)) return {};
  PcmHits hits(base.lines.size(), scratch);
  const bool in_base_frame = frame_of(frame, base, target) == PcmFrame::base;
  find_hits(base, target, X_BT, in_base_frame, part, scratch, hits, work);
  return hits.elements(scratch);
}

}  // namespace grouser
