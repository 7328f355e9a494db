#include <algorithm>
#include <cmath>

#include "grouser/assets/wheel_parts.h"

namespace grouser {

namespace {

/// Columns of vertices follow the grousers around; `foot` cells below each and `gap` cells between.
/// Rows lie across the width.
struct TreadGrid {
  int pitches = 1;
  int foot = 0;
  int gap = 0;
  std::vector<double> rows;
  int grouser_begin = 0;  ///< rows between which grousers stand
  int grouser_end = 0;

  int columns() const { return pitches * (foot + gap); }
};

/// Length on the steepest column of the surface, per length along y.
double stretch(const WheelShape& shape, double from, double to) {
  const WheelDef& def = shape.def;
  const double slope = (shape.drop(to) - shape.drop(from)) / (to - from);
  if (def.grouser_count == 0) return std::hypot(1.0, slope);
  const double top =
      std::abs(slope) + def.grouser_height * def.grouser_taper / (def.grouser_width / 2.0);
  const double run = std::tan(def.grouser_angle) * (1.0 + def.grouser_height / def.radius);
  return std::sqrt(1.0 + top * top + run * run);
}

/// Rows between two breaks: evenly along the arc of a crown, else evenly along y.
void append_rows(const WheelSurface& surface, const WheelShape& shape, double from, double to,
                 std::vector<double>& rows) {
  const WheelDef& def = shape.def;
  const double half = def.width / 2.0;
  if (def.crown > 0.0) {
    const double arc = (half * half + def.crown * def.crown) / (2.0 * def.crown);
    const auto latitude = [&](double y) { return std::asin(std::clamp(y / arc, -1.0, 1.0)); };
    const double first = latitude(from), last = latitude(to);
    const double run = def.grouser_count > 0 ? 1.0 / std::cos(def.grouser_angle) : 1.0;
    const int count = surface.pieces_of(arc * (last - first) * run);
    for (int k = 1; k < count; ++k)
      rows.push_back(arc * std::sin(first + (last - first) * k / count));
  } else {
    const int count = surface.pieces_of((to - from) * stretch(shape, from, to));
    for (int k = 1; k < count; ++k) rows.push_back(from + (to - from) * k / count);
  }
  rows.push_back(to);
}

/// The narrowest that a foot or a gap becomes decides nothing; the widest must fit its cells.
void plan_columns(const WheelSurface& surface, const WheelShape& shape, TreadGrid& tread) {
  const WheelDef& def = shape.def;
  if (def.grouser_count == 0) {
    tread.gap = std::max(12, surface.pieces_of(2.0 * kPi * def.radius));
    return;
  }
  const double half = shape.grouser_half_thickness(0.0);
  tread.pitches = def.grouser_count;
  tread.foot = surface.pieces_of(2.0 * def.radius * std::asin(half / shape.lowest_tread));
  tread.gap =
      surface.pieces_of(def.radius * (shape.grouser_pitch() - 2.0 * std::asin(half / def.radius)));
}

TreadGrid plan_tread(const WheelSurface& surface, const WheelShape& shape) {
  TreadGrid tread;
  const std::vector<double> breaks = shape.breaks();
  tread.rows.push_back(breaks.front());
  for (std::size_t b = 1; b < breaks.size(); ++b)
    append_rows(surface, shape, breaks[b - 1], breaks[b], tread.rows);
  plan_columns(surface, shape, tread);

  // Grousers end at a break, the nearest one if theirs coincides with another.
  const auto nearest_row = [&](double y) {
    const auto nearer = [&](double a, double b) { return std::abs(a - y) < std::abs(b - y); };
    const auto row = std::min_element(tread.rows.begin(), tread.rows.end(), nearer);
    return static_cast<int>(row - tread.rows.begin());
  };
  tread.grouser_begin = nearest_row(-shape.def.grouser_width / 2.0);
  tread.grouser_end = nearest_row(shape.def.grouser_width / 2.0);
  return tread;
}

/// Column `column` of the foot of a grouser, at a share of its height above the tread.
WheelPoint grouser_point(const WheelShape& shape, const TreadGrid& tread, int grouser, int column,
                         int row, double share) {
  const double y = tread.rows[static_cast<std::size_t>(row)];
  const double height = share * shape.grouser_height(y);
  const double radius = shape.tread_radius(y) + height;
  const double across = 2.0 * column / tread.foot - 1.0;
  const double middle = grouser * shape.grouser_pitch() + shape.grouser_shift(y);
  // Flanks are flat: their points lie at one distance from the middle plane, not at one angle.
  // Between them columns are even.
  return {middle + across * std::asin(shape.grouser_half_thickness(height) / radius), y, radius};
}

WheelPoint tread_point(const WheelShape& shape, const TreadGrid& tread, int i, int row) {
  const double y = tread.rows[static_cast<std::size_t>(row)];
  const int pitch = i / (tread.foot + tread.gap), column = i % (tread.foot + tread.gap);
  if (tread.foot == 0) return {2.0 * kPi * column / tread.gap, y, shape.tread_radius(y)};
  if (column <= tread.foot) return grouser_point(shape, tread, pitch, column, row, 0.0);
  const double s = static_cast<double>(column - tread.foot) / tread.gap;
  const WheelPoint from = grouser_point(shape, tread, pitch, tread.foot, row, 0.0);
  const WheelPoint to = grouser_point(shape, tread, pitch + 1, 0, row, 0.0);
  return {from.angle + s * (to.angle - from.angle), y, from.radius};
}

/// Walls from the window in the tread up, and the top.
void add_grouser(WheelSurface& surface, const WheelShape& shape, const TreadGrid& tread,
                 int grouser, const std::vector<std::int32_t>& window) {
  const int rows = tread.grouser_end - tread.grouser_begin;
  const double flank = shape.def.grouser_height /
                       (std::cos(shape.def.grouser_side_angle) * std::cos(shape.def.grouser_angle));
  const int layers = surface.pieces_of(flank);
  const auto border = border_of({0, tread.foot, 0, rows});
  const auto wall = [&](std::size_t i, int k) {
    return grouser_point(shape, tread, grouser, border[i][0], tread.grouser_begin + border[i][1],
                         static_cast<double>(k) / layers);
  };
  const std::vector<std::int32_t> top =
      surface.add_border(border.size(), [&](std::size_t i) { return wall(i, layers); });
  surface.add_tube(window, top, layers, wall);
  surface.add_cap(top, tread.foot, rows, [&](int column, int row) {
    return grouser_point(shape, tread, grouser, column, tread.grouser_begin + row, 1.0);
  });
}

}  // namespace

TreadLoops add_tread(WheelSurface& surface, const WheelShape& shape) {
  const TreadGrid tread = plan_tread(surface, shape);
  const int columns = tread.foot + tread.gap, rows = static_cast<int>(tread.rows.size()) - 1;
  std::vector<RimWindow> windows;
  for (int n = 0; n < shape.def.grouser_count; ++n)
    windows.push_back(
        {n * columns, n * columns + tread.foot, tread.grouser_begin, tread.grouser_end});

  const auto point = [&](int i, int row) { return tread_point(shape, tread, i, row); };
  surface.begin_group("tread");
  const WheelGrid grid = surface.add_grid(
      {.columns = tread.columns(), .rows = rows, .is_ring = true}, windows, Facing::outward, point);
  surface.begin_group("grousers");
  for (int n = 0; n < shape.def.grouser_count; ++n)
    add_grouser(surface, shape, tread, n, grid.border(windows[static_cast<std::size_t>(n)]));
  return {surface.loop_of(grid, 0, point), surface.loop_of(grid, rows, point)};
}

}  // namespace grouser
