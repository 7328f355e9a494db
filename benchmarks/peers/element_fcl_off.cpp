// Stands in for element_fcl.cpp in a build without FCL.
#include "benchmarks/peers/element_peer.h"

namespace grouser {

ElementPeer make_fcl_element_peer(const ShapeDef&, const ShapeDef&) {
  return {};
}

}  // namespace grouser
