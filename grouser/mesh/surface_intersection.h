// Where two surfaces intersect, and which parts of each lie inside the other: the geometric half of
// the classic algorithm of the polygonal contact model (Hippmann 2004, "An algorithm for compliant
// contact between complexly shaped bodies").
//
//   1. Triangles of the two surfaces meet in intersection lines. A line ends where an edge of one
//      triangle pierces the other.
//   2. Lines that end in the same piercing point are joined to intersection polygons.
//   3. From the pierced edges inwards, the corners inside the other surface are searched along
//      edges that nothing pierces.
//
// All decisions are exact (see orientation.h), with surface A displaced by infinitely little, so
// steps 2 and 3 find no contradictions, whatever the position: polygons of closed surfaces are
// closed, touching and coplanar faces included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/mesh/surface_topology.h"

namespace grouser {

/// A triangle of surface A and one of surface B.
struct TrianglePair {
  std::int32_t a;
  std::int32_t b;
};

/// Active triangles have a corner inside the other surface or are cut by it. Ascending numbers.
struct ActiveAreas {
  std::span<const std::int32_t> of_a;
  std::span<const std::int32_t> of_b;
  std::size_t intersection_lines = 0;  ///< pairs of triangles that intersect
  std::size_t polygons = 0;            ///< closed intersection polygons
  std::size_t open_polygons = 0;       ///< chains of lines that end at a border, or at a face
                                       ///< that rounding has made a line
};

/// A surface in the frame the two have in common: topology.vertex_count() vertices.
struct PlacedSurface {
  const SurfaceTopology& topology;
  std::span<const Vec3> vertices;
};

/// `candidates` holds all pairs of triangles whose boxes overlap or touch, in any order, none
/// twice; others among them do no harm. The answer does not depend on the order and lies in the
/// scratch, as does everything in between: nothing is allocated.
///
/// Surfaces that do not cross have no active areas, even if one lies wholly inside the other; so
/// has a separate part of a surface that is nowhere cut. A corner is inside if the nearest piercing
/// along one of its edges, or of those it can be reached by, says so: for an open sheet the side
/// its triangles look away from is inside as far as the search gets, and inside wins.
ActiveAreas find_active_areas(const PlacedSurface& a, const PlacedSurface& b,
                              std::span<const TrianglePair> candidates, Scratch& scratch);

}  // namespace grouser
