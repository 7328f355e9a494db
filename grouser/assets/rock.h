// Rocks: spheres deformed by noise and cut by planes.
//
// Every point of a sphere moves along its ray only, so that a rock is star-shaped and never meets
// itself. The rock is then stretched to its size and moved to its centre of mass.
//
//   TriangleMesh rock = make_rock({.size = {0.4, 0.3, 0.2}, .seed = 7});
//   MassProperties mass = mass_properties(rock, 2700.0, "rock");   // exact for the mesh
#pragma once

#include <string>

#include "grouser/base/parameters.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

struct RockDef {
  Vec3 size = Vec3::Constant(kRequired);  ///< edge lengths of its bounding box [m]
  double roughness = 0.1;        ///< of the whole shape: size of bumps and hollows over the radius
  double fine_roughness = 0.02;  ///< of the skin: the same of small bumps and ridges
  int facets = 18;               ///< planes that cut the rock
  double angularity = 0.6;       ///< 0: cuts are shallow and rounded, 1: deep with sharp edges
  int triangles = 1280;          ///< 20 f^2
  int seed = 1;
};

/// Changes whenever the same definition would give another rock.
inline constexpr int kRockVersion = 1;

const ParameterTable<RockDef>& parameter_table(const RockDef*);

/// Closed, outward, with the centre of mass of the solid inside at the origin. Along x, y and z it
/// is exactly (to rounding) as long as `size` says. Octaves of noise too short for the triangles
/// are left out, but the first of each kind: more triangles show more of the same rock.
///
/// Throws InputError at `place`, naming keys below `path`.
TriangleMesh make_rock(const RockDef& definition, const Place& place = {},
                       const std::string& path = "rock");

}  // namespace grouser
