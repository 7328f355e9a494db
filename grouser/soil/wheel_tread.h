// The tread of a wheel with grousers, as a drum through their tips that bears on part of its area.
//
// Grousers are thinner than the cells of a grid of soil: seen from its nodes such a wheel is one
// thing on a grouser and another beside it. And a wheel that slips carries the soil between its
// grousers along, which heights of ground cannot say. So the wheel is taken as round: the drum
// through the tips. Its grousers bear on a share of the area, the tread between them, deeper by
// their height, on the rest. Forces do not depend on where the nodes are, or on how many triangles
// a mesh has.
#pragma once

#include <memory>
#include <optional>

#include "grouser/laws/earth_pressure.h"
#include "grouser/math/spatial.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

struct WheelTread {
  /// Along the rim, and across it.
  Grousers along, across;
  double share = 0.0;      ///< of the area that is tips, 0 to 1
  double thickness = 0.0;  ///< of grousers along the rim, in the mean [m]
  double radius = 0.0;     ///< of the tread between them, the greatest [m]
  TriangleMesh drum;       ///< through the tips, closed; in the frame of the mesh

  double height() const { return along.height; }
  /// How far the ground is pressed in, in the mean over grousers and gaps, where tips are `depth`
  /// below it [m].
  double imprint(double depth) const {
    if (depth <= 0.0) return depth;
    return share * depth + (1.0 - share) * (depth > height() ? depth - height() : 0.0);
  }
  /// How deep the tips are where the ground is pressed in by `imprint` [m].
  double depth_of_imprint(double imprint) const {
    const double at_tread = share * height();
    return imprint < at_tread ? imprint / share : imprint - at_tread + height();
  }
};

/// The tread of a mesh that turns about an axis of unit length through `centre`; null if it has no
/// grousers, that is, nothing that stands out of hollows by more than a hundredth of its radius, or
/// is no wheel with a rim. The mesh may be open, have holes in a tenth of the rim, and triangles
/// that look anywhere. The drum follows the profile across the rim to a tenth of `tolerance` [m].
std::shared_ptr<const WheelTread> find_tread(const TriangleMesh& mesh, const Vec3& axis,
                                             const Vec3& centre, double tolerance = 0.0);

/// A wheel without grousers as the drum it rolls on, with the mean radius across the rim; none if
/// it is no wheel with a rim, or its rim is off that by more than `tolerance` [m], but for holes.
std::optional<TriangleMesh> find_drum(const TriangleMesh& mesh, const Vec3& axis,
                                      const Vec3& centre, double tolerance);

}  // namespace grouser
