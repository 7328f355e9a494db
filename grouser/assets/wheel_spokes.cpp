#include "grouser/assets/wheel_spokes.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

/// A hub is no coarser than a polygon of twelve sides.
constexpr double kWidestAngle = kPi / 6.0;

}  // namespace

double Spokes::across(int column) const {
  return width * (static_cast<double>(column) / columns - 0.5);
}

double Spokes::along(int row) const {
  return depth * (static_cast<double>(row) / rows - 0.5);
}

Spokes plan_spokes(const WheelSurface& surface, int count, double width, double depth) {
  return {count, width, depth, surface.pieces_of(width), surface.pieces_of(depth)};
}

int rows_beside(const WheelSurface& surface, double inner, double outer) {
  return outer > inner ? surface.pieces_of(outer - inner) : 0;
}

std::vector<double> rows_around(const WheelSurface& surface, double inner, int rows, double outer) {
  const int beside = rows_beside(surface, inner, outer);
  std::vector<double> out;
  const auto add = [&](double from, double to, int count) {
    for (int k = 0; k < count; ++k)
      out.push_back(from + (to - from) * static_cast<double>(k) / count);
  };
  add(-outer, -inner, beside);
  add(-inner, inner, rows);
  add(inner, outer, beside);
  out.push_back(outer);
  return out;
}

SpokeWall add_spoke_wall(WheelSurface& surface, const Spokes& spokes, double radius, double width,
                         Facing facing) {
  const std::vector<double> ys = rows_around(surface, spokes.depth / 2.0, spokes.rows, width / 2.0);
  const int beside = rows_beside(surface, spokes.depth / 2.0, width / 2.0);
  const double half = std::asin(spokes.width / 2.0 / radius);
  GROUSER_ASSERT(std::isfinite(half));
  const double gap = spokes.pitch() - 2.0 * half;
  GROUSER_ASSERT(gap > 0.0);
  const int gap_columns =
      std::max(surface.pieces_of(gap * radius), static_cast<int>(std::ceil(gap / kWidestAngle)));
  const int columns = spokes.columns + gap_columns;

  SpokeWall wall;
  for (int n = 0; n < spokes.count; ++n)
    wall.windows.push_back(
        {n * columns, n * columns + spokes.columns, beside, beside + spokes.rows});
  const auto point = [&](int i, int j) -> WheelPoint {
    const int spoke = i / columns, column = i % columns;
    const double y = ys[static_cast<std::size_t>(j)];
    if (column <= spokes.columns)
      return {spokes.middle(spoke) + std::asin(spokes.across(column) / radius), y, radius};
    const double s = static_cast<double>(column - spokes.columns) / gap_columns;
    return {spokes.middle(spoke) + half + s * gap, y, radius};
  };
  const int rows = static_cast<int>(ys.size()) - 1;
  wall.grid = surface.add_grid({.columns = spokes.count * columns, .rows = rows, .is_ring = true},
                               wall.windows, facing, point);
  wall.left = surface.loop_of(wall.grid, 0, point);
  wall.right = surface.loop_of(wall.grid, rows, point);
  return wall;
}

void add_spoke(WheelSurface& surface, const Spokes& spokes, int spoke, double from_radius,
               double to_radius, const std::vector<std::int32_t>& from,
               const std::vector<std::int32_t>& to) {
  const auto border = border_of({0, spokes.columns, 0, spokes.rows});
  // Every line of vertices is parallel to the spoke and cut evenly; those on the flanks are
  // longest.
  const auto height = [](double radius, double across) {
    return std::sqrt(radius * radius - across * across);
  };
  const double half = spokes.width / 2.0;
  const int layers = surface.pieces_of(height(to_radius, half) - height(from_radius, half));
  surface.add_tube(from, to, layers, [&](std::size_t i, int k) -> WheelPoint {
    const auto& [column, row] = border[i];
    const double across = spokes.across(column);
    const double low = height(from_radius, across), high = height(to_radius, across);
    const double z = low + (high - low) * k / layers;
    return {spokes.middle(spoke) + std::atan2(across, z), spokes.along(row), std::hypot(across, z)};
  });
}

}  // namespace grouser
