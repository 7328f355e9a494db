// A scene: everything a run needs, read from a TOML file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grouser/base/parameter_settings.h"
#include "grouser/base/value.h"
#include "grouser/contact/world_def.h"
#include "grouser/mechanism/constraints.h"
#include "grouser/mechanism/mechanism.h"
#include "grouser/record/recording.h"
#include "grouser/rover/rover.h"
#include "grouser/run/integrator.h"
#include "grouser/scene/body_def.h"
#include "grouser/scene/scene_rocks.h"

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
  std::vector<std::string> notes;   ///< what it says that is not used
  std::vector<PictureShape> geoms;  ///< for pictures
};

/// What the mechanism's file of a scene holds, as read.
MujocoModel load_mechanism_model(const Scene& scene);

/// The mechanism of a scene.
std::unique_ptr<Mechanism> build_mechanism(const Scene& scene, MechanismExtras& extras);

/// One table of keys per part of a scene file, for documentation.
std::vector<ParameterPage> scene_keys();

}  // namespace grouser
