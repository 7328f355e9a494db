// A segment around the axis of a frustum, and the parts of it that are near. Inside the geometry
// room only.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "grouser/shape/elements.h"

namespace grouser {

/// A low of the gap and the part of the segment that it stands for.
struct RodCell {
  double x, gap;
  double rho;       ///< distance from the axis at x
  double from, to;  ///< up to the high next to it, or to where the segment comes within reach
  double high_gap;  ///< of the high at `to`; at least the reach if there is none
};

/// All lows within reach, in turn.
struct RodCells {
  std::array<RodCell, 12> all;
  std::size_t count = 0;

  // Number by number, see RodLine.
  void add(const RodCell& cell) {
    RodCell& next = all[count++];
    next.x = cell.x;
    next.gap = cell.gap;
    next.rho = cell.rho;
    next.from = cell.from;
    next.to = cell.to;
    next.high_gap = cell.high_gap;
  }
};

/// The points from + x way of a segment, with x from 0 to 1, and their distance rho from the axis.
struct RodLine {
  // Number by number: two at a time would have to wait until they are in the cache, if they were
  // written one by one a moment ago.
  explicit RodLine(const Segment& rod)
      : from(rod.from.x(), rod.from.y(), rod.from.z()),
        way(rod.to - rod.from),
        from_squared(from.head<2>().squaredNorm()),
        alpha(from.head<2>().dot(way.head<2>())),
        beta(way.head<2>().squaredNorm()),
        per_beta(1.0 / beta),
        nearest(-alpha * per_beta),
        moment_squared(square(from.x() * way.y() - from.y() * way.x())),
        c_squared(moment_squared * per_beta),
        rho_from(std::sqrt(from_squared)),
        rho_to(rho(1.0)) {}

  Vec3 at(double x) const { return from + x * way; }
  double z(double x) const { return from.z() + x * way.z(); }
  double rho(double x) const { return std::sqrt(from_squared + x * (2.0 * alpha + beta * x)); }

  static double square(double value) { return value * value; }

  Vec3 from, way;
  double from_squared, alpha, beta;  ///< rho^2 = from_squared + 2 alpha x + beta x^2
  double per_beta;                   ///< infinite if the segment is parallel to the axis
  double nearest;                    ///< where the line is nearest to the axis
  double moment_squared, c_squared;  ///< beta c^2 and c^2, which is rho^2 there
  double rho_from, rho_to;
};

/// A point of the segment.
struct RodSpot {
  double x, rho;
};

}  // namespace grouser
