// The two bodies of a pressure: the one that gives way, and the one whose surface bears it.
#pragma once

#include <span>

#include "grouser/shape/convex_contact.h"
#include "grouser/shape/depth_field.h"

namespace grouser {

/// Where two bodies overlap.
struct OverlapPlace {
  Vec3 p_WO;      ///< a point of it; positions are relative to it, axes of W
  Vec3 normal_W;  ///< unit; from the body that gives way to the one that bears
  double depth;   ///< how far they are in each other along it [m]
};

/// A line along which depth has no slope: an edge, or a seam inside between the nearest faces. With
/// the numbers in SoftBody::faces of those that meet in an edge, or -1.
struct EdgeLine {
  Vec3 from, to;
  int left, right;
};

/// A body with flat faces that gives way.
struct SoftBody {
  std::span<const LinearField> faces;  ///< those that may be nearest somewhere in the overlap
  std::span<const EdgeLine> edges;     ///< of them, and seams from the corners of a box
  bool has_milder_kinks = false;       ///< there are other seams, in no known place
};
/// Edges are left out unless asked for.
SoftBody make_soft_body(const ConvexShape& shape, const Pose& X_WS, const OverlapPlace& place,
                        bool with_edges, Scratch& scratch);

/// A face of a body that bears.
struct RigidFace {
  std::span<const Vec3> corners;
  Vec3 normal;
};
/// Those that may be in the overlap, of a body with flat faces.
std::span<const RigidFace> make_rigid_faces(const ConvexShape& shape, const Pose& X_WS,
                                            const OverlapPlace& place, Scratch& scratch);
/// All of them, relative to p_WO.
std::span<const RigidFace> all_rigid_faces(const ConvexShape& shape, const Pose& X_WS,
                                           const Vec3& p_WO, Scratch& scratch);

}  // namespace grouser
