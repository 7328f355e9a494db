// Stands in for embree_rays.cpp in a build without Embree.
#include "benchmarks/peers/embree_rays.h"

namespace grouser {

std::unique_ptr<EmbreeRays> make_embree_rays(const EmbreeRays::Setup&) {
  return nullptr;
}

}  // namespace grouser
