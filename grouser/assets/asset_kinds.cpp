// The kinds of assets: one part of this file each, and a table at its end.
#include <optional>

#include "grouser/assets/asset.h"
#include "grouser/assets/rock.h"
#include "grouser/assets/rock_field.h"
#include "grouser/assets/surface.h"
#include "grouser/assets/wheel.h"

namespace grouser {
namespace {

template <class Def>
Def read_definition(const Value& parameters, const std::string& path) {
  Def definition;
  parameter_table(static_cast<const Def*>(nullptr)).read(parameters, definition, path);
  return definition;
}

template <class Def>
Value values_of(const Def& definition) {
  return parameter_table(static_cast<const Def*>(nullptr)).values(definition);
}

template <class Def>
std::vector<ParameterInfo> infos_of() {
  return parameter_table(static_cast<const Def*>(nullptr)).infos();
}

/// An asset that is one definition.
template <class Def>
class DefinedAsset : public Asset {
 public:
  using Make = TriangleMesh (*)(const Def& definition, const Place& place, const std::string& path,
                                const Progress& progress);

  /// `identity`: what makes it this asset and no other.
  DefinedAsset(std::string_view kind, int version, const Value& identity, Def definition,
               Place place, std::string path, Make make)
      : Asset(kind, version, identity),
        definition_(std::move(definition)),
        place_(std::move(place)),
        path_(std::move(path)),
        make_(make) {}

  TriangleMesh make_mesh(const Progress& progress) const override {
    return make_(definition_, place_, path_, progress);
  }

