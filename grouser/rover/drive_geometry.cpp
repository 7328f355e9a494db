#include "grouser/rover/drive_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

constexpr double kRoundedSpeed = 1e-12;  // [m/s]: rounding of a wheel at the centre of a turn
constexpr double kAngleRounding =
    1e-9;  // [rad]: so that wheels across agree on one of +-90 degrees
constexpr double kClearOfCentre = 1.25;  // centre of an arc: at least so many half tracks away

double within_limits(const DriveWheel& wheel, double angle) {
  GROUSER_ASSERT(wheel.steering_least <= wheel.steering_most);
  return std::clamp(angle, wheel.steering_least, wheel.steering_most);
}

bool allows(const DriveWheel& wheel, double angle) {
  return std::abs(within_limits(wheel, angle) - angle) <= kAngleRounding;
}

/// In (-pi/2, pi/2], but for rounding.
double folded(double angle) {
  while (angle > 0.5 * kPi + kAngleRounding) angle -= kPi;
  while (angle <= -0.5 * kPi + kAngleRounding) angle += kPi;
  return angle;
}

double along(const Vec2& v, double angle) {
  return v.x() * std::cos(angle) + v.y() * std::sin(angle);
}

}  // namespace

double wrapped_angle(double angle) {
  const double out = std::remainder(angle, 2.0 * kPi);
  return out <= -kPi ? kPi : out;
}

DriveGeometry::DriveGeometry(std::vector<DriveWheel> wheels) : wheels_(std::move(wheels)) {
  if (wheels_.empty()) return;
  Vec2 sum = Vec2::Zero(), least = wheels_[0].place, most = wheels_[0].place;
  double axle = 0.0;
  int fixed = 0;
  for (const DriveWheel& wheel : wheels_) {
    sum += wheel.place;
    least = least.cwiseMin(wheel.place);
    most = most.cwiseMax(wheel.place);
    if (wheel.steered) continue;
    axle += wheel.place.x();
    ++fixed;
  }
  reference_ = sum / static_cast<double>(wheels_.size());
  if (fixed > 0) reference_.x() = axle / fixed;
  const Vec2 size = most - least;
  wheel_base_ = size.x() > 0.0 ? size.x() : size.y();
}

bool DriveGeometry::any_steered() const {
  return std::any_of(wheels_.begin(), wheels_.end(), [](const DriveWheel& w) { return w.steered; });
}

Vec2 DriveGeometry::velocity(std::size_t wheel, const PlanarMotion& motion) const {
  GROUSER_ASSERT(wheel < wheels_.size());
  const Vec2 arm = wheels_[wheel].place - reference_;
  return {motion.forward - motion.yaw_rate * arm.y(), motion.left + motion.yaw_rate * arm.x()};
}

WheelCommand DriveGeometry::command(std::size_t index, const PlanarMotion& motion,
                                    double near) const {
  const DriveWheel& wheel = wheels_[index];
  const Vec2 v = velocity(index, motion);
  if (!wheel.steered) return {0.0, v.x()};
  if (v.squaredNorm() < kRoundedSpeed * kRoundedSpeed)
    return {within_limits(wheel, std::isnan(near) ? 0.0 : near), 0.0};

  const double angle = folded(std::atan2(v.y(), v.x()));
  const std::array<double, 3> candidates = {angle, angle - kPi, angle + kPi};
  double best = 0.0;
  bool found = false;
  for (const double candidate : candidates) {
    if (!allows(wheel, candidate)) continue;
    if (found && (std::isnan(near) || std::abs(candidate - near) >= std::abs(best - near)))
      continue;
    best = candidate;
    found = true;
  }
  if (!found) {
    double most = -1.0;
    for (const double candidate : candidates) {
      const double limit = within_limits(wheel, candidate);
      const double kept = std::abs(along(v, limit));
      if (kept <= most) continue;
      most = kept;
      best = limit;
    }
  }
  GROUSER_ASSERT(allows(wheel, best));
  return {best, along(v, best)};
}

double DriveGeometry::misalignment(std::size_t wheel, const PlanarMotion& motion,
                                   const WheelCommand& command) const {
  const Vec2 v = velocity(wheel, motion);
  if (!wheels_[wheel].steered || v.squaredNorm() < kRoundedSpeed * kRoundedSpeed) return 0.0;
  return std::abs(folded(std::atan2(v.y(), v.x()) - command.steering));
}

double DriveGeometry::fastest(const PlanarMotion& motion) const {
  double out = 0.0;
  for (std::size_t i = 0; i < count(); ++i) out = std::max(out, velocity(i, motion).norm());
  return out;
}

double DriveGeometry::tightest_curvature(double side) const {
  const double s = side > 0.0 ? 1.0 : -1.0;
  double out = std::numeric_limits<double>::infinity();
  for (const DriveWheel& wheel : wheels_) {
    const Vec2 arm = wheel.place - reference_;
    if (arm.y() != 0.0) out = std::min(out, 1.0 / (kClearOfCentre * std::abs(arm.y())));
    if (!wheel.steered || arm.x() == 0.0) continue;
    // The angle on an arc of curvature c is atan2(c |x|, 1 - s c y): at its limit tan(limit).
    const double limit = s * arm.x() > 0.0 ? wheel.steering_most : -wheel.steering_least;
    if (limit >= 0.5 * kPi) continue;
    const double slope = std::tan(std::max(0.0, limit));
    const double per_curvature = std::abs(arm.x()) + slope * s * arm.y();
    if (per_curvature > 0.0) out = std::min(out, slope / per_curvature);
  }
  return std::isfinite(out) ? out : 1.0 / std::max(wheel_base_, 1e-3);
}

bool DriveGeometry::turns_on_the_spot() const {
  const PlanarMotion turn{0.0, 0.0, 1.0};
  for (std::size_t i = 0; i < count(); ++i)
    if (misalignment(i, turn, command(i, turn)) > 0.01) return false;
  return true;
}

}  // namespace grouser
