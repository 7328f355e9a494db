#include "grouser/calibration/wheel_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/soil/wheel_soil.h"

namespace grouser {
namespace {

using Quantity = WheelQuantity;

constexpr double kFactor = 10.0;         // of default bounds around a value
constexpr double kInside = 1e-3;         // share by which they keep off an end that is not allowed
constexpr double kSomeCohesion = 100.0;  // [Pa], of soil that has none

/// What a model makes of a key that is not given.
struct Situation {
  const WheelSoilDef& def;
  const SoilDef& soil;
  const WheelSize& size;
  double gravity;

  TerraWheel terra() const { return make_terra_wheel(def.terra, soil, size, gravity); }
  RheologicalWheel rheological() const {
    return make_rheological_wheel(def.rheological, soil, size, gravity);
  }
  double bekker_sinkage_at_nominal_load() const {
    return bekker_sinkage(make_bekker_wheel({}, soil, size, gravity), rheological().nominal_load);
  }
};
struct AutomaticKey {
  const char* key;
  double (*value)(const Situation&);
};
constexpr AutomaticKey kAutomaticKeys[] = {
    {"terra.stiffness", [](const Situation& s) { return s.terra().C_N; }},
    {"terra.exponent", [](const Situation& s) { return s.terra().m; }},
    {"terra.elastic_stiffness", [](const Situation& s) { return s.terra().k_e; }},
    {"terra.friction", [](const Situation& s) { return s.terra().mu; }},
    {"terra.shear_modulus", [](const Situation& s) { return s.terra().K; }},
    {"terra.resistance_cohesion",
     [](const Situation& s) { return std::max(kSomeCohesion, s.soil.cohesion); }},
    {"bekker_janosi.lateral_shear_modulus",
     [](const Situation& s) { return s.soil.shear_modulus; }},
    {"rheological.nominal_load", [](const Situation& s) { return s.rheological().nominal_load; }},
    {"rheological.nominal_sinkage",
     [](const Situation& s) { return s.bekker_sinkage_at_nominal_load(); }},
    {"rheological.friction", [](const Situation& s) { return s.rheological().mu; }},
    {"rheological.static_friction", [](const Situation& s) { return s.rheological().mu_s; }},
};

/// Keys that are usually fitted, and what must have been measured for it: one of these.
struct UsualKey {
  const char* model;
  const char* key;
  std::vector<Quantity> needs;
};
const std::vector<UsualKey>& usual_table() {
  // Of k_phi, k_c and n only one can be told from wheels of one width and nearly one load.
  static const std::vector<UsualKey> table = {
      {"bekker", "properties.k_phi", {Quantity::sinkage}},
      {"bekker", "properties.friction_angle", {Quantity::drawbar, Quantity::torque}},
      {"bekker", "properties.shear_modulus", {Quantity::drawbar, Quantity::torque}},
      {"bekker", "bekker.rolling_friction", {Quantity::drawbar}},
      {"bekker-janosi", "properties.k_phi", {Quantity::sinkage}},
      {"bekker-janosi", "bekker_janosi.slip_sinkage", {Quantity::sinkage}},
      {"bekker-janosi", "bekker_janosi.slip_reach", {Quantity::sinkage}},
      {"bekker-janosi", "properties.friction_angle", {Quantity::drawbar, Quantity::torque}},
      {"bekker-janosi", "properties.shear_modulus", {Quantity::drawbar, Quantity::torque}},
      {"bekker-janosi", "bekker_janosi.c1", {Quantity::drawbar}},
      {"bekker-janosi", "bekker_janosi.side_wall", {Quantity::side}},
      {"terra", "terra.stiffness", {Quantity::sinkage}},
      {"terra", "terra.slip_sinkage", {Quantity::sinkage}},
      {"terra", "terra.slip_reach", {Quantity::sinkage}},
      {"terra", "terra.friction", {Quantity::drawbar, Quantity::torque}},
      {"terra", "terra.shear_modulus", {Quantity::drawbar, Quantity::torque}},
      {"terra", "terra.compaction_resistance", {Quantity::drawbar}},
      {"terra", "terra.resistance_cohesion", {Quantity::drawbar}},
      {"terra", "terra.side_wall", {Quantity::side}},
      {"rheological", "rheological.nominal_sinkage", {Quantity::sinkage}},
      {"rheological", "rheological.friction", {Quantity::drawbar, Quantity::torque}},
      {"rheological", "rheological.friction_speed", {Quantity::drawbar, Quantity::torque}},
      {"rheological", "rheological.rolling_resistance", {Quantity::drawbar}},
  };
  return table;
}

/// Adds the numbers of a table of parameters, whose key in a [[contact]] is `path`.
template <class T>
void add_numbers(const ParameterTable<T>& table, const T& def, const std::string& path,
                 std::vector<WheelKey>& out) {
  const Value values = table.values(def);
  for (const ParameterInfo& info : table.infos()) {
    if (info.kind != "number") continue;
    out.push_back({path + "." + info.key, info.unit, info.meaning, info.limits,
                   values.find(info.key)->as_number(), false});
  }
}

void add_own_numbers(const std::string& model, const WheelSoilDef& def,
                     std::vector<WheelKey>& out) {
  if (model == "bekker") add_numbers(bekker_wheel_parameters(), def.bekker, "bekker", out);
  if (model == "bekker-janosi")
    add_numbers(bekker_janosi_parameters(), def.bekker_janosi, "bekker_janosi", out);
  if (model == "terra") add_numbers(terra_parameters(), def.terra, "terra", out);
  if (model == "rheological")
    add_numbers(rheological_parameters(), def.rheological, "rheological", out);
}

WheelSize size_under(const WheelModelDef& def, const WheelSoilDef& contact) {
  WheelSize out = def.size;
  if (def.keys.find("grouser_share")) out.grouser_share = contact.grouser_share;
  if (def.keys.find("wall_friction")) out.wall_friction = contact.wall_friction;
  if (contact.grouser_count >= 0.0) out.grouser_count = contact.grouser_count;
  return out;
}

}  // namespace

std::vector<WheelKey> wheel_keys(const WheelModelDef& def) {
  const auto contact = read_wheel_soil(def.model, def.keys, "");
  const SoilDef soil = soil_under(*contact, def.soil);
  const WheelSize size = size_under(def, *contact);
  std::vector<WheelKey> out;
  add_own_numbers(def.model, *contact, out);
  add_numbers(soil_parameters(), soil, "properties", out);
  out.push_back({"grouser_share", "", "of the height of grousers that counts for shear",
                 within(0.0, 1.0), size.grouser_share, false});
  out.push_back({"wall_friction", "", "of soil on the wheel, as a share of that in the soil",
                 within(0.0, 1.0), size.wall_friction, false});
  const Situation situation{*contact, soil, size, def.gravity};
  for (WheelKey& key : out)
    for (const AutomaticKey& row : kAutomaticKeys) {
      if (key.key != row.key) continue;
      key.automatic = true;
      // 0 of a cohesion is a cohesion; of all others it is none.
      const bool given = key.range.lower < 0.0 ? key.value >= 0.0 : key.value > 0.0;
      if (!given) key.value = row.value(situation);
    }
  return out;
}

const WheelKey& wheel_key(const std::vector<WheelKey>& keys, const std::string& name) {
  std::vector<std::string> names;
  for (const WheelKey& key : keys) {
    if (key.key == name) return key;
    names.push_back(key.key);
  }
  throw InputError("there is no number '" + name + "' to fit" + suggestion(name, names));
}

FitParameter default_bounds(const WheelKey& key) {
  const double x = key.value;
  const double far_low = x > 0.0 ? x / kFactor : x * kFactor;
  const double far_high = x > 0.0 ? x * kFactor : x / kFactor;
  const Range& range = key.range;
  FitParameter out{key.key, x, far_low, far_high};
  if (!std::isfinite(range.lower) && !std::isfinite(range.upper) && !key.automatic) {
    out.lower = x - kFactor * std::abs(x);
    out.upper = x + kFactor * std::abs(x);
  }
  // Zero means something else to automatic keys, except where negative numbers do.
  if (key.automatic && range.lower < 0.0) out.lower = 0.0;
  if (std::isfinite(range.lower) && !range.lower_open && !key.automatic) out.lower = range.lower;
  const double width = range.upper - range.lower;
  if (std::isfinite(range.lower) && range.lower_open && std::isfinite(width))
    out.lower = std::max(out.lower, range.lower + kInside * width);
  if (std::isfinite(range.upper))
    out.upper = range.upper_open ? range.upper - kInside * (std::isfinite(width) ? width : 1.0)
                                 : range.upper;
  if (!(out.lower < out.upper))
    throw InputError("'" + key.key + "' starts at " + to_text(x) +
                     ", from which no bounds follow; give a start or bounds");
  return out;
}

UsualKeys usual_keys(const std::string& model, std::span<const WheelQuantity> measured) {
  UsualKeys out;
  for (const UsualKey& row : usual_table()) {
    if (model != row.model) continue;
    const bool shows = std::any_of(row.needs.begin(), row.needs.end(), [&](Quantity q) {
      return std::find(measured.begin(), measured.end(), q) != measured.end();
    });
    if (shows)
      out.fitted.push_back(row.key);
    else if (row.needs != std::vector{Quantity::side})  // no slip angle, nothing to miss
      out.left_out.push_back(row.key);
  }
  return out;
}

std::function<SteadyWheel(const std::vector<double>&, const SteadyQuery&)> wheel_prediction(
    const WheelModelDef& def, const std::vector<std::string>& keys) {
  struct Made {
    std::vector<double> parameters;
    std::unique_ptr<WheelLaw> law;
  };
  const auto made = std::make_shared<Made>();
  return [def, keys, made](const std::vector<double>& parameters, const SteadyQuery& query) {
    if (!made->law || made->parameters != parameters) {
      WheelModelDef now = def;
      for (std::size_t k = 0; k < keys.size(); ++k)
        set_at_path(now.keys, keys[k], Value(parameters[k]));
      const auto contact = read_wheel_soil(now.model, now.keys, "");
      made->law = make_wheel_law(*contact, now.soil, size_under(now, *contact), now.gravity);
      made->parameters = parameters;
    }
    return made->law->steady(query);
  };
}

}  // namespace grouser
