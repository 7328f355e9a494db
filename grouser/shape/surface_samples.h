// Places all over a smooth surface: where a search for contacts may start, and which of them are
// near something.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/shape/smooth_surface.h"

namespace grouser {

/// The middles of all cells of the grids of a surface, and a tree of balls around them. A ball
/// covers the surface over its cells, as far as their corners, edges and curvatures tell.
class SurfaceSamples {
 public:
  struct Sample {
    SurfaceCoordinates at;
    Vec3 p;
  };

  /// `coarser`: that many times as long are the cells, at least two each way.
  explicit SurfaceSamples(const SmoothSurface& surface, double coarser = 1.0);

  int size() const { return static_cast<int>(cells_.size()); }
  const Sample& sample(int i) const { return cell(i).sample; }

  /// Up to eight cells around this one, also across the border of a chart or a period.
  std::span<const std::int32_t> neighbours(int i) const {
    return {cell(i).neighbours.data(), static_cast<std::size_t>(cell(i).neighbour_count)};
  }

  /// Calls leaf(i) for all cells with may(centre, radius) true for their ball and for all that are
  /// around it. Allocates nothing.
  template <class May, class Leaf>
  void visit(May&& may, Leaf&& leaf) const {
    for (std::size_t i = 0; i < balls_.size();) {
      const Ball& ball = balls_[i];
      const bool enter = may(ball.centre, ball.radius);
      if (enter && ball.cell >= 0) leaf(int{ball.cell});
      i = enter ? i + 1 : ball.after;
      GROUSER_ASSERT(i <= balls_.size());
    }
  }

  /// The sample nearest to a point.
  int nearest(const Vec3& p) const;

 private:
  struct Cell {
    Sample sample;
    double radius = 0.0;  // of a ball around the sample that covers the cell
    std::array<std::int32_t, 8> neighbours = {};
    int neighbour_count = 0;
  };
  /// In the order of a walk that goes down first: the ball within this one follows it.
  struct Ball {
    Vec3 centre;
    double radius = 0.0;
    std::size_t after = 0;   // the next ball that is not within this one
    std::int32_t cell = -1;  // of a leaf
  };

  const Cell& cell(int i) const {
    GROUSER_ASSERT(i >= 0 && i < size());
    return cells_[static_cast<std::size_t>(i)];
  }
  void add_cells(const SmoothSurface& surface, const SmoothSurface::Grid& grid);
  void add_neighbours(const SmoothSurface& surface, std::span<const SmoothSurface::Grid> grids);
  void add_balls(std::span<std::int32_t> cells);

  std::vector<Cell> cells_;
  std::vector<Ball> balls_;
};

/// Two triangles per cell of the grids, joined where charts or periods meet.
TriangleMesh mesh_of_grids(const SmoothSurface& surface,
                           std::span<const SmoothSurface::Grid> grids);

}  // namespace grouser
