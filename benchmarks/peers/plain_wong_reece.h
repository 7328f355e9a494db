// The stress integral of Wong and Reece (1967) as a textbook would write it down: equal steps, a
// power, an exponential and the sines of every angle from the standard library.
#pragma once

#include <cmath>

namespace grouser {

struct PlainWongReece {
  double r, b, k, n, c, tan_phi, K, c1, c2;
  int steps = 100;  // per zone

  struct Force {
    double normal = 0.0, drawbar = 0.0, torque = 0.0;
  };

  /// At a sinkage and a slip.
  Force at(double z, double s) const {
    const double entry = std::acos(1.0 - z / r), peak = (c1 + c2 * s) * entry;
    Force out;
    for (const bool front : {true, false}) {
      const double from = front ? peak : 0.0, to = front ? entry : peak;
      const double h = (to - from) / steps;
      for (int i = 0; i < steps; ++i) {
        const double a = from + (i + 0.5) * h;  // midpoint rule
        const double as = front ? a : entry - a / peak * (entry - peak);
        const double sigma = k * std::pow(r * (std::cos(as) - std::cos(entry)), n);
        const double j = r * ((entry - a) - (1.0 - s) * (std::sin(entry) - std::sin(a)));
        const double tau = (c + sigma * tan_phi) * (1.0 - std::exp(-j / K));
        out.normal += r * b * h * (sigma * std::cos(a) + tau * std::sin(a));
        out.drawbar += r * b * h * (tau * std::cos(a) - sigma * std::sin(a));
        out.torque += r * r * b * h * tau;
      }
    }
    return out;
  }
};

}  // namespace grouser
