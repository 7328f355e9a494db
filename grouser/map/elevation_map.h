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
//
// A map may have gaps: nodes without a height. The surface goes on smoothly through them, made of
// the heights around, and says that it does not know.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/math/types.h"

namespace grouser {

/// Heights at the nodes of a regular grid: node (ix, iy) stands at origin + spacing (ix, iy).
struct ElevationGrid {
  Vec2 origin = Vec2::Zero();
  double spacing = 1.0;  ///< [m]
  std::size_t nx = 0, ny = 0;
  std::vector<double> heights;  ///< [iy * nx + ix], [m]

  double height(std::size_t ix, std::size_t iy) const {
    GROUSER_ASSERT(ix < nx && iy < ny && heights.size() == nx * ny);
    return heights[iy * nx + ix];
  }
};

/// What becomes of heights that are not finite.
enum class ElevationGaps { refuse, keep };

/// Throws InputError unless the grid has two nodes or more each way, a positive spacing, as many
/// heights as nodes, and no gap (a height that is not finite); tells the first node that breaks it.
/// Where gaps are kept, one height is enough.
void require_sound(const ElevationGrid& grid, const Place& place,
                   ElevationGaps gaps = ElevationGaps::refuse);

/// Height and derivatives at a point.
struct SurfaceHeight {
  double z = 0.0;
  double dx = 0.0, dy = 0.0;
  double dxx = 0.0, dxy = 0.0, dyy = 0.0;
  bool inside = true;  ///< on the map; beyond it the border's rule holds
  bool known = true;   ///< none of the nodes around is a gap

  /// Unit, upwards.
  Vec3 normal() const { return Vec3(-dx, -dy, 1.0).normalized(); }
};

class ElevationPatch;

class ElevationMap {
 public:
  enum class Kind { bilinear, cubic, quintic, bspline };
  /// Beyond the map: as high as its border, or going on along the border's slope. The latter is as
  /// smooth there as the surface itself.
  enum class Border { clamp, extrapolate };

  using Gaps = ElevationGaps;

  /// Throws InputError as require_sound() does.
  ElevationMap(const ElevationGrid& grid, Kind kind, Border border, const Place& place = {},
               Gaps gaps = Gaps::refuse);

  /// Any coordinates: beyond the map the answer says so, and is not a number if they are not.
  SurfaceHeight at(double x, double y) const;
  double height(double x, double y) const { return at(x, y).z; }
  /// The surface over the cell of a point, to ask it more than once (elevation_patch.h).
  ElevationPatch patch(double x, double y) const;

  Kind kind() const { return kind_; }
  Border border() const { return border_; }
  Vec2 origin() const { return origin_; }
  double spacing() const { return spacing_; }
  std::size_t nx() const { return nx_; }
  std::size_t ny() const { return ny_; }
  /// Cell (ix, iy) lies between nodes (ix, iy) and (ix + 1, iy + 1); its surface is made of 4 x 4
  /// heights (bilinear: 2 x 2) and known if all of them are.
  bool knows_cell(std::size_t ix, std::size_t iy) const {
    GROUSER_ASSERT(ix + 1 < nx_ && iy + 1 < ny_);
    return gap_cells_.empty() || !gap_cells_[iy * (nx_ - 1) + ix];
  }
  bool has_gaps() const { return !gap_cells_.empty(); }
  /// What the surface is made of: heights, or coefficients of the spline. Row iy, 0 to ny + 1, is
  /// that of node row iy - 1 and has nx + 2 numbers: one more than nodes on every side. The first
  /// of the 4 x 4 numbers of cell (ix, iy) is numbers(iy)[ix].
  std::span<const double> numbers(std::size_t iy) const {
    GROUSER_ASSERT(iy < ny_ + 2);
    return {numbers_.data() + iy * (nx_ + 2), nx_ + 2};
  }

 private:
  double* row(std::size_t iy) {
    GROUSER_ASSERT(iy < ny_ + 2);
    return numbers_.data() + iy * (nx_ + 2);
  }
  void copy_heights(const ElevationGrid& grid);
  void mark_gap_cells(std::span<const std::size_t> gaps);
  void add_border();
  void solve_for_spline();

  Kind kind_;
  Border border_;
  Vec2 origin_;
  double spacing_, inverse_spacing_;
  std::size_t nx_, ny_;
  // Heights, or coefficients of the spline, with one more row and column on every side.
  std::vector<double> numbers_;
  std::vector<bool> gap_cells_;  // [iy * (nx - 1) + ix]; empty: no gaps
};

}  // namespace grouser
