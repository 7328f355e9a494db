#include "grouser/shape/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

using Grid = SmoothSurface::Grid;

Vec2 cell_size(const Grid& grid) {
  return {(grid.u1 - grid.u0) / grid.nu, (grid.v1 - grid.v0) / grid.nv};
}

/// Coordinates in cells from the corner of the grid: whole numbers are nodes. They are weighted
/// sums of the ends, so that grids from -1 to 1 are symmetrical to the last bit.
SurfaceCoordinates place(const Grid& grid, double i, double j) {
  return {(grid.u0 * (grid.nu - i) + grid.u1 * i) / grid.nu,
          (grid.v0 * (grid.nv - j) + grid.v1 * j) / grid.nv, grid.chart};
}

/// The number of the cell where a place is, counted over all grids; -1: in none.
std::int32_t cell_at(std::span<const Grid> grids, const SurfaceCoordinates& x) {
  std::int32_t before = 0;
  for (const Grid& grid : grids) {
    if (grid.chart == x.chart && x.u >= grid.u0 && x.u <= grid.u1 && x.v >= grid.v0 &&
        x.v <= grid.v1) {
      const Vec2 size = cell_size(grid);
      const int i = std::min(static_cast<int>((x.u - grid.u0) / size.x()), grid.nu - 1);
      const int j = std::min(static_cast<int>((x.v - grid.v0) / size.y()), grid.nv - 1);
      return before + i + grid.nu * j;
    }
    before += grid.nu * grid.nv;
  }
  return -1;
}

}  // namespace

SurfaceSamples::SurfaceSamples(const SmoothSurface& surface, double coarser) {
  GROUSER_ASSERT(coarser >= 1.0);
  std::vector<Grid> grids = surface.grids();
  for (Grid& grid : grids)
    for (int* cells : {&grid.nu, &grid.nv})
      *cells = std::max(std::min(2, *cells), static_cast<int>(*cells / coarser));
  for (const Grid& grid : grids) add_cells(surface, grid);
  add_neighbours(surface, grids);
  std::vector<std::int32_t> all(cells_.size());
  std::iota(all.begin(), all.end(), 0);
  balls_.reserve(2 * all.size());
  if (!all.empty()) add_balls(all);
}

void SurfaceSamples::add_cells(const SmoothSurface& surface, const Grid& grid) {
  const Vec2 size = cell_size(grid);
  for (int j = 0; j < grid.nv; ++j)
    for (int i = 0; i < grid.nu; ++i) {
      Cell& cell = cells_.emplace_back();
      cell.sample.at = place(grid, i + 0.5, j + 0.5);
      cell.sample.p = surface.at(cell.sample.at).p;
      // Farthest are corners or middles of edges. Between these the surface may bulge by an eighth
      // of its second derivative times the distance squared; it may be twice as much in between.
      double farthest = 0.0, bulge = 0.0;
      for (const double a : {0.0, 0.5, 1.0})
        for (const double b : {0.0, 0.5, 1.0}) {
          const SurfaceJet jet = surface.at(place(grid, i + a, j + b));
          farthest = std::max(farthest, (jet.p - cell.sample.p).norm());
          const double h = 0.5 * size.x(), k = 0.5 * size.y();
          bulge = std::max(bulge, h * h * jet.fuu.norm() + 2.0 * h * k * jet.fuv.norm() +
                                      k * k * jet.fvv.norm());
        }
      cell.radius = farthest * (1.0 + 1e-9) + 2.0 * bulge / 8.0;
    }
}

