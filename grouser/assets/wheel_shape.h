// A wheel with every choice made and checked: what the parts of the generator build from.
#pragma once

#include <string>
#include <vector>

#include "grouser/assets/wheel.h"

namespace grouser {

struct WheelShape {
  WheelDef def;               ///< without zeros that stand for a choice
  double cell = 0.0;          ///< how long the sides of cells may be [m]
  double lowest_tread = 0.0;  ///< smallest radius of the tread
  double inner_radius = 0.0;  ///< of the rim, or of the feet

  /// How far the tread lies below def.radius at y.
  double drop(double y) const;
  double tread_radius(double y) const { return def.radius - drop(y); }

  // Grousers.
  double grouser_height(double y) const;
  /// Of the middle line of a grouser against where it crosses y = 0 [rad].
  double grouser_shift(double y) const;
  /// Half of a grouser's thickness along the circumference, `height` above the tread [m].
  double grouser_half_thickness(double height) const;
  double grouser_pitch() const { return 2.0 * kPi / def.grouser_count; }

  /// Places across the width where a row of vertices must lie, ascending: the sides, the middle,
  /// ends of grousers and corners of the curve.
  std::vector<double> breaks() const;
};

/// Checks ranges and what parameters demand of each other. Throws InputError with `place`; keys
/// stand below `path`.
WheelShape resolve_wheel(const WheelDef& definition, const Place& place, const std::string& path);

/// About how many triangles the wheel will have, rather too many than too few.
double estimated_triangles(const WheelShape& shape);

}  // namespace grouser
