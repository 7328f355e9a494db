// grouser testbed: a wheel on a bed of soil, an object pressed in, a ring that shears soil.
#include "grouser/soil/testbed.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/cli/number_list.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/terminal.h"
#include "apps/cli/testbed_setup.h"
#include "apps/cli/testbed_table.h"
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
  double heading = 0.0;  // degrees
  // Objects that are pressed, and the ring
  std::string body = "plate";
  double diameter = 0.1;
  double inner = 0.0;
  std::vector<double> side;
  double depth = 0.03;
  std::vector<std::string> reloads;
  double pressure = 1e4;
  std::string out, plot, series;
  bool json = false, quiet = false;
  // To tell what was given from what is a default.
  const CLI::App* verb = nullptr;

  bool given(const std::string& option) const { return verb->get_option(option)->count() > 0; }
};

// --- what each test takes ---------------------------------------------------------------------

const std::vector<std::string> kTests = {"wheel", "press", "plate", "shear"};
const std::vector<std::string> kBodies = {"plate", "sphere", "wheel"};

/// An option that means something to some tests, or some bodies that are pressed, only.
struct LimitedOption {
  const char* name;
  std::vector<std::string> tests, bodies;
};
const std::vector<LimitedOption>& limited_options() {
  static const std::vector<LimitedOption> table = {
      {"--load", {"wheel"}, {}},
      {"--slip", {"wheel"}, {}},
      {"--slip-angle", {"wheel"}, {}},
      {"--heading", {"wheel"}, {}},
      {"--radius", {"wheel"}, {}},
      {"--model", {"wheel"}, {}},
      {"--series", {"wheel"}, {}},
      {"--distance", {"wheel", "shear"}, {}},
      {"--preset", {"wheel", "press"}, {"wheel"}},
      {"--wheel", {"wheel", "press"}, {"wheel"}},
      {"--mesh", {"wheel", "press"}, {"wheel"}},
      {"--body", {"press"}, {}},
      {"--diameter", {"press", "plate", "shear"}, {"plate", "sphere"}},
      {"--inner", {"shear"}, {}},
      {"--side", {"press", "plate"}, {"plate"}},
      {"--depth", {"press", "plate"}, {}},
      {"--reload", {"press", "plate"}, {}},
      {"--pressure", {"shear"}, {}},
  };
  return table;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void refuse_idle_options(const TestbedArguments& a) {
  for (const LimitedOption& option : limited_options()) {
    if (!a.given(option.name)) continue;
    const std::string idle =
        "grouser testbed: " + std::string(option.name) + " means nothing with ";
    if (!holds(option.tests, a.test))
      throw InputError(idle + a.test + ", but with " + join(option.tests, " or "));
    if (a.test == "press" && !option.bodies.empty() && !holds(option.bodies, a.body))
      throw InputError(idle + "--body " + a.body + ", but with " + join(option.bodies, " or "));
  }
  if (a.given("--diameter") && a.given("--side"))
    throw InputError("grouser testbed: give --diameter of a round plate or --side, not both");
}

/// Of the ring, if none is given: outer diameter [m], share of it that is hollow, and so many times
/// the shear modulus K that it slides.
constexpr double kRingDiameter = 0.2, kInnerShare = 0.5, kWholeCurve = 8.0;

void require_sound(TestbedArguments& a) {
  if (!holds(kTests, a.test))
    throw InputError("grouser testbed: there is no test '" + a.test + "'" +
                     suggestion(a.test, kTests));
  if (!holds(kBodies, a.body))
    throw InputError("--body: there is no body '" + a.body + "'" + suggestion(a.body, kBodies));
  refuse_idle_options(a);
  // Slower than wheels, and as far as shows the whole curve.
  if (a.test != "wheel" && !a.given("--speed")) a.setup.speed = 0.01;
  if (a.test == "shear" && !a.given("--distance"))
    a.setup.distance = kWholeCurve * soil_of(a.setup).shear_modulus;
  if (a.test == "shear" && !a.given("--diameter")) a.diameter = kRingDiameter;
  if (!a.given("--inner")) a.inner = kInnerShare * a.diameter;
  a.setup.require_sensible();
  const auto check = [](const char* name, double number, const Range& range) {
    parameters_detail::check_number(number, {}, name, range);
  };
  check("--diameter", a.diameter, positive());
  check("--inner", a.inner,
        {.lower = 0.0, .upper = a.diameter, .lower_open = true, .upper_open = true});
  check("--depth", a.depth, positive());
  check("--pressure", a.pressure, positive());
  check("--heading", a.heading, within(-360.0, 360.0));
  for (const double side : a.side) check("--side", side, positive());
  if (a.given("--radius")) check("--radius", a.rolling_radius, positive());
}

// --- objects ----------------------------------------------------------------------------------

double greatest_radius(const TriangleMesh& mesh) {
  double radius = 0.0;
  for (const Vec3& vertex : mesh.vertices)
    radius = std::max(radius, std::hypot(vertex.x(), vertex.z()));
  return radius;
}

/// The longer side as seen from above [m].
double size_of(const TriangleMesh& object) {
  const Vec3 half = bounding_box(object).half_size();
  return 2.0 * std::max(half.x(), half.y());
}

/// A plate so thick that the ground does not close over it at a depth [m].
std::shared_ptr<const TriangleMesh> plate_of(const TestbedArguments& a, double depth) {
  const double thickness = std::max(0.02, 2.0 * depth);
  if (a.side.empty())
    return std::make_shared<const TriangleMesh>(
        make_cylinder({.radius = 0.5 * a.diameter, .length = thickness, .segments = 128}));
  const double y = a.side.size() > 1 ? a.side[1] : a.side[0];
  return std::make_shared<const TriangleMesh>(make_box({.size = Vec3(a.side[0], y, thickness)}));
}

double plate_area(const TestbedArguments& a) {
  if (a.side.empty()) return 0.25 * kPi * a.diameter * a.diameter;
  return a.side[0] * (a.side.size() > 1 ? a.side[1] : a.side[0]);
}

/// What is pressed in.
std::shared_ptr<const TriangleMesh> body_of(const TestbedArguments& a) {
  if (a.body == "wheel") return wheel_of(a.setup, "testbed");
  if (a.body == "plate") return plate_of(a, a.depth);
  return std::make_shared<const TriangleMesh>(
      make_sphere({.radius = 0.5 * a.diameter, .triangles = 5120}));
}

// --- tests ------------------------------------------------------------------------------------

/// Prints and writes what a test found.
void finish(const TestTable& table, const TestbedArguments& a, std::size_t printed_rows,
            const std::vector<std::string>& doubts) {
  // What a script reads from standard output is that object alone.
  const bool silent = a.quiet || a.json;
  if (a.json) std::cout << report::table_json(table, doubts);
  if (!silent) table.print(std::cout, printed_rows);
  for (const std::string& doubt : doubts) print_warning(doubt);
  const auto write = [&](const std::string& path, const std::string& text) {
    if (path.empty()) return;
    write_file(path, text);
    if (!silent) std::cout << path << " (" << file_size_text(path) << ")\n";
  };
  write(a.out, table.csv());
  if (!a.plot.empty()) write(a.plot, table.svg());
}

/// Rows of a curve that are printed; files have all of them.
constexpr std::size_t kPrintedRows = 13;

/// Greatest spacing, as a share of the width of the ring.
constexpr double kCoarseRing = 0.5;

/// Progress of one test, which a signal stops.
class Watch {
 public:
  explicit Watch(const TestbedArguments& a)
      : progress_(a.quiet || a.json ? Progress::Style::none : Progress::style_of_stderr()) {}

  TestbedProgress asked() {
    return [this](double done) {
      progress_.reach(done);
      return !stop_.came();
    };
  }
  /// Throws RunError if a signal came.
  void end() {
    progress_.clear();
    if (stop_.came()) throw RunError("interrupted; nothing was written");
  }

 private:
  Progress progress_;
  StopSignal stop_;
};

/// All moments of all runs, with columns that tell the runs apart if there are several.
std::string series_text(const std::vector<WheelRun>& runs) {
  const bool several = runs.size() > 1;
  std::string out = several ? "case,load [N],slip,slip angle [deg]," : "";
  out +=
      "time [s],travel [m],sinkage [m],normal force [N],drawbar pull [N],side force [N],"
      "torque [Nm]\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const WheelCase& test = runs[i].test;
    const std::string which = std::to_string(i + 1) + "," + to_text(test.load) + "," +
                              to_text(test.slip) + "," + to_text(test.degrees()) + ",";
    for (const TestbedSample& s : runs[i].result.samples) {
      if (several) out += which;
      out += to_text(s.time) + "," + to_text(s.travel) + "," + to_text(s.sinkage) + "," +
             to_text(s.normal) + "," + to_text(s.drawbar) + "," + to_text(s.side) + "," +
             to_text(s.torque) + "\n";
    }
  }
  return out;
}

