// Gradient noise: smooth random functions of the plane and of space.
//
// The function is zero at all points of an integer lattice and has a random slope there; in between
// the slopes are blended by a polynomial of fifth degree, so that curvature is continuous. Slopes
// come from a hash of the lattice point and a seed, by integer arithmetic alone: a point has the
// same noise whatever was asked before, and the same on every machine.
//
// Mean 0. The mean square over seeds and places is 1; values lie within about +-4.
#pragma once

#include <cstdint>

#include "grouser/math/types.h"

namespace grouser {

/// Value and derivatives at a point of the plane.
struct Noise {
  double value = 0.0;
  double dx = 0.0, dy = 0.0;
  double dxx = 0.0, dxy = 0.0, dyy = 0.0;
};

double gradient_noise(double x, double y, std::uint64_t seed);
Noise gradient_noise_derivatives(double x, double y, std::uint64_t seed);

double gradient_noise(const Vec3& point, std::uint64_t seed);

/// A seed for part `part` of what has the seed `seed`: octaves, layers, rocks of a field.
std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part);

}  // namespace grouser
