#include "grouser/run/run_scene.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>

#include "grouser/assets/asset.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mechanism_file.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/registry.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/scene/soil_keys.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "grouser/soil/soil_contact.h"

namespace grouser {
namespace {

using parameters_detail::joined;

const ParameterTable<MechanismFileDef>& mechanism_parameters() {
  using Def = MechanismFileDef;
  static const auto table =
      ParameterTable<Def>()
          .text("file", &Def::file, "MJCF (.xml) or URDF (.urdf) file", true)
          .choice("base", &Def::base, {"fixed", "floating"},
                  "whether the root link of a URDF is fixed to the world or free")
          .number("scale", &Def::scale, "", positive(),
                  "size relative to the file: masses go with its third power, inertias with its "
                  "fifth");
  return table;
}

const ParameterTable<BodyDef>& body_parameters() {
  static const auto table = [] {
    ParameterTable<BodyDef> t;
    t.text("name", &BodyDef::name, "of the body", true);
    const auto positive_number = [](double BodyDef::*member) {
      return [member](const Value& v, BodyDef& out, const std::string& path) {
        out.*member = parameters_detail::read_number(v, path, positive());
      };
    };
    t.custom("mass", "number [kg]", positive_number(&BodyDef::mass),
             "with inertia; or give density");
    t.custom("density", "number [kg/m^3]", positive_number(&BodyDef::density),
             "mass, centre and inertia from the body's shapes");
    t.custom(
        "inertia", "3 or 6 numbers [kg m^2]",
        [](const Value& v, BodyDef& out, const std::string& path) {
          out.inertia = parameters_detail::read_numbers(v, path, 0, any_number());
          if (out.inertia.size() != 3 && out.inertia.size() != 6)
            throw InputError(v.place(), path +
                                            " must have 3 numbers (xx, yy, zz) or 6 (xx, "
                                            "yy, zz, xy, xz, yz), has " +
                                            std::to_string(out.inertia.size()));
        },
        "about the centre of mass: xx, yy, zz, or these and xy, xz, yz");
    t.vector3("center", &BodyDef::center, "m", "centre of mass in the body frame");
    add_placement(t, &BodyDef::placement);
    t.vector3("velocity", &BodyDef::velocity, "m/s", "of the body's origin at the start");
    t.vector3("angular_velocity", &BodyDef::angular_velocity, "rad/s",
              "at the start, in the world");
    return t;
  }();
  return table;
}

struct MovingBodyText {
  MovingBodyDef def;
  std::string name;
  PlacementDef placement;
  Vec3 axis = Vec3::UnitZ();
};

/// Reads a signal into what `member(out)` refers to; its file is looked up in `folder`.
template <class T, class Member>
auto read_signal(Member member, const std::string& folder) {
  return [member, folder](const Value& v, T& out, const std::string& path) {
    std::invoke(member, out) = Signal::read(v, path, folder);
  };
}

// Tables with signals are made for the folder of a scene.
ParameterTable<MovingBodyText> moving_body_parameters(const std::string& folder = "") {
  using Text = MovingBodyText;
  ParameterTable<Text> t;
  const auto signal = [&](const char* key, const char* unit, Signal MovingBodyDef::*member,
                          const char* meaning) {
    const auto of_def = [member](Text& out) -> Signal& { return out.def.*member; };
    t.custom(key, unit, read_signal<Text>(of_def, folder), meaning, false, "0");
  };
  t.text("name", &Text::name, "of the body", true);
  add_placement(t, &Text::placement);
  signal("x", "signal [m]", &MovingBodyDef::x, "added to the position");
  signal("y", "signal [m]", &MovingBodyDef::y, "added to the position");
  signal("z", "signal [m]", &MovingBodyDef::z, "added to the position");
  signal("roll", "signal [rad]", &MovingBodyDef::roll,
         "turn about x of the body as it is placed, first");
  signal("pitch", "signal [rad]", &MovingBodyDef::pitch, "then about y as placed");
  signal("yaw", "signal [rad]", &MovingBodyDef::yaw, "then about z as placed");
  signal("angle", "signal [rad]", &MovingBodyDef::angle, "turn about the axis, before all others");
  t.vector3("axis", &Text::axis, "", "of the turn by angle, in the body frame");
  return t;
}

const ParameterTable<CouplingDef>& coupling_parameters() {
  static const auto table =
      ParameterTable<CouplingDef>()
          .text("name", &CouplingDef::name, "of the coupling", true)
          .custom(
              "joints", "table",
              [](const Value& v, CouplingDef& out, const std::string& path) {
                for (const Value::Entry& entry : v.table_or_throw(path))
                  out.joints.emplace_back(entry.key,
                                          parameters_detail::read_number(
                                              entry.value, joined(path, entry.key), any_number()));
                if (out.joints.empty()) throw InputError(v.place(), path + " names no joint");
              },
              "factor by joint name: the sum of factor * coordinate is the offset", true)
          .number("offset", &CouplingDef::offset, "", any_number(), "value of the sum");
  return table;
}

struct LoopText {
  std::string name, body_a, body_b;
  LoopDef::Kind kind = LoopDef::Kind::point;
  Vec3 point_a = Vec3::Zero();
  Vec3 point_b = Vec3::Zero();
  bool has_b = false;
};

const ParameterTable<LoopText>& loop_parameters() {
  static const auto table =
      ParameterTable<LoopText>()
          .text("name", &LoopText::name, "of the loop", true)
          .choice("kind", &LoopText::kind, {"point", "weld"},
                  "whether a point or the whole body is held")
          .text("body_a", &LoopText::body_a, "a body, or world", true)
          .text("body_b", &LoopText::body_b, "another body, or world", true)
          .vector3("point_a", &LoopText::point_a, "m", "in the frame of body_a")
          .custom(
              "point_b", "3 numbers [m]",
              [](const Value& v, LoopText& out, const std::string& path) {
                const auto x = parameters_detail::read_numbers(v, path, 3, any_number());
                out.point_b = Vec3(x[0], x[1], x[2]);
                out.has_b = true;
              },
              "in the frame of body_b; a loop of kind point without it, and every weld, holds "
              "the initial state",
              false, "where point_a is at the start");
  return table;
}

struct PrescribedText {
  std::string joint;
  std::optional<Signal> position, speed;
};

ParameterTable<PrescribedText> prescribed_parameters(const std::string& folder = "") {
  using Text = PrescribedText;
  return ParameterTable<Text>()
      .text("joint", &Text::joint, "a hinge or slide joint", true)
      .custom(
          "position", "signal [rad] or [m]",
          read_signal<Text>([](Text& out) -> Signal& { return out.position.emplace(); }, folder),
          "coordinate of the joint over time")
      .custom("speed", "signal [rad/s] or [m/s]",
              read_signal<Text>([](Text& out) -> Signal& { return out.speed.emplace(); }, folder),
              "speed of the joint over time; instead of position");
}

ParameterTable<MotorDef> motor_parameters(const std::string& folder = "") {
  using Def = MotorDef;
  return ParameterTable<Def>()
      .text("name", &Def::name, "of the motor; if empty that of the joint")
      .text("joint", &Def::joint, "a hinge or slide joint; or give joints")
      .custom(
          "joints", "list of strings",
          [](const Value& v, Def& out, const std::string& path) {
            parameters_detail::read_entries(
                v, path, [&](const Value& entry, const std::string& item) {
                  out.joints.push_back(parameters_detail::read_text(entry, item));
                });
          },
          "names with * for any letters: a motor like this for every hinge and slide that one "
          "of them fits, called after its joint",
          false, "none")
      .choice("control", &Def::control, {"torque", "speed", "position"}, "what the target is")
      .custom("target", "signal", read_signal<Def>(&Def::target, folder),
              "torque [Nm], speed [rad/s] or position [rad]; N, m/s, m for a slide", true)
      .number("stiffness", &Def::stiffness, "Nm/rad or N/m", non_negative(),
              "torque per position error; under speed control the position is the integral of "
              "the target, from where the joint starts")
      .number("damping", &Def::damping, "Nms/rad or Ns/m", non_negative(),
              "torque per speed error (speed and position control)")
      .number("limit", &Def::limit, "Nm or N", positive(), "greatest torque or force")
      .number("torque_constant", &Def::torque_constant, "Nm/A or N/A", non_negative(),
              "torque per current; with it the current is recorded")
      .number("current_limit", &Def::current_limit, "A", positive(),
              "instead of limit, which then is this times torque_constant")
      .number("no_load_speed", &Def::no_load_speed, "rad/s or m/s", positive(),
              "the torque in the direction of motion falls from limit at rest to zero here");
}

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

/// `[initial]`: joint = number, or joint = { position, velocity, quaternion, angular_velocity }.
const ParameterTable<MechanismDef::InitialJoint>& initial_parameters() {
  using Def = MechanismDef::InitialJoint;
  static const auto numbers = [](std::vector<double> Def::*member) {
    return [member](const Value& v, Def& out, const std::string& path) {
      if (v.is_number())
        out.*member = {parameters_detail::read_number(v, path, any_number())};
      else
        out.*member = parameters_detail::read_numbers(v, path, 0, any_number());
    };
  };
  static const auto table =
      ParameterTable<Def>()
          .custom("position", "number, or 3 for a free joint", numbers(&Def::position),
                  "joint coordinate [rad] or [m], or origin of the free body [m]")
          .custom("quaternion", "4 numbers", numbers(&Def::quaternion),
                  "orientation of a ball or free joint, w x y z")
          .custom("velocity", "number, or 3 for a free joint", numbers(&Def::velocity),
                  "joint speed, or velocity of the free body's origin")
          .custom("angular_velocity", "3 numbers [rad/s]", numbers(&Def::angular_velocity),
                  "of a ball or free joint, along the body's axes");
  return table;
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

const ParameterTable<SimulationDef>& simulation_parameters() {
  using Def = SimulationDef;
  static const auto integrator = [](auto IntegratorDef::*member, auto read) {
    return [member, read](const Value& v, Def& out, const std::string& path) {
      using T = std::remove_reference_t<decltype(out.integrator.*member)>;
      out.integrator.*member = static_cast<T>(read(v, path));
    };
  };
  static const auto number = [](Range range) {
    return [range](const Value& v, const std::string& path) {
      return parameters_detail::read_number(v, path, range);
    };
  };
  static const auto table = [] {
    ParameterTable<Def> t;
    const IntegratorDef defaults;
    t.number("duration", &Def::duration, "s", positive(), "simulated time");
    t.number("output_interval", &Def::output_interval, "s", positive(), "between samples");
    t.vector3("gravity", &Def::gravity, "m/s^2", "acceleration of free fall");
    t.integer("threads", &Def::threads, within(1, 1024), "that evaluate contacts");
    t.boolean("record_patches", &Def::record_patches, "contact elements in the recording");
    t.custom(
        "integrator", join(method_names(), " | "),
        integrator(&IntegratorDef::method,
                   [](const Value& v, const std::string& path) {
                     return parameters_detail::read_choice(v, path, method_names());
                   }),
        "bdf and esdirk for stiff contact, adams and runge-kutta for soft, the last three with "
        "a fixed step",
        false, method_names()[0]);
    t.custom("tolerance", "number",
             integrator(&IntegratorDef::tolerance, number({.lower = 1e-14, .upper = 0.1})),
             "relative error per step", false, to_text(defaults.tolerance));
    t.custom("absolute_tolerance", "number",
             integrator(&IntegratorDef::absolute_tolerance, number(positive())),
             "error per step in metres and radians", false, "tolerance / 100");
    t.custom("max_step", "number [s]", integrator(&IntegratorDef::max_step, number(positive())),
             "longest step, so that no touch is missed", false, to_text(defaults.max_step));
    t.custom("step", "number [s]", integrator(&IntegratorDef::step, number(positive())),
             "of the integrators with a fixed step", false, to_text(defaults.step));
    t.custom("jacobian", "structured | plain",
             integrator(&IntegratorDef::jacobian,
                        [](const Value& v, const std::string& path) {
                          return parameters_detail::read_choice(v, path, {"structured", "plain"});
                        }),
             "how implicit integrators difference the equations", false, "structured");
    t.custom("dense_limit", "integer",
             integrator(&IntegratorDef::dense_limit,
                        [](const Value& v, const std::string& path) {
                          return parameters_detail::read_integer(v, path, non_negative());
                        }),
             "number of states above which linear systems are solved iteratively", false,
             std::to_string(defaults.dense_limit));
    return t;
  }();
  return table;
}

namespace {

/// The name of an entry, or the joint or body it belongs to.
std::string entry_name(const Value& entry) {
  for (const char* key : {"name", "joint", "body"})
    if (const Value* name = entry.find(key)) return name->as_text();
  return "";
}

/// Every table of a document that was read without refusal.
std::vector<SceneSection> scene_sections(const Value& document) {
  std::vector<SceneSection> out;
  const auto add_one = [&](const std::string& part, const std::vector<ParameterInfo>& parameters) {
    if (const Value* table = document.find(part))
      out.push_back({part, "", "", parameter_settings(parameters, *table)});
  };
  const auto add_all = [&](const std::string& part, const std::vector<ParameterInfo>& parameters) {
    for (const Value& table : tables_of(document, part))
      out.push_back({part, entry_name(table), "", parameter_settings(parameters, table)});
  };
  add_one("simulation", simulation_parameters().infos());
  add_one("mechanism", mechanism_parameters().infos());
  add_all("body", body_parameters().infos());
  add_all("moving_body", moving_body_parameters().infos());
  add_all("material", material_parameters().infos());
  add_all("shape", shape_parameter_infos());
  add_all("soil", soil_ground_parameter_infos());
  add_all("rocks", rocks_parameter_infos());
  add_all("coupling", coupling_parameters().infos());
  add_all("loop", loop_parameters().infos());
  add_all("prescribed", prescribed_parameters().infos());
  add_all("motor", motor_parameters().infos());
  add_all("force", force_parameter_infos());
  add_one("rover", rover_parameters().infos());
  add_all("drive", manoeuvre_parameters().infos());
  if (const Value* initial = document.find("initial"))
    for (const Value::Entry& entry : initial->as_table()) {
      const Value table =
          entry.value.is_table()
              ? entry.value
              : Value(Value::Table{{"position", entry.place, entry.value}}, entry.place);
      out.push_back(
          {"initial", entry.key, "", parameter_settings(initial_parameters().infos(), table)});
    }
  for (const Value& table : tables_of(document, "contact")) {
    const std::string& model = table.find("model")->as_text();
    const ContactModelRow& row = contact_model(model, table.place());
    out.push_back(
        {"contact", entry_name(table), model, parameter_settings(row.parameters(), table)});
  }
  return out;
}

}  // namespace

Value read_scene_document(const std::string& path, const std::vector<std::string>& overrides,
                          std::vector<std::string>* included) {
  Value document = read_toml_file(path, included);
  apply_settings(document, overrides);
  return document;
}

namespace {

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

namespace {

/// One page per model; models that share all their keys share a page.
void append_contact_pages(std::vector<ParameterPage>& out) {
  const std::size_t first = out.size();
  for (const ContactModelRow& row : contact_models()) {
    const std::string name = '"' + std::string(row.name) + '"';
    std::vector<ParameterInfo> keys = row.parameters();
    const auto same = std::find_if(
        out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
        [&](const ParameterPage& page) {
          return std::equal(
              keys.begin(), keys.end(), page.keys.begin(), page.keys.end(),
              [](const ParameterInfo& a, const ParameterInfo& b) { return a.key == b.key; });
        });
    if (same == out.end()) {
      out.push_back({"[[contact]] model = " + name, std::string(row.summary), std::move(keys)});
    } else {
      same->table += " or " + name;
      same->meaning += "; " + std::string(row.summary);
    }
  }
  out.push_back({"contact.bekker", "of a wheel on soil by Bekker's formulas",
                 bekker_wheel_parameters().infos()});
  out.push_back({"contact.bekker_janosi", "of a wheel on soil by stress integrals",
                 bekker_janosi_parameters().infos()});
  out.push_back({"contact.terra", "of a wheel on soil by TerRA", terra_parameters().infos()});
  out.push_back({"contact.rheological", "of a wheel on soil by springs and dampers",
                 rheological_parameters().infos()});
}

}  // namespace

std::vector<ParameterPage> scene_keys() {
  std::vector<ParameterPage> out = {
      {"[simulation]", "how long and how exactly", simulation_parameters().infos()},
      {"[mechanism]", "bodies and joints from a file", mechanism_parameters().infos()},
      {"[[body]]", "a free rigid body", body_parameters().infos()},
      {"[[moving_body]]", "a body that moves as told", moving_body_parameters().infos()},
      {"[[material]]", "an elastic material", material_parameters().infos()},
      {"[[shape]]", "a geometry fixed to a body", shape_parameter_infos()},
      {"[[soil]]", "a piece of ground that yields", soil_ground_parameter_infos()},
      {"soil.properties", "of a soil; those of a type of the library are the defaults",
       soil_parameters().infos()},
      {"soil.regions", "parts of the ground that are of another soil",
       soil_region_parameter_infos()},
      {"soil.layers", "soil that lies below another one", soil_layer_parameter_infos()},
      {"[[rocks]]", "rocks of a field, one by one", rocks_parameter_infos()},
      {"[[coupling]]", "a linear relation of joint coordinates, kept exactly",
       coupling_parameters().infos()},
      {"[[loop]]", "closes a loop of bodies, exactly", loop_parameters().infos()},
      {"[[prescribed]]", "a joint that follows a signal, exactly", prescribed_parameters().infos()},
      {"[[motor]]", "a motor on a joint", motor_parameters().infos()},
      {"[[force]]", "a force and a torque on a body from outside, over time",
       force_parameter_infos()},
      {"[rover]", "a rover on wheels: what the mechanism's file does not say",
       rover_parameters().infos()},
      {"rover.drive and rover.steering", "motors of a rover's wheels",
       rover_motor_parameters().infos()},
      {"rover.control", "how a rover is driven", drive_settings_parameters().infos()},
      {"[[drive]]", "manoeuvres of the rover, one after the other", manoeuvre_parameters().infos()},
      {"[initial]", "initial state by joint: a number, or a table with",
       initial_parameters().infos()},
      {"mesh", "a triangle mesh of a shape: one source, and what is done with it",
       mesh_parameter_infos()}};
  for (const ShapeKey& key : shape_keys())
    if (std::vector<ParameterInfo> infos = key.infos(); !infos.empty())
      out.push_back({"shape." + std::string(key.name), std::string(key.meaning), std::move(infos)});
  for (const std::string& shape : mesh_shape_names())
    out.push_back({"mesh." + shape, mesh_shape_meaning(shape), mesh_shape_parameters(shape)});
  for (const AssetKind& kind : asset_kinds())
    for (ParameterPage page : kind.pages()) {
      page.table = "mesh." + page.table;
      out.push_back(std::move(page));
    }
  out.push_back({"[[contact]]",
                 "a contact between shapes; further keys belong to its model",
                 {{"model", "string", "", "", "", "name of a contact model"},
                  {"name", "string", "", "", "model and a number", "of the contact"}}});
  append_contact_pages(out);
  return out;
}

}  // namespace grouser
