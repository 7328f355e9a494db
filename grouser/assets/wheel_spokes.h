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
  /// Of vertices of the cross-section: from the middle plane, and y.
  double across(int column) const;
  double along(int row) const;
};
Spokes plan_spokes(const WheelSurface& surface, int count, double width, double depth);

/// A wall around the axis with one window per spoke.
struct SpokeWall {
  WheelGrid grid;
  std::vector<RimWindow> windows;
  WheelLoop left;
  WheelLoop right;
};
SpokeWall add_spoke_wall(WheelSurface& surface, const Spokes& spokes, double radius, double width,
                         Facing facing);

/// A spoke between two windows.
void add_spoke(WheelSurface& surface, const Spokes& spokes, int spoke, double from_radius,
               double to_radius, const std::vector<std::int32_t>& from,
               const std::vector<std::int32_t>& to);

/// From -outer to outer with `rows` cells between -inner and inner and more on either side.
std::vector<double> rows_around(const WheelSurface& surface, double inner, int rows, double outer);
/// How many on either side.
int rows_beside(const WheelSurface& surface, double inner, double outer);

}  // namespace grouser
