// Bounds above an elevation map: for every cell, for blocks of 2 x 2 cells, of 4 x 4, up to all.
//
// With them what lies under a ball is found in a time that does not depend on the size of the map.
// A bound holds for all of a cell's surface, which may rise above the nodes: it is the highest of
// the control points of its polynomial in Bernstein's form. Cells at the border of the map go on
// beyond it. Where the map goes on along its slope there is no bound out there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/map/elevation_map.h"

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
    const std::size_t level = level_for(ball.cells_x, ball.cells_y, kFirstSteps, kDescent);
    visit_blocks(ball, level, ball.cells_x.blocks(level), ball.cells_y.blocks(level), visit);
  }

  /// Above the surface over a cell [m].
  double bound(std::size_t ix, std::size_t iy) const {
    return base_ + spacing_ * double{levels_[0].at(ix, iy)};
  }
  /// Of all bounds [bytes].
  std::size_t memory() const;

 private:
  // Many blocks in one go cost less than few on many levels: up to 9 x 9 to begin with, then 4 x 4.
  static constexpr std::size_t kFirstSteps = 8, kDescent = 2;

  /// Bounds over blocks, in cells above `base_`.
  struct Level {
    std::size_t nx = 0, ny = 0;
    std::vector<float> bounds;  // [by * nx + bx]
    float at(std::size_t bx, std::size_t by) const {
      GROUSER_ASSERT(bx < nx && by < ny);
      return bounds[by * nx + bx];
    }
  };
  /// Cells, or blocks of them, along one axis.
  struct Range {
    std::size_t first, last;
    Range blocks(std::size_t level) const { return {first >> level, last >> level}; }
    /// Those that lie in a block kDescent levels above.
    Range within(std::size_t block) const {
      return {std::max(first, block << kDescent), std::min(last, ((block + 1) << kDescent) - 1)};
    }
    std::size_t steps() const { return last - first; }
  };
  /// Lengths in cells, from the origin of the map and from base_.
  struct Ball {
    double x, y, z, radius;
    Range cells_x, cells_y;  ///< under the ball
    bool beyond;             ///< reaches over a border without bound
  };
  static Range cells_over(double low, double high, std::size_t cells);
  /// The lowest level, of every `each`, at which ranges lie in `steps` + 1 blocks.
  static std::size_t level_for(const Range& x, const Range& y, std::size_t steps,
                               std::size_t each) {
    const std::size_t cells = std::max(x.steps(), y.steps());
    std::size_t level = 0;
    while ((steps << level) < cells) level += each;
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

  /// Which of the blocks of a row, from x.first on, have a column, from the bound down, that comes
  /// as near as the square root of `reach` at horizontal distances across^2: one bit each.
  unsigned near_blocks(const Ball& ball, std::size_t level, const Range& x, std::size_t by,
                       const double* across2, double reach) const {
    const float* bounds = levels_[level].bounds.data() + by * levels_[level].nx + x.first;
    unsigned near = 0;
    for (std::size_t i = 0; i <= x.steps(); ++i) {
      const double dz = std::max(0.0, ball.z - double{bounds[i]});
      near |= unsigned{across2[i] + dz * dz <= reach} << i;  // no branch: there is no pattern
    }
    if (ball.beyond)
      for (std::size_t i = 0; i <= x.steps(); ++i)
        near |= unsigned{near_beyond(ball, level, x.first + i, by)} << i;
    return near;
  }

  /// Descends into blocks that the ball comes near. There are no more than kFirstSteps + 1 each
  /// way.
  template <class Visit>
  void visit_blocks(const Ball& ball, std::size_t level, const Range& x, const Range& y,
                    Visit& visit) const {
    GROUSER_ASSERT(level < levels_.size() && level % kDescent == 0);
    GROUSER_ASSERT(x.first <= x.last && x.steps() <= kFirstSteps && y.first <= y.last);
    GROUSER_ASSERT(x.last < levels_[level].nx && y.last < levels_[level].ny);
    const auto square = [](double d) { return d * d; };
    std::array<double, kFirstSteps + 1> across2;
    for (std::size_t i = 0; i <= x.steps(); ++i)
      across2[i] = square(distance(ball.x, x.first + i, levels_[level].nx, level));
    for (std::size_t by = y.first; by <= y.last; ++by) {
      const double reach =
          square(ball.radius) - square(distance(ball.y, by, levels_[level].ny, level));
      unsigned near = near_blocks(ball, level, x, by, across2.data(), reach);
      for (; near != 0; near &= near - 1) {
        const std::size_t bx = x.first + static_cast<std::size_t>(std::countr_zero(near));
        if (level == 0) {
          visit(bx, by);
          continue;
        }
        const std::size_t below = level - kDescent;
        visit_blocks(ball, below, ball.cells_x.blocks(below).within(bx),
                     ball.cells_y.blocks(below).within(by), visit);
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
