// A convex polyhedron that planes cut smaller and smaller, until it is what two bodies share.
#pragma once

#include <array>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/math/types.h"

namespace grouser {

/// The half-space normal . x <= offset; unit normal.
struct LensPlane {
  Vec3 normal;
  double offset;
  /// Not a face of the body but where it was cut off, away from the other one.
  bool is_cutoff = false;
};

/// A closed polyhedron of half-edges. Which vertices a plane cuts off is asked once per vertex, so
/// it stays closed however rounding answers; faces in one plane do no harm.
class LensCell {
 public:
  struct HalfEdge {
    int next;    // in its face, counter-clockwise seen from outside
    int twin;    // runs the other way, in the face beside
    int origin;  // vertex
    int face;
  };
  struct Face {
    int edge;        // one of its half-edges
    int plane;       // number of the plane among those of its body
    bool of_cutter;  // its body
  };

  explicit LensCell(Scratch& scratch) : scratch_(scratch) {}

  /// Sides k from column k to the next one, then the lower and the upper lid, are faces 0, 1, ...
  /// Columns counter-clockwise seen from above. `vertices`: all lower ends, then all upper ones.
  void start_prism(std::span<const Vec3> vertices);
  /// Sides k from ring vertex k to the next one, then the base. `vertices`: the ring, the apex.
  void start_pyramid(std::span<const Vec3> vertices);
  /// Any polyhedron, or the faces around those of its vertices that are below a plane: what is
  /// above it must be cut off at once, by cut_patch(). Twins of half-edges that lie above may be
  /// missing. Half-edges come face by face.
  struct Patch {
    std::span<const Vec3> vertices;
    std::span<const int> first_edge;  ///< by face, and one more
    std::span<const int> origins;     ///< by half-edge
    std::span<const int> twins;
  };
  void start_patch(const Patch& patch);
  void cut_patch(const LensPlane& plane);

  /// Removes what lies outside the plane. False: nothing is left.
  bool cut(const LensPlane& plane, int number);

  /// Faces that are left and those that are gone.
  std::span<const Face> faces() const {
    return {faces_.data(), static_cast<std::size_t>(face_count_)};
  }
  bool is_left(const Face& face) const { return !gone_[at(edges_[at(face.edge)].origin)]; }
  const HalfEdge& edge(int number) const { return edges_[at(number)]; }
  const Vec3& position(int vertex) const { return positions_[at(vertex)]; }
  /// Vertices that are left.
  std::span<const int> vertices() const {
    return {left_.data(), static_cast<std::size_t>(left_count_)};
  }

 private:
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  void take(std::size_t vertices, std::size_t edges, std::size_t faces);
  void grow(int exits);
  void set_vertices(std::span<const Vec3> vertices);
  void set_edge(int number, int next, int twin, int origin, int face);
  int measure(const LensPlane& plane);
  void add_exit(int edge);
  void find_exits();
  void find_exits_of_patch();
  void drop_vertices_outside();
  void split_exits();
  void close(int plane, bool of_cutter);

  /// For most cells this is enough. Not initialised.
  struct Room {
    Room() {}
    std::array<Vec3, 96> positions;
    std::array<double, 96> heights;
    std::array<char, 96> gone;
    std::array<int, 96> outgoing;
    std::array<int, 96> left;
    std::array<HalfEdge, 320> edges;
    std::array<Face, 64> faces;
    std::array<int, 64> exits;
    std::array<int, 64> cap_from;
  };

  Scratch& scratch_;
  Room room_;
  std::span<Vec3> positions_;
  std::span<double> heights_;  // above the cutting plane
  std::span<char> gone_;       // cut off
  std::span<int> outgoing_;    // one half-edge that starts at the vertex
  std::span<int> left_;
  std::span<HalfEdge> edges_;
  std::span<Face> faces_;
  std::span<int> exits_;     // half-edges from a vertex inside to one outside
  std::span<int> cap_from_;  // half-edge of the new face that starts at a new vertex
  int vertex_count_ = 0;
  int left_count_ = 0;
  int edge_count_ = 0;
  int face_count_ = 0;
  int exit_count_ = 0;
};

}  // namespace grouser
