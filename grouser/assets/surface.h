// Surfaces: generated terrain, as a function of the plane, an elevation grid and a mesh.
//
//   size = [20, 10]
//   spacing = 0.05
//   layers = [
//     { noise = { hurst = 0.8, slope = 0.08 } },
//     { slope = { angle = 0.2, direction = 1.57 } },
//   ]
//
// The surface is a function, the sum of its layers, and knows no grid: at shared points grids of
// all spacings have the same heights, bit for bit. (A `stairs` layer whose riser_width is left out
// is the exception: its risers are as wide as the spacing.)
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grouser/assets/progress.h"
#include "grouser/assets/surface_layers.h"
#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

class SurfaceField;

struct SurfaceDef {
  Vec2 size = Vec2::Constant(kRequired);  ///< along x and y [m]
  double spacing = kRequired;             ///< of the nodes of grid and mesh [m]
  Vec2 center = Vec2::Zero();             ///< [m]
  int seed = 1;                           ///< of noise and craters
  double depth = 0.0;  ///< of a closed mesh below its lowest point [m]; 0: a sheet
  std::vector<SurfaceLayer> layers = {};
};

/// Changes when the same definition gives another surface.
inline constexpr int kSurfaceVersion = 1;
const ParameterTable<SurfaceDef>& parameter_table(const SurfaceDef*);

/// Reads the files of all layers, once and for all: names are meant from `folder`, a `content` that
/// is given must be that of the map, and from then on it is. The values of the definition and its
/// surface then have the very same heights, whatever happens to the files. Throws InputError with
/// keys below `path`.
void load_files(SurfaceDef& definition, const std::string& folder, const std::string& path);

/// More nodes are refused.
inline constexpr double kMostSurfaceNodes = 1e8;

/// Precondition of nothing: all functions check the definition, and throw InputError with `place`
/// (or that of a layer) and keys below `path`.
class Surface {
 public:
  explicit Surface(const SurfaceDef& definition, const Place& place = {},
                   const std::string& path = "surface");
  ~Surface();
  Surface(Surface&&) noexcept;
  Surface& operator=(Surface&&) noexcept;

  /// Height, slopes and curvatures; exact, and defined everywhere: `inside` tells whether the point
  /// is between the borders, and on the maps of all files. At kinks (linear profiles, risers, lines
  /// of a bilinear map) the derivatives are those of one side.
  SurfaceHeight at(double x, double y) const;

  Vec2 lower() const { return lower_; }
  Vec2 upper() const { return upper_; }

  /// Heights at (x[i], y): the same bits as at(), faster.
  void heights(std::span<const double> x, double y, std::span<double> z) const;

 private:
  Vec2 lower_, upper_;
  std::vector<std::unique_ptr<SurfaceField>> fields_;
};

/// As many cells as cover the size, from its lower corner on. A height that is not finite is
/// refused, with its node.
ElevationGrid make_surface_grid(const SurfaceDef& definition, const Place& place = {},
                                const std::string& path = "surface", const Progress& progress = {});

/// As make_elevation_mesh(): a sheet, or with a depth a closed body.
TriangleMesh make_surface_mesh(const SurfaceDef& definition, const Place& place = {},
                               const std::string& path = "surface", const Progress& progress = {});

}  // namespace grouser
