// A shape as pictures show it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Geometry that stays fixed on its body, for viewers.
struct PictureShape {
  std::string name;
  std::string body;
  std::string kind = "mesh";  ///< or an analytic shape such as "sphere" or "half_space"
  TriangleMesh mesh;          ///< in the body frame; empty for analytic shapes
  std::vector<std::pair<std::string, double>> numbers;  ///< {{"radius", 0.1}}; SI units
};

}  // namespace grouser
