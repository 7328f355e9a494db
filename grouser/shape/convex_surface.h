// An elevation map as convex cells: a prism below every triangle of the grid.
#pragma once

#include <memory>
#include <vector>

#include "grouser/base/scratch.h"
#include "grouser/map/elevation_map.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/convex_pressure.h"

namespace grouser {

class ConvexSurface {
 public:
  /// Throws InputError if the grid has more than kMostCells.
  explicit ConvexSurface(const ElevationGrid& grid);
  static constexpr std::size_t kMostCells = 65536;

  /// Around all prisms.
  const Vec3& lower() const { return lower_; }
  const Vec3& upper() const { return upper_; }

  /// The contact of a body with the prism in which it is deepest or to which it is nearest; from
  /// the surface S to the body A. Prisms farther away than `reach` do not count.
  ConvexContact contact(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                        double reach) const;

  /// What presses a body out of the surface, which gives way. Depth is measured upwards.
  ConvexPressure pressure(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                          Scratch& scratch) const;

  /// The upper side.
  const TriangleMesh& mesh() const { return mesh_; }

 private:
  template <class Visit>
  void for_each_near(const ConvexBounds& box, double reach, Visit&& visit) const;

  ElevationGrid grid_;
  TriangleMesh mesh_;
  Vec3 lower_, upper_;
  std::vector<ConvexShape> prisms_;  // by triangle, two per cell, row by row
};

}  // namespace grouser
