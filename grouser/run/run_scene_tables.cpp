#include "grouser/run/run_scene_tables.h"

#include <functional>

#include "grouser/base/text.h"

namespace grouser {

namespace scene_tables {

using parameters_detail::joined;

namespace {

/// Reads a signal into what `member(out)` refers to; its file is looked up in `folder`.
template <class T, class Member>
auto read_signal(Member member, const std::string& folder) {
  return [member, folder](const Value& v, T& out, const std::string& path) {
    std::invoke(member, out) = Signal::read(v, path, folder);
  };
}

}  // namespace

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

ParameterTable<MovingBodyText> moving_body_parameters(const std::string& folder) {
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

ParameterTable<PrescribedText> prescribed_parameters(const std::string& folder) {
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

ParameterTable<MotorDef> motor_parameters(const std::string& folder) {
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

}  // namespace scene_tables

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

}  // namespace grouser
