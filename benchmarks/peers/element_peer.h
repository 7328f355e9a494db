// Other libraries' answers for pairs of contact elements.
#pragma once

#include <functional>
#include <string>

#include "grouser/contact/world_def.h"

namespace grouser {

struct ElementPeer {
  std::string name;
  /// Depth, normal and place of the contact of two bodies; returns the depth [m].
  std::function<double(const Pose& X_WA, const Pose& X_WB)> find;
};

/// What FCL has for this pair of shapes: spheres, capsules, a triangle, the outside of a cylinder.
/// Without a name if there is nothing, or no FCL in this build.
ElementPeer make_fcl_element_peer(const ShapeDef& a, const ShapeDef& b);

}  // namespace grouser
