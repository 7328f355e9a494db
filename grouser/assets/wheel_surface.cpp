#include "grouser/assets/wheel_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

constexpr int kFewestAround = 12;
constexpr double kTurn = 2.0 * kPi;

}  // namespace

std::vector<std::array<int, 2>> border_of(const RimWindow& window) {
  std::vector<std::array<int, 2>> border;
  for (int i = window.column_begin; i < window.column_end; ++i)
    border.push_back({i, window.row_begin});
  for (int j = window.row_begin; j < window.row_end; ++j) border.push_back({window.column_end, j});
  for (int i = window.column_end; i > window.column_begin; --i)
    border.push_back({i, window.row_end});
  for (int j = window.row_end; j > window.row_begin; --j)
    border.push_back({window.column_begin, j});
  return border;
}

std::vector<std::int32_t> WheelGrid::border(const RimWindow& window) const {
  std::vector<std::int32_t> out;
  for (const auto& [column, row] : border_of(window)) out.push_back(at(column, row));
  return out;
}

WheelSurface::WheelSurface(std::vector<std::string> group_names, double cell) : cell_(cell) {
  mesh_.group_names = std::move(group_names);
}

void WheelSurface::begin_group(const std::string& name) {
  const auto& names = mesh_.group_names;
  group_ = static_cast<std::int32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  GROUSER_ASSERT(static_cast<std::size_t>(group_) < names.size());
}

std::int32_t WheelSurface::add(const WheelPoint& point) {
  mesh_.vertices.emplace_back(point.radius * std::sin(point.angle), point.y,
                              point.radius * std::cos(point.angle));
  return static_cast<std::int32_t>(mesh_.vertices.size() - 1);
}

void WheelSurface::add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
  mesh_.triangles.push_back({a, b, c});
  mesh_.groups.push_back(group_);
}

void WheelSurface::add_quad(std::int32_t p, std::int32_t q, std::int32_t r, std::int32_t s) {
  const auto distance = [&](std::int32_t a, std::int32_t b) {
    return (mesh_.vertices[static_cast<std::size_t>(a)] -
            mesh_.vertices[static_cast<std::size_t>(b)])
        .norm();
  };
  const auto from_middle = [&](std::int32_t a) {
    return std::abs(mesh_.vertices[static_cast<std::size_t>(a)].y());
  };
  // Rounding must not choose between equal diagonals. The rule for them makes both flanks of a
  // twisted grouser alike, so that those of neighbours do not meet in a narrow gap, and left and
  // right mirror images.
  const double pr = distance(p, r), qs = distance(q, s);
  const bool equal = std::abs(pr - qs) <= 1e-9 * pr;
  if (equal ? from_middle(q) < from_middle(p) : qs < pr) {
    add_triangle(p, q, s);
    add_triangle(q, r, s);
  } else {
    add_triangle(p, q, r);
    add_triangle(p, r, s);
  }
}

WheelGrid WheelSurface::add_grid(WheelGrid grid, const std::vector<RimWindow>& windows,
                                 Facing facing, const std::function<WheelPoint(int, int)>& point) {
  const int vertex_columns = grid.is_ring ? grid.columns : grid.columns + 1;
  grid.ids.assign(
      static_cast<std::size_t>(vertex_columns) * static_cast<std::size_t>(grid.rows + 1), 0);
  std::vector<bool> is_open(static_cast<std::size_t>(grid.columns * grid.rows), false);
  const auto cell_index = [&](int i, int j) { return static_cast<std::size_t>(i * grid.rows + j); };
  for (const RimWindow& window : windows) {
    GROUSER_ASSERT(window.column_begin < window.column_end && window.column_end <= grid.columns);
    GROUSER_ASSERT(window.row_begin < window.row_end && window.row_end <= grid.rows);
    for (int i = window.column_begin; i < window.column_end; ++i)
      for (int j = window.row_begin; j < window.row_end; ++j) is_open[cell_index(i, j)] = true;
    for (int i = window.column_begin + 1; i < window.column_end; ++i)
      for (int j = window.row_begin + 1; j < window.row_end; ++j) grid.at(i, j) = -1;
  }
  for (int i = 0; i < vertex_columns; ++i)
    for (int j = 0; j <= grid.rows; ++j)
      if (grid.at(i, j) >= 0) grid.at(i, j) = add(point(i, j));
  for (int i = 0; i < grid.columns; ++i)
    for (int j = 0; j < grid.rows; ++j) {
      if (is_open[cell_index(i, j)]) continue;
      const std::int32_t p = grid.at(i, j), q = grid.at(i + 1, j);
      const std::int32_t r = grid.at(i + 1, j + 1), s = grid.at(i, j + 1);
      if (facing == Facing::outward)
        add_quad(p, q, r, s);
      else
        add_quad(p, s, r, q);
    }
  return grid;
}

