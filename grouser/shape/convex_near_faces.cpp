#include "grouser/shape/convex_near_faces.h"

#include <algorithm>

namespace grouser {
namespace {

/// A face that has the vertex as a corner.
int face_at(const ConvexHull& hull, int vertex) {
  // In blocks, which compilers turn into vector instructions.
  constexpr std::size_t kBlock = 16;
  const int* const corners = hull.corners.data();
  std::size_t corner = 0;
  for (bool found = false; corner + kBlock <= hull.corners.size(); corner += kBlock) {
    for (std::size_t k = 0; k < kBlock; ++k) found |= corners[corner + k] == vertex;
    if (found) break;
  }
  while (corners[corner] != vertex) ++corner;
  const auto after = std::upper_bound(hull.first_corner.begin(), hull.first_corner.end(),
                                      static_cast<int>(corner));
  return static_cast<int>(after - hull.first_corner.begin()) - 1;
}

}  // namespace

/// Goes from face to face over the edges that have an end in the slab: these join all its faces.
std::span<const int> find_near_faces(const ConvexHull& hull, const Vec3& direction, double slab,
                                     Scratch& scratch) {
  const auto at = [](int number) { return static_cast<std::size_t>(number); };
  const int farthest = farthest_vertex(hull, direction);
  const double least = direction.dot(hull.vertices[at(farthest)]) - slab;
  const std::span<int> faces = scratch.take<int>(hull.face_count());
  const std::span<bool> known = scratch.take<bool>(hull.face_count());
  std::fill(known.begin(), known.end(), false);
  std::size_t count = 0;
  const auto add = [&](int face) {
    if (known[at(face)]) return;
    known[at(face)] = true;
    faces[count++] = face;
  };
  const auto is_near = [&](int v) { return direction.dot(hull.vertices[at(v)]) >= least; };
  add(face_at(hull, farthest));
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const int> corners = hull.corners_of(at(faces[i]));
    const int* across = &hull.across[at(hull.first_corner[at(faces[i])])];
    const bool first = is_near(corners[0]);
    bool from = first;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const bool to = k + 1 < corners.size() ? is_near(corners[k + 1]) : first;
      if (from || to) add(across[k]);
      from = to;
    }
  }
  return faces.first(count);
}

}  // namespace grouser