void SurfaceSamples::add_neighbours(const SmoothSurface& surface, std::span<const Grid> grids) {
  std::size_t number = 0;
  for (const Grid& grid : grids)
    for (int j = 0; j < grid.nv; ++j)
      for (int i = 0; i < grid.nu; ++i, ++number) {
        Cell& cell = cells_[number];
        for (int dj = -1; dj <= 1; ++dj)
          for (int di = -1; di <= 1; ++di) {
            // Beyond the border of the grid the surface goes on in another chart, or not at all.
            const SurfaceCoordinates x = place(grid, i + di + 0.5, j + dj + 0.5);
            const std::int32_t other = cell_at(grids, surface.recharted(x));
            const auto end = cell.neighbours.begin() + cell.neighbour_count;
            const bool known = std::find(cell.neighbours.begin(), end, other) != end;
            if (other < 0 || known || other == static_cast<std::int32_t>(number)) continue;
            GROUSER_ASSERT(cell.neighbour_count < static_cast<int>(cell.neighbours.size()));
            cell.neighbours[static_cast<std::size_t>(cell.neighbour_count++)] = other;
          }
      }
}

void SurfaceSamples::add_balls(std::span<std::int32_t> cells) {
  GROUSER_ASSERT(!cells.empty());
  const std::size_t here = balls_.size();
  balls_.emplace_back();
  Ball ball;
  Box box;
  for (const std::int32_t i : cells) box.add(sample(i).p);
  ball.centre = box.center();
  for (const std::int32_t i : cells)
    ball.radius = std::max(ball.radius, (sample(i).p - ball.centre).norm() + cell(i).radius);
  if (cells.size() == 1) {
    ball.cell = cells.front();
  } else {
    Eigen::Index axis = 0;
    box.half_size().maxCoeff(&axis);
    const std::size_t half = cells.size() / 2;
    std::nth_element(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(half), cells.end(),
                     [&](std::int32_t a, std::int32_t b) {
                       const double x = sample(a).p[axis], y = sample(b).p[axis];
                       return x != y ? x < y : a < b;
                     });
    add_balls(cells.first(half));
    add_balls(cells.subspan(half));
  }
  ball.after = balls_.size();
  balls_[here] = ball;
}

int SurfaceSamples::nearest(const Vec3& p) const {
  GROUSER_ASSERT(!balls_.empty());
  const auto least = [&](std::size_t i) {
    return (p - balls_[i].centre).norm() - balls_[i].radius;  // nothing of the ball is nearer
  };
  // Half of the cells at each level: no more levels than bits.
  std::array<std::pair<std::size_t, double>, 64> waiting;
  std::size_t count = 0;
  int best = 0;
  double distance = (p - sample(0).p).norm();
  waiting[count++] = {0, least(0)};
  while (count > 0) {
    const auto [i, bound] = waiting[--count];
    if (bound >= distance) continue;
    if (const std::int32_t found = balls_[i].cell; found >= 0) {
      const double d = (p - sample(found).p).norm();
      if (d < distance) {
        distance = d;
        best = found;
      }
      continue;
    }
    // The nearer half is looked at first, so it comes last.
    std::pair one{i + 1, least(i + 1)}, other{balls_[i + 1].after, least(balls_[i + 1].after)};
    if (one.second < other.second) std::swap(one, other);
    GROUSER_ASSERT(count + 2 <= waiting.size());
    waiting[count++] = one;
    waiting[count++] = other;
  }
  return best;
}

TriangleMesh mesh_of_grids(const SmoothSurface& surface, std::span<const Grid> grids) {
  TriangleMesh out;
  for (const Grid& grid : grids) {
    const auto first = static_cast<std::int32_t>(out.vertices.size());
    for (int j = 0; j <= grid.nv; ++j)
      for (int i = 0; i <= grid.nu; ++i)
        out.vertices.push_back(surface.at(surface.recharted(place(grid, i, j))).p);
    for (int j = 0; j < grid.nv; ++j)
      for (int i = 0; i < grid.nu; ++i) {
        const std::int32_t a = first + i + (grid.nu + 1) * j, b = a + grid.nu + 1;
        out.triangles.push_back({a, a + 1, b + 1});
        out.triangles.push_back({a, b + 1, b});
      }
  }
  weld_vertices(out);
  return out;
}

}  // namespace grouser
