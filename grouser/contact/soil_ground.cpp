#include "grouser/contact/soil_ground.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/mesh_source.h"
#include "grouser/contact/world_def.h"
#include "grouser/laws/soil_library.h"

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
    t.text("name", &Text::name, "by which contacts refer to the ground", true);
    t.text("body", &Text::body, "body the ground is fixed to");
    add_placement(t, &Text::placement);
    add_column_keys(t);
    t.custom(
        "spacing", "number [m]",
        [](const Value& v, Text& out, const std::string& path) {
          out.spacing = parameters_detail::read_number(v, path, positive());
          out.has_spacing = true;
        },
        "of the grid", false, "that of the map, 0.01 on flat ground");
    t.vector2("size", &Text::size, "m", "of flat ground, around its origin", positive());
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
    t.number("update_period", &Text::update_period, "s", {.lower = 1e-6, .upper = 1.0},
             "between updates of the soil: it yields, flows and slides then");
    SoilGroundDef::Deposition Text::*const deposition = &Text::deposition;
    t.choice("deposition", deposition, {"flow", "krenn"},
             "displaced soil goes with the flow under the object, or to all sides alike");
    t.number("flow_concentration", &Text::flow_concentration, "", within(0.0, 20.0),
             "how much more goes ahead than back; 0: to all sides alike");
    t.number(
        "erosion_sweeps", &Text::erosion_sweeps, "", within(0.0, 1000.0),
        "of sliding down to the angle of repose, per update, in halves (two of four directions, "
        "by turns); 0: none");
    t.vector2("record_size", &Text::record_size, "m", "of the area that recordings show",
              positive());
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

/// Whether a point is inside a polygon (crossings of a ray along x).
bool holds(const std::vector<Vec2>& polygon, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec2 &a = polygon[i], &b = polygon[j];
    if ((a.y() > y) != (b.y() > y) && x < a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
      inside = !inside;
  }
  return inside;
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
  check_soil_ground(def);
  return def;
}

namespace {
void check_layers(const std::vector<SoilLayer>& layers, const Place& place,
                  const std::string& path) {
  double above = 0.0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string item = path + ".layers." + std::to_string(i);
    if (!(layers[i].depth > above))
      throw InputError(place, item + ".depth is " + to_text(layers[i].depth) +
                                  " m and must be more than " + to_text(above) + " m");
    soil_parameters().check(layers[i].soil, place, item + ".properties");
    above = layers[i].depth;
  }
}
}  // namespace

void check_soil_ground(const SoilGroundDef& def) {
  const std::string who = "soil '" + def.name + "'";
  GroundText text;
  static_cast<SoilGroundDef&>(text) = def;
  ground_parameters().check(text, def.place, "soil");
  parameters_detail::check_number(def.spacing, def.place, "soil.spacing", positive());
  soil_parameters().check(def.soil, def.place, "soil.properties");
  check_layers(def.layers, def.place, "soil");
  for (std::size_t i = 0; i < def.regions.size(); ++i) {
    const std::string path = "soil.regions." + std::to_string(i);
    soil_parameters().check(def.regions[i].soil, def.place, path + ".properties");
    check_layers(def.regions[i].layers, def.place, path);
    const std::size_t corners = def.regions[i].polygon.size();
    if (corners == 1 || corners == 2)
      throw InputError(
          def.place, path + ".polygon needs three corners or more, has " + std::to_string(corners));
    if (corners == 0 && !def.region_map)
      throw InputError(def.place, path + " has no polygon, and there is no region_map");
  }
  if (def.regions.size() > 255)
    throw InputError(
        def.place, who + ": at most 255 regions, there are " + std::to_string(def.regions.size()));
  if (def.reference && !def.heights)
    throw InputError(def.place, "soil.reference needs soil.heights, whose memory it is");
  if (def.region_map)
    for (const double number : def.region_map->heights)
      if (number != std::floor(number) || number < 0.0 ||
          number > static_cast<double>(def.regions.size()))
        throw InputError(def.place, "soil.region_map holds " + to_text(number) +
                                        "; there are regions 0 to " +
                                        std::to_string(def.regions.size()));
  if (def.heights) {
    const double shortest =
        static_cast<double>(std::min(def.heights->nx, def.heights->ny) - 1) * def.heights->spacing;
    if (def.spacing > shortest)
      throw InputError(def.place, "soil.spacing " + to_text(def.spacing) +
                                      " m is larger than the map, " + to_text(shortest) + " m");
  }
}

