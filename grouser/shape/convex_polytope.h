// The polytope of EPA: triangles between points on the surface of a convex body, around the origin.
//
// It grows into the body's surface: the face next to the origin is replaced by faces to a point
// beyond it. Any plane of a face is at most as far from the origin as the surface behind it.
#pragma once

#include <array>
#include <cstdint>

#include "grouser/shape/convex_simplex.h"

namespace grouser::convex {

class Polytope {
 public:
  static constexpr int kMaxVertices = 192;

  /// From four points that are not in one plane.
  explicit Polytope(const Simplex& tetrahedron);

  /// The face next to the origin that is not set aside; -1 if there is none.
  int nearest_face() const;
  const Vec3& normal(int face) const { return faces_[index(face)].normal; }
  double distance(int face) const { return distances_[index(face)]; }
  const DifferencePoint& point(int face, int corner) const {
    return points_[index(faces_[index(face)].corners[index(corner)])];
  }
  /// Share of each corner in the foot of the origin on the plane of the face; they add up to 1.
  std::array<double, 3> foot_weights(int face) const;
  /// Of the faces in the plane of this one, the one that holds the foot of the origin best.
  int face_with_foot(int face, double tolerance) const;
  /// Never to be the nearest again.
  void set_aside(int face) { distances_[index(face)] = kAside; }
  bool is_full() const { return point_count_ == kMaxVertices; }
  /// Replaces all faces that see the point, which must lie beyond this one. False: rounding has
  /// spoilt the polytope, it cannot grow further.
  bool grow(int face, const DifferencePoint& point, double tolerance);

 private:
  struct Face {
    Vec3 normal;  // zero: too narrow to have one
    std::array<std::int16_t, 3> corners;
    std::array<std::int16_t, 3> across;     // face beyond the edge from a corner to the next
    std::array<std::int8_t, 3> edge_there;  // which edge of that face it is
  };
  struct Edge {
    std::int16_t face;
    std::int8_t edge;
  };
  static constexpr double kAside = 1e300;
  static constexpr int kMaxFaces = 2 * kMaxVertices;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  bool sees(const Face& face, double distance, const Vec3& q, double tolerance) const {
    return face.normal.dot(q) > distance + tolerance;
  }
  int new_face(int a, int b, int c);
  void join(int face, int edge, int other, int other_edge);
  int find_horizon(int face, const Vec3& q, double tolerance);
  bool is_loop(int edges) const;

  std::array<DifferencePoint, kMaxVertices> points_;
  std::array<Face, kMaxFaces> faces_;
  std::array<double, kMaxFaces> distances_;  // of the planes from the origin
  std::array<double, kMaxFaces> planes_;     // the same, also of faces that are set aside
  std::array<std::int16_t, kMaxFaces> free_;
  std::array<bool, kMaxFaces> alive_;
  std::array<Edge, kMaxFaces> horizon_;
  int point_count_ = 0, face_count_ = 0, free_count_ = 0;
};

}  // namespace grouser::convex
