// What assertions ask of numbers, vectors and rotations.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "grouser/math/types.h"

namespace grouser {

inline bool is_unit(const Vec3& v, double tolerance = 1e-9) {
  return std::abs(v.norm() - 1.0) <= tolerance;
}
inline bool is_unit_or_zero(const Vec3& v, double tolerance = 1e-9) {
  return v.isZero(0.0) || is_unit(v, tolerance);
}

/// Orthonormal and right-handed.
inline bool is_rotation(const Mat3& R, double tolerance = 1e-9) {
  return (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff() <= tolerance &&
         R.determinant() > 0.0;
}

/// In [0, 1].
inline bool is_share(double x) {
  return x >= 0.0 && x <= 1.0;
}

inline bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace grouser
