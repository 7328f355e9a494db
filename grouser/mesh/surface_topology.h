// Which triangles of a surface share which edges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Built once. Every edge has one triangle on its left and one on its right, or none on one side if
/// it lies on the border of an open sheet.
class SurfaceTopology {
 public:
  /// From vertex a to vertex b, a < b. The left triangle runs from a to b, the right one from b to
  /// a; -1 if there is none.
  struct Edge {
    std::int32_t a;
    std::int32_t b;
    std::int32_t left;
    std::int32_t right;

    bool on_border() const { return left < 0 || right < 0; }
    std::int32_t across(std::int32_t triangle) const { return triangle == left ? right : left; }
  };

  /// Borders that come nearer to each other than this times the diagonal of the mesh's box, but do
  /// not share vertices, are a crack.
  static constexpr double kCrackWidth = 1e-6;

  /// Throws InputError, starting with `name`, if the mesh is not usable (see require_usable) or has
  /// what a search from triangle to triangle cannot cross, saying what and how often: triangles
  /// that name a vertex twice, degenerate triangles, vertices at the place of another one, edges
  /// with more than two triangles, edges run through twice in the same direction, and cracks.
  /// Borders and vertices without triangles are fine.
  SurfaceTopology(const TriangleMesh& mesh, const std::string& name);

  std::size_t vertex_count() const { return first_edge_.size() - 1; }
  std::span<const std::array<std::int32_t, 3>> triangles() const { return triangles_; }
  std::span<const Edge> edges() const { return edges_; }
  const Edge& edge(std::int32_t number) const { return edges_[static_cast<std::size_t>(number)]; }

  /// Edge k runs from corner k to the next one.
  const std::array<std::int32_t, 3>& edges_of(std::int32_t triangle) const {
    return triangle_edges_[static_cast<std::size_t>(triangle)];
  }
  /// In ascending order.
  std::span<const std::int32_t> edges_around(std::int32_t vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(vertex_edges_).subspan(first_edge_[v], first_edge_[v + 1] - first_edge_[v]);
  }
  /// Whether there is no border.
  bool closed() const { return closed_; }

 private:
  void find_edges();
  void find_edges_around_vertices(std::size_t vertex_count);

  std::vector<std::array<std::int32_t, 3>> triangles_;
  std::vector<Edge> edges_;
  std::vector<std::array<std::int32_t, 3>> triangle_edges_;
  std::vector<std::size_t> first_edge_;  // vertex v has vertex_edges_[first[v] .. first[v + 1])
  std::vector<std::int32_t> vertex_edges_;
  bool closed_ = true;
};

}  // namespace grouser
