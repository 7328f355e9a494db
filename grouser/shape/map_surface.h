// An elevation map as a smooth surface: the ground below it is the body.
//
// The coordinates are x and y in the frame of the map, in one chart. Gaps and what lies beyond the
// border have a status of their own; the surface goes on there.
#pragma once

#include <memory>

#include "grouser/map/elevation_map.h"
#include "grouser/map/height_pyramid.h"
#include "grouser/shape/smooth_surface.h"

namespace grouser {

class MapSurface final : public SmoothSurface {
 public:
  explicit MapSurface(std::shared_ptr<const ElevationMap> map);

  const ElevationMap& map() const { return *map_; }
  /// Where on the map something may be near.
  const HeightPyramid& pyramid() const { return pyramid_; }

  SurfaceJet at(const SurfaceCoordinates& x) const override;
  /// Straight below or above the point; the gap is that to the tangent plane there.
  SurfaceFoot foot(const Vec3& p) const override;
  /// Always true for a ball that reaches beyond a border where the map goes on along its slope.
  bool may_touch(const Vec3& centre, double radius) const override;
  double size() const override { return map_->spacing(); }
  /// The cells of the map.
  std::vector<Grid> grids() const override;
  /// A sheet of up to 100,000 triangles, without cells that have a gap: several per cell of a small
  /// map, several cells per triangle of a large one.
  TriangleMesh mesh() const override;

 private:
  std::shared_ptr<const ElevationMap> map_;
  HeightPyramid pyramid_;
};

/// A height over (x, y) with its derivatives, as those of a surface.
SurfaceJet jet_of(double x, double y, const SurfaceHeight& h);

}  // namespace grouser
