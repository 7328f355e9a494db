// grouser testbed: a wheel on a bed of soil at given slips, a plate pressed in, a plate sheared.
#include "grouser/soil/testbed.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/cli/curve_plot.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/testbed_setup.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/base/whole_file.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser::cli {
namespace {

struct TestbedArguments {
  std::string test;
  TestbedSetup setup;
  double rolling_radius = 0.0;
  // Plates
  double diameter = 0.1;
  std::vector<double> side;
  double depth = 0.03;
  double pressure = 1e4;
  std::string out, plot;
  bool quiet = false;
};

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
  const std::vector<double> slips = slips_of(a.setup);
  const auto wheel = wheel_of(a.setup, "testbed");
  Curves curves{"Wheel on " + a.setup.soil + ", " + to_text(a.setup.load) + " N",
                {"slip", "sinkage [m]", "drawbar pull [N]", "side force [N]", "torque [Nm]"},
                {}};
  const StopSignal stop;
  const std::vector<TestbedSample> means = sweep_slips(
      a.setup, wheel, a.rolling_radius > 0.0 ? a.rolling_radius : greatest_radius(*wheel), style,
      [&] { return !stop.came(); });
  for (std::size_t i = 0; i < slips.size(); ++i)
    curves.rows.push_back(
        {slips[i], means[i].sinkage, means[i].drawbar, means[i].side, means[i].torque});
  return finish(curves, a, slips.size());
}

ExitCode test_plate(const TestbedArguments& a) {
  PlateDef def;
  def.soil = bed_of(a.setup);
  def.plate = plate_of(a);
  def.depth = a.depth;
  def.gravity = a.setup.gravity;
  const double area = a.side.empty() ? 0.25 * kPi * a.diameter * a.diameter
                                     : a.side[0] * (a.side.size() > 1 ? a.side[1] : a.side[0]);
  Curves curves{"Plate on " + a.setup.soil, {"sinkage [m]", "force [N]", "pressure [Pa]"}, {}};
  for (const PlateSample& s : press_plate(def))
    curves.rows.push_back({s.sinkage, s.force, s.force / area});
  return finish(curves, a, 13);
}

ExitCode test_shear(const TestbedArguments& a) {
  ShearDef def;
  def.soil = bed_of(a.setup);
  def.plate = plate_of(a);
  def.pressure = a.pressure;
  def.gravity = a.setup.gravity;
  Curves curves{"Plate sheared on " + a.setup.soil,
                {"displacement [m]", "force [N]", "force / load", "sinkage [m]"},
                {}};
  for (const ShearSample& s : shear_plate(def))
    curves.rows.push_back({s.displacement, s.force, s.force / s.normal, s.sinkage});
  return finish(curves, a, 13);
}

ExitCode testbed(const TestbedArguments& a) {
  a.setup.require_sensible();
  for (const auto& [name, number] :
       {std::pair("--diameter", a.diameter), std::pair("--depth", a.depth),
        std::pair("--pressure", a.pressure)})
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
  a->setup.add_soil_options(verb);
  a->setup.add_wheel_options(verb);
  a->setup.add_contact_options(verb);
  verb.add_option("--radius", a->rolling_radius,
                  "That slip refers to, in m; default: the greatest");
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
