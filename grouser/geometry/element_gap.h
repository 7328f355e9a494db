// What the gaps of analytic elements are made of. Inside the geometry room only.
#pragma once

#include <cmath>

#include "grouser/math/smooth.h"
#include "grouser/math/types.h"

namespace grouser {

/// Below this share of the reach, or of the radius around an axis, a distance is smoothed.
inline constexpr double kSmoothedShare = 1e-3;

/// A distance and its slope.
struct SmoothDistance {
  double value, slope;
};

/// r itself from e on; below, e/2 + r^2 / (2 e): the slope falls to zero with r.
inline SmoothDistance smooth_distance(double r, double e) {
  if (r >= e) return {r, r > 0.0 ? 1.0 : 0.0};
  return {0.5 * e + 0.5 * r * r / e, r / e};
}

/// The gap beside and over the edge of a plate, and its slopes.
struct PlateGap {
  double gap, by_height, by_beside;
};

/// `height` over the side that is remembered, `beside` how far outside the outline (0 inside).
/// Behind the plate and beside it the gap is the distance d from the rim times 1 - 2 step(angle),
/// with the angle from beside (d) to straight behind (-d): all slopes go over smoothly.
inline PlateGap plate_gap(double height, double beside) {
  if (beside <= 0.0) return {height, 1.0, 0.0};
  const double d = std::sqrt(height * height + beside * beside);
  if (height >= 0.0) return {d, height / d, beside / d};
  const double turn = std::atan2(-height, beside) / (0.5 * kPi);
  const double f = 1.0 - 2.0 * smooth_step(turn);
  const double df = -12.0 * turn * (1.0 - turn) / (0.5 * kPi);
  return {d * f, (f * height - df * beside) / d, (f * beside + df * height) / d};
}

/// The side to remember: `height` counts from the front, `beside` outside the outline.
inline double next_plate_side(double height, double beside, double side, double reach) {
  const double now = height >= 0.0 ? 1.0 : -1.0;
  if (side == 0.0) return now;
  const bool touches = plate_gap(height, beside).gap < reach ||
                       plate_gap(-height, beside).gap < reach || height == 0.0;
  return touches ? side : now;
}

/// How large a share of the force goes to a piece of a polyline at a corner where its neighbour is
/// near, too. `own` and `other` say how far the feet on both are inside their pieces (positive),
/// `distance` how far the corner is. Where the pieces make a gentle bend, shares add to one; in a
/// sharp corner both touch. The far half of the piece, of this `length`, knows nothing of it.
inline double corner_share(double own, double other, double distance, double length) {
  return smooth_step(own / std::min(own + other, 0.5 * std::min(distance, length)));
}

}  // namespace grouser
