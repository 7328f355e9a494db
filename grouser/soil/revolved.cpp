#include "grouser/soil/revolved.h"

#include <cmath>

namespace grouser {

TriangleMesh revolved(std::span<const Vec2> outline, int around) {
  TriangleMesh mesh;
  for (const Vec2& point : outline)
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * kPi / around * k;
      mesh.vertices.emplace_back(point.y() * std::cos(angle), point.y() * std::sin(angle),
                                 point.x());
    }
  const auto rows = static_cast<std::int32_t>(outline.size());
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t k = 0; k < around; ++k) {
      const std::int32_t low = r * around, high = (r + 1) % rows * around, next = (k + 1) % around;
      mesh.triangles.push_back({low + k, low + next, high + next});
      mesh.triangles.push_back({low + k, high + next, high + k});
    }
  return mesh;
}

}  // namespace grouser
