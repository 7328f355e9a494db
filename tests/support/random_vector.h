// A random vector for tests.
#pragma once

#include "grouser/base/random.h"
#include "grouser/math/types.h"

namespace grouser::test {

/// In the cube of this half edge about the origin. Drawn from z to x: compilers do not agree in
/// which order they evaluate arguments.
inline Vec3 random_vector(Random& random, double size) {
  const double z = random.uniform(-size, size), y = random.uniform(-size, size);
  return {random.uniform(-size, size), y, z};
}

}  // namespace grouser::test
