// Surfaces of a polygonal contact seen from the frame of the other one, moved as far as needed.
#pragma once

#include "grouser/contact/pcm_surface.h"

namespace grouser {

inline void store(const std::array<Lanes, 3>& v, FloatLanes3& out) {
  for (std::size_t k = 0; k < 3; ++k) v[k].store(out[k].data());
}

/// Eight primitives in the other frame.
template <class Eight, class Primitive>
struct MovedCluster {
  Eight lanes;
  std::array<Primitive, kLanes> exact;  // where `known`
  unsigned known;
};
using MovedLines = MovedCluster<LineLanes, PenetrationLine>;
using MovedTriangles = MovedCluster<TriangleLanes, TargetTriangle>;

inline void move(const BaseSurface& base, std::size_t c, const FloatPose& X, float margin,
                 MovedLines& out) {
  const std::array<Lanes, 3> start = X.move(base.lanes[c].start);
  const std::array<Lanes, 3> end = X.move(base.lanes[c].end);
  store(start, out.lanes.start);
  store(end, out.lanes.end);
  for (std::size_t k = 0; k < 3; ++k) {
    out.lanes.box.lower[k] = lowest(min(start[k], end[k])) - margin;
    out.lanes.box.upper[k] = highest(max(start[k], end[k])) + margin;
  }
  out.lanes.length = base.lanes[c].length;
  out.lanes.used = base.lanes[c].used;
}

inline void move(const TargetSurface& target, std::size_t c, const FloatPose& X, float margin,
                 MovedTriangles& out) {
  const TriangleLanes& from = target.lanes[c];
  const std::array<Lanes, 3> first = X.move(target.corners[c][0]);
  const std::array<Lanes, 3> second = X.move(target.corners[c][1]);
  const std::array<Lanes, 3> third = X.move(target.corners[c][2]);
  const auto turn = [&](const FloatLanes3& v, FloatLanes3& to, std::array<float, kLanes>& offset) {
    const std::array<Lanes, 3> turned = X.turn(v);
    store(turned, to);
    (turned[0] * first[0] + turned[1] * first[1] + turned[2] * first[2]).store(offset.data());
  };
  turn(from.normal, out.lanes.normal, out.lanes.offset);
  turn(from.along_1, out.lanes.along_1, out.lanes.offset_1);
  turn(from.along_2, out.lanes.along_2, out.lanes.offset_2);
  out.lanes.steepness = from.steepness;
  out.lanes.used = from.used;
  for (std::size_t k = 0; k < 3; ++k) {
    const Lanes lower = min(min(first[k], second[k]), third[k]) - Lanes(margin);
    const Lanes upper = max(max(first[k], second[k]), third[k]) + Lanes(margin);
    lower.store(out.lanes.boxes.lower[k].data());
    upper.store(out.lanes.boxes.upper[k].data());
    out.lanes.box.lower[k] = lowest(lower);
    out.lanes.box.upper[k] = highest(upper);
  }
}

inline const PenetrationLine& primitive(const BaseSurface& base, std::size_t slot) {
  return base.lines_by_cluster[slot];
}
inline const TargetTriangle& primitive(const TargetSurface& target, std::size_t slot) {
  return target.triangles_by_cluster[slot];
}

/// One of the surfaces in the frame of the other. A cluster is moved when it is asked for, and then
/// once; so is a primitive in double precision.
template <class Surface, class Cluster>
class MovedSurface {
 public:
  MovedSurface(const Surface& surface, const Pose& X, Scratch& scratch)
      : boxes(surface.tree, X, scratch),
        surface_(surface),
        X_(X),
        float_X_(X),
        scratch_(scratch),
        known_(surface.tree.cluster_count(), scratch),
        clusters_(scratch.take<Cluster*>(surface.tree.cluster_count())) {}

  Cluster& cluster(std::size_t c) {
    if (known_.insert(c)) move_cluster(c);
    return *clusters_[c];
  }

  /// A primitive of a cluster in double precision.
  const auto& exact(Cluster& moved, std::size_t c, std::size_t lane) {
    if ((moved.known & 1u << lane) == 0) {
      moved.known |= 1u << lane;
      moved.exact[lane] = primitive(surface_, kLanes * c + lane).moved(X_);
    }
    return moved.exact[lane];
  }

  MovedBoxes boxes;

 private:
  void move_cluster(std::size_t c) {
    Cluster& out = scratch_.take<Cluster>(1)[0];
    move(surface_, c, float_X_, boxes.margin(), out);
    out.known = 0;
    clusters_[c] = &out;
  }

  const Surface& surface_;
  Pose X_;
  FloatPose float_X_;
  Scratch& scratch_;
  BitSet known_;
  std::span<Cluster*> clusters_;
};

/// Visits clusters of triangles, or of lines and triangles, while two trees are walked. What
/// differs from walk to walk is `visit`; the rest is here.
template <class Moved, class Visit>
struct ClusterVisitor {
  Moved& moved;
  PcmWork* work;  // may be null
  Visit visit;

  const FloatBox& cluster_box(std::size_t c) { return moved.cluster(c).lanes.box; }
  unsigned sift_a(const BoxLanes&, unsigned mask, std::size_t) { return mask; }
  unsigned sift_b(const BoxLanes&, unsigned mask, std::size_t) { return mask; }
  void count(std::int32_t n) {
    if (work != nullptr) work->box_tests += static_cast<std::uint64_t>(n);
  }
};
template <class Moved, class Visit>
ClusterVisitor(Moved&, PcmWork*, Visit) -> ClusterVisitor<Moved, Visit>;

}  // namespace grouser
