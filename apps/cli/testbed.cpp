// grouser testbed: a wheel on a bed of soil at given slips, a plate pressed in, a plate sheared.
#include "grouser/contact/testbed.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/cli/curve_plot.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/assets/asset_cache.h"
#include "grouser/base/text.h"
#include "grouser/base/whole_file.h"
#include "grouser/geometry/mesh_file.h"
#include "grouser/geometry/mesh_shapes.h"
#include "grouser/laws/soil_library.h"
#include "grouser/sim/toml_reader.h"

namespace grouser::cli {
namespace {

struct TestbedArguments {
  std::string test;
  std::string soil = "dry-sand";
  std::vector<std::string> set;  // of the soil
  double spacing = 0.005;
  double gravity = kStandardGravity;
  // Wheel
  std::string preset;
  std::vector<std::string> wheel;
  std::string mesh;
  double rolling_radius = 0.0;
  double load = 100.0;
  std::vector<double> slips;
  double slip_angle = 0.0;
  double speed = 0.05;
  double distance = 1.0;
  // Plates
  double diameter = 0.1;
  std::vector<double> side;
  double depth = 0.03;
  double pressure = 1e4;
  std::string out, plot;
  bool quiet = false;
};

SoilGroundDef bed_of(const TestbedArguments& a) {
  SoilGroundDef ground;
  ground.name = "bed";
  ground.spacing = a.spacing;
  Value properties = soil_parameters().values(library_soil(a.soil, {}, "--soil").soil);
  apply_settings(properties, a.set);
  soil_parameters().read(properties, ground.soil, "soil");
  check_soil_ground(ground);
  return ground;
}

/// From a file, or from the generator with a preset and settings.
std::shared_ptr<const TriangleMesh> wheel_of(const TestbedArguments& a) {
  if (!a.mesh.empty()) {
    if (!a.preset.empty() || !a.wheel.empty())
      throw InputError("grouser testbed: give --mesh, or --preset and --wheel, not both");
    return std::make_shared<const TriangleMesh>(read_mesh_file(a.mesh));
  }
  const AssetKind& kind = *find_asset_kind("wheel");
  Value parameters;
  if (!a.preset.empty()) parameters = asset_preset(kind, a.preset, {}, "--preset").parameters;
  if (a.preset.empty() && a.wheel.empty()) {
    set_at_path(parameters, "radius", Value(0.125));
    set_at_path(parameters, "width", Value(0.1));
  }
  apply_settings(parameters, a.wheel);
  return std::make_shared<const TriangleMesh>(
      AssetCache::standard().mesh(*read_asset(kind, parameters, "wheel", "")));
}

double greatest_radius(const TriangleMesh& mesh) {
  double radius = 0.0;
  for (const Vec3& vertex : mesh.vertices)
    radius = std::max(radius, std::hypot(vertex.x(), vertex.z()));
  return radius;
}

std::shared_ptr<const TriangleMesh> plate_of(const TestbedArguments& a) {
  constexpr double kThickness = 0.02;
  if (a.side.empty())
    return std::make_shared<const TriangleMesh>(
        make_cylinder({.radius = 0.5 * a.diameter, .length = kThickness, .segments = 128}));
  const double y = a.side.size() > 1 ? a.side[1] : a.side[0];
  return std::make_shared<const TriangleMesh>(make_box({.size = Vec3(a.side[0], y, kThickness)}));
}

/// A table of numbers, printed, written and drawn.
struct Curves {
  std::string title;
  std::vector<std::string> columns;  // the first is x
  std::vector<std::vector<double>> rows;

  void print() const {
    TextTable table(columns);
    for (std::size_t i = 0; i < columns.size(); ++i) table.align_right(i);
    for (const std::vector<double>& row : rows) {
      std::vector<std::string> words;
      for (const double number : row) words.push_back(to_text(number, 4));
      table.add(std::move(words));
    }
    table.print(std::cout, 0);
  }
  std::string csv() const {
    std::string out = join(columns, ",") + "\n";
    for (const std::vector<double>& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) out += (i > 0 ? "," : "") + to_text(row[i]);
      out += "\n";
    }
    return out;
  }
  std::string svg() const {
    std::vector<CurvePanel> panels;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      CurvePanel::Curve curve;
      for (const std::vector<double>& row : rows) {
        curve.x.push_back(row[0]);
        curve.y.push_back(row[i]);
      }
      panels.push_back({columns[i], {curve}});
    }
    return draw_curves(title, columns[0], panels);
  }
};

ExitCode finish(const Curves& curves, const TestbedArguments& a, std::size_t printed_rows) {
  Curves shown = curves;
  // Long curves are thinned on the screen, not in files.
  if (curves.rows.size() > printed_rows) {
    shown.rows.clear();
    for (std::size_t i = 0; i < printed_rows; ++i)
      shown.rows.push_back(curves.rows[i * (curves.rows.size() - 1) / (printed_rows - 1)]);
  }
  if (!a.quiet) shown.print();
  const auto write = [&](const std::string& path, const std::string& text) {
    if (path.empty()) return;
    write_file(path, text);
    if (!a.quiet) std::cout << path << " (" << file_size_text(path) << ")\n";
  };
  write(a.out, curves.csv());
  write(a.plot, curves.svg());
  return kDone;
}

