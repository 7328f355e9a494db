// grouser calibrate: parameters of a wheel-soil model from a measured or simulated wheel test.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/cli/calibrate_report.h"
#include "apps/cli/number_list.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/terminal.h"
#include "apps/cli/testbed_setup.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/soil/wheel_soil.h"

namespace grouser::cli {
namespace {

struct CalibrateArguments {
  std::string model;
  std::string data, against;
  TestbedSetup setup;
  double radius = 0.0, width = 0.0, grouser_height = 0.0;
  std::vector<std::string> keys, start, bounds, weights;
  int starts = 8;
  std::string out, plot, save_data;
  bool quiet = false;
  // To tell what was given from what is a default.
  const CLI::App* verb = nullptr;

  bool given(const std::string& option) const { return verb->get_option(option)->count() > 0; }
};

/// "key=value" taken apart.
std::pair<std::string, std::string> setting_of(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw InputError(option + " must be written KEY=VALUE, is " + in_quotes(text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void require_sound(const CalibrateArguments& a) {
  require_solver();
  if (a.data.empty() == a.against.empty())
    throw InputError("grouser calibrate: give --data FILE or --against scm, one of them");
  if (!a.against.empty() && a.against != "scm")
    throw InputError("--against must be scm, is " + in_quotes(a.against));
  if (a.starts < 1) throw InputError("--starts must be at least 1, is " + std::to_string(a.starts));
  a.setup.require_sensible();
  const std::vector<std::string> idle =
      a.data.empty() ? std::vector<std::string>{"--radius", "--width", "--grouser-height"}
                     : std::vector<std::string>{"--preset", "--wheel",   "--mesh",   "--distance",
                                                "--slip",   "--spacing", "--period", "--save-data"};
  for (const std::string& option : idle)
    if (a.given(option))
      throw InputError("grouser calibrate: " + option + " means nothing with " +
                       (a.data.empty() ? "--against" : "--data"));
}

/// Of an option that takes lists, where one number is meant.
double only_of(const std::vector<std::string>& words, const std::string& option, const Range& range,
               double otherwise) {
  const std::vector<double> numbers = numbers_of(words, option, range);
  if (numbers.size() > 1)
    throw InputError("grouser calibrate: " + option + " must be one number with --data, is " +
                     join(words, ","));
  return numbers.empty() ? otherwise : numbers[0];
}

/// What was measured, with the load and the speed of every row.
WheelData measured_data(const CalibrateArguments& a) {
  WheelData data = read_wheel_data(a.data);
  const double load = only_of(a.setup.loads, "--load", positive(), 100.0);
  const double angle = only_of(a.setup.slip_angles, "--slip-angle", within(-90.0, 90.0), 0.0);
  for (WheelRow& row : data.rows) {
    if (std::isnan(row.load) && !a.given("--load"))
      throw InputError(Place{a.data}, "there is no column 'load'; give --load");
    if (std::isnan(row.load)) row.load = load;
    if (std::isnan(row.speed)) row.speed = a.setup.speed;
    if (a.given("--slip-angle")) row.slip_angle = angle * kPi / 180.0;
  }
  return data;
}

WheelSize given_size(const CalibrateArguments& a) {
  for (const char* option : {"--radius", "--width"})
    if (!a.given(option))
      throw InputError(std::string("grouser calibrate: --data needs ") + option + " of the wheel");
  parameters_detail::check_number(a.radius, {}, "--radius", positive());
  parameters_detail::check_number(a.width, {}, "--width", positive());
  parameters_detail::check_number(a.grouser_height, {}, "--grouser-height", non_negative());
  WheelSize size;
  size.radius = a.radius;
  size.width = a.width;
  size.grouser_height = a.grouser_height;
  return size;
}

/// No model is fitted where a wheel is locked or spins on the spot.
std::vector<WheelCase> against_cases(const CalibrateArguments& a) {
  return cases_of(a.setup, within(-0.99, 0.95));
}

/// The test as the soil contact model has it. Sinkage is that of the rim, as of all wheel models,
/// where the testbed tells that of the lowest point.
WheelData simulated_data(const CalibrateArguments& a,
                         const std::shared_ptr<const TriangleMesh>& wheel, const WheelSize& size,
                         const StopSignal& stop) {
  const auto style = a.quiet ? Progress::Style::none : Progress::style_of_stderr();
  const std::vector<WheelRun> runs =
      run_cases(a.setup, against_cases(a), wheel, {.rolling_radius = size.shear_radius()}, style,
                [&] { return !stop.came(); });
  WheelData data{"scm", {}};
  for (const WheelRun& run : runs) {
    if (!run.failure.empty()) throw RunError(run.failure);
    for (const std::string& doubt : run.doubts) print_warning(doubt);
    WheelRow& row = data.rows.emplace_back();
    row.slip = run.test.slip;
    row.slip_angle = run.test.slip_angle;
    row.load = run.test.load;
    row.speed = a.setup.speed;
    const TestbedSample& mean = run.result.mean;
    row[WheelQuantity::sinkage] = mean.sinkage - size.grouser_height;
    row[WheelQuantity::drawbar] = mean.drawbar;
    row[WheelQuantity::torque] = mean.torque;
    if (row.slip_angle != 0.0) row[WheelQuantity::side] = mean.side;
  }
  return data;
}

std::string size_text(const WheelSize& size) {
  std::string out =
      "radius " + to_text(size.radius, 5) + " m, width " + to_text(size.width, 5) + " m";
  if (size.grouser_height > 0.0) out += ", grousers " + to_text(size.grouser_height, 4) + " m high";
  return out;
}

/// Keys given by --start, and what a model needs besides.
Value given_keys(const CalibrateArguments& a, const WheelData& data) {
  Value keys;
  for (const std::string& text : a.start) {
    const auto [key, value] = setting_of(text, "--start");
    set_at_path(keys, key, read_toml_value(value, "--start " + key));
  }
  if (a.model == "rheological") {
    // Its springs are made for one load.
    const Value* own = keys.find("rheological");
    double mean = 0.0;
    for (const WheelRow& row : data.rows) mean += row.load / static_cast<double>(data.rows.size());
    if (!own || !own->is_table() || !own->find("nominal_load"))
      set_at_path(keys, "rheological.nominal_load", Value(mean));
  }
  return keys;
}

/// Whether one of `settings` is of this key.
bool names(const std::vector<std::string>& settings, const std::string& key) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const std::string& text) { return text.starts_with(key + "="); });
}

std::vector<std::string> chosen_keys(const CalibrateArguments& a, const WheelFitDef& fit) {
  if (!a.keys.empty()) return a.keys;
  UsualKeys usual = usual_keys(a.model, quantities_of(fit));
  if (!usual.left_out.empty() && !a.quiet)
    print_warning("not fitted, since what they act on was not measured: " + join(usual.left_out));
  // What is given is known, unless --fit names it.
  std::erase_if(usual.fitted, [&](const std::string& key) { return names(a.start, key); });
  if (usual.fitted.empty()) throw InputError("nothing is left to fit; name keys with --fit");
  return usual.fitted;
}

/// Sets bounds as --bounds key=low:high says.
void apply_bounds(const CalibrateArguments& a, const std::vector<WheelKey>& keys,
                  std::vector<FitParameter>& parameters) {
  for (const std::string& text : a.bounds) {
    const auto [key, both] = setting_of(text, "--bounds");
    const auto parameter = std::ranges::find(parameters, key, &FitParameter::name);
    if (parameter == parameters.end())
      throw InputError("--bounds: '" + key + "' is not fitted; add it to --fit");
    const std::size_t colon = both.find(':');
    if (colon == std::string::npos)
      throw InputError("--bounds must be written KEY=LOW:HIGH, is " + in_quotes(text));
    parameter->lower = number_of(both.substr(0, colon), "--bounds " + key);
    parameter->upper = number_of(both.substr(colon + 1), "--bounds " + key);
    for (const double bound : {parameter->lower, parameter->upper})
      parameters_detail::check_number(bound, {}, "--bounds " + key, wheel_key(keys, key).range);
    // A start that was not asked for gives way.
    if (!names(a.start, key))
      parameter->start = std::clamp(parameter->start, parameter->lower,
                                    std::max(parameter->lower, parameter->upper));
  }
}

void apply_weights(const CalibrateArguments& a, WheelFitScales& scales) {
  const std::vector<std::string> known = {"drawbar", "sinkage", "torque", "side"};
  for (const std::string& text : a.weights) {
    const auto [name, value] = setting_of(text, "--weight");
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw InputError("--weight: there is no quantity '" + name + "'" + suggestion(name, known));
    const double weight = number_of(value, "--weight " + name);
    parameters_detail::check_number(weight, {}, "--weight " + name, non_negative());
    scales.weights[static_cast<std::size_t>(found - known.begin())] = weight;
  }
}

/// What to fit, from where and how far.
void prepare_fit(const CalibrateArguments& a, Calibration& c) {
  apply_weights(a, c.fit.scales);
  const std::vector<WheelKey> all = wheel_keys(c.model);
  const std::vector<std::string> chosen = chosen_keys(a, c.fit);
  for (const std::string& name : chosen) {
    if (std::count(chosen.begin(), chosen.end(), name) > 1)
      throw InputError("--fit names '" + name + "' twice");
    const WheelKey& key = wheel_key(all, name);
    c.keys.push_back(key);
    c.fit.parameters.push_back(names(a.bounds, name)
                                   ? FitParameter{name, key.value, key.value, key.value}
                                   : default_bounds(key));
  }
  apply_bounds(a, all, c.fit.parameters);
  c.fit.radius = c.model.size.radius;
  c.fit.predict = wheel_prediction(c.model, chosen);
  c.fit.options.starts = a.starts;
}

void carry_out_fit(const CalibrateArguments& a, const StopSignal& stop, Calibration& c) {
  Progress progress(a.quiet ? Progress::Style::none : Progress::style_of_stderr());
  c.fit.options.progress = [&](double done) {
    progress.reach(done);
    return !stop.came();
  };
  try {
    c.result = fit_wheel(c.fit);
  } catch (const InputError& error) {
    throw InputError(Place{c.data}, error.what());
  }
}

void write_results(const CalibrateArguments& a, const Calibration& c) {
  const auto write = [&](const std::string& path, const std::string& text) {
    if (path.empty()) return;
    write_file(path, text);
    if (!a.quiet) std::cout << path << " (" << file_size_text(path) << ")\n";
  };
  if (!a.save_data.empty())
    write(a.save_data, wheel_data_text(c.fit.data, "Soil contact model, " + c.soil + "\nWheel: " +
                                                       c.wheel + "\nSinkage is that of the rim."));
  write(a.out, parameter_file(c));
  write(a.plot, calibration_plot(c));
}

ExitCode calibrate(const CalibrateArguments& a) {
  require_sound(a);
  const StopSignal stop;
  Calibration c;
  c.model.model = a.model;
  c.model.soil = soil_of(a.setup);
  c.model.gravity = a.setup.gravity;
  c.soil = a.setup.soil + (a.setup.set.empty() ? "" : " with " + join(a.setup.set));
  c.data = a.data.empty() ? "scm" : a.data;
  std::shared_ptr<const TriangleMesh> mesh;
  if (a.data.empty()) {
    mesh = wheel_of(a.setup, "calibrate");
    c.model.size = measure_wheel(*mesh, Vec3::UnitY());
  } else {
    c.model.size = given_size(a);
    c.fit.data = measured_data(a);
  }
  c.wheel = size_text(c.model.size);
  read_wheel_soil(a.model, {}, "");  // no test of minutes for a name that is none
  if (mesh) c.fit.data = simulated_data(a, mesh, c.model.size, stop);
  c.model.keys = given_keys(a, c.fit.data);
  prepare_fit(a, c);
  carry_out_fit(a, stop, c);

  if (!a.quiet) print_calibration(std::cout, c);
  for (const std::string& doubt : doubts(c)) print_warning(doubt);
  write_results(a, c);
  return kDone;
}

}  // namespace

Action add_calibrate(CLI::App& verb) {
  const auto a = std::make_shared<CalibrateArguments>();
  a->verb = &verb;
  verb.add_option("--model", a->model, join(wheel_model_names()))->type_name("NAME")->required();
  verb.add_option("--data", a->data, "Measurements: comma-separated values")->type_name("FILE");
  verb.add_option("--against", a->against, "scm: make the data with the soil contact model")
      ->type_name("MODEL");
  verb.add_option("--radius", a->radius, "Of the rim, in m; for --data");
  verb.add_option("--width", a->width, "Of the wheel, in m; for --data");
  verb.add_option("--grouser-height", a->grouser_height, "In m; for --data")->capture_default_str();
  a->setup.add_soil_options(verb);
  a->setup.add_wheel_options(verb);
  verb.add_option("--fit", a->keys, "Keys to fit, separated by commas; default: by model")
      ->type_name("KEY")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--start", a->start, "Where a key starts, or what it is if it is not fitted")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--bounds", a->bounds, "Between which a key is looked for")
      ->type_name("KEY=LOW:HIGH")
      ->allow_extra_args(false);
  verb.add_option("--weight", a->weights,
                  "How much drawbar, sinkage, torque or side count; 0: not at all")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  verb.add_option("--starts", a->starts, "From how many places the fit starts")
      ->capture_default_str();
  verb.add_option("-o,--out", a->out, "Parameters, for 'include' in a scene's [[contact]]")
      ->type_name("FILE");
  verb.add_option("--plot", a->plot, "A picture of data and fit (SVG)")->type_name("FILE");
  verb.add_option("--save-data", a->save_data, "The data that --against made")->type_name("FILE");
  verb.add_flag("-q,--quiet", a->quiet, "Print warnings and errors only");
  return [a] { return calibrate(*a); };
}

}  // namespace grouser::cli
