// Intersection construction, the classic way to find contact elements (Hippmann 2004): triangles
// that intersect, the areas of both surfaces behind the intersection, and lines of one area cut
// with triangles of the other.
//
// It needs adjacent triangles and therefore clean meshes. On these it finds the elements that
// penetration detection finds, to the last bit, as long as lines end inside the base.
#pragma once

#include "grouser/contact/pcm_detection.h"
#include "grouser/mesh/surface_topology.h"

namespace grouser {

/// What the construction needs of a surface besides its triangles.
struct ConstructionSurface {
  std::shared_ptr<const TargetSurface> triangles;
  SurfaceTopology topology;
};

/// Contact elements, ascending. `base_area` has the triangles of `base`, `target` those the lines
/// are cut with. X_BT: pose of the target in the base's frame.
std::span<const PcmElement> construct_penetrations(const BaseSurface& base,
                                                   const ConstructionSurface& base_area,
                                                   const ConstructionSurface& target,
                                                   const Pose& X_BT, PcmFrame frame,
                                                   Scratch& scratch, PcmWork* work = nullptr);

}  // namespace grouser
