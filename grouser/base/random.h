// Random numbers that are the same on every platform.
//
// The standard fixes engines but not distributions, so the distributions are our own.
#pragma once

#include <cmath>
#include <cstdint>

#include "grouser/base/assert.h"

namespace grouser {

/// PCG32 (O'Neill 2014): 64 bits of state, 32 bits out.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed + kIncrement) { next(); }

  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ull + kIncrement;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18u) ^ old) >> 27u);
    const auto turn = static_cast<std::uint32_t>(old >> 59u);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() {
    const std::uint64_t high = next();
    return static_cast<double>(((high << 32) | next()) >> 11) * 0x1.0p-53;
  }
  /// Uniform in [low, high]; `high` itself only by rounding.
  double uniform(double low, double high) {
    GROUSER_ASSERT(low <= high);
    return low + (high - low) * uniform();
  }
  /// Uniform integer in [0, count); count > 0.
  std::uint32_t below(std::uint32_t count) {
    GROUSER_ASSERT(count > 0);
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * count) >> 32);
  }

 private:
  static constexpr std::uint64_t kIncrement = 1442695040888963407ull;
  std::uint64_t state_;
};

/// A number of events with the given mean, by Poisson's law: how many exponential waiting times
/// fit into `mean`. Time grows with the mean, which must be finite.
inline std::int64_t draw_poisson(double mean, Random& random) {
  GROUSER_ASSERT(std::isfinite(mean));
  const auto wait = [&] { return -std::log(1.0 - random.uniform()); };
  std::int64_t events = 0;
  for (double time = wait(); time < mean; time += wait()) ++events;
  return events;
}

}  // namespace grouser
