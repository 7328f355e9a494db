// Ground as wheels feel it: planes under them, smoothed over their footprint.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "grouser/base/inline_list.h"
#include "grouser/map/elevation_map.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

class WheelGround {
 public:
  /// `footprint` [m]: the map is smoothed over that length unless its grid is coarser. So the same
  /// ground gives the same planes whatever the spacing of its grid.
  WheelGround(const SoilGroundDef& def, double footprint);

  /// The plane under a point, tangent to the smoothed ground at the point's foot on it.
  struct Plane {
    Vec3 normal = Vec3::UnitZ();
    double height = 0.0;  ///< of the point over the plane [m]
    bool inside = true;   ///< on the map; beyond it goes on along the border's slope
  };
  Plane under(const Vec3& p_T) const;

  /// Soils under a point by number and share; the shares go over into each other across borders,
  /// within a footprint, and sum to one.
  struct Share {
    std::size_t soil;
    double share;
  };
  using Shares = InlineList<Share, 4>;
  Shares soils_under(const Vec3& p_T) const;

 private:
  std::optional<ElevationMap> map_;          // none: flat
  Vec2 lower_, upper_;                       // of flat ground
  std::shared_ptr<const SoilGround> soils_;  // null: one soil
  Vec2 soil_origin_;
  double soil_spacing_ = 0.0, footprint_ = 0.0;
};

/// A grid of nodes `spacing` apart, each the mean of what lies around, weighted with a hat that
/// reaches one spacing far (less at the border, so that planes stay planes).
ElevationGrid smoothed(const ElevationGrid& grid, double spacing);

}  // namespace grouser
