// Contact elements found by a ray tracer: Embree 3, the target's triangles in its hierarchy, the
// penetration lines as packets of eight rays in single precision. No forces.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

class EmbreeRays {
 public:
  struct Setup {
    const TriangleMesh& base;
    const TriangleMesh& target;
    double max_penetration;
    bool coherent;  ///< tell Embree that the rays of a packet run alike
  };

  virtual ~EmbreeRays() = default;
  virtual std::string version() const = 0;
  /// Culls, transforms, packs and casts the lines; returns the number of lines that meet the target
  /// from inside first.
  virtual std::size_t find(const Pose& X_TB) = 0;
  /// Lines that were cast by the last find().
  virtual std::size_t ray_count() const = 0;
};

/// Null in a build without Embree.
std::unique_ptr<EmbreeRays> make_embree_rays(const EmbreeRays::Setup& setup);

}  // namespace grouser
