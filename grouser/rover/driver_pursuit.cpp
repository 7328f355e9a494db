// Manoeuvres that look where the rover is: heading held, paths followed.
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/rover/driver.h"

namespace grouser {
namespace {

constexpr double kSlowedBy = 0.3;  // [rad]: so far behind, steering slows the rover to its slowest
constexpr double kLeastSpeed = 0.1;  // of the speed, while it is
constexpr double kFaced = 0.02;      // [rad]: a turn on the spot ends here at the latest

}  // namespace

/// Speed one period from now, from which the rest can still be braked; it creeps at the end so that
/// it arrives even if wheels slip. 0: it has arrived.
double Driver::closing_speed(double remaining, double limit, double acceleration) const {
  GROUSER_ASSERT(limit >= 0.0 && acceleration > 0.0 && speed_ >= 0.0);
  const double period = settings_.control_period;
  const double gain = acceleration * period;
  const double creep = std::min(0.1 * limit, gain);
  const double rest = remaining - 0.5 * speed_ * period;  // while it slows down in one period
  if (speed_ <= gain * (1.0 + 1e-9) && rest <= 0.25 * creep * period) return 0.0;
  const double braked =
      std::sqrt(0.25 * gain * gain + 2.0 * acceleration * std::max(0.0, rest)) - 0.5 * gain;
  return std::clamp(std::clamp(braked, creep, std::max(creep, limit)), speed_ - gain,
                    speed_ + gain);
}

void Driver::turn_wheel(std::size_t wheel, double angle) {
  GROUSER_ASSERT(wheel < command_.size() && std::isfinite(angle));
  const double step = settings_.steering_rate * settings_.control_period;
  double& now = command_[wheel].steering;
  const double left = angle - now;
  now = std::abs(left) <= step * (1.0 + 1e-6) ? angle : now + std::copysign(step, left);
}

/// Brings the curvature as near to `wanted` as wheels can be turned in one period, all together so
/// that their axes still meet. Returns how far the wheels are behind then [rad].
double Driver::reach_curvature(double wanted) {
  const double step = settings_.steering_rate * settings_.control_period;
  const auto change = [&](double curvature) {
    const PlanarMotion shape{sign(), 0.0, sign() * curvature};
    double most = 0.0;
    for (std::size_t i = 0; i < command_.size(); ++i) {
      const double now = command_[i].steering;
      most = std::max(most, std::abs(geometry_.command(i, shape, now).steering - now));
    }
    return most;
  };
  double curvature = wanted;
  double most = change(curvature);
  const double behind = std::max(0.0, most - step);
  // Angles are not quite linear in the curvature.
  for (int i = 0; i < 3 && most > step * (1.0 + 1e-6); ++i) {
    curvature = curvature_ + (curvature - curvature_) * step / most;
    most = change(curvature);
  }
  curvature_ = curvature;
  return behind;
}

void Driver::roll_on_arc(double speed) {
  GROUSER_ASSERT(speed >= 0.0);
  const PlanarMotion shape{sign(), 0.0, sign() * curvature_};
  speed_ = speed;
  motion_ = shape * speed;
  for (std::size_t i = 0; i < command_.size(); ++i) {
    WheelCommand& c = command_[i];
    turn_wheel(i, geometry_.command(i, shape, c.steering).steering);
    const Vec2 v = geometry_.velocity(i, motion_);
    c.rim_speed = v.x() * std::cos(c.steering) + v.y() * std::sin(c.steering);
  }
}

bool Driver::drive_heading(const DriveView& view) {
  const Vec2 forward_W(std::cos(heading_), std::sin(heading_));
  const double travelled = sign() * forward_W.dot(reference_W(view) - start_W_);
  const double speed =
      closing_speed(def().distance - travelled, plan().speed, settings_.acceleration);
  if (speed == 0.0) {
    brake_then(AfterBrake::next_manoeuvre);
    return false;
  }
  // An error of heading decays over one wheel base.
  const double error = wrapped_angle(heading_ - view.heading);
  const double wanted = sign() * error / std::max(geometry_.wheel_base(), 1e-3);
  reach_curvature(std::clamp(wanted, -tightest_right_, tightest_left_));
  roll_on_arc(speed);
  return true;
}

// Paths

/// The mean over about half a wheel base.
void Driver::watch_drift(const Vec2& moved_R, double way) {
  const double share = way / (0.5 * geometry_.wheel_base() + way);
  moved_R_ += share * (moved_R / way - moved_R_);
}

/// Angle from where the rover heads, or its rear does, to where it really goes [rad].
double Driver::drift() const {
  constexpr double kMost = 0.5;           // [rad]
  constexpr double kLeastProgress = 0.2;  // of the commanded way: else a course is mere chance
  const Vec2 course = sign() * moved_R_;
  if (course.x() < kLeastProgress) return 0.0;
  return std::clamp(std::atan2(course.y(), course.x()), -kMost, kMost);
}

/// As if the rover headed where it really goes: what drifts on a slope is led up the slope.
Vec2 Driver::target_in_rover(const DriveView& view) const {
  return Eigen::Rotation2Dd(-view.heading - drift()) *
         (paths_[index_].target() - reference_W(view));
}

/// Curvature towards the target; the tightest there is while the target lies behind.
double Driver::curvature_to_target(const Vec2& target_R) {
  const double bearing = std::atan2(target_R.y(), sign() * target_R.x());
  if (!behind_ && std::abs(bearing) > kBehind) {
    behind_ = true;
    side_ = bearing < 0.0 ? -1.0 : 1.0;
  }
  behind_ = behind_ && std::abs(bearing) > 0.5 * kPi;
  const double wanted = behind_ ? side_ * 1e9 : pursuit_curvature(target_R);
  return std::clamp(wanted, -tightest_right_, tightest_left_);
}

/// Turns on the spot first if the leg leads back.
void Driver::enter_leg(const DriveView& view) {
  tick_ = 0;
  behind_ = false;
  moved_R_ = Vec2::Zero();  // the drift of another direction says nothing
  const Vec2 target_R = target_in_rover(view);
  const double bearing = std::atan2(target_R.y(), sign() * target_R.x()) * sign();
  on_the_spot_ = turns_on_the_spot_ && std::abs(bearing) > kBehind;
  if (!on_the_spot_) {
    aim_along_leg(view);
    return;
  }
  side_ = bearing < 0.0 ? -1.0 : 1.0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) wanted_[i] = spot_turn_[i].steering;
  phase_ = Phase::steer;
}

