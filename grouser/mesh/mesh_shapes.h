// Generated meshes: what a scene may give wherever it may give a mesh file.
//
//   mesh.torus = { major_radius = 1.0, minor_radius = 0.3, triangles = 4096 }
//
// All are centred at the origin; closed ones are watertight and look outward. The same definition
// gives the same bits. The functions check ranges themselves and throw InputError.
//
// Where a definition says so, the mesh has groups, see TriangleMesh.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Around the axis z; twice as many pieces around the axis as around the tube.
struct TorusMesh {
  double major_radius = kRequired;  ///< from the axis to the middle of the tube
  double minor_radius = kRequired;  ///< of the tube
  int triangles = 4096;             ///< 4 n^2
};

/// A geodesic sphere: the sides of an icosahedron cut into f^2 triangles each, with all vertices on
/// the sphere.
struct SphereMesh {
  double radius = kRequired;
  int triangles = 1280;  ///< 20 f^2
};

/// A geodesic sphere, stretched along the axes.
struct EllipsoidMesh {
  Vec3 half_axes = Vec3::Constant(kRequired);
  int triangles = 980;  ///< 20 f^2
};

/// The longest edge is cut into `divisions`, the others into pieces about as long. Groups "x-",
/// "x+", "y-", "y+", "z-", "z+".
struct BoxMesh {
  Vec3 size = Vec3::Constant(kRequired);
  int divisions = 1;
};

/// Axis z. The circumference is cut into `segments`; rings along the mantle and on the lids follow
/// so that triangles have sides of about the same length. This also holds for cone and capsule.
/// Groups "side", "bottom", "top".
struct CylinderMesh {
  double radius = kRequired;
  double length = kRequired;
  int segments = 32;
};

/// A cone, or a frustum if `top_radius` is positive: base at z = -length / 2, top at +length / 2.
/// Groups as a cylinder's; a point is no "top".
struct ConeMesh {
  double base_radius = kRequired;
  double top_radius = 0.0;
  double length = kRequired;
  int segments = 32;  ///< around the larger end
};

/// Axis z: a cylinder of `length` with a half sphere on either end.
struct CapsuleMesh {
  double radius = kRequired;
  double length = kRequired;  ///< of the cylinder
  int segments = 32;
};

/// A sheet in z = 0 that looks up, +z. Two triangles per cell.
struct PlaneMesh {
  double size_x = kRequired;
  double size_y = kRequired;
  int cells_x = 1;
  int cells_y = 1;
};

TriangleMesh make_torus(const TorusMesh& definition);
TriangleMesh make_sphere(const SphereMesh& definition);
TriangleMesh make_ellipsoid(const EllipsoidMesh& definition);
TriangleMesh make_box(const BoxMesh& definition);
TriangleMesh make_cylinder(const CylinderMesh& definition);
TriangleMesh make_cone(const ConeMesh& definition);
TriangleMesh make_capsule(const CapsuleMesh& definition);
TriangleMesh make_plane(const PlaneMesh& definition);

const ParameterTable<TorusMesh>& parameter_table(const TorusMesh*);
const ParameterTable<SphereMesh>& parameter_table(const SphereMesh*);
const ParameterTable<EllipsoidMesh>& parameter_table(const EllipsoidMesh*);
const ParameterTable<BoxMesh>& parameter_table(const BoxMesh*);
const ParameterTable<CylinderMesh>& parameter_table(const CylinderMesh*);
const ParameterTable<ConeMesh>& parameter_table(const ConeMesh*);
const ParameterTable<CapsuleMesh>& parameter_table(const CapsuleMesh*);
const ParameterTable<PlaneMesh>& parameter_table(const PlaneMesh*);

/// The mesh a scene describes: `shape` is the key of the generator ("torus"), `parameters` its
/// table, `path` the key of that table for messages. Throws InputError with the place.
TriangleMesh generate_mesh(const std::string& shape, const Value& parameters,
                           const std::string& path);

/// "torus", "sphere", ...: in the order of the documentation.
std::vector<std::string> mesh_shape_names();

/// What kind of mesh it is, for documentation. Throws InputError for an unknown name.
std::string mesh_shape_meaning(const std::string& shape);

/// What the table of a shape may say. Throws InputError for an unknown name.
std::vector<ParameterInfo> mesh_shape_parameters(const std::string& shape);

}  // namespace grouser
