// What is refused in lists of points. Inside the geometry room only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/math/types.h"

namespace grouser {

/// "a curve needs at least 2 points, has 1"
inline void require_points(const std::vector<Vec3>& points, std::size_t least,
                           const std::string& what) {
  if (points.size() < least) {
    throw InputError(what + " needs at least " + std::to_string(least) + " points, has " +
                     std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      throw InputError("point " + std::to_string(i + 1) + " has a coordinate that is not finite");
    }
  }
}

/// Refuses points that are the same as the next one; `closed`: also the last and the first.
inline void require_distinct_neighbours(const std::vector<Vec3>& points, bool closed) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (points[i] == points[i + 1]) {
      throw InputError("points " + std::to_string(i + 1) + " and " + std::to_string(i + 2) +
                       " coincide");
    }
  }
  if (closed && points.front() == points.back()) {
    throw InputError("the last point repeats the first one; a closed curve closes by itself");
  }
}

}  // namespace grouser
