// Puts a rover on the ground.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "grouser/map/elevation_map.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

/// Height of a [[soil]] of the world as it is before anything has moved.
class GroundHeight {
 public:
  explicit GroundHeight(const SoilGroundDef& soil);
  /// [m], in the world.
  double at(double x, double y) const;

 private:
  Pose X_WT_;
  std::optional<ElevationMap> map_;  // in T; none: flat
};

/// A wheel as a round disc of some width.
struct StandingWheel {
  Vec3 p_RC = Vec3::Zero();  ///< its centre in the rover
  Vec3 axis_R = Vec3::UnitY();
  double radius = 0.0;  ///< with grousers [m]
  double width = 0.0;   ///< [m]
};

/// Where a rover stands at (x, y) with its nose towards `heading` [rad]: parallel to a plane
/// through what its wheels stand on, as low as the first wheel that touches lets it. Joints do not
/// move.
Pose stand_on(const GroundHeight& ground, std::span<const StandingWheel> wheels, const Vec2& place,
              double heading);

/// How deep each wheel is below the ground at this pose; negative: above it [m].
std::vector<double> depths_at(const GroundHeight& ground, std::span<const StandingWheel> wheels,
                              const Pose& X_WR);

}  // namespace grouser
