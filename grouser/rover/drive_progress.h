// Whether a rover gets on: the way it was told to go against the way it went.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "grouser/base/archive.h"

namespace grouser {

/// Sums of both ways over the last `window` seconds. Way is in metres, or in radians while turning
/// on the spot.
class DriveProgress {
 public:
  /// Forgets; from now on the sums are taken over `window`, a number of ticks.
  void restart(std::int64_t window);
  /// Adds the ways of one tick.
  void add(double commanded, double real);

  /// Whether a whole window has passed since the start.
  bool full() const { return full_; }
  double commanded() const;  ///< way within the window
  double real() const;
  std::int64_t ticks() const;  ///< within the window

  void archive(Archive& a) { a(ring_, now_, stride_, parts_, oldest_, newest_, full_); }

 private:
  struct Sums {
    std::int64_t ticks = 0;
    double commanded = 0.0, real = 0.0;
    void archive(Archive& a) { a(ticks, commanded, real); }
  };
  // The window is kept as a ring of sums, one every few ticks.
  static constexpr std::int64_t kParts = 64;
  std::array<Sums, kParts + 1> ring_{};
  Sums now_;
  std::int64_t stride_ = 1, parts_ = kParts;
  std::size_t oldest_ = 0, newest_ = 0;
  bool full_ = false;
};

}  // namespace grouser
