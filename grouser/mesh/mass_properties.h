// Volume, centre and inertia of solids of uniform density.
#pragma once

#include <string>

#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Volume [m^3] inside a closed mesh; negative if its triangles look inward. The sum is taken about
/// the middle of the mesh, so a mesh far from the origin loses no digits. For an open mesh the
/// number has no meaning.
double signed_volume(const TriangleMesh& mesh);

/// Of the solid inside a mesh, exact for the polyhedron: sums over the tetrahedra between each
/// triangle and one point (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia
/// tensor"). `density` in kg/m^3. Throws InputError, starting with `name`, if the mesh is not
/// usable, not closed (with the counts), inside out or encloses no volume.
MassProperties mass_properties(const TriangleMesh& mesh, double density, const std::string& name);

// Closed forms. All stand as the meshes of mesh_shapes.h do: centred, axis z.

MassProperties box_mass_properties(const Vec3& size, double density);
MassProperties sphere_mass_properties(double radius, double density);
MassProperties cylinder_mass_properties(double radius, double length, double density);
/// Cone or frustum between radius `base_radius` at z = -length / 2 and `top_radius` at +length / 2.
MassProperties cone_mass_properties(double base_radius, double top_radius, double length,
                                    double density);
/// Cylinder of `length` with a half sphere on either end.
MassProperties capsule_mass_properties(double radius, double length, double density);
MassProperties torus_mass_properties(double major_radius, double minor_radius, double density);
MassProperties ellipsoid_mass_properties(const Vec3& half_axes, double density);
/// With the exponents of StarSurface.
MassProperties superellipsoid_mass_properties(const Vec3& half_axes, const Vec2& exponents,
                                              double density);

/// Of a body that stands at X_BP in another frame, seen from there.
MassProperties placed(const MassProperties& part, const Pose& X_BP);
/// Of two bodies together, both seen from the same frame.
MassProperties joined(const MassProperties& a, const MassProperties& b);

}  // namespace grouser
