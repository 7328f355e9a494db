// The connected parts of a footprint: how large they are and how long their outline is.
#pragma once

#include <cstdint>
#include <span>

#include "grouser/base/scratch.h"

namespace grouser {

/// A cell counts as covered from here on: half of it, though rounding may say a little less. Wheels
/// whose edge runs along a line of nodes would else gain and lose all of them at random.
inline constexpr double kHalfCovered = 0.5 - 1e-6;

/// Where an object is in the ground, on a window of nodes, row after row. The outermost nodes are
/// outside.
struct SoilFootprint {
  int nx = 0, ny = 0;
  double spacing = 0.0;              ///< [m]
  std::span<const double> depth;     ///< of the object below the ground [m]; negative above it
  std::span<const double> coverage;  ///< share of the node's cell under the object
};

struct SoilPatch {
  double area = 0.0;       ///< [m^2]
  double perimeter = 0.0;  ///< [m]
  /// Bekker's b for any outline: the width of a long strip, the radius of a disc.
  double width() const { return 2.0 * area / perimeter; }
};

/// Nodes belong together that touch along a side of their cells. The outline runs where the depth,
/// or the share that is covered, says it does between two nodes, not along the cells' sides: no
/// staircase. `labels`: the number of a node's patch, -1 outside. The answer lives in scratch.
std::span<SoilPatch> find_patches(const SoilFootprint& footprint, std::span<std::int32_t> labels,
                                  Scratch& scratch);

}  // namespace grouser
