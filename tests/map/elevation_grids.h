// Grids of heights that tests of elevation maps share.
#pragma once

#include <functional>
#include <limits>

#include "grouser/base/random.h"
#include "grouser/map/elevation_map.h"

namespace grouser {

using Kind = ElevationMap::Kind;
using Border = ElevationMap::Border;

inline constexpr Kind kKinds[] = {Kind::bilinear, Kind::cubic, Kind::quintic, Kind::bspline};
/// Those with a slope everywhere.
inline constexpr Kind kSmoothKinds[] = {Kind::cubic, Kind::quintic, Kind::bspline};
inline constexpr Border kBorders[] = {Border::clamp, Border::extrapolate};

/// Heights z(x, y) at the nodes.
inline ElevationGrid sampled(std::size_t nx, std::size_t ny, double spacing, const Vec2& origin,
                             const std::function<double(double, double)>& z) {
  ElevationGrid grid{origin, spacing, nx, ny, {}};
  for (std::size_t iy = 0; iy < ny; ++iy)
    for (std::size_t ix = 0; ix < nx; ++ix)
      grid.heights.push_back(z(origin.x() + spacing * static_cast<double>(ix),
                               origin.y() + spacing * static_cast<double>(iy)));
  return grid;
}

/// Heights as rough as the grid can have them: slopes of size 1.
inline ElevationGrid random_grid(Random& random, std::size_t nx, std::size_t ny, double spacing,
                                 const Vec2& origin = Vec2::Zero()) {
  return sampled(nx, ny, spacing, origin,
                 [&](double, double) { return random.uniform(-1.0, 1.0) * spacing; });
}

/// The grid with a gap at some nodes.
inline ElevationGrid with_gaps(ElevationGrid grid,
                               const std::function<bool(std::size_t ix, std::size_t iy)>& gap) {
  for (std::size_t iy = 0; iy < grid.ny; ++iy)
    for (std::size_t ix = 0; ix < grid.nx; ++ix)
      if (gap(ix, iy)) grid.heights[iy * grid.nx + ix] = std::numeric_limits<double>::quiet_NaN();
  return grid;
}

/// A name for messages of tests.
inline const char* name_of(Kind kind) {
  constexpr const char* kNames[] = {"bilinear", "cubic", "quintic", "bspline"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace grouser
