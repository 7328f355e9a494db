// Numbers that depend on two variables, with their derivatives up to the second: arithmetic on them
// differentiates formulas exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

/// A value and its derivatives by u and v. Uninitialised unless given.
struct Jet {
  double f, fu, fv, fuu, fuv, fvv;

  static Jet constant(double x) { return {x, 0.0, 0.0, 0.0, 0.0, 0.0}; }
  bool finite() const {
    // What is not finite stays so in a sum of differences with itself.
    return (f - f) + (fu - fu) + (fv - fv) + (fuu - fuu) + (fuv - fuv) + (fvv - fvv) == 0.0;
  }
};

inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.f + b.f, a.fu + b.fu, a.fv + b.fv, a.fuu + b.fuu, a.fuv + b.fuv, a.fvv + b.fvv};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.f - b.f, a.fu - b.fu, a.fv - b.fv, a.fuu - b.fuu, a.fuv - b.fuv, a.fvv - b.fvv};
}
inline Jet operator-(const Jet& a) {
  return {-a.f, -a.fu, -a.fv, -a.fuu, -a.fuv, -a.fvv};
}
inline Jet operator*(const Jet& a, double s) {
  return {a.f * s, a.fu * s, a.fv * s, a.fuu * s, a.fuv * s, a.fvv * s};
}
inline Jet operator/(const Jet& a, double s) {
  return {a.f / s, a.fu / s, a.fv / s, a.fuu / s, a.fuv / s, a.fvv / s};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.f * b.f,
          a.fu * b.f + a.f * b.fu,
          a.fv * b.f + a.f * b.fv,
          a.fuu * b.f + 2.0 * a.fu * b.fu + a.f * b.fuu,
          a.fuv * b.f + a.fu * b.fv + a.fv * b.fu + a.f * b.fuv,
          a.fvv * b.f + 2.0 * a.fv * b.fv + a.f * b.fvv};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  // From a = q b, differentiated.
  Jet q;
  q.f = a.f / b.f;
  q.fu = (a.fu - q.f * b.fu) / b.f;
  q.fv = (a.fv - q.f * b.fv) / b.f;
  q.fuu = (a.fuu - 2.0 * q.fu * b.fu - q.f * b.fuu) / b.f;
  q.fuv = (a.fuv - q.fu * b.fv - q.fv * b.fu - q.f * b.fuv) / b.f;
  q.fvv = (a.fvv - 2.0 * q.fv * b.fv - q.f * b.fvv) / b.f;
  return q;
}

/// g(a) from the value of g and its derivatives at a.f.
inline Jet chain(const Jet& a, double g, double d, double dd) {
  return {g,
          d * a.fu,
          d * a.fv,
          d * a.fuu + dd * a.fu * a.fu,
          d * a.fuv + dd * a.fu * a.fv,
          d * a.fvv + dd * a.fv * a.fv};
}

/// The derivatives of g(a, b) by its arguments.
struct Slopes2 {
  double a, b, aa, ab, bb;
};
inline Jet chain(const Jet& a, const Jet& b, double g, const Slopes2& d) {
  return {g,
          d.a * a.fu + d.b * b.fu,
          d.a * a.fv + d.b * b.fv,
          d.a * a.fuu + d.b * b.fuu + d.aa * a.fu * a.fu + 2.0 * d.ab * a.fu * b.fu +
              d.bb * b.fu * b.fu,
          d.a * a.fuv + d.b * b.fuv + d.aa * a.fu * a.fv + d.ab * (a.fu * b.fv + a.fv * b.fu) +
              d.bb * b.fu * b.fv,
          d.a * a.fvv + d.b * b.fvv + d.aa * a.fv * a.fv + 2.0 * d.ab * a.fv * b.fv +
              d.bb * b.fv * b.fv};
}

