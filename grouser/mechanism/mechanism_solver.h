// What the sources of Mechanism have in common. Inside the mechanism room.
#pragma once

#include <cstddef>
#include <span>

#include "grouser/mechanism/mechanism.h"
#include "grouser/mechanism/semidefinite.h"

namespace grouser {

struct Mechanism::Solver : SemidefiniteSolver {};

namespace mechanism_detail {

inline Eigen::Index to_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

inline std::span<double> part(VecX& x, std::size_t first, std::size_t count) {
  return {x.data() + first, count};
}

}  // namespace mechanism_detail

}  // namespace grouser
