// Poses in single precision that move eight points at once.
#pragma once

#include <array>

#include "grouser/math/lanes.h"
#include "grouser/math/spatial.h"

namespace grouser {

/// Eight vectors, coordinate by coordinate.
using FloatLanes3 = std::array<std::array<float, kLanes>, 3>;

struct FloatPose {
  std::array<std::array<float, 3>, 3> R;
  std::array<float, 3> p;

  explicit FloatPose(const Pose& X) {
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = static_cast<float>(X.p[static_cast<Eigen::Index>(i)]);
      for (std::size_t j = 0; j < 3; ++j)
        R[i][j] =
            static_cast<float>(X.R(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    }
  }
  std::array<Lanes, 3> turn(const FloatLanes3& v) const {
    std::array<Lanes, 3> out;
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = Lanes(R[i][0]) * Lanes(v[0].data()) + Lanes(R[i][1]) * Lanes(v[1].data()) +
               Lanes(R[i][2]) * Lanes(v[2].data());
    return out;
  }
  std::array<Lanes, 3> move(const FloatLanes3& v) const {
    std::array<Lanes, 3> out = turn(v);
    for (std::size_t i = 0; i < 3; ++i) out[i] = out[i] + Lanes(p[i]);
    return out;
  }
};

}  // namespace grouser
