// Friction as a spring and a damper side by side, in series with a slider that gives way at mu F_n.
//
// The stretch z of the spring is a state. Stuck, z follows the motion v and the force is
// k z + c z'. What would go beyond the slider's limit slips at a velocity s:
//
//   f* = k z + c v,   s = (|f*| - limit)+ / c  along f*,   z' = v - s,   f = k z + c z'
//
// so |f| <= limit at all times, exactly, also when the limit falls while the spring is stretched
// (with limit 0 the spring relaxes on its own damper, in c / k). Power f v is stored as
// 1/2 k z^2 or dissipated as c z'^2 + f s, and no part of that is ever negative.
#pragma once

#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

struct SpringSlider {
  double stiffness = 0.0;  ///< k [N/m], or [N m/rad]
  double damping = 0.0;    ///< c [N s/m], or [N m s/rad]; > 0
};

/// V is a number or a vector.
template <class V>
struct SliderAnswer {
  V force;                  ///< against the motion
  V rate;                   ///< z'
  double dissipated = 0.0;  ///< [W]
};

inline double length_of(double x) {
  return std::abs(x);
}
inline double length_of(const Vec3& x) {
  return x.norm();
}
inline double product_of(double x, double y) {
  return x * y;
}
inline double product_of(const Vec3& x, const Vec3& y) {
  return x.dot(y);
}

/// Precondition: limit >= 0, damping > 0.
template <class V>
SliderAnswer<V> spring_slider(const SpringSlider& law, const V& stretch, const V& velocity,
                              double limit) {
  GROUSER_ASSERT(!(limit < 0.0) && law.damping > 0.0 && law.stiffness >= 0.0);
  const V stuck = law.stiffness * stretch + law.damping * velocity;
  const double trial = length_of(stuck);
  if (trial <= limit) return {stuck, velocity, law.damping * product_of(velocity, velocity)};
  const V direction = stuck / trial;
  const double slip = (trial - limit) / law.damping;
  const V rate = velocity - slip * direction;
  return {V(limit * direction), rate, law.damping * product_of(rate, rate) + limit * slip};
}

/// Energy in the spring [J].
template <class V>
double spring_slider_energy(const SpringSlider& law, const V& stretch) {
  return 0.5 * law.stiffness * product_of(stretch, stretch);
}

}  // namespace grouser
