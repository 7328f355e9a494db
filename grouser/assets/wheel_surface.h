// The surface of a wheel while it grows: grids, tubes and loops that share their vertices.
//
// Points are (angle about +y from z towards x, y, distance from the axis), which are right-handed
// in this order: a grid whose columns run along the angle and whose rows run along y looks away
// from the axis.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

struct WheelPoint {
  double angle;
  double y;
  double radius;
};

enum class Facing { outward, inward };

/// Cells [column_begin, column_end) x [row_begin, row_end) of a grid that are left open.
struct RimWindow {
  int column_begin;
  int column_end;
  int row_begin;
  int row_end;

  int columns() const { return column_end - column_begin; }
  int rows() const { return row_end - row_begin; }
};

/// Vertices (column, row) around a grid or window, counter-clockwise as seen from away of the axis.
std::vector<std::array<int, 2>> border_of(const RimWindow& window);

/// The numbers of the vertices of a grid of cells; a ring has no last column.
struct WheelGrid {
  int columns = 0;
  int rows = 0;
  bool is_ring = false;
  std::vector<std::int32_t> ids = {};

  std::int32_t& at(int column, int row) { return ids[index(column, row)]; }
  std::int32_t at(int column, int row) const { return ids[index(column, row)]; }
  std::vector<std::int32_t> border(const RimWindow& window) const;

 private:
  std::size_t index(int column, int row) const {
    const int c = is_ring ? column % columns : column;
    GROUSER_ASSERT(c >= 0 && c <= columns && row >= 0 && row <= rows);
    return static_cast<std::size_t>(c) * static_cast<std::size_t>(rows + 1) +
           static_cast<std::size_t>(row);
  }
};

/// A closed line of vertices around the axis, by ascending angle.
struct WheelLoop {
  std::vector<std::int32_t> ids;
  std::vector<double> angles;
  double radius;
  double y;
};

class WheelSurface {
 public:
  /// `cell`: sides of cells are at most about this long, their diagonals sqrt(2) times that.
  WheelSurface(std::vector<std::string> group_names, double cell);

  /// What is added from now on belongs to this group.
  void begin_group(const std::string& name);
  std::int32_t add(const WheelPoint& point);
  void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c);
  /// Cut along the shorter diagonal; of equal ones, along that through the one of p and q that is
  /// nearer to the middle of the width.
  void add_quad(std::int32_t p, std::int32_t q, std::int32_t r, std::int32_t s);

  /// Makes vertices (none inside windows) and cells.
  WheelGrid add_grid(WheelGrid size, const std::vector<RimWindow>& windows, Facing facing,
                     const std::function<WheelPoint(int column, int row)>& point);

  /// Walls from a border away from the axis to another one of as many vertices, in `layers` steps;
  /// point(i, k) is vertex i after step k < layers.
  void add_tube(const std::vector<std::int32_t>& from, const std::vector<std::int32_t>& to,
                int layers, const std::function<WheelPoint(std::size_t i, int k)>& point);

  /// New vertices for such a border.
  std::vector<std::int32_t> add_border(std::size_t count,
                                       const std::function<WheelPoint(std::size_t i)>& point);

  /// Closes a border of columns x rows cells by a grid that looks outward.
  void add_cap(const std::vector<std::int32_t>& border, int columns, int rows,
               const std::function<WheelPoint(int column, int row)>& point);

  /// Evenly spaced vertices.
  WheelLoop add_loop(double radius, double y);
  WheelLoop loop_of(const WheelGrid& grid, int row,
                    const std::function<WheelPoint(int column, int row)>& point) const;

  /// Faces between two loops in steps of about a cell. They look along (direction of the angle) x
  /// (from -> to), which is +y on the way to the axis; the other way if `mirrored`.
  void connect(const WheelLoop& from, const WheelLoop& to, bool mirrored);
  /// Makes a loop and connects it; along the axis it keeps the angles.
  WheelLoop extend(const WheelLoop& from, double radius, double y, bool mirrored);
  /// Closes a loop by a flat lid.
  void close(const WheelLoop& from, bool mirrored);

  double cell() const { return cell_; }
  /// Pieces of at most a cell, at least one.
  int pieces_of(double length) const;

  /// With those groups that have triangles.
  TriangleMesh take();

 private:
  int count_on(double radius) const;
  void join(const WheelLoop& from, const WheelLoop& to, bool mirrored);

  TriangleMesh mesh_;
  double cell_;
  std::int32_t group_ = 0;
};

}  // namespace grouser
