// What elevation maps and their patches share: coordinates in cells, and what lies beyond the map.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "grouser/base/assert.h"
#include "grouser/map/elevation_map.h"

namespace grouser {

/// A coordinate along one axis, in cells.
struct AlongCells {
  std::size_t cell;
  double t;       // within the cell, [0, 1]
  double beyond;  // the border: < 0, or > 0, or 0 on the map [cells]
};

/// What is not a number is beyond the map, in some cell of it.
inline AlongCells along_cells(double x, std::size_t nodes) {
  GROUSER_ASSERT(nodes >= 2);
  const auto last = static_cast<double>(nodes - 1);
  const double on = std::clamp(x, 0.0, last);
  const auto cell = static_cast<std::int64_t>(std::min(last - 1.0, on));
  GROUSER_ASSERT(cell >= 0 && static_cast<std::size_t>(cell) + 2 <= nodes);
  return {static_cast<std::size_t>(cell), on - static_cast<double>(cell), x - on};
}

/// [i][j]: the i-th derivative along x of the j-th along y, in cells.
using CellDerivatives = std::array<std::array<double, 3>, 3>;

/// Derivatives 0, 1, 2 along one axis, continued beyond the border.
inline void continue_beyond(double& value, double& slope, double& curvature, double beyond,
                            ElevationMap::Border border) {
  if (border == ElevationMap::Border::clamp)
    slope = 0.0;
  else
    value += beyond * slope;
  curvature = 0.0;
}

/// The surface `x` and `y` cells beyond the place on the border where it has derivatives d;
/// s is one over the spacing.
inline SurfaceHeight continued_beyond(CellDerivatives d, double x, double y,
                                      ElevationMap::Border border, double s, bool known) {
  if (x != 0.0)
    for (std::size_t j = 0; j < 3; ++j) continue_beyond(d[0][j], d[1][j], d[2][j], x, border);
  if (y != 0.0)
    for (std::size_t i = 0; i < 3; ++i) continue_beyond(d[i][0], d[i][1], d[i][2], y, border);
  const double s2 = s * s;
  return {d[0][0],      s * d[1][0],  s * d[0][1], s2 * d[2][0],
          s2 * d[1][1], s2 * d[0][2], false,       known};
}

}  // namespace grouser
