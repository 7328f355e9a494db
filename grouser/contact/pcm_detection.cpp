#include "grouser/contact/pcm_detection.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/contact/pcm_moved.h"
#include "grouser/contact/pcm_sieve.h"

namespace grouser {
namespace {

/// Lines of the base, target triangles moved to them.
template <class Moved, class Visit>
struct LinesAndMovedTriangles : ClusterVisitor<Moved, Visit> {
  const PcmSieve& sieve;
  unsigned sift_a(const BoxLanes& boxes, unsigned mask, std::size_t triangles) {
    return sieve.sift(boxes, mask, this->moved.cluster(triangles).lanes,
                      this->moved.boxes.margin());
  }
};
template <class Moved, class Visit>
LinesAndMovedTriangles(ClusterVisitor<Moved, Visit>, const PcmSieve&)
    -> LinesAndMovedTriangles<Moved, Visit>;

/// Triangles of the target, lines of the base moved to them.
template <class Moved, class Visit>
struct TrianglesAndMovedLines : ClusterVisitor<Moved, Visit> {
  const PcmSieve& sieve;
  const TargetSurface& target;
  unsigned sift_b(const BoxLanes& boxes, unsigned mask, std::size_t triangles) {
    return sieve.sift(boxes, mask, target.lanes[triangles], this->moved.boxes.margin());
  }
};
template <class Moved, class Visit>
TrianglesAndMovedLines(ClusterVisitor<Moved, Visit>, const PcmSieve&, const TargetSurface&)
    -> TrianglesAndMovedLines<Moved, Visit>;

void find_hits(const BaseSurface& base, const TargetSurface& target, const Pose& X_BT,
               bool in_base_frame, BoxTree::Ref part, Scratch& scratch, PcmHits& hits,
               PcmWork* work) {
  const PcmSieve& sieve = quickest_sieve();
  Crossings crossings;
  if (in_base_frame) {
    MovedSurface<TargetSurface, MovedTriangles> moved(target, X_BT, scratch);
    const auto visit = [&](std::size_t b, std::size_t t) {
      MovedTriangles& triangles = moved.cluster(t);
      const std::size_t found =
          sieve.find_crossings(base.lanes[b], triangles.lanes, moved.boxes.margin(), crossings);
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
                          LinesAndMovedTriangles{ClusterVisitor{moved, work, visit}, sieve});
  } else {
    MovedSurface<BaseSurface, MovedLines> moved(base, X_BT.inverse(), scratch);
    const auto visit = [&](std::size_t t, std::size_t b) {
      MovedLines& lines = moved.cluster(b);
      const std::size_t found =
          sieve.find_crossings(lines.lanes, target.lanes[t], moved.boxes.margin(), crossings);
      const std::int32_t* line_numbers = base.tree.primitives().data() + kLanes * b;
      const std::int32_t* numbers = target.tree.primitives().data() + kLanes * t;
      for (std::size_t k = 0; k < found; ++k) {
        const auto [line, lane] = crossings[k];
        hits.cut(line_numbers[line], moved.exact(lines, b, line), numbers[lane],
                 target.triangles_by_cluster[kLanes * t + lane], base.length);
      }
      if (work != nullptr) work->ray_tests += found;
    };
    for_each_cluster_pair(
        target.tree, target.tree.root(), base.tree, part, moved.boxes,
        TrianglesAndMovedLines{ClusterVisitor{moved, work, visit}, sieve, target});
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
    : touched_(base_triangles, scratch), hits_(scratch.take<Hit>(base_triangles)) {}

std::span<const PcmElement> PcmHits::elements(Scratch& scratch) const {
  const std::span<PcmElement> elements = scratch.take<PcmElement>(count_);
  std::size_t count = 0;
  touched_.for_each([&](std::size_t i) {
    if (hits_[i].active)
      elements[count++] = {static_cast<std::int32_t>(i), hits_[i].target, hits_[i].depth};
  });
  GROUSER_ASSERT(count <= count_);
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
  GROUSER_ASSERT(base.prisms.size() == base.lines.size());
  if (work != nullptr) ++work->box_tests;
  if (!boxes_meet(base.tree, target.tree, X_BT)) return {};

  ScratchList<Candidate> candidates(scratch);
  MovedSurface<TargetSurface, MovedTriangles> moved(target, X_BT, scratch);
  const auto visit = [&](std::size_t b, std::size_t t) {
    const TriangleLanes& triangles = moved.cluster(t).lanes;
    const BoxLanes& prisms = base.prism_boxes[b];
    for_each_bit(triangles.boxes.overlaps(prisms.join()) & triangles.used, [&](std::size_t lane) {
      for_each_bit(prisms.overlaps(triangles.boxes.at(lane)), [&](std::size_t prism) {
        candidates.add({base.tree.cluster(b)[prism], target.tree.cluster(t)[lane]});
      });
    });
  };
  for_each_cluster_pair(
      base.tree, part, target.tree, target.tree.root(), moved.boxes,
      LinesAndMovedTriangles{ClusterVisitor{moved, work, visit}, quickest_sieve()});

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
          // Of triangles in the same place the first one counts.
          const double from = (1.0 + (other < k ? kPcmEps : -kPcmEps)) * piece.depth;
          covered = depth && *depth > 0.0 && *depth < from;
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
