// Stands in for convex_libccd.cpp in a build without libccd.
#include "benchmarks/peers/convex_peer.h"

namespace grouser {

std::vector<std::unique_ptr<ConvexPeer>> make_libccd_peers(const ConvexShape&, const ConvexShape&) {
  return {};
}

}  // namespace grouser
