// grouser rover: scenes for rovers from files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/base/value.h"
#include "grouser/base/whole_file.h"
#include "grouser/laws/soil_library.h"
#include "grouser/mechanism/mechanism_file.h"
#include "grouser/rover/rover_wheels.h"
#include "grouser/soil/scm.h"
#include "grouser/soil/wheel_soil.h"

namespace grouser::cli {
namespace {

namespace fs = std::filesystem;

struct RoverArguments {
  std::string task;
  std::string file;
  std::string soil = "mer-slope-soil";
  std::string model = "terra";
  std::string out;
  std::vector<std::string> wheels;
  bool force = false;
};

void require_model(const std::string& name) {
  std::vector<std::string> names = wheel_model_names();
  names.emplace_back(ScmDef::kModel);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError("--model: there is no model of wheels on soil called '" + name + "'" +
                     suggestion(name, names));
}

std::string toml_text(const std::string& text) {
  return Value(text).inline_text();
}

std::string quoted_list(const std::vector<std::string>& texts) {
  return Value(Value::Array(texts.begin(), texts.end())).inline_text();
}

std::string length_text(double x) {
  return x > 0.0 ? to_text(x, 4) : "?";
}

std::string place_text(const Vec3& p) {
  const auto number = [](double x) { return to_text(std::abs(x) < 1e-12 ? 0.0 : x, 3); };
  return number(p.x()) + ", " + number(p.y()) + ", " + number(p.z());
}

/// The way from the folder of the scene to the mechanism.
std::string way_to(const std::string& file, const std::string& scene) {
  const fs::path folder = fs::absolute(scene).lexically_normal().parent_path();
  const fs::path way = fs::absolute(file).lexically_normal().lexically_relative(folder);
  return (way.empty() ? fs::absolute(file) : way).generic_string();
}

std::string wheel_comment(const RoverWheel& wheel) {
  std::string text = "#   " + wheel.body + ": turned by " + wheel.spin_joint +
                     (wheel.spin_sign < 0.0 ? " (backwards)" : "");
  if (!wheel.steering_joint.empty())
    text += ", steered by " + wheel.steering_joint +
            (wheel.steering_sign < 0.0 ? " (to the right)" : "");
  if (wheel.radius > 0.0)
    text +=
        ", radius " + length_text(wheel.radius) + " m, width " + length_text(wheel.width) + " m";
  return text + ", at " + place_text(wheel.p_RC) + " m\n";
}

/// Speed and distance of a first drive: slow, and about the rover's own length.
double drive_distance(const RoverFacts& rover) {
  double least = 1e300, most = -1e300;
  for (const RoverWheel& wheel : rover.wheels) {
    least = std::min(least, wheel.p_RC.x());
    most = std::max(most, wheel.p_RC.x());
  }
  return std::max(0.5, std::round(2.0 * (most - least)) / 2.0);
}

std::string scene_text(const RoverArguments& arguments, const MujocoModel& model,
                       const RoverFacts& rover) {
  constexpr double kSpeed = 0.05;
  std::string text = "# " + fs::path(arguments.file).filename().string() + ": " +
                     counted(rover.wheels.size(), "wheel") + ", " + to_text(rover.mass, 4) +
                     " kg, centre of mass at " + place_text(rover.p_RM) + " m of '" +
                     rover.chassis + "'.\n";
  for (const auto& notes : {rover.notes, model.notes})
    for (const std::string& note : notes) text += "# Note: " + note + ".\n";

  text += "\n[mechanism]\nfile = " + toml_text(way_to(arguments.file, arguments.out)) + "\n";
  if (is_urdf(arguments.file)) text += "base = \"floating\"\n";
  text += "\n[rover]\n";
  std::vector<std::string> names;
  for (const RoverWheel& wheel : rover.wheels) names.push_back(wheel.body);
  text += "wheels = " + quoted_list(names) + "\n";
  for (const RoverWheel& wheel : rover.wheels) text += wheel_comment(wheel);
  const bool measured = std::all_of(rover.wheels.begin(), rover.wheels.end(),
                                    [](const RoverWheel& wheel) { return wheel.radius > 0.0; });
  if (!measured)
    text += "radius = 0.1   # a guess: the file has no geometry of some wheels\nwidth = 0.1\n";
  text += "soil = \"ground\"\nmodel = " + toml_text(arguments.model) + "\n";
  if (!rover.loose_rockers.empty()) {
    text +=
        "\n# The file does not couple its rockers; a differential does.\n[[coupling]]\nname = "
        "\"differential\"\njoints = { ";
    for (std::size_t i = 0; i < rover.loose_rockers.size(); ++i) {
      const auto& [joint, factor] = rover.loose_rockers[i];
      text += (i > 0 ? ", " : "") + toml_text(joint) + " = " + to_text(factor) + ".0";
    }
    text += " }\n";
  }
  const double distance = drive_distance(rover);
  text += "\n[[soil]]\nname = \"ground\"\ntype = " + toml_text(arguments.soil) + "   # " +
          library_soil(arguments.soil, {}, "--soil").meaning + "\n";
  text += "\n[[drive]]\nmanoeuvre = \"straight\"\nspeed = " + to_text(kSpeed) +
          "\ndistance = " + to_text(distance) + "\n";
  text += "\n[simulation]\nduration = " + to_text(std::ceil(distance / kSpeed) + 5.0) +
          "\nintegrator = \"semi-implicit-euler\"\nstep = 2e-3\n";
  return text;
}

void print_summary(const MujocoModel& model, const RoverFacts& rover) {
  print_field(std::cout, "rover",
              "'" + rover.chassis + "', " + to_text(rover.mass, 6) + " kg, centre of mass at " +
                  place_text(rover.p_RM) + " m");
  TextTable table({"wheel", "turned by", "steered by", "radius [m]", "width [m]", "at [m]"});
  table.align_right(3).align_right(4);
  for (const RoverWheel& wheel : rover.wheels)
    table.add({wheel.body, wheel.spin_joint, wheel.steering_joint, length_text(wheel.radius),
               length_text(wheel.width), place_text(wheel.p_RC)});
  print_field(std::cout, "wheels", std::to_string(rover.wheels.size()));
  table.print(std::cout);
  print_field(
      std::cout, "constraints",
      counted(model.couplings.size(), "coupling") + ", " + counted(model.loops.size(), "loop"));
  std::vector<std::string> notes = rover.notes;
  notes.insert(notes.end(), model.notes.begin(), model.notes.end());
  print_fields(std::cout, "notes", notes);
}

ExitCode init(RoverArguments arguments) {
  if (arguments.out.empty())
    arguments.out = fs::path(arguments.file).stem().string() + "_rover.toml";
  std::error_code ignored;
  if (fs::exists(arguments.out, ignored) && !arguments.force)
    throw InputError(arguments.out +
                     " is there already; --force replaces it, -o FILE names another");
  library_soil(arguments.soil, {}, "--soil");
  require_model(arguments.model);

  MechanismFileOptions options;
  options.base = UrdfBase::floating;
  const MujocoModel model = read_mechanism_file(arguments.file, options);
  RoverSearch search;
  search.wheels = arguments.wheels;
  search.place = Place{arguments.file, 0, 0};
  const RoverFacts rover = find_rover(model, search);
  write_file(arguments.out, scene_text(arguments, model, rover));
  print_summary(model, rover);
  print_field(std::cout, "scene", arguments.out);
  return kDone;
}

ExitCode rover(const RoverArguments& arguments) {
  const std::vector<std::string> tasks = {"init"};
  if (arguments.task != "init")
    throw InputError("grouser rover: there is no task '" + arguments.task + "'" +
                     suggestion(arguments.task, tasks));
  if (arguments.file.empty()) throw InputError("grouser rover init: give a URDF or MJCF file");
  return init(arguments);
}

}  // namespace

Action add_rover(CLI::App& verb) {
  const auto a = std::make_shared<RoverArguments>();
  verb.add_option("task", a->task, "init: write a scene for the rover of a file")->required();
  verb.add_option("file", a->file, "URDF (.urdf) or MJCF (.xml) file");
  verb.add_option("--soil", a->soil, "A soil of the library")->capture_default_str();
  verb.add_option("--model", a->model, "Of the contact of wheels and soil")->capture_default_str();
  verb.add_option("--wheels", a->wheels, "Bodies, with * for any letters; default: by their names")
      ->delimiter(',')
      ->type_name("NAMES")
      ->allow_extra_args(false);
  verb.add_option("-o,--out", a->out, "Scene to write; default: FILE_rover.toml")
      ->type_name("FILE");
  verb.add_flag("--force", a->force, "Replace a scene that is there");
  return [a] { return rover(*a); };
}

}  // namespace grouser::cli
