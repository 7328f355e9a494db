#include "grouser/soil/soil_ground.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/soil/soil_surface.h"

namespace grouser {
namespace {

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

const ParameterTable<SoilGroundDef>& soil_ground_parameters() {
  using Def = SoilGroundDef;
  static const auto table =
      ParameterTable<Def>()
          .text("name", &Def::name, "by which contacts refer to the ground", true)
          .text("body", &Def::body, "body the ground is fixed to")
          .vector2("size", &Def::size, "m", "of flat ground, around its origin", positive())
          .number("update_period", &Def::update_period, "s", {.lower = 1e-6, .upper = 1.0},
                  "between updates of the soil: it yields, flows and slides then")
          .choice("deposition", &Def::deposition, {"flow", "krenn"},
                  "displaced soil goes with the flow under the object, or to all sides alike")
          .number("flow_concentration", &Def::flow_concentration, "", within(0.0, 20.0),
                  "how much more goes ahead than back; 0: to all sides alike")
          .number("erosion_sweeps", &Def::erosion_sweeps, "", within(0.0, 1000.0),
                  "of sliding down to the angle of repose, per update, in halves (two of four "
                  "directions, by turns); 0: none")
          .vector2("record_size", &Def::record_size, "m", "of the area that recordings show",
                   positive());
  return table;
}

namespace {

void add_layers(Hash& hash, const SoilDef& soil, const std::vector<SoilLayer>& layers) {
  hash.add(soil_parameters().values(soil).inline_text());
  for (const SoilLayer& layer : layers) {
    hash.add(layer.depth);
    hash.add(soil_parameters().values(layer.soil).inline_text());
  }
  hash.add(std::uint64_t{layers.size()});
}

}  // namespace

void SoilGroundDef::add_to(Hash& hash) const {
  hash.add(soil_ground_parameters().values(*this).inline_text());
  hash.add(spacing);
  hash.add(std::span(X_BT.R.data(), 9));
  hash.add(std::span(X_BT.p.data(), 3));
  for (const auto& map : {heights, reference, region_map}) {
    hash.add(std::uint64_t{map != nullptr});
    if (!map) continue;
    hash.add(std::span(map->origin.data(), 2));
    hash.add(map->spacing);
    hash.add(std::uint64_t{map->nx});
    hash.add(checksum(std::as_bytes(std::span(map->heights))));
  }
  add_layers(hash, soil, layers);
  for (const SoilRegionDef& region : regions) {
    add_layers(hash, region.soil, region.layers);
    for (const Vec2& corner : region.polygon) hash.add(std::span(corner.data(), 2));
    hash.add(std::uint64_t{region.polygon.size()});
  }
}

const SoilGroundDef& soil_of(const ShapeTable& shapes, const std::string& name, const Place& place,
                             const std::string& key) {
  const auto* soil = dynamic_cast<const SoilGroundDef*>(&shapes.soil(name, place, key));
  if (!soil) throw InputError(place, key + ": '" + name + "' is ground of another kind than soil");
  return *soil;
}

void SoilGroundDef::check() const {
  const SoilGroundDef& def = *this;
  const std::string who = "soil '" + def.name + "'";
  soil_ground_parameters().check(def, def.place, "soil");
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
    GROUSER_ASSERT(number <= polygons.size());
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
