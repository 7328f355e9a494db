// What is known of a drive before it starts: how wheels stand, speeds over time, when it ends.
#pragma once

#include <string>
#include <vector>

#include "grouser/rover/drive_profile.h"
#include "grouser/rover/manoeuvre.h"

namespace grouser {

/// Steering angles that differ by no more than this need no stop [rad].
inline constexpr double kSameSteering = 0.02;

struct ManoeuvrePlan {
  /// Motion per unit of speed: per metre, or per radian of a turn on the spot. That of climb, step
  /// and path is the one without corrections.
  PlanarMotion shape;
  std::vector<WheelCommand> unit;  ///< of every wheel, per unit of speed
  double speed = 0.0;              ///< never negative
  double acceleration = 0.0;       ///< such that no rim exceeds that of the driver
  SpeedProfile profile;            ///< of straight, arc, crab and point turn; time alone of a wait
};

struct DrivePlan {
  std::vector<ManoeuvrePlan> manoeuvres;
  double least_end = 0.0;  ///< it takes at least so long [s]
  bool end_known = true;   ///< and exactly so long, if the wheels stand straight at the start
  std::vector<std::string> notes;
};

/// Throws InputError if the rover cannot do it at all.
DrivePlan plan_drive(const DriveDef& settings, const std::vector<ManoeuvreDef>& manoeuvres,
                     const DriveGeometry& geometry);

/// Ticks it takes to turn from one angle to another.
double steering_ticks(const DriveDef& settings, double change);

/// How wheels stand at the start of a table; all zero if it never moves.
PlanarMotion first_shape(const DriveTable& table);

}  // namespace grouser