ExitCode test_wheel(const TestbedArguments& a, Progress::Style style) {
  TestbedDef def;
  def.soil = bed_of(a);
  def.wheel = wheel_of(a);
  def.rolling_radius = a.rolling_radius > 0.0 ? a.rolling_radius : greatest_radius(*def.wheel);
  def.load = a.load;
  def.slip_angle = a.slip_angle * kPi / 180.0;
  def.speed = a.speed;
  def.distance = a.distance;
  def.gravity = a.gravity;
  const std::vector<double> slips =
      a.slips.empty() ? std::vector<double>{0.0, 0.1, 0.2, 0.3, 0.4, 0.6} : a.slips;
  for (const double slip : slips)
    if (!(slip >= -0.99 && slip <= 0.95))
      throw InputError("--slip must lie in [-0.99, 0.95], is " + to_text(slip));
  Curves curves{"Wheel on " + a.soil + ", " + to_text(a.load) + " N",
                {"slip", "sinkage [m]", "drawbar pull [N]", "side force [N]", "torque [Nm]"},
                {}};
  Progress progress(style);
  for (std::size_t i = 0; i < slips.size(); ++i) {
    def.slip = slips[i];
    const TestbedResult result = run_testbed(def, [&](double done) {
      progress.reach((static_cast<double>(i) + done) / static_cast<double>(slips.size()));
      return true;
    });
    // A wheel that goes straight has a side force of rounding errors, which is none.
    const double side = std::abs(result.mean.side) > 1e-6 * a.load ? result.mean.side : 0.0;
    curves.rows.push_back(
        {slips[i], result.mean.sinkage, result.mean.drawbar, side, result.mean.torque});
  }
  progress.clear();
  return finish(curves, a, slips.size());
}

ExitCode test_plate(const TestbedArguments& a) {
  PlateDef def;
  def.soil = bed_of(a);
  def.plate = plate_of(a);
  def.depth = a.depth;
  def.gravity = a.gravity;
  const double area = a.side.empty() ? 0.25 * kPi * a.diameter * a.diameter
                                     : a.side[0] * (a.side.size() > 1 ? a.side[1] : a.side[0]);
  Curves curves{"Plate on " + a.soil, {"sinkage [m]", "force [N]", "pressure [Pa]"}, {}};
  for (const PlateSample& s : press_plate(def))
    curves.rows.push_back({s.sinkage, s.force, s.force / area});
  return finish(curves, a, 13);
}

ExitCode test_shear(const TestbedArguments& a) {
  ShearDef def;
  def.soil = bed_of(a);
  def.plate = plate_of(a);
  def.pressure = a.pressure;
  def.gravity = a.gravity;
  Curves curves{"Plate sheared on " + a.soil,
                {"displacement [m]", "force [N]", "force / load", "sinkage [m]"},
                {}};
  for (const ShearSample& s : shear_plate(def))
    curves.rows.push_back({s.displacement, s.force, s.force / s.normal, s.sinkage});
  return finish(curves, a, 13);
}

ExitCode testbed(const TestbedArguments& a) {
  for (const auto& [name, number] :
       {std::pair("--load", a.load), std::pair("--speed", a.speed),
        std::pair("--distance", a.distance), std::pair("--spacing", a.spacing),
        std::pair("--diameter", a.diameter), std::pair("--depth", a.depth),
        std::pair("--pressure", a.pressure), std::pair("--gravity", a.gravity)})
    parameters_detail::check_number(number, {}, name, positive());
  const auto style = a.quiet ? Progress::Style::none : Progress::style_of_stderr();
  if (a.test == "wheel") return test_wheel(a, style);
  if (a.test == "plate") return test_plate(a);
  if (a.test == "shear") return test_shear(a);
  const std::vector<std::string> tests = {"wheel", "plate", "shear"};
  throw InputError("grouser testbed: there is no test '" + a.test + "'" +
                   suggestion(a.test, tests));
}

}  // namespace

Action add_testbed(CLI::App& verb) {
  const auto a = std::make_shared<TestbedArguments>();
  verb.add_option("test", a->test, "wheel, plate or shear")->required();
  verb.add_option("--soil", a->soil, "A soil of the library, see 'grouser soils'")
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option("--set", a->set, "Set a property of the soil, such as cohesion=300")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--spacing", a->spacing, "Of the grid, in m")->capture_default_str();
  verb.add_option("--gravity", a->gravity, "In m/s^2")->capture_default_str();
  verb.add_option("--preset", a->preset, "A wheel of the generator")->type_name("NAME");
  verb.add_option("--wheel", a->wheel, "Set a parameter of the wheel, such as grouser_count=24")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--mesh", a->mesh, "A wheel from a file; axis y, forwards x")->type_name("FILE");
  verb.add_option("--radius", a->rolling_radius,
                  "That slip refers to, in m; default: the greatest");
  verb.add_option("--load", a->load, "On the wheel, in N")->capture_default_str();
  verb.add_option("--slip", a->slips, "One or several, separated by commas; default: 0 to 0.6")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--slip-angle", a->slip_angle, "In degrees")->capture_default_str();
  verb.add_option("--speed", a->speed, "Of the faster of rim and carriage, in m/s")
      ->capture_default_str();
  verb.add_option("--distance", a->distance, "That it runs, in m")->capture_default_str();
  verb.add_option("--diameter", a->diameter, "Of a round plate, in m")->capture_default_str();
  verb.add_option("--side", a->side, "Of a square plate, or two of a rectangular one, in m")
      ->delimiter(',')
      ->expected(1, 2);
  verb.add_option("--depth", a->depth, "To which a plate is pressed, in m")->capture_default_str();
  verb.add_option("--pressure", a->pressure, "On a plate that is sheared, in Pa")
      ->capture_default_str();
  verb.add_option("-o,--out", a->out, "Comma-separated values")->type_name("FILE");
  verb.add_option("--plot", a->plot, "A picture of the curves (SVG)")->type_name("FILE");
  verb.add_flag("-q,--quiet", a->quiet, "Print warnings and errors only");
  return [a] { return testbed(*a); };
}

}  // namespace grouser::cli
