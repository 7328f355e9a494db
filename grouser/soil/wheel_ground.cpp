#include "grouser/soil/wheel_ground.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/soil/soil_surface.h"

namespace grouser {
namespace {

/// One line of the map as weighted means, `spacing` apart, of `count` numbers that are `step`
/// apart and `stride` numbers from each other in memory.
std::vector<double> smoothed_line(const double* numbers, std::size_t stride, std::size_t count,
                                  double step, double spacing, std::size_t nodes) {
  std::vector<double> out(nodes);
  const double length = step * static_cast<double>(count - 1);
  for (std::size_t i = 0; i < nodes; ++i) {
    const double at = std::min(length, spacing * static_cast<double>(i));
    const double reach = std::min({spacing, at, length - at});
    const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil((at - reach) / step)));
    const auto last =
        std::min(count - 1, static_cast<std::size_t>(std::floor((at + reach) / step)));
    // At its very border, and where no node is near, the map itself.
    double sum = 0.0, weights = 0.0, lever = 0.0;
    for (std::size_t k = first; k <= last && reach > step; ++k) {
      const double from = step * static_cast<double>(k) - at;
      const double weight = reach - std::abs(from);
      sum += weight * numbers[k * stride];
      lever += weight * from;
      weights += weight;
    }
    const auto cell = std::min(count - 2, static_cast<std::size_t>(at / step));
    const double t = at / step - static_cast<double>(cell);
    const double low = numbers[cell * stride], high = numbers[(cell + 1) * stride];
    if (weights > 0.0)
      // Nodes do not lie evenly around the place: led back along the slope.
      out[i] = sum / weights - lever / weights * (high - low) / step;
    else
      out[i] = low + t * (high - low);
  }
  return out;
}

}  // namespace

ElevationGrid smoothed(const ElevationGrid& grid, double spacing) {
  GROUSER_ASSERT(spacing > 0.0 && grid.nx >= 2 && grid.ny >= 2);
  const auto nodes = [&](std::size_t count) {
    const double length = grid.spacing * static_cast<double>(count - 1);
    return std::max<std::size_t>(2, static_cast<std::size_t>(std::floor(length / spacing)) + 1);
  };
  ElevationGrid out;
  out.origin = grid.origin;
  out.spacing = spacing;
  out.nx = nodes(grid.nx);
  out.ny = nodes(grid.ny);
  std::vector<double> rows;  // smoothed along x, of all old rows
  rows.reserve(out.nx * grid.ny);
  for (std::size_t iy = 0; iy < grid.ny; ++iy) {
    const std::vector<double> row = smoothed_line(grid.heights.data() + iy * grid.nx, 1, grid.nx,
                                                  grid.spacing, spacing, out.nx);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  out.heights.resize(out.nx * out.ny);
  for (std::size_t ix = 0; ix < out.nx; ++ix) {
    const std::vector<double> column =
        smoothed_line(rows.data() + ix, out.nx, grid.ny, grid.spacing, spacing, out.ny);
    for (std::size_t iy = 0; iy < out.ny; ++iy) out.heights[iy * out.nx + ix] = column[iy];
  }
  return out;
}

WheelGround::WheelGround(const SoilGroundDef& def, double footprint)
    : lower_(-0.5 * def.size), upper_(0.5 * def.size), footprint_(footprint) {
  if (def.heights) {
    const ElevationGrid& grid = *def.heights;
    const double shortest = grid.spacing * static_cast<double>(std::min(grid.nx, grid.ny) - 1);
    const bool fine = grid.spacing < footprint && footprint < shortest;
    map_.emplace(fine ? smoothed(grid, footprint) : grid, ElevationMap::Kind::bspline,
                 ElevationMap::Border::extrapolate, def.place);
    lower_ = grid.origin;
    upper_ = grid.origin + grid.spacing * Vec2(static_cast<double>(grid.nx - 1),
                                               static_cast<double>(grid.ny - 1));
  }
  if (!def.regions.empty()) {
    soils_ = make_soil_ground(def);
    soil_origin_ = def.heights ? def.heights->origin : Vec2(Vec2::Zero());
    soil_spacing_ = def.spacing;
  }
}

WheelGround::Plane WheelGround::under(const Vec3& p) const {
  Plane out;
  out.inside = (p.head<2>().array() >= lower_.array()).all() &&
               (p.head<2>().array() <= upper_.array()).all();
  if (!map_) {
    out.height = p.z();
    return out;
  }
  // Right below, then at the foot of the perpendicular on the plane found there.
  const SurfaceHeight below = map_->at(p.x(), p.y());
  const Vec3 n = below.normal();
  const double height = (p.z() - below.z) * n.z();
  const SurfaceHeight foot = map_->at(p.x() - height * n.x(), p.y() - height * n.y());
  out.normal = foot.normal();
  GROUSER_ASSERT(!(std::abs(out.normal.norm() - 1.0) > 1e-9));
  out.height = out.normal.dot(p - Vec3(p.x() - height * n.x(), p.y() - height * n.y(), foot.z));
  return out;
}

WheelGround::Shares WheelGround::soils_under(const Vec3& p) const {
  Shares out;
  if (!soils_) {
    out.share[0] = 1.0;
    out.count = 1;
    return out;
  }
  // Of the four corners of a cell as large as the footprint.
  const double x = p.x() / footprint_, y = p.y() / footprint_;
  const double ix = std::floor(x), iy = std::floor(y);
  const double tx = x - ix, ty = y - iy;
  for (int corner = 0; corner < 4; ++corner) {
    const int cx = corner % 2, cy = corner / 2;
    const double share = (cx == 1 ? tx : 1.0 - tx) * (cy == 1 ? ty : 1.0 - ty);
    const auto node = [&](double at, double origin) {
      return static_cast<std::int64_t>(std::round((at * footprint_ - origin) / soil_spacing_));
    };
    const std::size_t number =
        soils_->soil(node(ix + cx, soil_origin_.x()), node(iy + cy, soil_origin_.y()));
    int k = 0;
    while (k < out.count && out.soil[static_cast<std::size_t>(k)] != number) ++k;
    if (k == out.count) out.soil[static_cast<std::size_t>(out.count++)] = number;
    GROUSER_ASSERT(static_cast<std::size_t>(out.count) <= out.soil.size());
    out.share[static_cast<std::size_t>(k)] += share;
  }
  GROUSER_ASSERT(!(std::abs(std::accumulate(out.share.begin(), out.share.end(), -1.0)) > 1e-12));
  return out;
}

}  // namespace grouser
