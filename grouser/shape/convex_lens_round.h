// Cylinders and cones of a lens, cut into facets where the overlap is.
#pragma once

#include "grouser/shape/convex_lens_body.h"

namespace grouser {

LensBody cylinder_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                       Scratch& scratch);
LensBody cone_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                   Scratch& scratch);

}  // namespace grouser