void WheelSurface::add_tube(const std::vector<std::int32_t>& from,
                            const std::vector<std::int32_t>& to, int layers,
                            const std::function<WheelPoint(std::size_t, int)>& point) {
  const std::size_t count = from.size();
  GROUSER_ASSERT(to.size() == count && count >= 3 && layers >= 1);
  std::vector<std::int32_t> below = from;
  for (int k = 1; k <= layers; ++k) {
    const std::vector<std::int32_t> above =
        k == layers ? to : add_border(count, [&](std::size_t i) { return point(i, k); });
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t next = (i + 1) % count;
      add_quad(below[i], below[next], above[next], above[i]);
    }
    below = above;
  }
}

std::vector<std::int32_t> WheelSurface::add_border(
    std::size_t count, const std::function<WheelPoint(std::size_t)>& point) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(add(point(i)));
  return ids;
}

void WheelSurface::add_cap(const std::vector<std::int32_t>& border, int columns, int rows,
                           const std::function<WheelPoint(int, int)>& point) {
  WheelGrid grid{.columns = columns, .rows = rows};
  grid.ids.assign(static_cast<std::size_t>(columns + 1) * static_cast<std::size_t>(rows + 1), -1);
  GROUSER_ASSERT(border.size() == 2 * static_cast<std::size_t>(columns + rows));
  std::size_t next = 0;
  for (const auto& [i, j] : border_of({0, columns, 0, rows})) grid.at(i, j) = border[next++];
  for (int i = 1; i < columns; ++i)
    for (int j = 1; j < rows; ++j) grid.at(i, j) = add(point(i, j));
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j)
      add_quad(grid.at(i, j), grid.at(i + 1, j), grid.at(i + 1, j + 1), grid.at(i, j + 1));
}

int WheelSurface::pieces_of(double length) const {
  GROUSER_ASSERT(length >= 0.0 && cell_ > 0.0);
  // A length of whole cells is not cut once more for its rounding.
  return std::max(1, static_cast<int>(std::ceil(length / cell_ - 1e-9)));
}

int WheelSurface::count_on(double radius) const {
  return std::max(kFewestAround, pieces_of(kTurn * radius));
}

WheelLoop WheelSurface::add_loop(double radius, double y) {
  WheelLoop loop{{}, {}, radius, y};
  const int count = count_on(radius);
  for (int i = 0; i < count; ++i) {
    loop.angles.push_back(kTurn * i / count);
    loop.ids.push_back(add({loop.angles.back(), y, radius}));
  }
  return loop;
}

WheelLoop WheelSurface::loop_of(const WheelGrid& grid, int row,
                                const std::function<WheelPoint(int, int)>& point) const {
  const WheelPoint first = point(0, row);
  WheelLoop loop{{}, {}, first.radius, first.y};
  for (int i = 0; i < grid.columns; ++i) {
    loop.ids.push_back(grid.at(i, row));
    loop.angles.push_back(point(i, row).angle);
  }
  return loop;
}

