#include "apps/cli/testbed_setup.h"

#include <algorithm>
#include <cmath>

#include "apps/cli/number_list.h"
#include "grouser/assets/asset_cache.h"
#include "grouser/base/text.h"
#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/scene/toml_reader.h"

namespace grouser::cli {

void TestbedSetup::add_soil_options(CLI::App& verb) {
  verb.add_option("--soil", soil, "A soil of the library, see 'grouser soils'")
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option("--set", set, "Set a property of the soil, such as cohesion=300")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--spacing", spacing, "Of the grid, in m")->capture_default_str();
  verb.add_option("--period", period, "Of updates of the soil, in s")->capture_default_str();
  verb.add_option("--gravity", gravity, "In m/s^2")->capture_default_str();
}

void TestbedSetup::add_wheel_options(CLI::App& verb) {
  verb.add_option("--preset", preset, "A wheel of the generator")->type_name("NAME");
  verb.add_option("--wheel", wheel, "Set a parameter of the wheel, such as grouser_count=24")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--mesh", mesh, "A wheel from a file; axis y, forwards x")->type_name("FILE");
  const auto add_list = [&](const char* name, std::vector<std::string>& words, const char* text) {
    verb.add_option(name, words, text)->type_name("LIST")->delimiter(',')->allow_extra_args(false);
  };
  add_list("--load", loads, "On the wheel, in N: 50,100 or 20:100:20; default: 100");
  add_list("--slip", slips,
           "From -1 (locked) to 1 (on the spot): 0.1,0.5 or -1:1:0.2; default: 0 to 0.6");
  add_list("--slip-angle", slip_angles, "In degrees: 5,10 or -20:20:5; default: 0");
  verb.add_option("--speed", speed, "Of the faster of rim and carriage, in m/s")
      ->capture_default_str();
  verb.add_option("--distance", distance, "That it runs, in m")->capture_default_str();
}

void TestbedSetup::add_contact_options(CLI::App& verb) {
  verb.add_option("--model", model, "Of wheel on soil, see 'grouser models'")
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option("--include", include, "Keys of the contact, such as 'grouser calibrate' writes")
      ->type_name("FILE");
  verb.add_option("--key", keys, "Set a key of the contact, such as terra.cells=4")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void TestbedSetup::require_sensible() const {
  for (const auto& [name, number] :
       {std::pair("--speed", speed), std::pair("--distance", distance),
        std::pair("--spacing", spacing), std::pair("--gravity", gravity)})
    parameters_detail::check_number(number, {}, name, positive());
  parameters_detail::check_number(period, {}, "--period", within(1e-4, 0.1));
  constexpr double kLongest = 1e6;  // [s]
  if (!(distance / speed <= kLongest))
    throw InputError("--distance " + to_text(distance) + " at --speed " + to_text(speed) +
                     " takes " + to_text(distance / speed, 3) + " s; it must be at most " +
                     to_text(kLongest) + " s");
}

SoilDef soil_of(const TestbedSetup& setup) {
  Value properties = soil_parameters().values(library_soil(setup.soil, {}, "--soil").soil);
  apply_settings(properties, setup.set);
  SoilDef soil;
  soil_parameters().read(properties, soil, "soil");
  return soil;
}

SoilGroundDef bed_of(const TestbedSetup& setup) {
  SoilGroundDef ground;
  ground.name = "bed";
  ground.spacing = setup.spacing;
  ground.update_period = setup.period;
  ground.soil = soil_of(setup);
  ground.check();
  return ground;
}

std::shared_ptr<const TriangleMesh> wheel_of(const TestbedSetup& setup, const std::string& verb) {
  if (!setup.mesh.empty()) {
    if (!setup.preset.empty() || !setup.wheel.empty())
      throw InputError("grouser " + verb + ": give --mesh, or --preset and --wheel, not both");
    return std::make_shared<const TriangleMesh>(read_mesh_file(setup.mesh));
  }
  const AssetKind& kind = *find_asset_kind("wheel");
  Value parameters;
  if (!setup.preset.empty())
    parameters = asset_preset(kind, setup.preset, {}, "--preset").parameters;
  if (setup.preset.empty() && setup.wheel.empty()) {
    set_at_path(parameters, "radius", Value(0.125));
    set_at_path(parameters, "width", Value(0.1));
  }
  apply_settings(parameters, setup.wheel);
  return std::make_shared<const TriangleMesh>(
      AssetCache::standard().mesh(*read_asset(kind, parameters, "wheel", "")));
}

double WheelCase::degrees() const {
  return std::round(slip_angle * 180.0 / kPi * 1e9) / 1e9;
}

std::string WheelCase::text() const {
  std::string out = "load " + to_text(load, 6) + " N, slip " + to_text(slip, 6);
  if (slip_angle != 0.0) out += ", slip angle " + to_text(degrees(), 6) + " deg";
  return out;
}

void require_spacing(const TestbedSetup& setup, double size) {
  constexpr double kMostNodes = 2000;  // along an object
  const double least = size / kMostNodes;
  if (setup.spacing < least)
    throw InputError("--spacing must be at least " + to_text(least, 3) + ", for at most " +
                     to_text(kMostNodes) + " nodes along the object, is " + to_text(setup.spacing));
}

std::vector<WheelCase> cases_of(const TestbedSetup& setup, const Range& slips) {
  const auto listed = [](const std::vector<std::string>& words, const std::string& option,
                         const Range& range, std::vector<double> otherwise) {
    return words.empty() ? otherwise : numbers_of(words, option, range);
  };
  std::vector<WheelCase> out;
  for (const double load : listed(setup.loads, "--load", positive(), {100.0}))
    for (const double angle : listed(setup.slip_angles, "--slip-angle", within(-90.0, 90.0), {0.0}))
      for (const double slip : listed(setup.slips, "--slip", slips, {0.0, 0.1, 0.2, 0.3, 0.4, 0.6}))
        out.push_back({load, slip, angle * kPi / 180.0});
  return out;
}

Value contact_keys_of(const TestbedSetup& setup) {
  Value keys;
  if (!setup.include.empty()) keys = read_toml_file(setup.include);
  apply_settings(keys, setup.keys);
  return keys;
}

namespace {

TestbedDef testbed_def(const TestbedSetup& setup, const std::shared_ptr<const TriangleMesh>& wheel,
                       const WheelPlacing& placing) {
  TestbedDef def;
  def.soil = bed_of(setup);
  def.wheel = wheel;
  def.rolling_radius = placing.rolling_radius;
  def.heading = placing.heading;
  def.speed = setup.speed;
  def.distance = setup.distance;
  def.gravity = setup.gravity;
  def.model = setup.model;
  def.settings = contact_keys_of(setup);
  // Steps that are short for the weight on the wheel, however seldom the soil is updated.
  constexpr double kLongestStep = 6.25e-4;  // [s]
  def.steps_per_update =
      std::max(def.steps_per_update, std::ceil(setup.period / kLongestStep * (1.0 - 1e-9)));
  return def;
}

/// A wheel that goes straight has a side force of rounding errors, which is none.
void remove_rounding(const TestbedDef& def, TestbedResult& result) {
  const auto clean = [&](double TestbedSample::*member, double scale) {
    for (TestbedSample* s : {&result.mean, &result.scatter})
      if (std::abs(s->*member) <= 1e-6 * scale) s->*member = 0.0;
  };
  clean(&TestbedSample::drawbar, def.load);
  clean(&TestbedSample::side, def.load);
  clean(&TestbedSample::torque, def.load * def.rolling_radius);
}

}  // namespace

std::vector<WheelRun> run_cases(const TestbedSetup& setup, const std::vector<WheelCase>& cases,
                                const std::shared_ptr<const TriangleMesh>& wheel,
                                const WheelPlacing& placing, Progress::Style style,
                                const std::function<bool()>& go_on) {
  TestbedDef def = testbed_def(setup, wheel, placing);
  std::vector<WheelRun> out;
  Progress progress(style);
  for (const WheelCase& test : cases) {
    def.load = test.load;
    def.slip = test.slip;
    def.slip_angle = test.slip_angle;
    WheelRun& run = out.emplace_back();
    run.test = test;
    const auto before = static_cast<double>(out.size() - 1);
    try {
      run.result = run_testbed(def, [&](double done) {
        progress.reach((before + done) / static_cast<double>(cases.size()));
        return go_on();
      });
    } catch (const RunError& error) {
      run.failure = test.text() + ": " + error.what();
    }
    if (!go_on()) throw RunError("interrupted; nothing was written");
    if (!run.failure.empty()) continue;
    // Of the wheel and the bed, alike in all cases.
    if (out.size() == 1) run.doubts = run.result.notes;
    for (const std::string& doubt : testbed_doubts(def, run.result))
      run.doubts.push_back(test.text() + ": " + doubt);
    remove_rounding(def, run.result);
  }
  progress.clear();
  return out;
}

}  // namespace grouser::cli
