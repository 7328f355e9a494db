// What the gaps of analytic elements are made of. Inside the geometry room only.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

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

/// How wide the lip of a plate is: behind the plate and not further than this beside it.
inline double lip_width(double reach) {
  return reach > 0.0 ? 0.5 * reach : std::numeric_limits<double>::infinity();
}

/// The gap beside and over the edge of a plate, and its slopes.
struct PlateGap {
  double gap, by_height, by_beside;
};

/// `height` over the side that is remembered, `beside` how far outside the outline (0 inside).
/// Over the plate the gap is the height, beside it the distance d from the rim. At the lip it goes
/// over from -d straight behind the rim to d, with the angle around it and with the way beside it:
/// all slopes go over smoothly.
inline PlateGap plate_gap(double height, double beside, double lip) {
  if (beside <= 0.0) return {height, 1.0, 0.0};
  const double d = std::sqrt(height * height + beside * beside);
  if (height >= 0.0 || beside >= lip) return {d, height / d, beside / d};
  const double turn = std::atan2(-height, beside) / (0.5 * kPi), turned = smooth_step(turn);
  const double part = beside / lip, left = 1.0 - smooth_step(part);
  const double f = 1.0 - 2.0 * turned * left;
  const double f_by_angle = -12.0 * turn * (1.0 - turn) / (0.5 * kPi) * left;
  const double f_by_beside = lip < std::numeric_limits<double>::infinity()
                                 ? 12.0 * part * (1.0 - part) / lip * turned
                                 : 0.0;
  return {d * f, (f * height - f_by_angle * beside) / d,
          (f * beside + f_by_angle * height) / d + d * f_by_beside};
}

/// The side to remember: `height` counts from the front, `beside` outside the outline. It changes
/// where both sides are free, and beside the lip, where they do not differ.
inline double next_plate_side(double height, double beside, double side, double reach) {
  const double now = height >= 0.0 ? 1.0 : -1.0;
  if (side == 0.0) return now;
  const double lip = lip_width(reach);
  if (beside >= lip) return now;
  const bool touches = plate_gap(height, beside, lip).gap < reach ||
                       plate_gap(-height, beside, lip).gap < reach || height == 0.0;
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
