// The elastic foundation: a layer of independent springs on a surface (Winkler).
#pragma once

#include "grouser/base/assert.h"

namespace grouser {

/// Stiffness per area [Pa/m] of an elastic layer of thickness b [m] on a rigid body: K / b with the
/// constrained modulus K = E (1 - nu) / ((1 + nu)(1 - 2 nu)). Johnson (1985) 4.3; Hippmann (2023)
/// eq. 2, 3. Precondition: nu < 0.5, b > 0.
inline double layer_stiffness(double young_modulus, double poisson_ratio, double thickness) {
  const double nu = poisson_ratio;
  GROUSER_ASSERT(nu > -1.0 && nu < 0.5 && thickness > 0.0);
  return young_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / thickness;
}

/// Two layers pressed together act in series.
inline double series_stiffness(double c_1, double c_2) {
  GROUSER_ASSERT(c_1 + c_2 > 0.0);
  return c_1 * c_2 / (c_1 + c_2);
}

}  // namespace grouser
