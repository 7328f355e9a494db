// The geometry of a URDF: finds its mesh files and reads them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grouser/mechanism/urdf_reader.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

struct ModelBody;
struct ModelGeom;

/// Where the mesh file is that a URDF names; empty if there is none. `reference` may be a path, or
/// start with file://, package:// or model://. Folders are searched from that of the URDF upwards;
/// of package://name/rest first for name/rest, then for rest alone; of an absolute path that is not
/// there, for ever shorter ends of it.
std::string find_mesh_file(const std::string& reference, const std::string& urdf_path);

/// Reads what a URDF lists, every file once. What cannot be read is noted, never refused.
class UrdfMeshes {
 public:
  explicit UrdfMeshes(const std::string& urdf_path) : urdf_path_(urdf_path) {}

  /// In the frame of the link; empty if there is no such mesh.
  TriangleMesh mesh(const UrdfGeometry& geometry);
  /// One sentence per file that could not be read, with the links that miss it.
  std::vector<std::string> notes() const;

 private:
  struct File {
    std::optional<TriangleMesh> mesh;
    std::string problem;
    std::vector<std::string> links;
  };
  File read(const std::string& reference) const;

  std::string urdf_path_;
  std::map<std::string, File> files_;  // by reference
};

/// All geometry as geoms of the bodies. Shown are the visuals, and the collisions of links without
/// visuals.
std::vector<ModelGeom> read_urdf_geoms(const std::vector<UrdfGeometry>& geometries,
                                       const std::vector<ModelBody>& bodies, UrdfMeshes& meshes);

/// Mass properties of a link if it were solid, of this density [kg/m^3]: from its collision
/// geometry, or else its visuals; an open mesh counts as its bounding box. Nothing without
/// geometry.
std::optional<MassProperties> solid_link(const std::vector<UrdfGeometry>& geometries,
                                         const std::string& link, double density,
                                         UrdfMeshes& meshes);

}  // namespace grouser
