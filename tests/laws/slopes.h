// Kinks of functions, and degrees, for tests of wheel laws.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/math/types.h"

namespace grouser {

inline constexpr double kDegree = kPi / 180.0;

/// Difference of the slopes left and right of t, over the slope across `width` on either side.
/// Steps are 1e-4 of the width, over which functions here bend by some times their slope: a smooth
/// one has about 1e-3, a kink 1.
template <class Function>
double slope_jump(Function f, double t, double width) {
  const double h = 1e-4 * width;
  const double jump = std::abs(f(t + h) - 2.0 * f(t) + f(t - h)) / h;
  const double across = std::max(std::abs(f(t + width) - f(t)), std::abs(f(t) - f(t - width)));
  return across > 0.0 ? jump * width / across : 0.0;
}

}  // namespace grouser
