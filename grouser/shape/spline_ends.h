#pragma once

namespace grouser {

/// How a spline ends: `natural` without curvature, `clamped` in a given direction, `periodic` by
/// going on at its first point.
enum class SplineEnds { natural, clamped, periodic };

}  // namespace grouser
