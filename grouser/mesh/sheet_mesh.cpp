#include "grouser/mesh/sheet_mesh.h"

#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

void add_sheet(TriangleMesh& mesh, std::size_t nx, std::size_t ny, double margin,
               const std::function<bool(std::size_t ix, std::size_t iy)>& has_cell) {
  GROUSER_ASSERT(mesh.vertices.size() >= nx * ny && margin >= 0.0);
  for (std::size_t j = 0; j + 1 < ny; ++j)
    for (std::size_t i = 0; i + 1 < nx; ++i) {
      if (has_cell && !has_cell(i, j)) continue;
      const auto p = static_cast<std::int32_t>(j * nx + i);
      const std::int32_t q = p + 1, s = p + static_cast<std::int32_t>(nx), r = s + 1;
      const auto difference = [&](std::int32_t a, std::int32_t b) {
        return std::abs(mesh.vertices[static_cast<std::size_t>(a)].z() -
                        mesh.vertices[static_cast<std::size_t>(b)].z());
      };
      const double rising = difference(p, r), falling = difference(q, s);
      // On a plane diagonals are alike but for rounding; there they alternate.
      const bool alike = std::abs(rising - falling) <= margin;
      if (alike ? (i + j) % 2 == 0 : rising < falling) {
        mesh.triangles.push_back({p, q, r});
        mesh.triangles.push_back({p, r, s});
      } else {
        mesh.triangles.push_back({p, q, s});
        mesh.triangles.push_back({q, r, s});
      }
    }
}

}  // namespace grouser
