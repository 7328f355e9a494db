// The textbook way to a bicubic surface, as a peer: slopes and twist at the corners of a cell by
// central differences, 16 coefficients from them, and the polynomial with its derivatives.
#pragma once

#include "grouser/map/elevation_map.h"

namespace grouser {

class PlainBicubic {
 public:
  explicit PlainBicubic(const ElevationGrid& grid) : grid_(grid) {}
  /// Precondition: at least one cell away from the border.
  SurfaceHeight at(double x, double y) const;

 private:
  const ElevationGrid& grid_;
};

/// Height and slopes only, of a bilinear surface. Same precondition.
SurfaceHeight plain_bilinear(const ElevationGrid& grid, double x, double y);

}  // namespace grouser
