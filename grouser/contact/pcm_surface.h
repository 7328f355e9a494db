// The two surfaces of a polygonal contact, prepared once: what their triangles are, a tree over
// them, and eight of them at a time in single precision for rejecting what is far apart.
#pragma once

#include <limits>

#include "grouser/contact/pcm_pieces.h"
#include "grouser/mesh/box_tree.h"

namespace grouser {

// Edge-on rays are skipped and the inside test is widened by this much (Hippmann's published code).
inline constexpr double kPcmEps = 5e3 * std::numeric_limits<double>::epsilon();

/// Line from a base triangle's centroid inwards.
struct PenetrationLine {
  Vec3 start;
  Vec3 normal;  ///< outward; the line runs along -normal

  PenetrationLine moved(const Pose& X) const { return {X * start, X.R * normal}; }
};

/// A triangle of the target as the cut needs it: a point q of its plane has the barycentric
/// coordinates along_1 . (q - corner) and along_2 . (q - corner).
struct TargetTriangle {
  Vec3 corner;
  Vec3 normal;  ///< unit
  Vec3 along_1;
  Vec3 along_2;

  TargetTriangle moved(const Pose& X) const {
    return {X * corner, X.R * normal, X.R * along_1, X.R * along_2};
  }
};

/// Length of a line from its start to the plane of a triangle. facing = product of the normals.
inline double distance_along(const PenetrationLine& line, const TargetTriangle& triangle,
                             double facing) {
  return triangle.normal.dot(line.start - triangle.corner) / facing;
}

/// Tests that one detection took.
struct PcmWork {
  std::uint64_t box_tests = 0;
  std::uint64_t triangle_tests = 0;  ///< triangle with triangle
  std::uint64_t ray_tests = 0;       ///< line with triangle, in double precision
};

/// Eight lines. Lanes that are not used repeat the first one.
struct LineLanes {
  alignas(32) FloatLanes3 start;
  FloatLanes3 end;
  FloatBox box;   ///< around all
  float length;   ///< of each [m]
  unsigned used;  ///< bits of the lanes that are
};

/// Eight triangles: boxes, planes normal . x = offset, and barycentric coordinates
/// along_i . x - offset_i, which grow by `steepness` per metre at most.
struct TriangleLanes {
  BoxLanes boxes;
  alignas(32) FloatLanes3 normal;
  FloatLanes3 along_1, along_2;
  std::array<float, kLanes> offset, offset_1, offset_2, steepness;
  FloatBox box;   ///< around all
  unsigned used;  ///< bits of the lanes that are
};

/// Triangles of a base and their lines, in its body's frame.
struct BaseSurface {
  /// What is looked for below a triangle: a line from its centroid, or a prism as deep.
  enum class Probe { line, prism };
  BaseSurface(TriangleMesh mesh_B, double line_length, Probe probe);

  TriangleMesh mesh;
  double length;                                  ///< of the lines [m]
  std::vector<PenetrationLine> lines;             ///< by triangle
  std::vector<double> areas;                      ///< by triangle [m^2]
  std::vector<PieceBase> prisms;                  ///< by triangle; empty if lines are looked for
  BoxTree tree;                                   ///< over the lines or prisms
  std::vector<LineLanes> lanes;                   ///< by cluster, if lines are looked for
  std::vector<BoxLanes> prism_boxes;              ///< by cluster, if prisms are
  std::vector<PenetrationLine> lines_by_cluster;  ///< in the order of the tree's primitives
};

/// Triangles of a target, in its body's frame.
struct TargetSurface {
  explicit TargetSurface(TriangleMesh mesh_B);

  TriangleMesh mesh;
  std::vector<TargetTriangle> triangles;
  BoxTree tree;
  std::vector<TriangleLanes> lanes;                  ///< by cluster
  std::vector<TargetTriangle> triangles_by_cluster;  ///< in the order of the tree's primitives
  std::vector<std::array<FloatLanes3, 3>> corners;   ///< by cluster: the three corners
};

}  // namespace grouser
