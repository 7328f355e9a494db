// Stands in for convex_fcl.cpp in a build without FCL.
#include "benchmarks/peers/convex_peer.h"

namespace grouser {

std::vector<std::unique_ptr<ConvexPeer>> make_fcl_peers(const ConvexShape&, const ConvexShape&) {
  return {};
}

}  // namespace grouser