 protected:
  Def definition_;
  Place place_;
  std::string path_;
  Make make_;
};

// --- wheels -----------------------------------------------------------------------------------

std::unique_ptr<Asset> read_wheel(const Value& parameters, const std::string& path,
                                  const std::string&) {
  auto definition = read_definition<WheelDef>(parameters, path);
  const Value identity = values_of(definition);
  return std::make_unique<DefinedAsset<WheelDef>>(
      "wheel", kWheelVersion, identity, std::move(definition), parameters.place(), path,
      [](const WheelDef& wheel, const Place& place, const std::string& key, const Progress&) {
        return make_wheel(wheel, place, key);
      });
}

std::vector<ParameterPage> pages_of_wheels() {
  return {{"wheel", "a wheel", infos_of<WheelDef>()}};
}

std::vector<AssetPreset> presets_of_wheels() {
  std::vector<AssetPreset> out;
  for (const WheelPreset& preset : wheel_presets())
    out.push_back({preset.name, preset.meaning, values_of(preset.wheel)});
  return out;
}

// --- surfaces ---------------------------------------------------------------------------------

/// What a file says counts (its fingerprint is among the values), not what it is called.
Value surface_identity(const SurfaceDef& definition) {
  Value out = values_of(definition);
  for (Value& layer : out.find("layers")->as_array())
    if (layer.find("file")) set_at_path(layer, "file.file", "");
  return out;
}

class SurfaceAsset : public DefinedAsset<SurfaceDef> {
 public:
  using DefinedAsset::DefinedAsset;
  bool has_map() const override { return true; }
  ElevationGrid make_map(const Progress& progress) const override {
    return make_surface_grid(definition_, place_, path_, progress);
  }
};

SurfaceDef read_surface_definition(const Value& parameters, const std::string& path,
                                   const std::string& folder) {
  auto definition = read_definition<SurfaceDef>(parameters, path);
  load_files(definition, folder, path);
  return definition;
}

/// A table with one entry; a dotted path gives tables in tables.
Value table_with(const std::string& path, Value value) {
  Value out;
  set_at_path(out, path, std::move(value));
  return out;
}

Value noise_layer(double hurst, double slope) {
  Value out = table_with("noise.hurst", hurst);
  set_at_path(out, "noise.slope", slope);
  return out;
}

Value crater_layer(double density, double smallest, double largest) {
  Value out = table_with("craters.density", density);
  set_at_path(out, "craters.min_diameter", smallest);
  set_at_path(out, "craters.max_diameter", largest);
  return out;
}

std::vector<ParameterPage> pages_of_surfaces() {
  std::vector<ParameterPage> out = {{"surface", "terrain", infos_of<SurfaceDef>()}};
  for (const std::string& name : surface_layer_names())
    out.push_back({"surface.layers." + name, "a layer", surface_layer_parameters(name)});
  return out;
}

std::vector<AssetPreset> presets_of_surfaces() {
  const auto layers = [](Value::Array list) { return table_with("layers", std::move(list)); };
  return {{"mars-plain", "noise: root mean square slope at 1 m 4.5 degrees, Hurst exponent 0.8",
           layers({noise_layer(0.8, 0.079)})},
          {"lunar-mare", "the same with 4 degrees, and old and young craters of 0.5 to 8 m",
           layers({noise_layer(0.8, 0.07), crater_layer(0.2, 0.5, 8.0)})},
          {"rough", "the same with 12.5 degrees, no craters", layers({noise_layer(0.8, 0.222)})}};
}

std::unique_ptr<Asset> read_surface(const Value& parameters, const std::string& path,
                                    const std::string& folder) {
  SurfaceDef definition = read_surface_definition(parameters, path, folder);
  const Value identity = surface_identity(definition);
  return std::make_unique<SurfaceAsset>(
      "surface", kSurfaceVersion, identity, std::move(definition), parameters.place(), path,
      [](const SurfaceDef& surface, const Place& place, const std::string& key,
         const Progress& progress) { return make_surface_mesh(surface, place, key, progress); });
}

// --- rocks ------------------------------------------------------------------------------------

std::vector<ParameterPage> pages_of_rock() {
  return {{"rock", "a rock", infos_of<RockDef>()}};
}

std::vector<AssetPreset> presets_of_rock() {
  const auto shape = [](double roughness, double fine, double angularity) {
    Value out = table_with("roughness", roughness);
    set_at_path(out, "fine_roughness", fine);
    set_at_path(out, "angularity", angularity);
    return out;
  };
  return {{"rounded", "worn by wind or water", shape(0.06, 0.005, 0.1)},
          {"block", "broken, with clear faces and edges", shape(0.06, 0.01, 0.9)},
          {"rugged", "weathered and pitted", shape(0.18, 0.05, 0.5)}};
}

std::unique_ptr<Asset> read_rock(const Value& parameters, const std::string& path,
                                 const std::string&) {
  auto definition = read_definition<RockDef>(parameters, path);
  const Value identity = values_of(definition);
  return std::make_unique<DefinedAsset<RockDef>>(
      "rock", kRockVersion, identity, std::move(definition), parameters.place(), path,
      [](const RockDef& rock, const Place& place, const std::string& key, const Progress&) {
        return make_rock(rock, place, key);
      });
}

// --- rock fields ------------------------------------------------------------------------------

/// Rocks, and the surface they lie on if there is one.
struct RocksOnGround {
  RockFieldDef field;
  std::optional<SurfaceDef> ground;
};

Value rocks_identity(const RocksOnGround& rocks) {
  Value out = values_of(rocks.field);
  set_at_path(out, "rock_version", kRockVersion);
  if (rocks.ground) {
    set_at_path(out, "ground", surface_identity(*rocks.ground));
    set_at_path(out, "ground.version", kSurfaceVersion);
  }
  return out;
}

RockField field_of(const RocksOnGround& rocks, const Place& place, const std::string& path,
                   const Progress& progress) {
  if (!rocks.ground) return make_rock_field(rocks.field, {}, progress, place, path);
  const Surface ground(*rocks.ground, place, path + ".ground");
  return make_rock_field(
      rocks.field, [&](double x, double y) { return ground.at(x, y); }, progress, place, path);
}

TriangleMesh mesh_of_rocks(const RocksOnGround& rocks, const Place& place, const std::string& path,
                           const Progress& progress) {
  require_mergeable(rocks.field, place, path);
  return merged(field_of(rocks, place, path, progress), {}, place, path);
}

class RocksAsset : public DefinedAsset<RocksOnGround> {
 public:
  using DefinedAsset::DefinedAsset;
  bool has_rocks() const override { return true; }
  RockField make_rocks(const Progress& progress) const override {
    return field_of(definition_, place_, path_, progress);
  }
};

std::unique_ptr<Asset> read_rocks(const Value& parameters, const std::string& path,
                                  const std::string& folder) {
  RocksOnGround rocks;
  Value field(Value::Table{}, parameters.place());
  for (const Value::Entry& entry : parameters.as_table())
    if (entry.key == "ground")
      rocks.ground = read_surface_definition(
          with_preset(*find_asset_kind("surface"), entry.value, path + ".ground"), path + ".ground",
          folder);
    else
      field.as_table().push_back(entry);
  rocks.field = read_definition<RockFieldDef>(field, path);
  const Value identity = rocks_identity(rocks);
  return std::make_unique<RocksAsset>("rocks", kRockFieldVersion, identity, std::move(rocks),
                                      parameters.place(), path, mesh_of_rocks);
}

std::vector<ParameterPage> pages_of_rocks() {
  std::vector<ParameterInfo> field = infos_of<RockFieldDef>();
  field.push_back(
      {"ground", "table", "", "", "the plane z = 0", "a surface that the rocks lie on"});
  return {{"rocks", "a field of rocks", std::move(field)},
          {"rocks.sizes", "how many rocks of which size there are", infos_of<RockSizes>()},
          {"rocks.clear", "in a list: where no rocks are", infos_of<ClearZone>()}};
}

std::vector<AssetPreset> presets_of_rocks() {
  const std::pair<const char*, const char*> sites[] = {
      {"vl1", "Viking lander 1"},
      {"vl2", "Viking lander 2"},
      {"pathfinder", "Mars Pathfinder"},
      {"spirit", "Spirit, Gusev plains"},
      {"insight", "InSight, near field"},
      {"phoenix", "Phoenix"},
      {"viking-1-classes", "Viking lander 1 in three classes (Krenn and others 2008)"}};
  std::vector<AssetPreset> out;
  for (const auto& [law, meaning] : sites)
    out.push_back({law, meaning, table_with("sizes.law", law)});
  return out;
}

// --- the table --------------------------------------------------------------------------------

const AssetKind kKinds[] = {
    {"wheel", "a wheel, axis y, centred at the origin", pages_of_wheels, presets_of_wheels,
     read_wheel},
    {"surface", "terrain: an elevation map or its mesh", pages_of_surfaces, presets_of_surfaces,
     read_surface},
    {"rock", "a rock, its centre of mass at the origin", pages_of_rock, presets_of_rock, read_rock},
    {"rocks", "a field of rocks as one mesh, or one mesh each", pages_of_rocks, presets_of_rocks,
     read_rocks},
};

}  // namespace

std::span<const AssetKind> asset_kinds() {
  return kKinds;
}

}  // namespace grouser
