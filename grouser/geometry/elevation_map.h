// Elevation maps: a surface z(x, y) through heights on a regular grid.
//
// Coordinates are local to a cell, so a map far from the origin loses no digits. Four kinds of
// surface, all from the 4 x 4 numbers around a cell:
//
//   bilinear  through the heights, with kinks at the lines of the grid
//   cubic     through the heights, continuous slope (Catmull-Rom)
//   quintic   through the heights, continuous curvature; errors of value, slope and curvature fall
//             with the third, second and first power of the spacing
//   bspline   through the heights, continuous curvature; fourth, third and second power, at the
//             price of a system of equations when the map is made
#pragma once

#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/math/types.h"

namespace grouser {

/// Heights at the nodes of a regular grid: node (ix, iy) stands at origin + spacing (ix, iy).
struct ElevationGrid {
  Vec2 origin = Vec2::Zero();
  double spacing = 1.0;  ///< [m]
  std::size_t nx = 0, ny = 0;
  std::vector<double> heights;  ///< [iy * nx + ix], [m]

  double height(std::size_t ix, std::size_t iy) const { return heights[iy * nx + ix]; }
};

/// Throws InputError unless the grid has two nodes or more each way, a positive spacing, as many
/// heights as nodes, and no gap (a height that is not finite); tells the first node that breaks it.
void require_sound(const ElevationGrid& grid, const Place& place);

/// Height and derivatives at a point.
struct SurfaceHeight {
  double z = 0.0;
  double dx = 0.0, dy = 0.0;
  double dxx = 0.0, dxy = 0.0, dyy = 0.0;
  bool inside = true;  ///< on the map; beyond it the border's rule holds

  /// Unit, upwards.
  Vec3 normal() const { return Vec3(-dx, -dy, 1.0).normalized(); }
};

class ElevationMap {
 public:
  enum class Kind { bilinear, cubic, quintic, bspline };
  /// Beyond the map: as high as its border, or going on along the border's slope. The latter is as
  /// smooth there as the surface itself.
  enum class Border { clamp, extrapolate };

  /// Throws InputError as require_sound() does.
  ElevationMap(const ElevationGrid& grid, Kind kind, Border border, const Place& place = {});

  /// Any coordinates: beyond the map the answer says so, and is not a number if they are not.
  SurfaceHeight at(double x, double y) const;
  double height(double x, double y) const { return at(x, y).z; }

  Kind kind() const { return kind_; }
  Border border() const { return border_; }
  Vec2 origin() const { return origin_; }
  double spacing() const { return spacing_; }
  std::size_t nx() const { return nx_; }
  std::size_t ny() const { return ny_; }

 private:
  double* row(std::size_t iy) { return numbers_.data() + iy * (nx_ + 2); }
  void add_border();
  void solve_for_spline();

  Kind kind_;
  Border border_;
  Vec2 origin_;
  double spacing_, inverse_spacing_;
  std::size_t nx_, ny_;
  // Heights, or coefficients of the spline, with one more row and column on every side.
  std::vector<double> numbers_;
};

}  // namespace grouser