TestTable wheel_table(const std::vector<WheelRun>& runs, const TestbedArguments& a) {
  TestTable table;
  table.title = "Wheel on " + a.setup.soil;
  const double load = runs[0].test.load;
  if (std::all_of(runs.begin(), runs.end(),
                  [&](const WheelRun& run) { return run.test.load == load; }))
    table.title += ", " + to_text(load) + " N";
  table.columns = {"slip", "slip angle [deg]", "load [N]", "speed [m/s]"};
  table.keys = table.columns.size();
  table.scatters = true;
  table.add_found("sinkage", "m");
  table.add_found("drawbar pull", "N");
  table.add_found("side force", "N");
  table.add_found("torque", "Nm");
  for (const WheelRun& run : runs) {
    if (!run.failure.empty()) continue;
    std::vector<double> row = {run.test.slip, run.test.degrees(), run.test.load, a.setup.speed};
    for (double TestbedSample::*const member : {&TestbedSample::sinkage, &TestbedSample::drawbar,
                                                &TestbedSample::side, &TestbedSample::torque}) {
      row.push_back(run.result.mean.*member);
      row.push_back(run.result.scatter.*member);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ExitCode test_wheel(const TestbedArguments& a) {
  const std::vector<WheelCase> cases = cases_of(a.setup);
  const auto wheel = wheel_of(a.setup, "testbed");
  require_spacing(a.setup, size_of(*wheel));
  const double radius = greatest_radius(*wheel);
  if (a.setup.speed * a.setup.period > radius)
    throw InputError("--speed must be at most " + to_text(radius / a.setup.period, 4) +
                     ", a radius of the wheel per --period, is " + to_text(a.setup.speed));
  const WheelPlacing placing{a.given("--radius") ? a.rolling_radius : radius,
                             a.heading * kPi / 180.0};
  const StopSignal stop;
  const auto style = a.quiet || a.json ? Progress::Style::none : Progress::style_of_stderr();
  const std::vector<WheelRun> runs =
      run_cases(a.setup, cases, wheel, placing, style, [&] { return !stop.came(); });

  std::vector<std::string> doubts;
  bool failed = false;
  for (const WheelRun& run : runs) {
    doubts.insert(doubts.end(), run.doubts.begin(), run.doubts.end());
    failed |= !run.failure.empty();
  }
  const TestTable table = wheel_table(runs, a);
  if (!table.rows.empty()) finish(table, a, runs.size(), doubts);
  if (!a.series.empty()) {
    write_file(a.series, series_text(runs));
    if (!a.quiet && !a.json) std::cout << a.series << " (" << file_size_text(a.series) << ")\n";
  }
  for (const WheelRun& run : runs)
    if (!run.failure.empty()) print_error(run.failure);
  return failed ? kFailed : kDone;
}

ExitCode test_press(const TestbedArguments& a) {
  PlateDef def;
  def.soil = bed_of(a.setup);
  def.plate = body_of(a);
  def.depth = a.depth;
  def.speed = a.setup.speed;
  def.gravity = a.setup.gravity;
  def.settings = contact_keys_of(a.setup);
  def.reloads =
      numbers_of(a.reloads, "--reload", {.lower = 0.0, .upper = a.depth, .lower_open = true});
  std::sort(def.reloads.begin(), def.reloads.end());
  require_spacing(a.setup, size_of(*def.plate));
  const double height = 2.0 * bounding_box(*def.plate).half_size().z();
  if (a.body != "plate" && a.depth > height)
    throw InputError("--depth must be at most " + to_text(height, 4) + ", the height of the " +
                     a.body + ", is " + to_text(a.depth));

  TestTable table;
  const bool plate = a.body == "plate";
  table.title = (plate               ? "Plate"
                 : a.body == "wheel" ? "Wheel pressed"
                                     : "Sphere") +
                std::string(" on ") + a.setup.soil;
  table.columns = {"sinkage [m]", "force [N]"};
  if (plate) table.columns.emplace_back("pressure [Pa]");
  Watch watch(a);
  const std::vector<PlateSample> samples = press_plate(def, watch.asked());
  watch.end();
  for (const PlateSample& s : samples) {
    table.rows.push_back({s.sinkage, s.force});
    if (plate) table.rows.back().push_back(s.force / plate_area(a));
  }
  finish(table, a, kPrintedRows, {});
  return kDone;
}

ExitCode test_shear(const TestbedArguments& a) {
  ShearDef def;
  def.soil = bed_of(a.setup);
  def.outer_radius = 0.5 * a.diameter;
  def.inner_radius = 0.5 * a.inner;
  def.pressure = a.pressure;
  def.distance = a.setup.distance;
  def.speed = a.setup.speed;
  def.gravity = a.setup.gravity;
  def.settings = contact_keys_of(a.setup);
  const double width = def.outer_radius - def.inner_radius;
  if (!std::isfinite(patch_sinkage(def.soil, width, def.gravity, def.pressure)))
    throw InputError("--pressure " + to_text(a.pressure) + ": " + a.setup.soil +
                     " does not carry that under this ring within 10 m; take less, or a ring of "
                     "another width");
  if (a.setup.spacing > kCoarseRing * width * (1.0 + 1e-9))
    throw InputError("--spacing must be at most " + to_text(kCoarseRing * width, 3) +
                     ", half the width of the ring, is " + to_text(a.setup.spacing));
  require_spacing(a.setup, a.diameter);
  TestTable table;
  table.title = "Ring turned on " + a.setup.soil;
  table.columns = {"displacement [m]", "torque [Nm]", "shear stress [Pa]",
                   "stress / (c + p tan phi)", "sinkage [m]"};
  Watch watch(a);
  std::vector<std::string> doubts;
  const std::vector<ShearSample> samples = shear_ring(def, watch.asked(), &doubts);
  watch.end();
  const SoilDef& soil = def.soil.soil;
  const double strength = soil.cohesion + a.pressure * std::tan(soil.friction_angle);
  for (const ShearSample& s : samples)
    table.rows.push_back({s.displacement, s.torque, s.stress, s.stress / strength, s.sinkage});
  finish(table, a, kPrintedRows, doubts);
  return kDone;
}

ExitCode testbed(TestbedArguments& a) {
  require_sound(a);
  if (a.test == "wheel") return test_wheel(a);
  if (a.test == "shear") return test_shear(a);
  return test_press(a);
}

}  // namespace

Action add_testbed(CLI::App& verb) {
  const auto a = std::make_shared<TestbedArguments>();
  a->verb = &verb;
  verb.add_option("test", a->test, "wheel, press, plate (a plate pressed) or shear (a ring turned)")
      ->required();
  a->setup.add_soil_options(verb);
  a->setup.add_wheel_options(verb);
  a->setup.add_contact_options(verb);
  verb.add_option("--heading", a->heading, "Of the wheel from the grid's x, in degrees")
      ->capture_default_str();
  verb.add_option("--radius", a->rolling_radius,
                  "That slip refers to, in m; default: the greatest");
  verb.add_option("--body", a->body, "That is pressed: plate, sphere or wheel")
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option(
      "--diameter", a->diameter,
      "Of a round plate or a sphere, or outside of the ring, in m; default: 0.1, of the "
      "ring 0.2");
  verb.add_option("--inner", a->inner,
                  "Diameter of the hole in the ring, in m; default: half the outer one");
  verb.add_option("--side", a->side, "Of a square plate, or two of a rectangular one, in m")
      ->delimiter(',')
      ->expected(1, 2);
  verb.add_option("--depth", a->depth, "To which it is pressed, in m")->capture_default_str();
  verb.add_option("--reload", a->reloads,
                  "Depths at which it is pulled up until nothing carries it, and pressed again")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--pressure", a->pressure, "Under the ring, in Pa")->capture_default_str();
  verb.add_option("-o,--out", a->out, "Comma-separated values")->type_name("FILE");
  verb.add_option("--plot", a->plot, "A picture of the curves (SVG)")->type_name("FILE");
  verb.add_option("--series", a->series, "Every wheel test over time, comma-separated values")
      ->type_name("FILE");
  verb.add_flag("--json", a->json,
                "Print the table as one JSON object on standard output, and nothing else there");
  verb.add_flag("-q,--quiet", a->quiet, "Print warnings and errors only");
  return [a] { return testbed(*a); };
}

}  // namespace grouser::cli
