// A drum wheel that rolls steadily on the soil of SCM, as an integral over its rim: an independent
// answer for what a grid converges to.
//
// Columns of soil stand still. In front they are pressed down at yield; behind the lowest point
// they spring back along the elastic line. The column at the angle theta has been slid over by j =
// int (w r - v cos theta) dt, dt = r cos theta dtheta / v. No soil is displaced.
#pragma once

#include <algorithm>
#include <cmath>

#include "grouser/laws/soil.h"

namespace grouser {

struct DrumForces {
  double sinkage = 0.0, normal = 0.0, drawbar = 0.0, torque = 0.0;
};

/// At a given sinkage.
inline DrumForces drum_forces(const SoilDef& soil, double r, double width, double slip,
                              double sinkage) {
  const double stiffness = elastic_stiffness_of(soil, 9.81);
  const double front = std::acos(1.0 - sinkage / r);
  double rear = 0.0, modulus = 0.0;
  for (int i = 0; i < 30; ++i) {  // the width of the patch depends on its length
    const double length = r * (std::sin(front) + std::sin(rear));
    modulus = pressure_modulus(soil, length * width / (length + width), 9.81);
    const double rise = modulus * std::pow(sinkage, soil.n) / stiffness;
    rear = std::acos(1.0 - rise / r);
  }
  const auto pressed = [&](double z) {
    return std::min(stiffness * z, modulus * std::pow(z, soil.n));
  };
  DrumForces out{.sinkage = sinkage};
  constexpr int kSteps = 20000;  // midpoint rule: 1e-7
  const double step = (front + rear) / kSteps;
  double slid = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double theta = front - (i + 0.5) * step;
    const double more = (1.0 / (1.0 - slip) - std::cos(theta)) * r * std::cos(theta) * step;
    const double p =
        theta > 0.0 ? pressed(r * (std::cos(theta) - std::cos(front)))
                    : std::max(0.0, pressed(sinkage) - stiffness * r * (1.0 - std::cos(theta)));
    const double j = slid + 0.5 * more;
    slid += more;
    const double strength = soil.cohesion + p * std::tan(soil.friction_angle);
    const double tau =
        std::copysign(strength * (1.0 - std::exp(-std::abs(j) / soil.shear_modulus)), j);
    const double area = width * r * step;
    out.normal += area * (p * std::cos(theta) + tau * std::sin(theta));
    out.drawbar += area * (tau * std::cos(theta) - p * std::sin(theta));
    out.torque += area * r * tau;
  }
  return out;
}

/// At the sinkage at which it carries `load`.
inline DrumForces drum_under_load(const SoilDef& soil, double r, double width, double slip,
                                  double load) {
  double low = 1e-5, high = 0.9 * r;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (drum_forces(soil, r, width, slip, middle).normal < load ? low : high) = middle;
  }
  return drum_forces(soil, r, width, slip, low);
}

}  // namespace grouser
