#include "grouser/scene/soil_keys.h"

#include "grouser/base/text.h"
#include "grouser/laws/soil_library.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/placement.h"

namespace grouser {
namespace {

using parameters_detail::joined;

/// `type` and `properties` as they stand in a scene.
struct SoilText {
  std::string type;
  const Value* properties = nullptr;
};
/// The same, of soil with layers below it.
struct ColumnText : SoilText {
  const Value* layers_text = nullptr;
};

template <class T>
void add_soil_keys(ParameterTable<T>& table) {
  table.text("type", &T::type, "a soil of the library; see `grouser soils`");
  table.custom(
      "properties", "table",
      [](const Value& v, T& out, const std::string&) { out.properties = &v; },
      "of the soil, where they differ from its type");
}

/// The type of the library with what the properties change, or the properties alone.
SoilDef read_soil(const SoilText& text, const Value& owner, const std::string& path) {
  Value all(Value::Table{}, owner.place());
  if (!text.type.empty()) {
    const LibrarySoil& known =
        library_soil(text.type, owner.find("type")->place(), joined(path, "type"));
    all = Value(soil_parameters().values(known.soil).as_table(), owner.place());
  }
  if (text.properties) {
    text.properties->table_or_throw(joined(path, "properties"));
    all = merged(all, *text.properties);
  } else if (text.type.empty()) {
    throw InputError(owner.place(), path + " needs a type (a soil of the library), or properties");
  }
  SoilDef soil;
  soil_parameters().read(all, soil, joined(path, "properties"));
  return soil;
}

struct LayerText : SoilText {
  double depth = kRequired;
};

const ParameterTable<LayerText>& layer_parameters() {
  static const auto table = [] {
    ParameterTable<LayerText> t;
    add_soil_keys(t);
    t.number("depth", &LayerText::depth, "m", positive(),
             "of the layer's upper side below the undisturbed ground");
    return t;
  }();
  return table;
}

template <class T>
void add_column_keys(ParameterTable<T>& table) {
  add_soil_keys(table);
  table.custom(
      "layers", "list of tables",
      [](const Value& v, T& out, const std::string&) { out.layers_text = &v; },
      "soil below it, from above to below: depth, type, properties");
}

std::vector<SoilLayer> read_layers(const ColumnText& text, const std::string& path) {
  std::vector<SoilLayer> out;
  if (!text.layers_text) return out;
  parameters_detail::read_entries(
      *text.layers_text, joined(path, "layers"), [&](const Value& entry, const std::string& item) {
        LayerText layer;
        layer_parameters().read(entry, layer, item);
        if (!out.empty() && layer.depth <= out.back().depth)
          throw InputError(entry.find("depth")->place(),
                           item + ".depth must be more than that of the layer above, " +
                               to_text(out.back().depth) + " m");
        out.push_back({layer.depth, read_soil(layer, entry, item)});
      });
  return out;
}

struct RegionText : ColumnText {
  std::vector<Vec2> polygon;
};

const ParameterTable<RegionText>& region_parameters() {
  static const auto table = [] {
    ParameterTable<RegionText> t;
    add_column_keys(t);
    t.points("polygon", &RegionText::polygon, "list of [x, y]",
             "corners of the region in the ground's frame [m]");
    return t;
  }();
  return table;
}

/// A [[soil]] as it stands in the scene.
struct GroundText : SoilGroundDef, ColumnText {
  PlacementDef placement;
  bool has_spacing = false;
  const Value* heights_text = nullptr;
  const Value* reference_text = nullptr;
  const Value* region_map_text = nullptr;
  const Value* regions_text = nullptr;
};

const ParameterTable<GroundText>& ground_parameters() {
  using Text = GroundText;
  static const auto table = [] {
    ParameterTable<Text> t;
    t.include(soil_ground_parameters());
    add_placement(t, &Text::placement);
    add_column_keys(t);
    t.custom(
        "spacing", "number [m]",
        [](const Value& v, Text& out, const std::string& path) {
          out.spacing = parameters_detail::read_number(v, path, positive());
          out.has_spacing = true;
        },
        "of the grid", false, "that of the map, 0.01 on flat ground");
    const auto keep = [](const Value* Text::*member) {
      return [member](const Value& v, Text& out, const std::string&) { out.*member = &v; };
    };
    t.custom("heights", "table", keep(&Text::heights_text),
             "an elevation map: file = \"...\", or a surface = { ... } of the generator", false,
             "flat");
    t.custom("reference", "table", keep(&Text::reference_text),
             "a map of heights from which sinkage counts: file = \"...\"; what a run saved", false,
             "the heights");
    t.custom("regions", "list of tables", keep(&Text::regions_text),
             "parts that are of another soil: type, properties, polygon");
    t.custom("region_map", "table", keep(&Text::region_map_text),
             "a map of numbers, in the frame of the ground: 0 for the soil, 1 for the first "
             "region, ...: file = \"...\"");
    t.custom(
        "record_center", "2 numbers [m]",
        [](const Value& v, Text& out, const std::string& path) {
          out.record_center = parameters_detail::read_numbers(v, path, 2, any_number());
        },
        "middle of the area that recordings show", false, "under the objects");
    return t;
  }();
  return table;
}

}  // namespace

std::vector<ParameterInfo> soil_ground_parameter_infos() {
  return ground_parameters().infos();
}

std::vector<ParameterInfo> soil_region_parameter_infos() {
  return region_parameters().infos();
}

std::vector<ParameterInfo> soil_layer_parameter_infos() {
  return layer_parameters().infos();
}

SoilGroundDef read_soil_ground(const Value& value, const std::string& folder) {
  GroundText text;
  ground_parameters().read(value, text, "soil");
  SoilGroundDef def = text;
  def.place = value.place();
  def.X_BT = text.placement.pose();
  def.soil = read_soil(text, value, "soil");
  def.layers = read_layers(text, "soil");
  if (text.heights_text) {
    if (value.find("size"))
      throw InputError(value.find("size")->place(),
                       "soil.size is for flat ground; soil.heights has a size of its own");
    def.heights = read_map_source(*text.heights_text, "soil.heights", folder, true);
    if (!text.has_spacing) def.spacing = def.heights->spacing;
  }
  if (text.reference_text)
    def.reference = read_map_source(*text.reference_text, "soil.reference", folder, false);
  if (text.region_map_text)
    def.region_map = read_map_source(*text.region_map_text, "soil.region_map", folder, false);
  if (text.regions_text)
    parameters_detail::read_entries(
        *text.regions_text, "soil.regions", [&](const Value& entry, const std::string& path) {
          RegionText region;
          region_parameters().read(entry, region, path);
          def.regions.push_back(
              {read_soil(region, entry, path), read_layers(region, path), region.polygon});
        });
  def.check();
  return def;
}

}  // namespace grouser
