#include "grouser/calibration/student_t.h"

#include <cmath>
#include <initializer_list>
#include <limits>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

/// Continued fraction of the incomplete beta function (Abramowitz and Stegun 1964, 26.5.8) by
/// Lentz's method.
double beta_fraction(double x, double a, double b) {
  constexpr int kMost = 500;  // some sqrt(a + b) terms are needed
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double q) { return std::abs(q) < kTiny ? kTiny : q; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m <= kMost; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    double change = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 / away_from_zero(1.0 + term * d);
      c = away_from_zero(1.0 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1.0) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

/// I_x(a, b), 0 <= x <= 1; `y` is 1 - x, which the caller knows without cancellation.
double incomplete_beta(double x, double y, double a, double b) {
  GROUSER_ASSERT(x >= 0.0 && x <= 1.0 && a > 0.0 && b > 0.0);
  if (x <= 0.0) return 0.0;
  if (y <= 0.0) return 1.0;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log(y));
  // The fraction converges on this side; on the other, symmetry.
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(x, a, b) / a;
  return 1.0 - front * beta_fraction(y, b, a) / b;
}

}  // namespace

double student_t_probability(double t, double degrees) {
  GROUSER_ASSERT(degrees > 0.0);
  const double sum = degrees + t * t;
  const double both_tails = incomplete_beta(degrees / sum, t * t / sum, 0.5 * degrees, 0.5);
  return t > 0.0 ? 1.0 - 0.5 * both_tails : 0.5 * both_tails;
}

double student_t_quantile(double probability, double degrees) {
  GROUSER_ASSERT(probability > 0.0 && probability < 1.0);
  if (probability < 0.5) return -student_t_quantile(1.0 - probability, degrees);
  double low = 0.0, high = 1.0;
  while (student_t_probability(high, degrees) < probability && high < 1e300) high *= 2.0;
  // Halving needs no derivative and cannot fail; 100 of them are microseconds.
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (student_t_probability(middle, degrees) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace grouser
