// Speed over time of a drive from one speed to another, on the ticks of a clock.
#pragma once

#include <cstdint>

namespace grouser {

/// From `start` to a steady speed, which is kept, and on to `finish`; between ticks speed changes
/// linearly. The unit of a way may be metres or radians.
class SpeedProfile {
 public:
  /// What it must keep to: the fastest speed (at least start and finish), acceleration, and the
  /// period of the clock. All positive.
  struct Limits {
    double speed = 0.0;
    double acceleration = 0.0;
    double period = 0.0;
  };

  SpeedProfile() = default;
  /// Covers `way`, to rounding, in as few ticks as it takes; the steady speed is a little below the
  /// limit for that. Start and finish must be zero, or the way at least that of long_enough().
  static SpeedProfile over_way(const Limits& limits, double start, double finish, double way);
  /// Takes `duration`, rounded up to whole periods.
  static SpeedProfile over_time(const Limits& limits, double start, double finish, double duration);
  /// Time that leaves room for any start and finish up to the limit of speed [s].
  static double long_enough(const Limits& limits);

  std::int64_t ticks() const { return ticks_; }
  /// Speed at a tick from 0 (start) to ticks() (finish).
  double at(std::int64_t tick) const;
  double way() const;

 private:
  void set_ticks(std::int64_t ticks, double speed_limit);

  double start_ = 0.0, finish_ = 0.0, steady_ = 0.0;
  double gain_ = 1.0;  // change of speed per tick
  double period_ = 1.0;
  std::int64_t ticks_ = 0;
};

}  // namespace grouser
