// A piece of ground: what it is made of and how it moves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouser/contact/world_def.h"
#include "grouser/laws/soil.h"

namespace grouser {

class SoilGround;

/// A part of the ground that is of another soil.
struct SoilRegionDef {
  SoilDef soil;
  std::vector<SoilLayer> layers;  ///< below it
  std::vector<Vec2> polygon;      ///< corners in the ground's frame [m]; empty: by region map alone
};

struct SoilGroundDef : GroundDef {
  /// Where displaced soil goes: along with the flow under the object (handbook of the model, docs/
  /// models/scm.md), or to all sides alike (Krenn 2008).
  enum class Deposition { flow, krenn };

  Pose X_BT;  ///< the ground's frame: z is up
  double spacing = 0.01;
  Vec2 size = Vec2(1000.0, 1000.0);                 ///< of flat ground, around the origin [m]
  std::shared_ptr<const ElevationGrid> heights;     ///< null: flat
  std::shared_ptr<const ElevationGrid> reference;   ///< see SoilSurface; null: as the heights
  std::shared_ptr<const ElevationGrid> region_map;  ///< numbers of regions, 0: `soil`
  SoilDef soil;
  std::vector<SoilLayer> layers;       ///< below it
  std::vector<SoilRegionDef> regions;  ///< numbered from 1; the last that holds a node counts
  double update_period = 5e-3;
  Deposition deposition = Deposition::flow;
  double flow_concentration = 2.0;
  double erosion_sweeps = 0.5;
  Vec2 record_size = Vec2(4.0, 4.0);  ///< of the area that recordings show [m]
  std::vector<double> record_center;  ///< x, y in the ground's frame; empty: under the objects

  void check() const override;
  void add_to(Hash& hash) const override;
};
/// Its numbers and words; heights, soils and where it lies are not in them.
const ParameterTable<SoilGroundDef>& soil_ground_parameters();

/// A piece of soil of a world; throws InputError at `place`, naming `key`, if there is none of that
/// name.
const SoilGroundDef& soil_of(const ShapeTable& shapes, const std::string& name, const Place& place,
                             const std::string& key);

/// The ground itself, with the numbers of its soils by node.
std::shared_ptr<const SoilGround> make_soil_ground(const SoilGroundDef& def);
/// Frame of the grid (node (0, 0) is its origin) on the body.
Pose soil_grid_pose(const SoilGroundDef& def);
/// First and last node of the grid in x and y.
struct GridLimits {
  std::array<std::int64_t, 2> first, last;
};
GridLimits soil_grid_limits(const SoilGroundDef& def);
/// The area that recordings show, given where the ground's body and the objects on it are; none if
/// viewers cannot show it (ground that moves, or does not lie level) or no object is near it.
std::optional<GroundArea> recorded_area(const SoilGroundDef& def, const Pose& X_WB,
                                        std::span<const Vec3> objects);
/// The soil and those of the regions, by number, each with the layers below it.
std::vector<std::vector<SoilLayer>> soils_of(const SoilGroundDef& def);

}  // namespace grouser
