// Runs of pieces of a curve within balls. Inside the geometry room only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Pieces in one run: about as many balls to ask for as pieces within one of them.
inline std::size_t pieces_per_group(std::size_t pieces) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(pieces)));
  return std::clamp<std::size_t>(root, 4, 32);
}

/// Runs of pieces, each with a ball around `points_of(piece)`, whose hull holds the piece.
template <class Group, class PointsOf>
std::vector<Group> make_groups(std::size_t pieces, const PointsOf& points_of) {
  std::vector<Group> groups;
  const std::size_t each = pieces_per_group(pieces);
  for (std::size_t begin = 0; begin < pieces; begin += each) {
    Group group{Vec3::Zero(), 0.0, begin, std::min(begin + each, pieces)};
    Box box;
    for (std::size_t i = begin; i < group.end; ++i) {
      for (const Vec3& point : points_of(i)) box.add(point);
    }
    group.center = box.center();
    GROUSER_ASSERT(!box.empty());
    for (std::size_t i = begin; i < group.end; ++i) {
      for (const Vec3& point : points_of(i)) {
        group.radius = std::max(group.radius, (point - group.center).norm());
      }
    }
    // A place on the very surface of the ball must not be lost by rounding.
    group.radius *= 1.0 + 1e-12;
    groups.push_back(group);
  }
  return groups;
}

}  // namespace grouser
