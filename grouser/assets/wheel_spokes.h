// Cylinder walls with windows for spokes, and the spokes between them.
#pragma once

#include <vector>

#include "grouser/assets/wheel_surface.h"

namespace grouser {

/// Evenly spaced, straight, with flat flanks.
struct Spokes {
  int count;
  double width;  ///< along the circumference
  double depth;  ///< along the axis
  int columns;   ///< cells across the width
  int rows;      ///< and the depth

  double pitch() const { return 2.0 * kPi / count; }
  double middle(int spoke) const { return pitch() * spoke; }
  /// Corner (column, row) of the cross-section of a spoke, at a distance from the axis.
  WheelPoint point(int spoke, int column, int row, double radius) const;
};
Spokes plan_spokes(const WheelSurface& surface, int count, double width, double depth);

/// A wall around the axis with one window per spoke.
struct SpokeWall {
  WheelGrid grid;
  std::vector<GridWindow> windows;
  WheelLoop left;
  WheelLoop right;
};
SpokeWall add_spoke_wall(WheelSurface& surface, const Spokes& spokes, double radius, double width,
                         Facing facing);

/// A spoke between two windows.
void add_spoke(WheelSurface& surface, const Spokes& spokes, int spoke, double from_radius,
               double to_radius, const std::vector<std::int32_t>& from,
               const std::vector<std::int32_t>& to);

/// From -to to to with rows at -inner and inner: `rows` of them between, cells on either side.
std::vector<double> rows_around(const WheelSurface& surface, double inner, int rows, double outer);
/// Cells on either side of it.
int rows_beside(const WheelSurface& surface, double inner, double outer);

}  // namespace grouser
