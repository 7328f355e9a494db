#include "apps/cli/testbed_setup.h"

#include <cmath>

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
  verb.add_option("--gravity", gravity, "In m/s^2")->capture_default_str();
}

void TestbedSetup::add_wheel_options(CLI::App& verb) {
  verb.add_option("--preset", preset, "A wheel of the generator")->type_name("NAME");
  verb.add_option("--wheel", wheel, "Set a parameter of the wheel, such as grouser_count=24")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--mesh", mesh, "A wheel from a file; axis y, forwards x")->type_name("FILE");
  verb.add_option("--load", load, "On the wheel, in N")->capture_default_str();
  verb.add_option("--slip", slips, "One or several, separated by commas; default: 0 to 0.6")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--slip-angle", slip_angle, "In degrees")->capture_default_str();
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
       {std::pair("--load", load), std::pair("--speed", speed), std::pair("--distance", distance),
        std::pair("--spacing", spacing), std::pair("--gravity", gravity)})
    parameters_detail::check_number(number, {}, name, positive());
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

std::vector<double> slips_of(const TestbedSetup& setup) {
  if (setup.slips.empty()) return {0.0, 0.1, 0.2, 0.3, 0.4, 0.6};
  for (const double slip : setup.slips)
    if (!(slip >= -0.99 && slip <= 0.95))
      throw InputError("--slip must lie in [-0.99, 0.95], is " + to_text(slip));
  return setup.slips;
}

std::vector<TestbedSample> sweep_slips(const TestbedSetup& setup,
                                       const std::shared_ptr<const TriangleMesh>& wheel,
                                       double rolling_radius, Progress::Style style,
                                       const std::function<bool()>& go_on) {
  TestbedDef def;
  def.soil = bed_of(setup);
  def.wheel = wheel;
  def.rolling_radius = rolling_radius;
  def.load = setup.load;
  def.slip_angle = setup.slip_angle * kPi / 180.0;
  def.speed = setup.speed;
  def.distance = setup.distance;
  def.gravity = setup.gravity;
  def.model = setup.model;
  if (!setup.include.empty()) def.settings = read_toml_file(setup.include);
  apply_settings(def.settings, setup.keys);
  const std::vector<double> slips = slips_of(setup);
  std::vector<TestbedSample> out;
  Progress progress(style);
  for (std::size_t i = 0; i < slips.size(); ++i) {
    def.slip = slips[i];
    const TestbedResult result = run_testbed(def, [&](double done) {
      progress.reach((static_cast<double>(i) + done) / static_cast<double>(slips.size()));
      return go_on();
    });
    if (!go_on()) throw RunError("interrupted; nothing was written");
    TestbedSample mean = result.mean;
    // A wheel that goes straight has a side force of rounding errors, which is none.
    if (std::abs(mean.side) <= 1e-6 * setup.load) mean.side = 0.0;
    out.push_back(mean);
  }
  progress.clear();
  return out;
}

}  // namespace grouser::cli
