#include <cmath>

#include "grouser/assets/wheel_parts.h"
#include "grouser/assets/wheel_spokes.h"

namespace grouser {

namespace {

/// A foot: vertices lie on columns across its length and rows across its width, in layers from its
/// inside out. The ends are flat and parallel.
struct Foot {
  std::vector<double> columns;  ///< distance from the middle plane
  std::vector<double> rows;     ///< y
  RimWindow leg;
  double radius;
  double height;
  double chamfer;
  int wall_layers;
  int chamfer_layers;

  RimWindow whole() const {
    return {0, static_cast<int>(columns.size()) - 1, 0, static_cast<int>(rows.size()) - 1};
  }
  WheelPoint point(double middle, int column, int row, int layer) const;
};

WheelPoint Foot::point(double middle, int column, int row, int layer) const {
  const bool on_wall = layer <= wall_layers;
  const double inset =
      on_wall || chamfer == 0.0 ? 0.0 : chamfer * (layer - wall_layers) / chamfer_layers;
  const double from_axis = on_wall ? radius - height + (height - chamfer) * layer / wall_layers
                                   : radius - chamfer + inset;
  const double half_length = columns.back(), half_width = rows.back();
  const double across =
      columns[static_cast<std::size_t>(column)] * (half_length - inset) / half_length;
  const double y = rows[static_cast<std::size_t>(row)] * (half_width - inset) / half_width;
  return {middle + std::asin(across / from_axis), y, from_axis};
}

/// Evenly across the leg, and along the sole beside it. The inside, more curved, has the longest
/// cells and so decides how many.
std::vector<double> foot_columns(const WheelSurface& surface, const WheelShape& shape,
                                 const Spokes& legs) {
  const double half_leg = legs.width / 2.0, half_foot = shape.def.foot_length / 2.0;
  const auto beside = [&](double radius) {
    return std::asin(half_foot / radius) - std::asin(half_leg / radius);
  };
  const double radius = shape.def.radius, arc = beside(radius);
  const int count =
      arc > 0.0 ? surface.pieces_of(shape.inner_radius * beside(shape.inner_radius)) : 0;
  std::vector<double> columns;
  const auto place = [&](int k) {
    return k == 0 ? half_foot : radius * std::sin(std::asin(half_foot / radius) - arc * k / count);
  };
  for (int k = 0; k < count; ++k) columns.push_back(-place(k));
  for (int i = 0; i <= legs.columns; ++i) columns.push_back(legs.across(i));
  for (int k = count; k-- > 0;) columns.push_back(place(k));
  return columns;
}

Foot plan_foot(const WheelSurface& surface, const WheelShape& shape, const Spokes& legs) {
  const WheelDef& def = shape.def;
  const double width = def.width / 2.0;
  Foot foot;
  foot.columns = foot_columns(surface, shape, legs);
  foot.rows = rows_around(surface, legs.depth / 2.0, legs.rows, width);
  const int column = (static_cast<int>(foot.columns.size()) - 1 - legs.columns) / 2;
  const int row = rows_beside(surface, legs.depth / 2.0, width);
  foot.leg = {column, column + legs.columns, row, row + legs.rows};
  foot.radius = def.radius;
  foot.height = def.foot_height;
  foot.chamfer = def.foot_chamfer;
  foot.wall_layers = surface.pieces_of(def.foot_height - def.foot_chamfer);
  foot.chamfer_layers =
      def.foot_chamfer > 0.0 ? surface.pieces_of(std::sqrt(2.0) * def.foot_chamfer) : 0;
  return foot;
}

/// Returns the border of the leg's window.
std::vector<std::int32_t> add_foot(WheelSurface& surface, const Foot& foot, double middle) {
  const RimWindow whole = foot.whole();
  const int layers = foot.wall_layers + foot.chamfer_layers;
  const WheelGrid inside =
      surface.add_grid({.columns = whole.columns(), .rows = whole.rows()}, {foot.leg},
                       Facing::inward, [&](int i, int j) { return foot.point(middle, i, j, 0); });
  const auto border = border_of(whole);
  const auto wall = [&](std::size_t i, int k) {
    return foot.point(middle, border[i][0], border[i][1], k);
  };
  const std::vector<std::int32_t> sole =
      surface.add_border(border.size(), [&](std::size_t i) { return wall(i, layers); });
  surface.add_tube(inside.border(whole), sole, layers, wall);
  surface.add_cap(sole, whole.columns(), whole.rows(),
                  [&](int i, int j) { return foot.point(middle, i, j, layers); });
  return inside.border(foot.leg);
}

}  // namespace

void add_feet(WheelSurface& surface, const WheelShape& shape) {
  const WheelDef& def = shape.def;
  const Spokes legs = plan_spokes(surface, def.foot_count, def.spoke_width, def.spoke_depth);
  const Foot foot = plan_foot(surface, shape, legs);
  surface.begin_group("body");
  const SpokeWall hub =
      add_spoke_wall(surface, legs, def.hub_radius, def.hub_width, Facing::outward);
  surface.close(hub.left, true);
  surface.close(hub.right, false);
  for (int n = 0; n < legs.count; ++n) {
    surface.begin_group("feet");
    const std::vector<std::int32_t> window = add_foot(surface, foot, legs.middle(n));
    surface.begin_group("body");
    add_spoke(surface, legs, n, def.hub_radius, shape.inner_radius,
              hub.grid.border(hub.windows[static_cast<std::size_t>(n)]), window);
  }
}

}  // namespace grouser
