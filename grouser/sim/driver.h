// Drives a rover: turns manoeuvres into steering angles and rim speeds of its wheels.
//
// A driver is asked at a fixed period. It knows where the rover is and how it moves, and says which
// steering angle and rim speed every wheel shall have one period later; in between they change
// linearly. It knows nothing of forces.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/math/spatial.h"

namespace grouser {

/// A wheel as a driver sees it, in the rover's frame: x forward, y left.
struct DriveWheel {
  std::string name;
  Vec2 place = Vec2::Zero();  ///< of its centre; of the steering axis if it is steered [m]
  bool steered = false;
  double steering_least = -std::numeric_limits<double>::infinity();  ///< [rad], positive to the left
  double steering_most = std::numeric_limits<double>::infinity();
};

/// What a wheel shall do.
struct WheelCommand {
  double steering = 0.0;   ///< angle, positive to the left [rad]
  double rim_speed = 0.0;  ///< positive forward [m/s]
};

/// Where the rover is when the driver is asked.
struct DriveView {
  double time = 0.0;
  Vec2 position = Vec2::Zero();  ///< of the chassis, in the world [m]
  double heading = 0.0;          ///< of its x axis, from the world's x, counterclockwise [rad]
  Vec2 velocity = Vec2::Zero();  ///< in the world [m/s]
  double yaw_rate = 0.0;         ///< [rad/s]
  std::span<const double> steering;  ///< angle of every wheel as it is [rad]
};

/// [[drive]]: one manoeuvre after the other.
struct ManoeuvreDef {
  enum class Kind { straight, arc, crab, point_turn, climb, step, path, table, wait };
  Kind kind = Kind::straight;
  Place place;
  // ... parameters
};

}  // namespace grouser
