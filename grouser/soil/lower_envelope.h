// The underside of a body over a regular grid: how low it reaches over every node, and how much of
// the node's cell it covers.
//
// Heights are those of the triangles, exact at the nodes. Coverage is the exact area of the
// projection, summed along its outline by Green's theorem as font rasterisers do, so that it
// changes continuously when the body moves and forces do not jump from node to node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/scratch.h"
#include "grouser/math/spatial.h"
#include "grouser/mesh/box_tree.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A rectangle of nodes of a regular grid. Node (ix, iy) stands at spacing * (ix, iy) in the grid's
/// frame T; the nodes of a window are counted row by row. A node's cell is the square of side
/// `spacing` around it.
struct GridWindow {
  std::int64_t ix0 = 0;
  std::int64_t iy0 = 0;
  int nx = 0;
  int ny = 0;

  bool empty() const { return nx <= 0 || ny <= 0; }
  std::size_t size() const {
    return empty() ? 0 : static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  }
  bool contains(std::int64_t ix, std::int64_t iy) const {
    return ix >= ix0 && ix < ix0 + nx && iy >= iy0 && iy < iy0 + ny;
  }
  /// Number of a node in the window; precondition: contains(ix, iy).
  std::size_t index(std::int64_t ix, std::int64_t iy) const {
    GROUSER_ASSERT(contains(ix, iy));
    return static_cast<std::size_t>((iy - iy0) * nx + (ix - ix0));
  }
  bool operator==(const GridWindow&) const = default;
};

/// Prepared once from a mesh in frame B, then only read.
///
/// Of a closed mesh the triangles that look down are the underside. A mesh that is not closed may
/// be a sheet seen from either side: all its triangles count.
///
/// Neighbouring triangles in one plane are joined to convex faces first: a wheel of 14,000
/// triangles with straight grousers has 2,200 faces. A mesh of small triangles in no common plane
/// costs about five times as much per area.
class LowerEnvelope {
 public:
  /// No window has more nodes.
  static constexpr double kMostNodes = 1e9;
  /// Coverage below this is rounding.
  static constexpr double kLeastCoverage = 1e-12;

  /// Throws InputError if the mesh is not usable, see require_usable.
  explicit LowerEnvelope(const TriangleMesh& mesh);

  /// Nodes over whose cells the part of the mesh below `ceiling` [m] can be, plus one all around.
  /// Empty if there is no such part, the pose is not finite or there would be more than kMostNodes.
  GridWindow window(const Pose& X_TB, double spacing,
                    double ceiling = std::numeric_limits<double>::infinity()) const;

  /// Nothing of the mesh has a smaller z in T [m]. From its bounding box.
  double lowest(const Pose& X_TB) const;

  struct Request {
    Pose X_TB;
    double spacing = 0.0;  ///< [m]
    GridWindow window;     ///< may be smaller than the mesh, or larger
    double ceiling = std::numeric_limits<double>::infinity();  ///< what is higher is of no interest
  };

  /// height[node]: lowest z in T of the mesh over the node. Where the mesh covers some of the cell
  /// but not the node itself: z of its outline where that comes nearest to the node, in the cell.
  /// +infinity where it covers none of the cell. Of walls steeper than 20:1, fully from 40:1 on,
  /// their foot in the cell counts instead: whether they lean in or out a little makes no
  /// difference.
  ///
  /// coverage[node]: the share of the cell, 0 to 1, over which there is some of the mesh that lies
  /// less than one spacing above the ceiling. (Cut there, not left out triangle by triangle, so
  /// that it is continuous. The spacing more gives cells at the ceiling their full share if the
  /// mesh is not much steeper than 45 degrees.) Where the mesh lies above itself the shares add up,
  /// to at most 1; those of the two sides of an open mesh do not, the larger one counts.
  ///
  /// height is +infinity if and only if coverage is 0. Where the height is above the ceiling both
  /// may be anything. The lowest point over a node is never lost if it is not above the ceiling.
  ///
  /// Both have window.size() numbers. A pose that is not finite covers nothing.
  void find(const Request& request, Scratch& scratch, std::span<double> height,
            std::span<double> coverage) const;

  /// The same by vertices alone (Krenn 2008, equations 9 and 10, with the nearest node in place of
  /// truncation): height is that of the lowest vertex in the cell, coverage 1 if there is one. For
  /// meshes with edges shorter than the spacing.
  void find_by_vertices(const Request& request, Scratch& scratch, std::span<double> height,
                        std::span<double> coverage) const;

  /// Of the mesh [m].
  double longest_edge() const { return longest_edge_; }
  bool closed() const { return closed_; }
  std::size_t face_count() const { return face_tree_.size(); }

 private:
  /// Eight faces that are near each other, and the places of their corners and outlines.
  struct Cluster {
    alignas(16) double normal_x[kLanes], normal_y[kLanes], normal_z[kLanes];  ///< or zero: no face
    std::int32_t first_place;
    std::int32_t place_count;  ///< even; x of all, then y, then z
  };
  struct Face {
    std::int32_t first_corner;
    std::int32_t corner_count;
    std::int32_t first_border;
    std::int32_t border_count;
  };
  /// A piece of a face's outline, and the face on the other side of it.
  struct Border {
    std::uint32_t from, to;  ///< places in the cluster
    std::int32_t beyond;     ///< number of the face + 1; 0 if there is none
  };
  /// A face as it is prepared: corners, and pieces of the outline by their ends.
  struct Outlined {
    std::vector<Vec3> corners, ends;
  };
  class Drawing;

  void prepare_vertices(const TriangleMesh& mesh);
  void prepare_faces(const TriangleMesh& mesh);
  void prepare_places(std::span<const Outlined> faces);
  void draw_faces(Drawing& drawing, Scratch& scratch) const;
  struct Places;
  void draw_cluster(Drawing& drawing, std::size_t c, std::span<const std::uint8_t> sides,
                    const Places& places) const;

  bool closed_ = true;
  double longest_edge_ = 0.0;
  double margin_ = 0.0;  // rounding of a box's place in single precision [m]
  Box box_;
  BoxTree face_tree_;
  BoxTree vertex_tree_;
  // Faces stand in the order of face_tree_, vertices in that of vertex_tree_.
  std::vector<Cluster> clusters_;
  std::vector<double> places_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> corners_;  // places in the cluster; the first one twice more
  std::size_t most_places_ = 0;         // of a cluster
  std::vector<Border> borders_;
  std::vector<Vec3> vertices_;
};

}  // namespace grouser
