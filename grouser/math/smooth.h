// Smooth stand-ins for functions with a kink. All have a continuous slope.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

/// max(x, 0): exactly 0 up to x = 0, a parabola up to e, x - e / 2 beyond. What is driven by it
/// stands still at rest, which a function that only comes close to 0 would not give.
inline double smooth_positive(double x, double e) {
  GROUSER_ASSERT(e > 0.0);
  if (x <= 0.0) return 0.0;
  return x < e ? 0.5 * x * x / e : x - 0.5 * e;
}

/// max(x, 0): exactly 0 up to x = 0, exactly x from e on, with a continuous slope between. What a
/// formula says beyond e is not shifted, which smooth_positive would do by e / 2.
inline double smooth_ramp(double x, double e) {
  GROUSER_ASSERT(e > 0.0);
  const double q = std::clamp(x / e, 0.0, 1.0);
  return std::max(x, 0.0) * q * (2.0 - q);
}

/// |x|: sqrt(x^2 + e^2) - e, exactly 0 at x = 0.
inline double smooth_absolute(double x, double e) {
  GROUSER_ASSERT(e > 0.0);
  return x * x / (std::sqrt(x * x + e * e) + e);
}

/// From 0 at x <= 0 to 1 at x >= 1.
inline double smooth_step(double x) {
  const double q = std::clamp(x, 0.0, 1.0);
  return q * q * (3.0 - 2.0 * q);
}

/// From h0 at x <= x0 to h1 at x >= x1 along a cubic without slope at its ends.
/// Precondition: x0 < x1.
inline double smooth_step(double x, double x0, double h0, double x1, double h1) {
  const double per_width = 1.0 / (x1 - x0);  // ready before x is
  return h0 + (h1 - h0) * smooth_step((x - x0) * per_width);
}

}  // namespace grouser
