// Triangles of a mesh that lie in one plane, joined to convex faces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// The faces of a mesh: polygons, and which of them each triangle belongs to.
class FlatFaces {
 public:
  static constexpr std::size_t kMostCorners = 16;
  /// A convex polygon, counter-clockwise seen from outside, with no corner on a straight line.
  struct Polygon {
    std::vector<Vec3> corners;
    Vec3 normal;  // unit
    double area;
  };

  /// Of a mesh that outlives them.
  explicit FlatFaces(const TriangleMesh& mesh);

  /// Triangles that lead their face; those without area lead none.
  std::vector<std::int32_t> leaders() const;
  const Polygon& polygon(std::int32_t leader) const {
    return polygons_[static_cast<std::size_t>(leader)];
  }

  /// An edge of the mesh on the outline of a face.
  struct Piece {
    std::int32_t from, to;  // vertices
    std::int32_t beyond;    // leader of the face on the other side, or -1
  };
  /// For each triangle the outline of the face it leads; straight pieces to the same face are one.
  std::vector<std::vector<Piece>> outlines() const;

 private:
  std::int32_t leader(std::int32_t triangle) const;
  std::int32_t find_leader(std::int32_t triangle);
  void join_all();
  bool in_one_plane(const Polygon& a, const Polygon& b) const;
  bool join(std::int32_t a, std::int32_t b);
  void straighten(std::vector<Piece>& outline) const;
  bool continues(const Piece& piece, const Piece& next) const;

  const TriangleMesh& mesh_;
  std::vector<std::array<std::int32_t, 3>> beyond_;
  std::vector<std::int32_t> leader_;  // of the face, by way of others
  std::vector<Polygon> polygons_;     // of the face, for leaders
  double flat_ = 0.0;
};

}  // namespace grouser
