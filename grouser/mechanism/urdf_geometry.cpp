#include "grouser/mechanism/urdf_geometry.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;
using Kind = UrdfGeometry::Kind;

fs::path folder_of(const std::string& urdf_path) {
  std::error_code error;
  const fs::path whole = fs::absolute(urdf_path, error);
  return (error ? fs::path(urdf_path) : whole.lexically_normal()).parent_path();
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// `path` below `folder`, or below one of those above it.
std::optional<fs::path> find_upwards(fs::path folder, const fs::path& path) {
  while (true) {
    if (is_file(folder / path)) return folder / path;
    const fs::path above = folder.parent_path();
    if (above == folder || above.empty()) return std::nullopt;
    folder = above;
  }
}

/// The paths that a reference may mean, the likeliest first.
std::vector<fs::path> candidates(const std::string& reference) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (!reference.starts_with(scheme)) continue;
    const fs::path whole = reference.substr(scheme.size());
    fs::path rest;
    for (auto part = std::next(whole.begin()); part != whole.end(); ++part) rest /= *part;
    return {whole, rest};
  }
  const std::string scheme = "file://";
  const fs::path path = reference.starts_with(scheme) ? reference.substr(scheme.size()) : reference;
  std::vector<fs::path> out = {path};
  if (!path.is_absolute()) return out;
  // Of another computer, perhaps: its end may be the same here.
  for (auto first = std::next(path.begin()); first != path.end(); ++first) {
    fs::path end;
    for (auto part = first; part != path.end(); ++part) end /= *part;
    out.push_back(end);
  }
  return out;
}

TriangleMesh primitive(const UrdfGeometry& geometry) {
  const Vec3& size = geometry.size;
  if (geometry.kind == Kind::box) return make_box({.size = size});
  if (geometry.kind == Kind::sphere) return make_sphere({.radius = size[0], .triangles = 320});
  return make_cylinder({.radius = size[0], .length = size[1], .segments = 48});
}

/// The solid in the frame of the geometry, without its pose.
MassProperties solid(const UrdfGeometry& geometry, double density, UrdfMeshes& meshes) {
  const Vec3& size = geometry.size;
  switch (geometry.kind) {
    case Kind::box:
      return placed(box_mass_properties(size, density), geometry.X_LG);
    case Kind::sphere:
      return placed(sphere_mass_properties(size[0], density), geometry.X_LG);
    case Kind::cylinder:
      return placed(cylinder_mass_properties(size[0], size[1], density), geometry.X_LG);
    case Kind::mesh:
      break;
  }
  const TriangleMesh mesh = meshes.mesh(geometry);
  if (mesh.triangles.empty()) return {};
  try {
    return mass_properties(mesh, density, "mesh");
  } catch (const InputError&) {  // open or inside out
    const Box box = bounding_box(mesh);
    return placed(box_mass_properties(2.0 * box.half_size(), density),
                  Pose{Mat3::Identity(), box.center()});
  }
}

}  // namespace

std::string find_mesh_file(const std::string& reference, const std::string& urdf_path) {
  const fs::path folder = folder_of(urdf_path);
  for (const fs::path& path : candidates(reference)) {
    if (path.empty()) continue;
    if (path.is_absolute()) {
      if (is_file(path)) return path.string();
    } else if (const auto found = find_upwards(folder, path)) {
      return found->lexically_normal().string();
    }
  }
  return "";
}

UrdfMeshes::File UrdfMeshes::read(const std::string& reference) const {
  File file;
  const std::string path = find_mesh_file(reference, urdf_path_);
  if (path.empty()) {
    std::vector<std::string> names;
    for (const fs::path& name : candidates(reference))
      if (!name.empty()) names.push_back("'" + name.string() + "'");
    if (names.size() > 2) names = {names.front(), names.back()};  // a path and its many ends
    file.problem = "there is no " + join(names, " and no ") + " in " +
                   folder_of(urdf_path_).string() + " or above";
    return file;
  }
  try {
    file.mesh = read_mesh_file(path);
  } catch (const InputError& error) {
    file.problem = error.what();
  }
  return file;
}

