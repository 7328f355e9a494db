// How loose soil moves: displaced soil comes to lie around an object, and slopes that are too steep
// slide down. Functions on a window of ground, row by row (iy * nx + ix); volume is kept to
// rounding and the order of all operations is fixed, so equal windows give equal bits.
//
// Erosion. Soil moves along the edges of the grid, and only from the higher to the lower end of one
// that is steeper than repose:
//
//   axis edges      3/4 (|dh| - l tan)+ / 2,              l = spacing
//   diagonal edges  |dh| (1 - (l tan)^2 / |g|^2)+ / 4,    l = sqrt 2 spacing
//
// where |g|^2 = dh^2 + dh'^2 takes the other diagonal of the same cell along: the slope of the cell
// in its steepest direction, not along the edge. With dh' = 0 and near repose the second is
// (|dh| - l tan) / 2, and what is steeper moves more slowly and never too far. If only slopes along
// edges were limited, ground between the eight directions could be steeper by 1 / cos 22.5 deg, and
// piles would be octagons with 8 % between greatest and least radius. So the limit is a circle; the
// axis edges couple the two checkerboards that diagonals leave apart. Where a closed node is
// across, dh' is 0.
//
// All edges of a direction flow at once, from the heights before, and so do both diagonals of a
// cell: what is seen in a mirror gives what is seen in a mirror, to the bit. Turns: vertical,
// horizontal; diagonals; horizontal, vertical; diagonals. With the factors 3/4 and 1 no height
// swings more than half back. A column 0.6 m high collapses to a cone whose radii at the foot (30
// nodes) differ by 2.9 %, a pile that is fed slowly becomes one of 1.3 %. Half-way up (16 nodes)
// the difference is as great, so 5.6 % and 2.5 % there.
#pragma once

#include <cstdint>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/math/types.h"

namespace grouser {

/// A window of ground. All spans have nx * ny elements, or none where that is allowed.
struct SoilField {
  int nx = 0, ny = 0;
  double spacing = 0.0;                       ///< between nodes [m]
  std::span<double> change = {};              ///< height above the undisturbed ground [m], written
  std::span<const double> ground = {};        ///< undisturbed height [m]; empty: flat
  std::span<const std::uint8_t> closed = {};  ///< kSoilOpen, ...; empty: open everywhere
};

/// Values of SoilField::closed. Soil neither comes to nor goes from a node that is not open.
/// Displaced soil comes to lie next to covered nodes, not next to those beyond the map.
inline constexpr std::uint8_t kSoilOpen = 0;
inline constexpr std::uint8_t kSoilCovered = 1;  ///< under an object
inline constexpr std::uint8_t kSoilBeyond = 2;   ///< beyond the map

/// Soil that must go somewhere.
struct SoilSource {
  double x = 0.0, y = 0.0;   ///< place in nodes of the window, whole or not
  double volume = 0.0;       ///< [m^3], not negative
  Vec2 flow = Vec2::Zero();  ///< where to; its length is the concentration kappa (zero: anywhere)
};

/// Spreads each source over the open nodes next to covered ones (8 neighbours), with weights
///
///   w = exp(kappa (cos psi - 1)) / r^power,   normalised to a sum of 1 for each source,
///
/// psi the angle between flow and the way to the node, r their distance (not less than half a
/// node). kappa = 0 and power = 2: Krenn (2008) eq. 24. Weights are right to 1e-5 of each, their
/// sum to rounding: what is added differs from the volumes by 1e-14 only. Returns the volume [m^3]
/// that found no place because no open node is next to a covered one. Powers 1 and 2 are quick.
double deposit(std::span<const SoilSource> sources, double power, SoilField& field,
               Scratch& scratch);

/// Many sources in few: one for each block of about block x block nodes that has any, at the mean
/// place and with the mean flow, weighted by volume. Where flows disagree, their mean is less
/// concentrated. Valid until the scratch is reset.
std::span<SoilSource> grouped(std::span<const SoilSource> sources, int nx, int ny, int block,
                              Scratch& scratch);

struct ErosionResult {
  double greatest_excess = 0.0;  ///< [m] over one edge, as the last sweep met it
  double moved = 0.0;            ///< heights moved, all edges and sweeps together [m]
};

/// Halves of sweeps, each along two of the four directions. Calls that go on where the last one
/// ended exchange the directions as one long call does.
struct ErosionTurns {
  std::uint64_t first = 0, count = 0;
};
/// All four directions, so many times.
constexpr ErosionTurns whole_sweeps(std::uint64_t count) {
  return {0, 2 * count};
}

/// Lets slopes of ground + change relax towards tan_repose; see the head of this file. Stops after
/// the first sweep that met no excess above `tolerance` [m], at the latest after all turns; edges
/// with less rest. Only edges with an `active` node
/// (not 0; empty: all) move: slopes that were too steep before anything touched them stay. Parts of
/// the window that have come to rest cost nothing.
ErosionResult erode(SoilField& field, double tan_repose, ErosionTurns turns, double tolerance,
                    Scratch& scratch, std::span<const std::uint8_t> active = {});

}  // namespace grouser
