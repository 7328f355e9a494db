// From a scene to its mechanism.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "grouser/base/text.h"
#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mechanism_file.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/run/run_scene.h"

namespace grouser {
namespace {

/// In the frame of the shape; nothing for one without volume.
MassProperties mass_of_shape(const ShapeDef& shape, double density, const std::string& who) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry))
    return mass_properties(*mesh->mesh, density, who);
  if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry))
    return sphere->radius > 0.0 ? sphere_mass_properties(sphere->radius, density)
                                : MassProperties{};
  if (const auto* convex = std::get_if<ConvexBody>(&shape.geometry))
    return mass_properties(*convex, density, who);
  if (const auto* smooth = std::get_if<SmoothShape>(&shape.geometry))
    return mass_properties(*smooth, density, who);
  return {};
}

MassProperties mass_of(const BodyDef& body, const std::vector<ShapeDef>& shapes) {
  const std::string who = "body '" + body.name + "'";
  if (body.density > 0.0) {
    if (body.mass > 0.0 || !body.inertia.empty())
      throw InputError(body.place, who + ": give density, or mass and inertia, not both");
    MassProperties all;
    try {
      for (const ShapeDef& shape : shapes)
        if (shape.body == body.name)
          all = joined(all, placed(mass_of_shape(shape, body.density, who), shape.X_BS));
    } catch (const InputError& error) {
      throw InputError(body.place, error.what());
    }
    if (all.mass == 0.0) throw InputError(body.place, who + " has a density but no solid shape");
    return all;
  }
  if (!(body.mass > 0.0) || body.inertia.empty())
    throw InputError(body.place, who + " needs mass and inertia, or density");
  MassProperties out;
  out.mass = body.mass;
  out.center = body.center;
  const std::vector<double>& I = body.inertia;
  out.inertia.diagonal() << I[0], I[1], I[2];
  if (I.size() == 6) {
    out.inertia(0, 1) = out.inertia(1, 0) = I[3];
    out.inertia(0, 2) = out.inertia(2, 0) = I[4];
    out.inertia(1, 2) = out.inertia(2, 1) = I[5];
  }
  const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(out.inertia).eigenvalues();
  if (!(principal.x() > 0.0))
    throw InputError(body.place, who + ": inertia must be positive definite");
  if (principal.x() + principal.y() < principal.z() * (1.0 - 1e-9))
    throw InputError(body.place, who + ": no body has the principal moments " +
                                     to_text(principal.x(), 6) + ", " + to_text(principal.y(), 6) +
                                     ", " + to_text(principal.z(), 6) +
                                     ": the largest exceeds the sum of the others");
  return out;
}

/// Limits of joints count for nothing, unless something says where the joint is.
void note_limits(const Scene& scene, const MujocoModel& model, std::vector<std::string>& notes) {
  std::vector<std::string> free;
  for (const ModelJoint& joint : model.joints) {
    const bool told =
        std::any_of(scene.prescribed.begin(), scene.prescribed.end(),
                    [&](const PrescribedJointDef& p) { return p.joint == joint.name; }) ||
        std::any_of(scene.motors.begin(), scene.motors.end(), [&](const MotorDef& motor) {
          return motor.control == MotorDef::Control::position && motor.joint == joint.name;
        });
    if ((joint.lower || joint.upper) && !told) free.push_back(joint.name);
  }
  if (!free.empty()) notes.push_back("limits of joints are not enforced: " + join(free));
}

void load_mechanism_file(const Scene& scene, MechanismDef& def, MechanismExtras& extras) {
  MujocoModel model = load_mechanism_model(scene);
  note_limits(scene, model, extras.notes);
  def.trees.push_back(std::move(model.tree));
  std::move(model.couplings.begin(), model.couplings.end(), std::back_inserter(def.couplings));
  std::move(model.loops.begin(), model.loops.end(), std::back_inserter(def.loops));
  extras.notes.insert(extras.notes.end(), model.notes.begin(), model.notes.end());
  extras.geoms = std::move(model.geoms);
}

}  // namespace

MujocoModel load_mechanism_model(const Scene& scene) {
  const std::string path = (std::filesystem::path(scene.folder) / scene.mechanism.file).string();
  MechanismFileOptions options;
  if (scene.mechanism.base == MechanismFileDef::Base::floating) options.base = UrdfBase::floating;
  options.gravity = scene.simulation.gravity;
  options.scale = scene.mechanism.scale;
  try {
    return read_mechanism_file(path, options);
  } catch (const InputError& error) {
    throw InputError(scene.mechanism.place, std::string("mechanism.file: ") + error.what());
  }
}

std::unique_ptr<Mechanism> build_mechanism(const Scene& scene, MechanismExtras& extras) {
  MechanismDef def;
  if (!scene.mechanism.file.empty()) load_mechanism_file(scene, def, extras);
  if (!scene.bodies.empty()) {
    std::vector<FreeBody> bodies;
    for (const BodyDef& body : scene.bodies)
      bodies.push_back({body.name,
                        mass_of(body, scene.contact.shapes),
                        body.placement.pose(),
                        {body.angular_velocity, body.velocity}});
    def.trees.push_back(make_free_bodies(bodies, scene.simulation.gravity));
  }
  // Here the place is known; between trees only the name is.
  if (!def.trees.empty())
    for (const std::string& name : def.trees[0]->body_names())
      for (const BodyDef& body : scene.bodies)
        if (!scene.mechanism.file.empty() && body.name == name)
          throw InputError(body.place,
                           "body.name '" + name + "' is also a body of " + scene.mechanism.file);
  def.moving_bodies = scene.moving_bodies;
  def.couplings.insert(def.couplings.end(), scene.couplings.begin(), scene.couplings.end());
  def.loops.insert(def.loops.end(), scene.loops.begin(), scene.loops.end());
  def.prescribed = scene.prescribed;
  def.motors = scene.motors;
  def.forces = scene.forces;
  def.initial = scene.initial;
  return std::make_unique<Mechanism>(std::move(def));
}

}  // namespace grouser