TriangleMesh UrdfMeshes::mesh(const UrdfGeometry& geometry) {
  TriangleMesh out;
  if (geometry.kind != Kind::mesh) {
    if (geometry.size.head(geometry.kind == Kind::box        ? 3
                           : geometry.kind == Kind::cylinder ? 2
                                                             : 1)
            .minCoeff() > 0.0)
      out = primitive(geometry);
  } else {
    auto found = files_.find(geometry.file);
    if (found == files_.end()) found = files_.emplace(geometry.file, read(geometry.file)).first;
    File& file = found->second;
    if (std::find(file.links.begin(), file.links.end(), geometry.link) == file.links.end())
      file.links.push_back(geometry.link);
    if (!file.mesh) return out;
    out = *file.mesh;
    for (Vec3& vertex : out.vertices) vertex = vertex.cwiseProduct(geometry.size);
    if (geometry.size.prod() < 0.0) reverse_orientation(out);  // mirrored
  }
  for (Vec3& vertex : out.vertices) vertex = geometry.X_LG * vertex;
  return out;
}

std::vector<std::string> UrdfMeshes::notes() const {
  std::vector<std::string> out;
  for (const auto& [reference, file] : files_) {
    if (file.mesh) continue;
    out.push_back("mesh '" + reference + "' of " + (file.links.size() > 1 ? "links " : "link ") +
                  join(file.links) + " is left out: " + file.problem);
  }
  return out;
}

std::vector<ModelGeom> read_urdf_geoms(const std::vector<UrdfGeometry>& geometries,
                                       const std::vector<ModelBody>& bodies, UrdfMeshes& meshes) {
  std::vector<ModelGeom> out;
  std::map<std::string, int> count;
  std::set<int> with_visual;
  for (const UrdfGeometry& geometry : geometries) {
    ModelGeom geom;
    geom.mesh = meshes.mesh(geometry);
    if (geom.mesh.triangles.empty()) continue;
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const ModelBody& candidate) {
      return candidate.name == geometry.link;
    });
    geom.body = body == bodies.end() ? -1 : static_cast<int>(body - bodies.begin());
    geom.shown = geometry.use == UrdfGeometry::Use::visual;
    geom.name = geometry.link + (geom.shown ? "" : "_collision");
    const int number = ++count[geom.name];
    if (number > 1) geom.name += "_" + std::to_string(number);
    geom.X_BG = geometry.X_LG;
    if (geometry.kind == Kind::sphere) geom.kind = ModelGeom::Kind::sphere;
    if (geometry.kind == Kind::cylinder) geom.kind = ModelGeom::Kind::cylinder;
    if (geom.kind != ModelGeom::Kind::other) geom.radius = geometry.size[0];
    if (geometry.kind == Kind::cylinder) geom.length = geometry.size[1];
    if (geom.shown) with_visual.insert(geom.body);
    out.push_back(std::move(geom));
  }
  for (ModelGeom& geom : out)
    if (with_visual.count(geom.body) == 0) geom.shown = true;
  return out;
}

std::optional<MassProperties> solid_link(const std::vector<UrdfGeometry>& geometries,
                                         const std::string& link, double density,
                                         UrdfMeshes& meshes) {
  for (const UrdfGeometry::Use use : {UrdfGeometry::Use::collision, UrdfGeometry::Use::visual}) {
    MassProperties sum;
    for (const UrdfGeometry& geometry : geometries) {
      if (geometry.link != link || geometry.use != use) continue;
      const MassProperties part = solid(geometry, density, meshes);
      if (part.mass > 0.0) sum = sum.mass > 0.0 ? joined(sum, part) : part;
    }
    if (sum.mass > 0.0) return sum;
  }
  return std::nullopt;
}

}  // namespace grouser
