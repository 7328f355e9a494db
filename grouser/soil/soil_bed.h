// The ground of a window as erosion works on it. Inside the soil room, for soil_erosion.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grouser/soil/soil_flow.h"

namespace grouser::erosion {

using Index = std::ptrdiff_t;

constexpr Index kBlock = 4;           // nodes looked at together
constexpr Index kPairs = kBlock / 2;  // registers of a block
constexpr Index kMargin = 2;          // nodes beyond a row that a block may touch

/// A set of parts of a row, one bit each. Part k stands for the edges that start in it.
using Parts = std::uint64_t;
constexpr Index kMostParts = 64;

/// The window with rows of whole blocks and a margin. Nodes that soil neither reaches nor leaves,
/// and the margin, hold "not a number": every comparison with them says no, so nothing moves.
struct Bed {
  Index nx = 0, ny = 0, pitch = 0;
  Index part = kBlock;  ///< nodes of a part: one block, more where a row has too many
  double* change = nullptr;
  double* ground = nullptr;  ///< none: flat
  double* active = nullptr;  ///< all bits or none; none: all
  // By row: parts of the row with an active node; parts to look at because of what the last sweep
  // changed (at first: because they may be too steep) and because of what this one did; parts with
  // changes since the start. `now` has a row before the first.
  Parts *allowed = nullptr, *before = nullptr, *now = nullptr, *touched = nullptr;
  Parts all = 0;         ///< every part of a row
  double* flow[4] = {};  ///< rows of flows, one behind the other; zero between passes
};

/// With the ones before and after.
inline Parts widened(Parts parts) {
  return parts | parts << 1 | parts >> 1;
}

Bed make_bed(const SoilField& field, std::span<const std::uint8_t> active, Scratch& scratch);
/// Writes back what changed; nodes that were left out keep what they had.
void write_back(const Bed& bed, std::span<double> change);

}  // namespace grouser::erosion