void WheelSurface::connect(const WheelLoop& from, const WheelLoop& to, bool mirrored) {
  const double d_radius = to.radius - from.radius, dy = to.y - from.y;
  const int steps = pieces_of(std::hypot(d_radius, dy));
  WheelLoop last = from;
  for (int k = 1; k < steps; ++k) {
    const double s = static_cast<double>(k) / steps;
    WheelLoop next{{}, from.angles, from.radius, from.y + s * dy};
    if (d_radius == 0.0)
      for (const double angle : next.angles) next.ids.push_back(add({angle, next.y, next.radius}));
    else
      next = add_loop(from.radius + s * d_radius, from.y + s * dy);
    join(last, next, mirrored);
    last = std::move(next);
  }
  join(last, to, mirrored);
}

WheelLoop WheelSurface::extend(const WheelLoop& from, double radius, double y, bool mirrored) {
  WheelLoop to{{}, from.angles, radius, y};
  if (radius == from.radius)
    for (const double angle : to.angles) to.ids.push_back(add({angle, y, radius}));
  else
    to = add_loop(radius, y);
  connect(from, to, mirrored);
  return to;
}

void WheelSurface::close(const WheelLoop& from, bool mirrored) {
  const int steps = pieces_of(from.radius);
  WheelLoop last = from;
  if (steps > 1) last = extend(from, from.radius / steps, from.y, mirrored);
  const std::int32_t center = add({0.0, from.y, 0.0});
  for (std::size_t i = 0; i < last.ids.size(); ++i) {
    const std::int32_t a = last.ids[i], b = last.ids[(i + 1) % last.ids.size()];
    if (mirrored)
      add_triangle(b, a, center);
    else
      add_triangle(a, b, center);
  }
}

/// Both loops are walked through together; the one whose next piece has the smaller middle goes
/// on, so that every vertex is joined to one near its own angle.
void WheelSurface::join(const WheelLoop& from, const WheelLoop& to, bool mirrored) {
  const std::size_t n = from.ids.size(), m = to.ids.size();
  GROUSER_ASSERT(n == from.angles.size() && m == to.angles.size());
  GROUSER_ASSERT(std::is_sorted(to.angles.begin(), to.angles.end()));
  const auto apart = [&](std::size_t j) {
    return std::remainder(to.angles[j] - from.angles[0], kTurn);
  };
  std::size_t start = 0;
  for (std::size_t j = 1; j < m; ++j)
    if (std::abs(apart(j)) < std::abs(apart(start)) - 1e-9) start = j;
  const double turn_back = to.angles[start] - (from.angles[0] + apart(start));

  const auto angle_from = [&](std::size_t i) {
    const std::size_t turns = i / n;
    return from.angles[i % n] + kTurn * static_cast<double>(turns);
  };
  const auto angle_to = [&](std::size_t j) {
    const std::size_t turns = (start + j) / m;
    return to.angles[(start + j) % m] + kTurn * static_cast<double>(turns) - turn_back;
  };
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    const bool first_goes_on = j == m || (i < n && angle_from(i) + angle_from(i + 1) <=
                                                       angle_to(j) + angle_to(j + 1) + 1e-9);
    const std::int32_t a = from.ids[i % n], b = to.ids[(start + j) % m];
    const std::int32_t c = first_goes_on ? from.ids[(i + 1) % n] : to.ids[(start + j + 1) % m];
    if (mirrored)
      add_triangle(c, a, b);
    else
      add_triangle(a, c, b);
    ++(first_goes_on ? i : j);
  }
}

TriangleMesh WheelSurface::take() {
  std::vector<std::int32_t> number(mesh_.group_names.size(), -1);
  std::vector<std::string> names;
  for (std::size_t g = 0; g < number.size(); ++g) {
    const auto wanted = static_cast<std::int32_t>(g);
    if (std::find(mesh_.groups.begin(), mesh_.groups.end(), wanted) == mesh_.groups.end()) continue;
    number[g] = static_cast<std::int32_t>(names.size());
    names.push_back(mesh_.group_names[g]);
  }
  for (std::int32_t& group : mesh_.groups) group = number[static_cast<std::size_t>(group)];
  mesh_.group_names = std::move(names);
  return std::move(mesh_);
}

}  // namespace grouser
