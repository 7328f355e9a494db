#include "grouser/rover/drive_profile.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

constexpr double kMostTicks = 1e15;  // counts are exact in a double up to there

/// Sum over all ticks of what is still missing on a ramp over `gap` with `gain` per tick.
double ramp_sum(double gap, double gain) {
  GROUSER_ASSERT(gap >= 0.0 && gain > 0.0);
  const double whole = std::floor(gap / gain);
  return (whole + 1.0) * gap - gain * 0.5 * whole * (whole + 1.0);
}

std::int64_t whole_ticks(double ticks) {
  // A duration that is a multiple of the period but for rounding stays that multiple.
  return static_cast<std::int64_t>(std::clamp(std::ceil(ticks - 1e-6), 1.0, kMostTicks));
}

}  // namespace

double SpeedProfile::at(std::int64_t tick) const {
  GROUSER_ASSERT(tick >= 0 && tick <= ticks_);
  const auto missing = [&](double from, std::int64_t ticks) {
    const double left =
        std::max(0.0, std::abs(steady_ - from) - gain_ * static_cast<double>(ticks));
    return std::copysign(left, steady_ - from);
  };
  return steady_ - missing(start_, tick) - missing(finish_, ticks_ - tick);
}

double SpeedProfile::way() const {
  const auto missing = [&](double from) {
    return std::copysign(ramp_sum(std::abs(steady_ - from), gain_), steady_ - from);
  };
  const double sum =
      (static_cast<double>(ticks_) + 1.0) * steady_ - missing(start_) - missing(finish_);
  return period_ * (sum - 0.5 * (start_ + finish_));
}

double SpeedProfile::long_enough(const Limits& limits) {
  return limits.speed / limits.acceleration + 4.0 * limits.period;
}

void SpeedProfile::set_ticks(std::int64_t ticks, double speed_limit) {
  ticks_ = ticks;
  // Both ramps must fit in.
  const double reach = 0.5 * (start_ + finish_ + gain_ * static_cast<double>(ticks));
  steady_ = std::min(speed_limit, reach);
}

SpeedProfile SpeedProfile::over_time(const Limits& limits, double start, double finish,
                                     double duration) {
  GROUSER_ASSERT(limits.acceleration > 0.0 && limits.period > 0.0 && duration >= 0.0);
  GROUSER_ASSERT(start >= 0.0 && finish >= 0.0 &&
                 std::max(start, finish) <= limits.speed * (1.0 + 1e-9));
  SpeedProfile out;
  out.start_ = start;
  out.finish_ = finish;
  out.gain_ = limits.acceleration * limits.period;
  out.period_ = limits.period;
  out.set_ticks(whole_ticks(duration / limits.period), limits.speed);
  return out;
}

SpeedProfile SpeedProfile::over_way(const Limits& limits, double start, double finish, double way) {
  GROUSER_ASSERT(way > 0.0);
  // The least time without a clock: a trapezoid, or a triangle that stays below the limit.
  const double a = limits.acceleration, v = limits.speed;
  const double ends = start * start + finish * finish;
  const double peak = std::sqrt(a * way + 0.5 * ends);
  const double time = peak <= v ? (2.0 * peak - start - finish) / a
                                : way / v + (0.5 * ends / v + v - start - finish) / a;
  SpeedProfile out = over_time(limits, start, finish, time);
  std::int64_t ticks = out.ticks_;
  while (out.way() < way * (1.0 - 1e-13) && static_cast<double>(ticks) < kMostTicks)
    out.set_ticks(++ticks, v);

  // The way grows with the steady speed, in straight pieces.
  double low = std::max(0.0, 0.5 * (start + finish - out.gain_ * static_cast<double>(ticks)));
  double high = out.steady_;
  for (int i = 0; i < 100 && low < high; ++i) {
    out.steady_ = 0.5 * (low + high);
    if (out.steady_ <= low || out.steady_ >= high) break;
    (out.way() < way ? low : high) = out.steady_;
  }
  out.steady_ = high;
  return out;
}

}  // namespace grouser
