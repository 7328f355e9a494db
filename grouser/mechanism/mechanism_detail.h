// What the sources of a mechanism have in common. Inside the mechanism room.
#pragma once

#include <cstddef>
#include <span>

#include "grouser/mechanism/mechanism.h"

namespace grouser::mechanism_detail {

/// Where constraints on positions are met [m], [rad]: rounding of kinematics over a few metres.
constexpr double kClosed = 1e-13;

inline Eigen::Index to_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

inline std::span<double> part(VecX& x, std::size_t first, std::size_t count) {
  return {x.data() + first, count};
}

}  // namespace grouser::mechanism_detail
