// Gaps of elevation maps: where they are, and heights to go on with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grouser/map/elevation_map.h"

namespace grouser {

/// Numbers of the nodes whose height is not finite, in order.
std::vector<std::size_t> gaps_of(std::span<const double> heights);

/// All heights, with smooth ones in the gaps that lie between the lowest and the highest around.
/// Precondition: `gaps` are those of the grid, and not all of it.
std::vector<double> heights_without_gaps(const ElevationGrid& grid,
                                         std::span<const std::size_t> gaps);

}  // namespace grouser