/// a^n; exact at a = 0 for n >= 0, where 0^0 = 1.
inline Jet integer_power(const Jet& a, double n) {
  GROUSER_ASSERT(n == std::floor(n));
  if (n == 0.0) return Jet::constant(1.0);
  if (n == 1.0) return a;
  if (n == 2.0) return chain(a, a.f * a.f, 2.0 * a.f, 2.0);
  if (n == 3.0) return chain(a, a.f * a.f * a.f, 3.0 * a.f * a.f, 6.0 * a.f);
  // x^(n-2) is the lowest power needed; that of a negative n is the highest.
  const double low = std::pow(a.f, n - 2.0);
  const double middle = n > 0.0 ? low * a.f : std::pow(a.f, n - 1.0);
  const double high = n > 0.0 ? middle * a.f : std::pow(a.f, n);
  return chain(a, high, n * middle, n * (n - 1.0) * low);
}

/// a^p for a number p that is no integer; a > 0, or a = 0 where p > 2.
inline Jet number_power(const Jet& a, double p) {
  return chain(a, std::pow(a.f, p), p * std::pow(a.f, p - 1.0),
               p * (p - 1.0) * std::pow(a.f, p - 2.0));
}

/// a^b with an exponent that varies; a > 0.
inline Jet power(const Jet& a, const Jet& b) {
  const double g = std::pow(a.f, b.f), low = std::pow(a.f, b.f - 1.0), log = std::log(a.f);
  return chain(a, b, g,
               {b.f * low, g * log, b.f * (b.f - 1.0) * std::pow(a.f, b.f - 2.0),
                low * (1.0 + b.f * log), g * log * log});
}

/// The angle of (x, y).
inline Jet atan2(const Jet& y, const Jet& x) {
  const double rr = x.f * x.f + y.f * y.f, s = 2.0 * x.f * y.f / (rr * rr);
  return chain(y, x, std::atan2(y.f, x.f),
               {x.f / rr, -y.f / rr, -s, (y.f * y.f - x.f * x.f) / (rr * rr), s});
}

inline Jet sin(const Jet& a) {
  const double s = std::sin(a.f), c = std::cos(a.f);
  return chain(a, s, c, -s);
}
inline Jet cos(const Jet& a) {
  const double s = std::sin(a.f), c = std::cos(a.f);
  return chain(a, c, -s, -c);
}
inline Jet tan(const Jet& a) {
  const double t = std::tan(a.f), d = 1.0 + t * t;
  return chain(a, t, d, 2.0 * t * d);
}
inline Jet asin(const Jet& a) {
  const double d = 1.0 / std::sqrt((1.0 - a.f) * (1.0 + a.f));
  return chain(a, std::asin(a.f), d, a.f * d * d * d);
}
inline Jet acos(const Jet& a) {
  const double d = 1.0 / std::sqrt((1.0 - a.f) * (1.0 + a.f));
  return chain(a, std::acos(a.f), -d, -a.f * d * d * d);
}
inline Jet atan(const Jet& a) {
  const double d = 1.0 / (1.0 + a.f * a.f);
  return chain(a, std::atan(a.f), d, -2.0 * a.f * d * d);
}
inline Jet sinh(const Jet& a) {
  const double s = std::sinh(a.f);
  return chain(a, s, std::cosh(a.f), s);
}
inline Jet cosh(const Jet& a) {
  const double c = std::cosh(a.f);
  return chain(a, c, std::sinh(a.f), c);
}
inline Jet tanh(const Jet& a) {
  const double t = std::tanh(a.f), d = 1.0 - t * t;
  return chain(a, t, d, -2.0 * t * d);
}
inline Jet exp(const Jet& a) {
  const double e = std::exp(a.f);
  return chain(a, e, e, e);
}
inline Jet log(const Jet& a) {
  return chain(a, std::log(a.f), 1.0 / a.f, -1.0 / (a.f * a.f));
}
inline Jet sqrt(const Jet& a) {
  const double s = std::sqrt(a.f);
  return chain(a, s, 0.5 / s, -0.25 / (s * a.f));
}

// At their kinks these have the derivatives of one side: abs that of a > 0, the others that of
// their first argument.

inline Jet abs(const Jet& a) {
  return a.f < 0.0 ? -a : a;
}
inline Jet min(const Jet& a, const Jet& b) {
  return b.f < a.f ? b : a;
}
inline Jet max(const Jet& a, const Jet& b) {
  return b.f > a.f ? b : a;
}

}  // namespace grouser
