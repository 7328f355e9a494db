// How the wheels of a rover must stand and roll so that it moves as a whole.
//
// The motion is that of a reference point: on the common axle of the wheels that are not steered
// (mean of their x), or in the middle of all wheels if all of them are. A wheel rolls along the
// velocity of its own place; one that cannot turn there takes the part along its plane.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/archive.h"
#include "grouser/math/types.h"

namespace grouser {

/// A wheel as a driver sees it, in the rover's frame: x forward, y left.
struct DriveWheel {
  std::string name;
  Vec2 place = Vec2::Zero();  ///< of its centre; of the steering axis if it is steered [m]
  bool steered = false;
  double steering_least =
      -std::numeric_limits<double>::infinity();  ///< [rad], positive to the left
  double steering_most = std::numeric_limits<double>::infinity();
};

/// What a wheel shall do.
struct WheelCommand {
  double steering = 0.0;   ///< angle, positive to the left [rad]
  double rim_speed = 0.0;  ///< positive forward [m/s]

  void archive(Archive& a) { a(steering, rim_speed); }
};

/// Motion of the reference point in the rover's frame.
struct PlanarMotion {
  double forward = 0.0;   ///< [m/s]
  double left = 0.0;      ///< [m/s]
  double yaw_rate = 0.0;  ///< counterclockwise [rad/s]

  PlanarMotion operator*(double s) const { return {forward * s, left * s, yaw_rate * s}; }
  bool operator==(const PlanarMotion&) const = default;
  void archive(Archive& a) { a(forward, left, yaw_rate); }
};

/// An angle brought into (-pi, pi].
double wrapped_angle(double angle);

class DriveGeometry {
 public:
  explicit DriveGeometry(std::vector<DriveWheel> wheels);

  const std::vector<DriveWheel>& wheels() const { return wheels_; }
  std::size_t count() const { return wheels_.size(); }
  Vec2 reference() const { return reference_; }  ///< in the rover's frame [m]
  bool any_steered() const;
  /// Between the foremost and the hindmost wheel; if that is nothing, between left and right [m].
  double wheel_base() const { return wheel_base_; }

  /// Velocity of the place of a wheel, in the rover's frame [m/s].
  Vec2 velocity(std::size_t wheel, const PlanarMotion& motion) const;

  /// The angle in (-pi/2, pi/2] of a wheel that rolls along its velocity, forwards or backwards. If
  /// its limits do not allow that angle, half a turn more or less is tried, and then the limit that
  /// loses least. With `near`, the possible angle next to it is taken instead. A wheel that stays
  /// where it is keeps `near`, or stands straight.
  WheelCommand command(std::size_t wheel, const PlanarMotion& motion,
                       double near = std::numeric_limits<double>::quiet_NaN()) const;

  /// How far the plane of a wheel is from its velocity at that command [rad]; 0 if it stands still
  /// or is not steered.
  double misalignment(std::size_t wheel, const PlanarMotion& motion,
                      const WheelCommand& command) const;

  /// Speed of the fastest place of a wheel [m/s].
  double fastest(const PlanarMotion& motion) const;

  /// Curvature of the tightest arc to the left (side > 0) or right that all wheels can follow and
  /// whose centre lies outside the wheels [1/m].
  double tightest_curvature(double side) const;

  /// Whether all steered wheels can stand for a turn on the spot; rovers that skid always can.
  bool turns_on_the_spot() const;

 private:
  std::vector<DriveWheel> wheels_;
  Vec2 reference_ = Vec2::Zero();
  double wheel_base_ = 0.0;
};

}  // namespace grouser
