// Contact elements that are exact: the piece of a base triangle that one target triangle covers.
//
// The target is seen along the normal n of the base triangle. Over the piece its depth u below the
// base plane is linear, so that energy, force and torque of the elastic layer are integrals in
// closed form, and the force is the gradient of the energy also where an edge of the target passes
// over the base. Derivation: docs/theory/pcm_pieces.md.
//
// Base and target are given in one frame. Everything is per unit of layer stiffness: times
// c [Pa/m] energies are in J, forces in N. Nothing allocates.
#pragma once

#include <array>
#include <optional>

#include "grouser/math/spatial.h"

namespace grouser {

/// One side of a base triangle: points x beside it have inward . (x - point) > 0.
struct PieceBaseEdge {
  Vec3 point;
  Vec3 inward;  ///< in the plane of the triangle, as long as the edge
  bool closed;  ///< points on the edge belong to this triangle, not to the one beyond
};

/// A base triangle as clipping needs it.
struct PieceBase {
  Vec3 centroid;
  Vec3 normal;  ///< unit, outward; 0 if the triangle is degenerate, then it has no pieces
  std::array<PieceBaseEdge, 3> edges;
};

/// Corners counter-clockwise seen from outside; the normal is that of `face_of`.
PieceBase make_piece_base(const std::array<Vec3, 3>& corners, const Vec3& normal);

/// A target triangle: corners counter-clockwise seen from outside, unit normal or 0.
struct PieceTarget {
  std::array<Vec3, 3> corners;
  Vec3 normal;
};

struct Piece {
  double area = 0.0;            ///< in the base plane [m^2]
  double depth = 0.0;           ///< mean of u over the area [m]
  double greatest_depth = 0.0;  ///< [m]
  double volume = 0.0;          ///< integral of u [m^3]; also the force along -n on the base
  double energy = 0.0;          ///< half the integral of u^2 [m^4]
  Vec3 center = Vec3::Zero();   ///< of pressure, on the target's surface [m]
  Vec3 middle = Vec3::Zero();   ///< centroid of the piece, in the base plane [m]
  Wrench F_base;                ///< on the base, about the origin of the frame [m^4, m^3]
};

/// The piece with 0 < u <= max_depth. False, and `piece` untouched, if there is none or the target
/// triangle does not face the base triangle (edge-on counts as not facing).
/// A piece thinner than rounding is reported with area 0 as long as a line force acts on it: the
/// neighbour's may be its counterpart.
bool make_piece(const PieceBase& base, const PieceTarget& target, double max_depth, Piece& piece);

/// Depth u at which the line from `point` along -n passes through the target triangle, whatever way
/// that faces; negative if the triangle lies above. Nothing if the line misses it or it is edge-on.
/// Precondition: `point` lies in the base plane.
std::optional<double> depth_at(const PieceBase& base, const PieceTarget& target, const Vec3& point);

}  // namespace grouser
