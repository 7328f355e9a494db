// The parts a wheel is put together from.
#pragma once

#include <utility>

#include "grouser/assets/wheel_shape.h"
#include "grouser/assets/wheel_surface.h"

namespace grouser {

/// The edges of the tread.
struct TreadLoops {
  WheelLoop left;   ///< at y = -width / 2
  WheelLoop right;  ///< at y = +width / 2
};

/// Tread and grousers. Groups "tread" and "grousers".
TreadLoops add_tread(WheelSurface& surface, const WheelShape& shape);

/// Everything between the edges of the tread: sides, rim, hub and what holds them together.
/// Groups "side" (faces at y = +-width / 2) and "body".
void add_body(WheelSurface& surface, const WheelShape& shape, const TreadLoops& tread);

/// A wheel of feet, legs and hub. Groups "feet" and "body".
void add_feet(WheelSurface& surface, const WheelShape& shape);

}  // namespace grouser
