// Other narrow phases for convex bodies: libccd, FCL and Bullet, which answer for one pair.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/shape/convex_shape.h"

namespace grouser {

class ConvexPeer {
 public:
  virtual ~ConvexPeer() = default;
  virtual std::string name() const = 0;
  /// Finds depth, normal and place of the contact; returns the depth [m], negative if there is
  /// none.
  virtual double find(const Pose& X_WA, const Pose& X_WB) = 0;
};

/// All that the library has for boxes, cylinders and hulls. None in a build without it.
std::vector<std::unique_ptr<ConvexPeer>> make_libccd_peers(const ConvexShape& a,
                                                           const ConvexShape& b);
std::vector<std::unique_ptr<ConvexPeer>> make_fcl_peers(const ConvexShape& a, const ConvexShape& b);
std::vector<std::unique_ptr<ConvexPeer>> make_bullet_peers(const ConvexShape& a,
                                                           const ConvexShape& b);

}  // namespace grouser
