#include <array>

#include "grouser/assets/wheel_parts.h"
#include "grouser/assets/wheel_spokes.h"

namespace grouser {

namespace {

/// Both sides of a wheel are walked from the tread to the axis; the left one is the mirror image.
struct Side {
  const WheelLoop& tread;
  double sign;
  bool mirrored;
};
std::array<Side, 2> sides_of(const TreadLoops& tread) {
  return {Side{tread.left, -1.0, true}, Side{tread.right, 1.0, false}};
}

void add_solid(WheelSurface& surface, const TreadLoops& tread) {
  surface.begin_group("side");
  for (const Side& side : sides_of(tread)) surface.close(side.tread, side.mirrored);
}

void add_ring(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread) {
  surface.begin_group("side");
  const WheelLoop left = surface.extend(tread.left, shape.inner_radius, tread.left.y, true);
  const WheelLoop right = surface.extend(tread.right, shape.inner_radius, tread.right.y, false);
  surface.begin_group("body");
  surface.connect(right, left, false);
}

void add_disc(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread) {
  const WheelDef& def = shape.def;
  for (const Side& side : sides_of(tread)) {
    const double disc = side.sign * def.disc_thickness / 2.0, hub = side.sign * def.hub_width / 2.0;
    surface.begin_group("side");
    WheelLoop loop = surface.extend(side.tread, shape.inner_radius, side.tread.y, side.mirrored);
    surface.begin_group("body");
    if (def.disc_thickness < def.width)
      loop = surface.extend(loop, shape.inner_radius, disc, side.mirrored);
    loop = surface.extend(loop, def.hub_radius, disc, side.mirrored);
    if (def.disc_thickness < def.hub_width)
      loop = surface.extend(loop, def.hub_radius, hub, side.mirrored);
    surface.close(loop, side.mirrored);
  }
}

/// The cavity is a surface of its own that looks into it.
void add_drum(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread) {
  add_solid(surface, tread);
  surface.begin_group("body");
  const double y = shape.def.width / 2.0 - shape.def.disc_thickness;
  const WheelLoop outer_right = surface.add_loop(shape.inner_radius, y);
  const WheelLoop outer_left = surface.extend(outer_right, shape.inner_radius, -y, false);
  const WheelLoop hub_left = surface.extend(outer_left, shape.def.hub_radius, -y, false);
  const WheelLoop hub_right = surface.extend(hub_left, shape.def.hub_radius, y, false);
  surface.connect(hub_right, outer_right, false);
}

void add_spoked(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread) {
  const WheelDef& def = shape.def;
  const Spokes spokes = plan_spokes(surface, def.spoke_count, def.spoke_width, def.spoke_depth);
  surface.begin_group("body");
  const SpokeWall rim =
      add_spoke_wall(surface, spokes, shape.inner_radius, def.width, Facing::inward);
  const SpokeWall hub =
      add_spoke_wall(surface, spokes, def.hub_radius, def.hub_width, Facing::outward);
  for (int n = 0; n < spokes.count; ++n) {
    const auto i = static_cast<std::size_t>(n);
    add_spoke(surface, spokes, n, def.hub_radius, shape.inner_radius,
              hub.grid.border(hub.windows[i]), rim.grid.border(rim.windows[i]));
  }
  surface.close(hub.left, true);
  surface.close(hub.right, false);
  surface.begin_group("side");
  surface.connect(tread.left, rim.left, true);
  surface.connect(tread.right, rim.right, false);
}

}  // namespace

void add_body(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread) {
  switch (shape.def.body) {
    case WheelBody::solid:
      return add_solid(surface, tread);
    case WheelBody::ring:
      return add_ring(surface, shape, tread);
    case WheelBody::disc:
      return add_disc(surface, shape, tread);
    case WheelBody::drum:
      return add_drum(surface, shape, tread);
    case WheelBody::spokes:
      return add_spoked(surface, shape, tread);
    case WheelBody::feet:
      return;
  }
}

}  // namespace grouser
