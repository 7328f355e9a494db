// Stands in for simbody_foundation.cpp in a build without Simbody.
#include "benchmarks/peers/simbody_foundation.h"

namespace grouser {

std::unique_ptr<SimbodyFoundation> make_simbody_foundation(const SimbodyFoundation::Setup&) {
  return nullptr;
}

}  // namespace grouser
