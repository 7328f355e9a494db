#include "grouser/map/elevation_mesh.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/base/parameters.h"
#include "grouser/base/text.h"
#include "grouser/mesh/sheet_mesh.h"

namespace grouser {
namespace {

/// Two triangles per cell, looking up; vertices in the order of the grid.
void add_top(TriangleMesh& mesh, const ElevationGrid& grid) {
  for (std::size_t j = 0; j < grid.ny; ++j)
    for (std::size_t i = 0; i < grid.nx; ++i)
      mesh.vertices.emplace_back(grid.origin.x() + grid.spacing * static_cast<double>(i),
                                 grid.origin.y() + grid.spacing * static_cast<double>(j),
                                 grid.height(i, j));
  add_sheet(mesh, grid.nx, grid.ny, 1e-9 * grid.spacing);
}

/// Nodes along the border, counter-clockwise seen from above.
std::vector<std::int32_t> border_of(const ElevationGrid& grid) {
  std::vector<std::int32_t> out;
  const auto add = [&](std::size_t i, std::size_t j) {
    out.push_back(static_cast<std::int32_t>(j * grid.nx + i));
  };
  for (std::size_t i = 0; i + 1 < grid.nx; ++i) add(i, 0);
  for (std::size_t j = 0; j + 1 < grid.ny; ++j) add(grid.nx - 1, j);
  for (std::size_t i = grid.nx - 1; i > 0; --i) add(i, grid.ny - 1);
  for (std::size_t j = grid.ny - 1; j > 0; --j) add(0, j);
  return out;
}

/// Walls below the border, and a bottom that is a fan around its middle.
void close(TriangleMesh& mesh, const ElevationGrid& grid, double depth) {
  const double bottom = *std::min_element(grid.heights.begin(), grid.heights.end()) - depth;
  const std::vector<std::int32_t> border = border_of(grid);
  GROUSER_ASSERT(border.size() == 2 * (grid.nx + grid.ny) - 4);
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (const std::int32_t v : border) {
    const Vec3 above = mesh.vertices[static_cast<std::size_t>(v)];
    mesh.vertices.emplace_back(above.x(), above.y(), bottom);
  }
  const Vec2 far(static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1));
  const Vec2 middle = grid.origin + 0.5 * grid.spacing * far;
  const auto center = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.emplace_back(middle.x(), middle.y(), bottom);

  mesh.group_names = {"top", "side", "bottom"};
  mesh.groups.resize(mesh.triangles.size(), 0);
  const std::size_t n = border.size();
  const auto below = [&](std::size_t k) { return first + static_cast<std::int32_t>(k % n); };
  for (std::size_t k = 0; k < n; ++k) {
    mesh.triangles.push_back({below(k), below(k + 1), border[(k + 1) % n]});
    mesh.triangles.push_back({below(k), border[(k + 1) % n], border[k]});
  }
  mesh.groups.resize(mesh.triangles.size(), 1);
  for (std::size_t k = 0; k < n; ++k) mesh.triangles.push_back({below(k + 1), below(k), center});
  mesh.groups.resize(mesh.triangles.size(), 2);
}

}  // namespace

TriangleMesh make_elevation_mesh(const ElevationGrid& grid, double depth, const Place& place,
                                 const std::string& path) {
  require_sound(grid, place);
  parameters_detail::check_number(depth, place, parameters_detail::joined(path, "depth"),
                                  non_negative());
  const double triangles =
      2.0 * static_cast<double>(grid.nx - 1) * static_cast<double>(grid.ny - 1);
  if (triangles > kMostTriangles)
    throw InputError(place, path + " would have about " + to_text(triangles, 3) +
                                " triangles, at most " + to_text(kMostTriangles, 3) +
                                " are allowed");
  TriangleMesh mesh;
  add_top(mesh, grid);
  if (depth > 0.0) close(mesh, grid, depth);
  return mesh;
}

}  // namespace grouser
