// Where a function of one number crosses nought.
#pragma once

#include <cmath>

namespace grouser {

/// Between two numbers at which a function has values of opposite signs (or nought): regula falsi
/// that halves the value of an end it keeps (Illinois), so that both ends close in.
template <class Function>
double find_crossing(const Function& function, double from, double to, double at_from, double at_to,
                     double accuracy = 1e-12) {
  for (int i = 0; i < 60 && std::abs(to - from) > accuracy; ++i) {
    if (at_to == at_from) break;
    const double x = (from * at_to - to * at_from) / (at_to - at_from);
    const double now = function(x);
    if (now == 0.0) return x;
    if ((now > 0.0) == (at_to > 0.0)) {
      at_from *= 0.5;
    } else {
      from = to;
      at_from = at_to;
    }
    to = x;
    at_to = now;
  }
  return to;
}

}  // namespace grouser
