// Stands in for convex_bullet.cpp in a build without Bullet.
#include "benchmarks/peers/convex_peer.h"

namespace grouser {

std::vector<std::unique_ptr<ConvexPeer>> make_bullet_peers(const ConvexShape&, const ConvexShape&) {
  return {};
}

}  // namespace grouser
