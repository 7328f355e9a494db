// The pressure of a body that gives way on the surface of a cylinder or cone.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "grouser/math/gauss_rules.h"
#include "grouser/shape/round_surface.h"
#include "grouser/shape/soft_body.h"

namespace grouser {

/// Adds the pressure of a body with flat faces.
void press_round(const RoundSurface& surface, const SoftBody& soft, Scratch& scratch,
                 PressureSums& sums);

/// Adds the pressure of another cylinder or cone. `deepest`: a point of the surface in it, relative
/// to place.p_WO.
void press_round_pair(const RoundSurface& surface, const ConvexShape& soft, const Pose& X_WS,
                      const OverlapPlace& place, const Vec3& deepest, PressureSums& sums);

// Parts of it.

/// Angles about the axis between which what lines meet changes smoothly, ascending; at least one.
std::span<const double> smooth_angles(const RoundSurface& surface, const SoftBody& soft,
                                      Scratch& scratch);

/// How what lies between two angles is divided into pieces that have a set of Gauss points each.
struct SidePieces {
  double widest;  ///< [rad]
  int least = 1;  ///< number of pieces
};
/// Adds the side, line by line, between two angles if meets(line) says so of the line in the
/// middle; press(line) returns LineSums.
template <class Meets, class Press>
void press_side(const RoundSurface& surface, std::span<const double> angles,
                const SidePieces& division, const Meets& meets, const Press& press,
                PressureSums& sums) {
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double from = angles[i];
    const double to = i + 1 < angles.size() ? angles[i + 1] : angles[0] + 2.0 * kPi;
    if (!(to - from > 1e-12)) continue;
    if (!meets(surface.line(0.5 * (from + to)))) continue;
    const int pieces =
        std::max(division.least, static_cast<int>(std::ceil((to - from) / division.widest)));
    const double half = 0.5 * (to - from) / pieces;
    for (int k = 0; k < pieces; ++k)
      for (const GaussPoint& point : kGauss6) {
        const SurfaceLine line = surface.line(from + half * (2 * k + 1 + point.place));
        press(line).add_to(sums, half * point.weight, line.start, line.direction, line.normal);
      }
  }
}

/// Adds the integral of a pressure q0 + q1 s over a piece of a line.
void add_piece(const SurfaceLine& line, double from, double to, double q0, double q1,
               LineSums& sums);
/// Adds the part of a line that is in a cell.
void add_line(const SurfaceLine& line, const DepthCell& cell, LineSums& sums);
/// Adds what a polygon has in common with a lid, in whose plane it lies.
void add_lid(const Lid& lid, std::span<const Vec3> polygon, const LinearField& depth,
             Scratch& scratch, FaceSums& sums);

}  // namespace grouser
