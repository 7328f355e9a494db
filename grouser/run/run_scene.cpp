#include "grouser/run/run_scene.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "grouser/base/text_file.h"
#include "grouser/mechanism/mechanism_file.h"
#include "grouser/run/run_scene_tables.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"

namespace grouser {

using namespace scene_tables;

namespace {

using parameters_detail::joined;

/// Reads every [[key]] with a table; `finish` turns what was read into the definition.
template <class Text, class Def, class Finish>
void read_all(const Value& document, const std::string& key, const ParameterTable<Text>& table,
              std::vector<Def>& out, Finish finish) {
  for (const Value& value : tables_of(document, key)) {
    Text text;
    table.read(value, text, key);
    out.push_back(finish(text, value.place()));
  }
}

void read_initial(const Value& document, Scene& scene) {
  const Value* initial = document.find("initial");
  if (!initial) return;
  for (const Value::Entry& entry : initial->table_or_throw("initial")) {
    MechanismDef::InitialJoint joint;
    joint.joint = entry.key;
    joint.place = entry.place;
    const std::string path = joined("initial", entry.key);
    if (entry.value.is_table())
      initial_parameters().read(entry.value, joint, path);
    else
      joint.position = {parameters_detail::read_number(entry.value, path, any_number())};
    scene.initial.push_back(std::move(joint));
  }
}

void refuse_unknown_tables(const Value& document) {
  const std::vector<std::string> known = {
      "simulation", "mechanism", "body",    "moving_body", "shape", "material",
      "soil",       "rocks",     "contact", "coupling",    "loop",  "prescribed",
      "motor",      "force",     "initial", "rover",       "drive"};
  for (const Value::Entry& entry : document.as_table())
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      parameters_detail::refuse_unknown_key(entry, "", known);
}

/// What follows from [rover].
void add_rover_parts(const Value& document, Scene& scene) {
  scene.rover = read_rover(document);
  if (!scene.rover) return;
  if (scene.mechanism.file.empty())
    throw InputError(scene.rover->place, "[rover] needs a [mechanism] with a file");
  const IntegratorDef& integrator = scene.simulation.integrator;
  const bool euler = integrator.method == Method::semi_implicit_euler;
  const auto mechanism = [&scene] {
    MechanismExtras extras;
    return build_mechanism(scene, extras);
  };
  add_rover(document, load_mechanism_model(scene), *scene.rover,
            {scene.contact, scene.motors, scene.initial, scene.rocks, scene.simulation.gravity,
             euler ? integrator.step : 0.0, scene.folder, mechanism});
}

}  // namespace

Value read_scene_document(const std::string& path, const std::vector<std::string>& overrides,
                          std::vector<std::string>* included) {
  Value document = read_toml_file(path, included);
  apply_settings(document, overrides);
  return document;
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  Scene scene;
  scene.path = path;
  scene.folder = std::filesystem::path(path).parent_path().string();
  scene.overrides = overrides;
  std::vector<std::string> included;
  const Value document = read_scene_document(path, overrides, &included);
  scene.text = read_file(path, "a scene file").bytes;
  for (const std::string& file : included) {
    scene.text += "\n# include " + file;
    std::istringstream lines(read_file(file, "an included file").bytes);
    for (std::string line; std::getline(lines, line);) scene.text += "\n#   " + line;
  }
  for (const std::string& word : overrides) scene.text += "\n# --set " + word;
  refuse_unknown_tables(document);

  const Value* simulation = document.find("simulation");
  if (!simulation)
    throw InputError(Place{path, 0, 0}, "the scene has no [simulation] with a duration");
  simulation_parameters().read(*simulation, scene.simulation, "simulation");
  if (const Value* mechanism = document.find("mechanism")) {
    mechanism_parameters().read(*mechanism, scene.mechanism, "mechanism");
    scene.mechanism.place = mechanism->find("file")->place();
  }
  const auto with_place = [](auto def, const Place& place) {
    def.place = place;
    return def;
  };
  read_all(document, "body", body_parameters(), scene.bodies, with_place);
  read_all(document, "moving_body", moving_body_parameters(scene.folder), scene.moving_bodies,
           [](const MovingBodyText& text, const Place& place) {
             MovingBodyDef def = text.def;
             def.name = text.name;
             def.X_WB = text.placement.pose();
             if (!(text.axis.norm() > 0.0))
               throw InputError(place, "moving_body.axis must not be zero");
             def.axis = text.axis.normalized();
             def.place = place;
             return def;
           });
  read_all(document, "coupling", coupling_parameters(), scene.couplings, with_place);
  read_all(document, "loop", loop_parameters(), scene.loops,
           [](const LoopText& text, const Place& place) {
             LoopDef def;
             def.name = text.name;
             def.kind = text.kind;
             def.body_a = text.body_a;
             def.body_b = text.body_b;
             def.point_a = text.point_a;
             def.point_b = text.point_b;
             def.find_b = !text.has_b || text.kind == LoopDef::Kind::weld;
             def.place = place;
             return def;
           });
  read_all(document, "prescribed", prescribed_parameters(scene.folder), scene.prescribed,
           [](const PrescribedText& text, const Place& place) {
             if (text.position.has_value() == text.speed.has_value())
               throw InputError(place,
                                "prescribed '" + text.joint + "' needs either position or speed");
             return PrescribedJointDef{text.joint, text.speed.has_value(),
                                       text.speed ? *text.speed : *text.position, place};
           });
  read_all(document, "motor", motor_parameters(scene.folder), scene.motors,
           [](MotorDef def, const Place& place) {
             if (def.joint.empty() && def.joints.empty())
               parameters_detail::refuse_missing(place, "motor.joint",
                                                 "a hinge or slide joint; or give joints");
             if (!def.joint.empty() && !def.joints.empty())
               throw InputError(place, "motor: give joint or joints, not both");
             if (def.name.empty()) def.name = def.joint.empty() ? def.joints[0] : def.joint;
             def.place = place;
             return def;
           });
  scene.forces = read_forces(document, scene.folder);
  read_initial(document, scene);
  scene.contact = read_contact_world(document, scene.folder);
  scene.contact.threads = scene.simulation.threads;
  scene.contact.gravity = scene.simulation.gravity.norm();
  scene.rocks = add_rocks(document, {scene.contact, scene.bodies, scene.folder});
  add_rover_parts(document, scene);
  require_unique_names(scene.bodies, "body");
  require_unique_names(scene.moving_bodies, "moving_body");
  require_unique_names(scene.couplings, "coupling");
  require_unique_names(scene.loops, "loop");
  require_unique_names(scene.motors, "motor");
  require_unique_names(scene.forces, "force");
  scene.sections = scene_sections(document);
  return scene;
}

}  // namespace grouser