/// Wheels are turned for the first arc while the rover stands.
void Driver::aim_along_leg(const DriveView& view) {
  tick_ = 0;
  on_the_spot_ = false;
  curvature_ = curvature_to_target(target_in_rover(view));
  const PlanarMotion shape{sign(), 0.0, sign() * curvature_};
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    wanted_[i] = geometry_.command(i, shape).steering;
  phase_ = Phase::steer;
}

bool Driver::drive_spot_turn(const DriveView& view) {
  const Vec2 target_R = target_in_rover(view);
  // Angle from where the rover heads, or where its rear does, to the target.
  const double bearing =
      wrapped_angle(std::atan2(target_R.y(), target_R.x()) - (sign() < 0.0 ? kPi : 0.0));
  double remaining = side_ * bearing;
  if (remaining < -0.5 * kPi) remaining += 2.0 * kPi;  // more than half a turn
  const double speed = closing_speed(remaining, plan().speed / spot_turn_arm_,
                                     settings_.acceleration / spot_turn_arm_);
  if (speed == 0.0 || remaining < -kFaced) {
    brake_then(AfterBrake::follow);
    return false;
  }
  speed_ = speed;
  motion_ = {0.0, 0.0, side_ * speed};
  for (std::size_t i = 0; i < command_.size(); ++i) {
    turn_wheel(i, spot_turn_[i].steering);
    command_[i].rim_speed = spot_turn_[i].rim_speed * side_ * speed;
  }
  return true;
}

bool Driver::drive_path(const DriveView& view) {
  DrivePath& path = paths_[index_];
  const Vec2 here_W = reference_W(view);
  path.locate(here_W);
  const double lag = reach_curvature(curvature_to_target(target_in_rover(view)));
  // No wheel rolls faster than the rover shall, and steering is waited for.
  const PlanarMotion shape{1.0, 0.0, curvature_};
  const double share = std::max(kLeastSpeed, 1.0 - lag / kSlowedBy);
  const double fastest = std::max(1.0, geometry_.fastest(shape));
  const double speed = closing_speed(path.remaining(), plan().speed * share / fastest,
                                     settings_.acceleration / fastest);
  if (speed > 0.0) {
    roll_on_arc(speed);
    return true;
  }
  // At the end of a leg, or beside it.
  const double tolerance = std::isnan(def().tolerance) ? kDefaultTolerance : def().tolerance;
  if (path.on_last_leg()) {
    const double distance = (path.last() - here_W).norm();
    if (distance > tolerance && missed_.size() < missed_.capacity())
      missed_.push_back({index_, distance});
  }
  brake_then(AfterBrake::next_leg);
  return false;
}

}  // namespace grouser
