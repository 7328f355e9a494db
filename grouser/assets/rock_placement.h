// Throwing discs onto a rectangle so that none touches another (random sequential addition).
#pragma once

#include <vector>

#include "grouser/math/types.h"

namespace grouser {

/// Discs on a plane, found by where they are: a grid of cells, each with the discs that reach into
/// it. What it answers does not depend on the cells.
class DiscGrid {
 public:
  /// For centres in the rectangle; `cell` [m] is about the size of the most frequent disc.
  DiscGrid(const Vec2& lower, const Vec2& upper, double cell);

  /// Whether the disc keeps `gap` away from all others.
  bool is_free(const Vec2& center, double radius, double gap) const;
  void add(const Vec2& center, double radius);

 private:
  struct Disc {
    Vec2 center;
    double radius;
  };
  struct Link {
    std::int32_t disc, next;
  };
  struct Cells {
    std::int64_t x0, x1, y0, y1;
  };
  Cells cells_around(const Vec2& center, double reach) const;

  Vec2 lower_;
  double inverse_cell_;
  std::int64_t nx_, ny_;
  std::vector<std::int32_t> first_;  // per cell a link, or -1
  std::vector<Link> links_;
  std::vector<Disc> discs_;
};

}  // namespace grouser
