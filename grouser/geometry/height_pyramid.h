// Bounds above an elevation map: for every cell, for blocks of 2 x 2 cells, of 4 x 4, up to all.
//
// With them what lies under a ball is found in a time that does not depend on the size of the map.
// A bound holds for all of a cell's surface, which may rise above the nodes: it is the highest of
// the control points of its polynomial in Bernstein's form. Cells at the border of the map go on
// beyond it. Where the map goes on along its slope there is no bound out there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "grouser/geometry/elevation_map.h"

namespace grouser {

class HeightPyramid {
 public:
  /// Does not need the map any more afterwards. Gaps have bounds, too: of what they are filled
  /// with.
  explicit HeightPyramid(const ElevationMap& map);

  /// Not less than any height over [x0, x1] x [y0, y1]; infinite if that reaches beyond a border
  /// without bound.
  double max_over(double x0, double x1, double y0, double y1) const;

  /// Calls visit(ix, iy) for all cells of which something at or below the bound comes within
  /// `radius` of `centre`, in an order that is always the same. Cells at the border of the map go
  /// on beyond it, without a bound if the map goes on along its slope.
  template <class Visit>
  void visit_cells(const Vec3& centre, double radius, Visit&& visit) const {
    const Ball ball = in_cells(centre, radius);
    const std::size_t level = level_for(ball.cells_x, ball.cells_y, kFirstSteps);
    visit_blocks(ball, level, ball.cells_x.blocks(level), ball.cells_y.blocks(level), visit);
  }

  /// Above the surface over a cell [m].
  double bound(std::size_t ix, std::size_t iy) const {
    return base_ + spacing_ * double{levels_[0].at(ix, iy)};
  }
  /// Of all bounds [bytes].
  std::size_t memory() const;

 private:
  /// Bounds over blocks, in cells above `base_`.
  struct Level {
    std::size_t nx = 0, ny = 0;
    std::vector<float> bounds;  // [by * nx + bx]
    float at(std::size_t bx, std::size_t by) const { return bounds[by * nx + bx]; }
  };
  /// Cells, or blocks of them, along one axis.
  struct Range {
    std::size_t first, last;
    Range blocks(std::size_t level) const { return {first >> level, last >> level}; }
    /// Those of a block one level below.
    Range within(std::size_t block) const {
      return {std::max(first, 2 * block), std::min(last, 2 * block + 1)};
    }
    std::size_t steps() const { return last - first; }
  };
  /// Lengths in cells, from the origin of the map and from base_.
  struct Ball {
    double x, y, z, radius;
    Range cells_x, cells_y;  ///< under the ball
    bool beyond;             ///< reaches over a border without bound
  };
  // Fewer blocks to begin with let more of them be looked at in vain.
  static constexpr std::size_t kFirstSteps = 4;

  static Range cells_over(double low, double high, std::size_t cells);
  /// The lowest level at which ranges lie in `steps` + 1 blocks.
  static std::size_t level_for(const Range& x, const Range& y, std::size_t steps) {
    const std::size_t cells = std::max(x.steps(), y.steps());
    std::size_t level = 0;
    while ((steps << level) < cells) ++level;
    return level;
  }
  Ball in_cells(const Vec3& centre, double radius) const;
  bool reaches_beyond(double x0, double x1, double y0, double y1) const;
  bool near_beyond(const Ball& ball, std::size_t level, std::size_t bx, std::size_t by) const;

  /// From a coordinate to a block; those at the border have no end there.
  static double distance(double x, std::size_t block, std::size_t count, std::size_t level) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const double low = block == 0 ? -kFar : static_cast<double>(block << level);
    const double high = block + 1 == count ? kFar : static_cast<double>((block + 1) << level);
    return std::max(0.0, std::max(low - x, x - high));
  }

  /// Descends into blocks whose column, from the bound down, the ball comes near.
  template <class Visit>
  void visit_blocks(const Ball& ball, std::size_t level, const Range& x, const Range& y,
                    Visit& visit) const {
    const Level& blocks = levels_[level];
    const double reach = ball.radius * ball.radius;
    for (std::size_t by = y.first; by <= y.last; ++by) {
      const double dy = distance(ball.y, by, blocks.ny, level);
      for (std::size_t bx = x.first; bx <= x.last; ++bx) {
        const double dx = distance(ball.x, bx, blocks.nx, level);
        const double dz = std::max(0.0, ball.z - double{blocks.at(bx, by)});
        if (dx * dx + dy * dy + dz * dz > reach &&
            !(ball.beyond && near_beyond(ball, level, bx, by)))
          continue;
        if (level == 0)
          visit(bx, by);
        else
          visit_blocks(ball, level - 1, ball.cells_x.blocks(level - 1).within(bx),
                       ball.cells_y.blocks(level - 1).within(by), visit);
      }
    }
  }

  Vec2 origin_;
  double spacing_, inverse_spacing_;
  double base_;   // height that bounds are counted from, so that floats are exact enough [m]
  bool endless_;  // no bound beyond the border
  std::vector<Level> levels_;
};

}  // namespace grouser
