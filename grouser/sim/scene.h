// A scene: everything a run needs, read from a TOML file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grouser/base/parameter_settings.h"
#include "grouser/base/value.h"
#include "grouser/contact/world_def.h"
#include "grouser/sim/constraints.h"
#include "grouser/sim/integrator.h"
#include "grouser/sim/mechanism.h"
#include "grouser/sim/recording.h"
#include "grouser/sim/rover.h"
#include "grouser/sim/scene_rocks.h"

namespace grouser {

/// [simulation]
struct SimulationDef {
  double duration = kRequired;
  double output_interval = 0.01;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);
  int threads = 1;
  bool record_patches = true;
  IntegratorDef integrator;
};
const ParameterTable<SimulationDef>& simulation_parameters();

/// [mechanism]
struct MechanismFileDef {
  enum class Base { fixed, floating };
  std::string file;  ///< empty: none
  Base base = Base::fixed;
  double scale = 1.0;  ///< see load_mujoco()
  Place place;
};

/// [[body]]: a free rigid body.
struct BodyDef {
  std::string name;
  double mass = 0.0;
  double density = 0.0;
  std::vector<double> inertia;
  Vec3 center = Vec3::Zero();
  PlacementDef placement;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  Place place;
};

/// A table of the scene file with all its parameters as used, defaults included.
struct SceneSection {
  std::string part;   ///< "simulation", "body", "contact", ...
  std::string name;   ///< of the entry, or its joint; empty if there is only one, or none was given
  std::string model;  ///< of a contact
  std::vector<ParameterSetting> settings;
};

struct Scene {
  std::string path;
  std::string folder;  ///< files are looked up relative to it
  std::string text;    ///< as it stands in the file, followed by what was set on the command line
  std::vector<std::string> overrides;
  /// As read from the file, for recordings and reports; contacts in the order of `contact`.
  std::vector<SceneSection> sections;

  SimulationDef simulation;
  MechanismFileDef mechanism;
  std::vector<BodyDef> bodies;
  std::vector<MovingBodyDef> moving_bodies;
  std::vector<CouplingDef> couplings;
  std::vector<LoopDef> loops;
  std::vector<PrescribedJointDef> prescribed;
  std::vector<MotorDef> motors;
  std::vector<ForceDef> forces;
  std::vector<MechanismDef::InitialJoint> initial;
  ContactWorldDef contact;
  /// What follows from [rover] is in the parts above; this is what a run needs besides.
  std::optional<RoverDef> rover;
  std::vector<SceneRocks> rocks;  ///< which of the shapes and bodies are rocks
};

/// Reads and checks a scene file. Each override is "key=value" with a dotted key, such as
/// "simulation.duration=2" or "contact.0.friction=0.5". Throws InputError.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The document of such a scene, as it would be read; overrides are in it. `included` gets the
/// paths of files that it includes.
Value read_scene_document(const std::string& path, const std::vector<std::string>& overrides,
                          std::vector<std::string>* included = nullptr);

/// What a mechanism's file has besides the mechanism.
struct MechanismExtras {
  std::vector<std::string> notes;     ///< what it says that is not used
  std::vector<RecordingShape> geoms;  ///< for pictures
};

/// What the mechanism's file of a scene holds, as read.
MujocoModel load_mechanism_model(const Scene& scene);

/// The mechanism of a scene.
std::unique_ptr<Mechanism> build_mechanism(const Scene& scene, MechanismExtras& extras);

/// One table of keys per part of a scene file, for documentation.
std::vector<ParameterPage> scene_keys();

}  // namespace grouser
