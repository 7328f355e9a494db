#include "grouser/shape/map_surface.h"

#include <algorithm>
#include <cmath>

#include "grouser/mesh/sheet_mesh.h"

namespace grouser {
namespace {

constexpr std::size_t kMostMeshCells = 50'000;

/// Where vertices of a mesh stand along an axis of `cells` cells: so many pieces of each, or one
/// for so many of them; always at both ends [cells].
std::vector<double> places(std::size_t cells, std::size_t pieces, std::size_t step) {
  std::vector<double> out;
  for (std::size_t i = 0; i < cells * pieces; i += step)
    out.push_back(static_cast<double>(i) / static_cast<double>(pieces));
  out.push_back(static_cast<double>(cells));
  return out;
}

/// Into how many pieces a cell of a small map is cut, each way.
std::size_t pieces_for(std::size_t cells) {
  constexpr std::size_t kMostPieces = 16;
  std::size_t pieces = 1;
  while (pieces < kMostPieces && (pieces + 1) * (pieces + 1) * cells <= kMostMeshCells) ++pieces;
  return pieces;
}

/// How many cells of a large map are taken together, each way.
std::size_t step_for(std::size_t nx, std::size_t ny) {
  std::size_t step = 1;
  while (((nx + step - 1) / step) * ((ny + step - 1) / step) > kMostMeshCells) ++step;
  return step;
}

/// Whether all cells of the map in a rectangle are known [cells].
bool knows(const ElevationMap& map, double x0, double x1, double y0, double y1) {
  const auto first = [](double x) { return static_cast<std::size_t>(x); };
  const auto end = [](double x) { return static_cast<std::size_t>(std::ceil(x)); };
  for (std::size_t iy = first(y0); iy < end(y1); ++iy)
    for (std::size_t ix = first(x0); ix < end(x1); ++ix)
      if (!map.knows_cell(ix, iy)) return false;
  return true;
}

}  // namespace

SurfaceJet jet_of(double x, double y, const SurfaceHeight& h) {
  SurfaceJet out;
  out.p = Vec3(x, y, h.z);
  out.fu = Vec3(1.0, 0.0, h.dx);
  out.fv = Vec3(0.0, 1.0, h.dy);
  out.fuu = Vec3(0.0, 0.0, h.dxx);
  out.fuv = Vec3(0.0, 0.0, h.dxy);
  out.fvv = Vec3(0.0, 0.0, h.dyy);
  out.status = !h.inside  ? SurfaceStatus::beyond
               : !h.known ? SurfaceStatus::no_data
                          : SurfaceStatus::ok;
  return out;
}

MapSurface::MapSurface(std::shared_ptr<const ElevationMap> map)
    : map_(std::move(map)), pyramid_(*map_) {}

SurfaceJet MapSurface::at(const SurfaceCoordinates& x) const {
  return jet_of(x.u, x.v, map_->at(x.u, x.v));
}

SurfaceFoot MapSurface::foot(const Vec3& p) const {
  const SurfaceHeight h = map_->at(p.x(), p.y());
  const double steepness = std::sqrt(1.0 + h.dx * h.dx + h.dy * h.dy);
  return {(p.z() - h.z) / steepness, {p.x(), p.y(), 0}};
}

bool MapSurface::may_touch(const Vec3& c, double radius) const {
  const double highest =
      pyramid_.max_over(c.x() - radius, c.x() + radius, c.y() - radius, c.y() + radius);
  return c.z() - radius <= highest;
}

std::vector<SmoothSurface::Grid> MapSurface::grids() const {
  const auto cells_x = static_cast<int>(map_->nx() - 1), cells_y = static_cast<int>(map_->ny() - 1);
  const Vec2 low = map_->origin(), high = low + map_->spacing() * Vec2(cells_x, cells_y);
  return {{0, low.x(), high.x(), low.y(), high.y(), cells_x, cells_y}};
}

TriangleMesh MapSurface::mesh() const {
  const std::size_t cells_x = map_->nx() - 1, cells_y = map_->ny() - 1;
  const std::size_t pieces = pieces_for(cells_x * cells_y), step = step_for(cells_x, cells_y);
  const std::vector<double> x = places(cells_x, pieces, step), y = places(cells_y, pieces, step);
  TriangleMesh mesh;
  for (const double v : y)
    for (const double u : x) {
      const Vec2 p = map_->origin() + map_->spacing() * Vec2(u, v);
      mesh.vertices.emplace_back(p.x(), p.y(), map_->height(p.x(), p.y()));
    }
  add_sheet(mesh, x.size(), y.size(), 1e-9 * map_->spacing(), [&](std::size_t i, std::size_t j) {
    return !map_->has_gaps() || knows(*map_, x[i], x[i + 1], y[j], y[j + 1]);
  });
  return mesh;
}

}  // namespace grouser
