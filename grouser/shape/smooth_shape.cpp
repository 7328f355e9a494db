#include "grouser/shape/smooth_shape.h"

#include "grouser/base/error.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/shape/smooth_bodies.h"

namespace grouser {

MassProperties mass_properties(const SmoothShape& shape, double density, const std::string& what) {
  if (const auto* torus = dynamic_cast<const TorusSurface*>(shape.surface.get()))
    return torus_mass_properties(torus->major_radius(), torus->minor_radius(), density);
  if (const auto* star = dynamic_cast<const StarSurface*>(shape.surface.get()))
    return superellipsoid_mass_properties(star->half_axes(), star->exponents(), density);
  throw InputError(what + ": the volume of a " + shape.kind +
                   " surface is not known; give mass and inertia instead of a density");
}

}  // namespace grouser