std::shared_ptr<const SoilGround> make_soil_ground(const SoilGroundDef& def) {
  std::shared_ptr<SoilGround> ground;
  try {
    if (def.heights) {
      ground = std::make_shared<SoilGround>(def.spacing, def.heights, def.reference);
    } else {
      const GridLimits limits = soil_grid_limits(def);
      ground = std::make_shared<SoilGround>(def.spacing, limits.first, limits.last);
    }
  } catch (const InputError& error) {
    throw InputError(def.place, "soil '" + def.name + "': " + error.what());
  }
  if (def.regions.empty()) return ground;
  const Vec2 origin = def.heights ? def.heights->origin : Vec2::Zero();
  std::vector<std::vector<Vec2>> polygons;
  for (const SoilRegionDef& region : def.regions) polygons.push_back(region.polygon);
  ground->set_soils([polygons, origin, spacing = def.spacing, map = def.region_map](
                        std::int64_t ix, std::int64_t iy) -> std::uint8_t {
    const double x = origin.x() + spacing * static_cast<double>(ix);
    const double y = origin.y() + spacing * static_cast<double>(iy);
    std::size_t number = 0;
    if (map) {
      const auto along = [&](double at, double from, std::size_t count) {
        const double i = std::round((at - from) / map->spacing);
        return static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(count - 1)));
      };
      number = static_cast<std::size_t>(
          map->height(along(x, map->origin.x(), map->nx), along(y, map->origin.y(), map->ny)));
    }
    for (std::size_t i = 0; i < polygons.size(); ++i)
      if (!polygons[i].empty() && holds(polygons[i], x, y)) number = i + 1;
    return static_cast<std::uint8_t>(number);
  });
  return ground;
}

Pose soil_grid_pose(const SoilGroundDef& def) {
  Pose origin;
  if (def.heights) origin.p.head<2>() = def.heights->origin;
  return def.X_BT * origin;
}

GridLimits soil_grid_limits(const SoilGroundDef& def) {
  const auto nodes = [&](double length) {
    return static_cast<std::int64_t>(std::floor(length / def.spacing + 1e-9));
  };
  if (!def.heights) {
    const std::int64_t x = nodes(0.5 * def.size.x()), y = nodes(0.5 * def.size.y());
    return {{-x, -y}, {x, y}};
  }
  const auto length = [&](std::size_t count) {
    return def.heights->spacing * static_cast<double>(count - 1);
  };
  return {{0, 0}, {nodes(length(def.heights->nx)), nodes(length(def.heights->ny))}};
}

std::optional<GroundArea> recorded_area(const SoilGroundDef& def, const Pose& X_WB,
                                        std::span<const Vec3> objects) {
  const Pose X_BT = soil_grid_pose(def);
  const Pose X_WT = X_WB * X_BT;
  // Viewers show ground that lies level and along the axes of a body that stands still.
  if (def.body != "world" || !X_WT.R.isApprox(Mat3::Identity(), 1e-12)) return std::nullopt;
  Vec2 center = Vec2::Zero();
  if (!def.record_center.empty()) {
    center = Vec2(def.record_center[0], def.record_center[1]) - (X_BT.p - def.X_BT.p).head<2>();
  } else {
    for (const Vec3& p : objects)
      center += (p - X_WT.p).head<2>() / static_cast<double>(objects.size());
  }
  const GridLimits limits = soil_grid_limits(def);
  std::array<std::int64_t, 2> first{}, last{};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    const double half = 0.5 * def.record_size[axis];
    const auto node = [&](double at) {
      return static_cast<std::int64_t>(std::round(at / def.spacing));
    };
    first[k] = std::clamp(node(center[axis] - half), limits.first[k], limits.last[k]);
    last[k] = std::clamp(node(center[axis] + half), limits.first[k], limits.last[k]);
    if (last[k] <= first[k]) return std::nullopt;  // the objects are nowhere near the map
  }
  GroundArea area;
  area.name = def.name;
  area.spacing = def.spacing;
  area.origin = X_WT.p.head<2>() +
                def.spacing * Vec2(static_cast<double>(first[0]), static_cast<double>(first[1]));
  area.nx = static_cast<std::size_t>(last[0] - first[0] + 1);
  area.ny = static_cast<std::size_t>(last[1] - first[1] + 1);
  return area;
}

std::vector<std::vector<SoilLayer>> soils_of(const SoilGroundDef& def) {
  const auto column = [](const SoilDef& top, const std::vector<SoilLayer>& below) {
    std::vector<SoilLayer> all = {{0.0, top}};
    all.insert(all.end(), below.begin(), below.end());
    return all;
  };
  std::vector<std::vector<SoilLayer>> all = {column(def.soil, def.layers)};
  for (const SoilRegionDef& region : def.regions) all.push_back(column(region.soil, region.layers));
  return all;
}

}  // namespace grouser
