#include "grouser/mesh/simpler_hull.h"

#include <algorithm>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/mesh/convex_hull.h"

namespace grouser {
namespace {

/// Index of the point with the greatest value, the first of them.
template <class Value>
std::size_t greatest(std::span<const Vec3> points, Value&& value) {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const double x = value(points[i]); x > most) {
      most = x;
      best = i;
    }
  return best;
}

/// Four points that are no plane, as far from each other as comes by itself.
std::vector<std::size_t> tetrahedron(std::span<const Vec3> points) {
  const std::size_t a = greatest(points, [](const Vec3& p) { return -p.x(); });
  const Vec3& p_a = points[a];
  const std::size_t b = greatest(points, [&](const Vec3& p) { return (p - p_a).squaredNorm(); });
  const Vec3 along = points[b] - p_a;
  const std::size_t c =
      greatest(points, [&](const Vec3& p) { return along.cross(p - p_a).squaredNorm(); });
  const Vec3 across = along.cross(points[c] - p_a);
  const std::size_t d =
      greatest(points, [&](const Vec3& p) { return std::abs(across.dot(p - p_a)); });
  return {a, b, c, d};
}

double height_above(const ConvexHull& hull, const Vec3& p) {
  double height = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.face_count(); ++f)
    height = std::max(height, hull.normals[f].dot(p) - hull.offsets[f]);
  return height;
}

}  // namespace

std::vector<Vec3> main_corners(std::span<const Vec3> points, std::size_t most,
                               const std::string& what) {
  GROUSER_ASSERT(most >= 4);
  const std::vector<Vec3> corners = make_convex_hull(points, what).vertices;
  if (corners.size() <= most) return corners;
  std::vector<Vec3> kept;
  for (const std::size_t i : tetrahedron(corners)) kept.push_back(corners[i]);
  while (kept.size() < most) {
    const ConvexHull hull = make_convex_hull(kept, what);
    kept.push_back(
        corners[greatest(corners, [&](const Vec3& p) { return height_above(hull, p); })]);
  }
  return kept;
}

}  // namespace grouser
