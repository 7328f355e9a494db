#include "grouser/contact/pcm_construction.h"

#include <algorithm>

#include "grouser/contact/pcm_moved.h"
#include "grouser/mesh/surface_intersection.h"

namespace grouser {
namespace {

/// Calls `visit(i, j)` for all triangles of `still` and `other` whose boxes meet, the other one at
/// X.
template <class Visit>
void for_each_near_pair(const TargetSurface& still, const TargetSurface& other, const Pose& X,
                        Scratch& scratch, PcmWork& count, Visit&& visit) {
  MovedSurface<TargetSurface, MovedTriangles> moved(other, X, scratch);
  const auto visit_clusters = [&](std::size_t s, std::size_t o) {
    const TriangleLanes& triangles = moved.cluster(o).lanes;
    for_each_bit(triangles.boxes.overlaps(still.lanes[s].box) & triangles.used,
                 [&](std::size_t lane) {
                   for_each_bit(still.lanes[s].boxes.overlaps(triangles.boxes.at(lane)),
                                [&](std::size_t near) {
                                  visit(still.tree.cluster(s)[near], other.tree.cluster(o)[lane]);
                                });
                 });
  };
  for_each_cluster_pair(still.tree, still.tree.root(), other.tree, other.tree.root(), moved.boxes,
                        ClusterVisitor{moved, &count, visit_clusters});
}

std::span<const Vec3> moved_vertices(const TriangleMesh& mesh, const Pose& X, Scratch& scratch) {
  const std::span<Vec3> out = scratch.take<Vec3>(mesh.vertices.size());
  std::transform(mesh.vertices.begin(), mesh.vertices.end(), out.begin(),
                 [&](const Vec3& v) -> Vec3 { return X * v; });
  return out;
}

}  // namespace

std::span<const PcmElement> construct_penetrations(const BaseSurface& base,
                                                   const ConstructionSurface& base_area,
                                                   const ConstructionSurface& target,
                                                   const Pose& X_BT, PcmFrame frame,
                                                   Scratch& scratch, PcmWork* work) {
  PcmWork uncounted;
  PcmWork& count = work != nullptr ? *work : uncounted;
  const TargetSurface& targets = *target.triangles;
  ++count.box_tests;
  if (!boxes_meet(base_area.triangles->tree, targets.tree, X_BT)) return {};
  const bool in_base_frame = frame_of(frame, base, targets) == PcmFrame::base;
  const Pose X_TB = X_BT.inverse();

  ScratchList<TrianglePair> candidates(scratch);
  std::span<const Vec3> base_vertices = base.mesh.vertices, target_vertices = targets.mesh.vertices;
  if (in_base_frame) {
    for_each_near_pair(*base_area.triangles, targets, X_BT, scratch, count,
                       [&](std::int32_t b, std::int32_t t) {
                         candidates.add({b, t});
                       });
    target_vertices = moved_vertices(targets.mesh, X_BT, scratch);
  } else {
    for_each_near_pair(targets, *base_area.triangles, X_TB, scratch, count,
                       [&](std::int32_t t, std::int32_t b) {
                         candidates.add({b, t});
                       });
    base_vertices = moved_vertices(base.mesh, X_TB, scratch);
  }
  count.triangle_tests += candidates.items().size();
  const ActiveAreas areas =
      find_active_areas({base_area.topology, base_vertices}, {target.topology, target_vertices},
                        candidates.items(), scratch);

  // Lines of one area with triangles of the other, all in one frame.
  const std::span<TargetTriangle> triangles = scratch.take<TargetTriangle>(areas.of_b.size());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const TargetTriangle& triangle = targets.triangles[static_cast<std::size_t>(areas.of_b[k])];
    triangles[k] = in_base_frame ? triangle.moved(X_BT) : triangle;
  }
  PcmHits hits(base.lines.size(), scratch);
  for (const std::int32_t i : areas.of_a) {
    PenetrationLine line = base.lines[static_cast<std::size_t>(i)];
    if (!in_base_frame) line = line.moved(X_TB);
    for (std::size_t k = 0; k < triangles.size(); ++k)
      hits.cut(i, line, areas.of_b[k], triangles[k], base.length);
  }
  count.ray_tests += areas.of_a.size() * areas.of_b.size();
  return hits.elements(scratch);
}

}  // namespace grouser
