// Where benchmarks ask elevation maps.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/math/types.h"

namespace grouser {

/// All over a map of `nodes` by `nodes`, away from its border.
inline std::vector<Vec2> random_points(std::size_t count, std::size_t nodes, double spacing) {
  Random random(2);
  const double end = spacing * static_cast<double>(nodes - 3);
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < count; ++i)
    out.emplace_back(random.uniform(spacing, end), random.uniform(spacing, end));
  return out;
}

/// A millimetre from point to point, on a circle of this radius [m].
inline std::vector<Vec2> path_on_circle(std::size_t count, Vec2 start, double radius) {
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double heading = 1e-3 / radius * static_cast<double>(i);
    start += 1e-3 * Vec2(std::cos(heading), std::sin(heading));
    out.push_back(start);
  }
  return out;
}

}  // namespace grouser
