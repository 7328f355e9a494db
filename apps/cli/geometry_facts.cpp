#include "apps/cli/geometry_facts.h"

#include <cmath>
#include <ostream>

#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "grouser/base/text.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_groups.h"

namespace grouser::cli {
namespace {

std::string vector_text(const Vec3& x) {
  return "[" + to_text(x.x(), 6) + ", " + to_text(x.y(), 6) + ", " + to_text(x.z(), 6) + "]";
}

std::string census_text(const MeshCensus& census) {
  const std::pair<std::size_t, const char*> counts[] = {
      {census.boundary_edges, "boundary edges"},
      {census.non_manifold_edges, "non-manifold edges"},
      {census.flipped_edges, "flipped edges"},
      {census.degenerate_triangles, "degenerate triangles"}};
  std::vector<std::string> found;
  for (const auto& [count, what] : counts)
    if (count > 0) found.push_back(std::to_string(count) + " " + what);
  return found.empty() ? "clean" : join(found);
}

void print_volume(std::ostream& out, const TriangleMesh& mesh) {
  const double volume = signed_volume(mesh);
  print_field(
      out, "volume",
      to_text(volume, 6) + " m^3" + (volume < 0.0 ? " (inside out: triangles look inward)" : ""));
  if (!(volume > 0.0)) return;
  const MassProperties mass = mass_properties(mesh, 1.0, "mesh");
  const Mat3& I = mass.inertia;
  print_field(out, "centre", vector_text(mass.center) + " m, of the volume");
  print_field(out, "inertia",
              vector_text(I.diagonal()) + " m^5, xy xz yz " +
                  vector_text(Vec3(I(0, 1), I(0, 2), I(1, 2))) + "; times density: kg m^2");
}

TextTable group_table(const TriangleMesh& mesh) {
  TextTable table({"group", "triangles", "area [m^2]"});
  table.align_right(1).align_right(2);
  for (const MeshGroup& group : summarize_groups(mesh))
    table.add({group.name, std::to_string(group.triangles), to_text(group.area, 6)});
  return table;
}

}  // namespace

void print_mesh_facts(std::ostream& out, const TriangleMesh& mesh) {
  const MeshCensus census = take_census(mesh);
  const Box box = bounding_box(mesh);
  print_field(out, "triangles", std::to_string(mesh.triangle_count()));
  print_field(
      out, "vertices",
      std::to_string(mesh.vertices.size()) + " after welding, " + counted(census.edges, "edge"));
  print_field(out, "box", vector_text(box.lower) + " to " + vector_text(box.upper) + " m");
  print_field(out, "size", vector_text(2.0 * box.half_size()) + " m");
  print_field(out, "surface",
              std::string(census.closed() ? "closed" : "open") + ", " + census_text(census));
  print_field(out, "area", to_text(surface_area(mesh), 6) + " m^2");
  if (census.closed()) print_volume(out, mesh);
  if (mesh.group_names.empty()) return;
  out << '\n';
  group_table(mesh).print(out);
}

void print_map_facts(std::ostream& out, const ElevationGrid& grid) {
  const auto at = [&](std::size_t i) { return to_text(static_cast<double>(i) * grid.spacing, 6); };
  double lowest = 0.0, highest = 0.0, square = 0.0;
  std::size_t heights = 0, slopes = 0;
  for (std::size_t iy = 0; iy < grid.ny; ++iy)
    for (std::size_t ix = 0; ix < grid.nx; ++ix) {
      const double z = grid.height(ix, iy);
      if (!std::isfinite(z)) continue;
      lowest = heights == 0 ? z : std::min(lowest, z);
      highest = heights == 0 ? z : std::max(highest, z);
      ++heights;
      if (ix + 1 == grid.nx || iy + 1 == grid.ny) continue;
      const double dx = (grid.height(ix + 1, iy) - z) / grid.spacing;
      const double dy = (grid.height(ix, iy + 1) - z) / grid.spacing;
      if (!std::isfinite(dx) || !std::isfinite(dy)) continue;
      square += 0.5 * (dx * dx + dy * dy);
      ++slopes;
    }
  const std::size_t nodes = grid.nx * grid.ny;
  print_field(out, "nodes", std::to_string(grid.nx) + " x " + std::to_string(grid.ny));
  print_field(out, "spacing", to_text(grid.spacing, 6) + " m");
  print_field(out, "origin",
              "[" + to_text(grid.origin.x(), 9) + ", " + to_text(grid.origin.y(), 9) + "] m");
  print_field(out, "size", at(grid.nx - 1) + " x " + at(grid.ny - 1) + " m");
  print_field(out, "heights",
              heights == 0 ? "none" : to_text(lowest, 6) + " to " + to_text(highest, 6) + " m");
  if (heights < nodes)
    print_field(out, "gaps", counted(nodes - heights, "node") + " without a height");
  if (slopes > 0)
    print_field(out, "slope",
                to_text(std::sqrt(square / static_cast<double>(slopes)), 4) +
                    " root mean square along a line, between neighbouring nodes");
}

}  // namespace grouser::cli
