// A rover without forces: it moves as its wheels roll, as well as they agree.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "grouser/rover/driver.h"

namespace grouser {

/// Six wheels, 1.2 m long and 1 m wide; the middle ones are steered only if `all` is true.
inline std::vector<DriveWheel> six_wheels(bool all, double limit = 2.0) {
  std::vector<DriveWheel> out;
  for (const double x : {0.6, 0.0, -0.6})
    for (const double y : {0.5, -0.5}) {
      const bool steered = all || x != 0.0;
      out.push_back({(x > 0.0   ? "front"
                      : x < 0.0 ? "rear"
                                : "middle") +
                         std::string(y > 0.0 ? "_left" : "_right"),
                     Vec2(x, y), steered, -limit, limit});
    }
  return out;
}

inline std::vector<DriveWheel> four_fixed_wheels() {
  return {{"a", Vec2(0.2, 0.2)},
          {"b", Vec2(0.2, -0.2)},
          {"c", Vec2(-0.2, 0.2)},
          {"d", Vec2(-0.2, -0.2)}};
}

class KinematicRover {
 public:
  explicit KinematicRover(Driver driver)
      : driver_(std::move(driver)), now_(driver_.wheel_count()), next_(driver_.wheel_count()) {}

  Vec2 position = Vec2::Zero();
  double heading = 0.0;
  double time = 0.0;
  /// Changes the motion that wheels ask for: slip.
  std::function<PlanarMotion(const PlanarMotion&, double time)> slip;
  /// Called after every tick, with the commands before and after the coming period.
  std::function<void(const std::vector<WheelCommand>&, const std::vector<WheelCommand>&)> seen;

  const Driver& driver() const { return driver_; }
  const std::vector<WheelCommand>& commands() const { return next_; }
  double odometry() const { return odometry_; }  ///< commanded way [m]
  double turned() const { return turned_; }      ///< commanded turn [rad]

  void tick() {
    const PlanarMotion before = driver_.commanded();
    driver_.tick({.time = time, .position = position, .heading = heading}, next_);
    const PlanarMotion after = driver_.commanded();
    if (seen) seen(now_, next_);
    const double period = driver_.period();
    odometry_ += 0.5 * period *
                 (std::hypot(before.forward, before.left) + std::hypot(after.forward, after.left));
    turned_ += 0.5 * period * (before.yaw_rate + after.yaw_rate);
    constexpr int kParts = 8;
    for (int k = 0; k < kParts; ++k) move((k + 0.5) / kParts, period / kParts);
    time += period;
    now_ = next_;
  }
  void run(double duration) {
    for (const double end = time + duration - 0.5 * driver_.period(); time < end;) tick();
  }
  /// Until the drive is done, at most for `longest` seconds.
  void finish(double longest) {
    for (const double end = time + longest; !driver_.done() && time < end;) tick();
  }

 private:
  void move(double share, double dt) {
    // Least squares; sideways motion of wheels that skid is free.
    Eigen::Matrix3d squares = 1e-12 * Eigen::Matrix3d::Identity();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    const DriveGeometry& geometry = driver_.geometry();
    for (std::size_t i = 0; i < geometry.count(); ++i) {
      const double angle = now_[i].steering + share * (next_[i].steering - now_[i].steering);
      const double rim = now_[i].rim_speed + share * (next_[i].rim_speed - now_[i].rim_speed);
      const Vec2 arm = geometry.wheels()[i].place - geometry.reference();
      const Vec2 along(std::cos(angle), std::sin(angle)), side(-along.y(), along.x());
      const auto row = [&](const Vec2& d) {
        return Eigen::Vector3d(d.x(), d.y(), d.y() * arm.x() - d.x() * arm.y());
      };
      squares += row(along) * row(along).transpose();
      right += row(along) * rim;
      if (geometry.any_steered()) squares += row(side) * row(side).transpose();
    }
    const Eigen::Vector3d m = squares.ldlt().solve(right);
    PlanarMotion motion{m.x(), m.y(), m.z()};
    if (slip) motion = slip(motion, time);
    // The chassis moves with the reference point, seen from the middle of the step.
    const Vec2 arm = geometry.reference();
    const Vec2 v(motion.forward + motion.yaw_rate * arm.y(),
                 motion.left - motion.yaw_rate * arm.x());
    position += dt * (Eigen::Rotation2Dd(heading + 0.5 * dt * motion.yaw_rate) * v);
    heading += dt * motion.yaw_rate;
  }

  Driver driver_;
  std::vector<WheelCommand> now_, next_;
  double odometry_ = 0.0, turned_ = 0.0;
};

}  // namespace grouser
