#include "grouser/mechanism/mechanism_file.h"

#include <filesystem>

#include "grouser/base/text_file.h"
#include "grouser/mechanism/urdf_geometry.h"

namespace grouser {
namespace {

/// The unit of a joint's coordinate, in a model that is `scale` times as large.
double unit_of(const MujocoModel& model, const std::string& joint, double scale) {
  for (const ModelJoint& candidate : model.joints)
    if (candidate.name == joint) return candidate.kind == JointKind::slide ? scale : 1.0;
  return 1.0;
}

void add_geoms(const UrdfConversion& urdf, const std::string& path, double scale,
               MujocoModel& model) {
  UrdfMeshes meshes(path);
  model.solids = read_urdf_geoms(urdf.geometries, model.bodies, meshes);
  for (ModelGeom& geom : model.solids) {
    for (Vec3& vertex : geom.mesh.vertices) vertex *= scale;
    geom.X_BG.p *= scale;
    geom.radius *= scale;
    geom.length *= scale;
    if (geom.shown) model.geoms.push_back(picture_of(geom, model.bodies));
  }
  for (std::string& note : meshes.notes()) model.notes.push_back(std::move(note));
}

MujocoModel read_urdf(const std::string& path, const MechanismFileOptions& options) {
  const UrdfConversion urdf =
      convert_urdf(read_file(path, "a URDF file").bytes, path, options.base);
  MujocoModel model = load_mujoco(path, urdf.mjcf, options.gravity, options.scale);
  model.notes.insert(model.notes.begin(), urdf.notes.begin(), urdf.notes.end());
  for (const JointCoupling& c : urdf.couplings) {
    const double unit = unit_of(model, c.joint, options.scale);
    const double ratio = unit / unit_of(model, c.other, options.scale);
    model.couplings.push_back({c.joint + "_mimic",
                               {{c.joint, 1.0}, {c.other, -c.multiplier * ratio}},
                               c.offset * unit,
                               {path, 0, 0}});
  }
  add_geoms(urdf, path, options.scale, model);
  return model;
}

}  // namespace

bool is_urdf(const std::string& path) {
  return suffix_of(path) == ".urdf";
}

MujocoModel read_mechanism_file(const std::string& path, const MechanismFileOptions& options) {
  const std::string suffix = suffix_of(path);
  if (suffix != ".xml" && suffix != ".mjcf" && suffix != ".urdf")
    throw InputError("'" + path + "' is neither MJCF (.xml) nor URDF (.urdf)");
  if (!std::filesystem::is_regular_file(path)) throw InputError("there is no file '" + path + "'");
  if (suffix == ".urdf") return read_urdf(path, options);
  return load_mujoco(path, std::nullopt, options.gravity, options.scale);
}

}  // namespace grouser
