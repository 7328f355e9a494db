// How many triangles a wheel will have: known before any is made, so that none is made in vain.
#include <algorithm>
#include <cmath>

#include "grouser/assets/wheel_shape.h"

namespace grouser {

namespace {

/// In numbers of cells, two triangles each.
struct CellCount {
  double cell;

  double along(double length) const { return std::max(1.0, length / cell + 0.5); }
  double around(double radius) const { return std::max(12.0, 2.0 * kPi * radius / cell + 0.5); }
  double wall(double radius, double width) const { return around(radius) * along(width); }
  double disc(double radius) const { return 0.5 * around(radius) * along(radius); }
};

/// Of a line across the tread, or along the top of a grouser where there are some.
double length_across(const WheelDef& def) {
  double taper = 0.0, run = 0.0;
  if (def.grouser_count > 0) {
    taper = def.grouser_taper * def.grouser_height / (def.grouser_width / 2.0);
    run = std::tan(def.grouser_angle) * (1.0 + def.grouser_height / def.radius);
  }
  const auto piece = [&](double along_axis, double drop) {
    const double slope = std::abs(drop) / along_axis + taper;
    return along_axis * std::sqrt(1.0 + slope * slope + run * run);
  };
  if (def.curve.empty()) return 2.0 * piece(def.width / 2.0, def.crown);
  double sum = 0.0;
  for (std::size_t i = 1; i < def.curve.size(); ++i) {
    const Vec2 step = def.curve[i] - def.curve[i - 1];
    sum += piece(step.x() * def.width / 2.0, step.y());
  }
  return sum;
}

double tread_cells(const WheelShape& shape, const CellCount& count) {
  const WheelDef& def = shape.def;
  const double rows = count.along(length_across(def)) + static_cast<double>(shape.breaks().size());
  if (def.grouser_count == 0) return count.around(def.radius) * rows;
  const double flank =
      def.grouser_height / (std::cos(def.grouser_angle) * std::cos(def.grouser_side_angle));
  const double foot = count.along(2.0 * shape.grouser_half_thickness(0.0));
  const double share = std::min(1.0, def.grouser_width / def.width);
  return (count.around(def.radius) + def.grouser_count) * rows +
         2.0 * def.grouser_count * count.along(flank) * (share * rows + foot);
}

double spoke_cells(const WheelShape& shape, const CellCount& count, int spokes) {
  const WheelDef& def = shape.def;
  const double length = count.along(shape.inner_radius - def.hub_radius);
  return 2.0 * spokes * (count.along(def.spoke_width) + count.along(def.spoke_depth)) * length +
         2.0 * count.disc(def.hub_radius) + count.wall(def.hub_radius, def.hub_width) +
         spokes * count.along(def.hub_width);
}

double body_cells(const WheelShape& shape, const CellCount& count) {
  const WheelDef& def = shape.def;
  const double lids = 2.0 * count.disc(def.radius);
  const double inside = count.wall(shape.inner_radius, def.width);
  const double rim_sides = lids - 2.0 * count.disc(shape.inner_radius) + count.around(def.radius);
  switch (def.body) {
    case WheelBody::solid:
      return lids;
    case WheelBody::ring:
      return rim_sides + inside;
    case WheelBody::disc:
      return lids + inside + count.wall(def.hub_radius, def.hub_width);
    case WheelBody::drum:
      return 2.0 * lids + inside + count.wall(def.hub_radius, def.width);
    case WheelBody::spokes:
      return rim_sides + inside + def.spoke_count * count.along(def.width) +
             spoke_cells(shape, count, def.spoke_count);
    case WheelBody::feet:
      break;
  }
  const double arc =
      2.0 * shape.inner_radius * std::asin(def.foot_length / 2.0 / shape.inner_radius);
  const double length = count.along(arc) + 1.0, width = count.along(def.width) + 1.0;
  const double height = count.along(def.foot_height) + 1.0;
  return def.foot_count * 2.0 * (length * width + (length + width) * height) +
         spoke_cells(shape, count, def.foot_count);
}

}  // namespace

double estimated_triangles(const WheelShape& shape) {
  const CellCount count{shape.cell};
  const bool has_tread = shape.def.body != WheelBody::feet;
  return 2.0 * (body_cells(shape, count) + (has_tread ? tread_cells(shape, count) : 0.0));
}

}  // namespace grouser
