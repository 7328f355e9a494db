// The surface of an elevation map over one cell, as a polynomial of its own.
//
// Along one axis, from the four numbers m, p, q, r around the cell, with t in [0, 1] between p and
// q, all smooth kinds are
//
//   a0 + a1 t + a2 t^2 + a3 b(t),   a1 = (q - m) / 2,  a2 = (q - 2 p + m) / 2,
//                                   a3 = m - 3 p + 3 q - r
//
//   cubic     a0 = p            b = (t^2 - t^3) / 2
//   quintic   a0 = p            b = t^3 (3/2 - 5/2 t + t^2)
//   bspline   a0 = p + a2 / 3   b = -t^3 / 6
//
// so that a patch has 4 x 4 coefficients, made by a few differences, whatever the kind.
#pragma once

#include <algorithm>
#include <array>

#include "grouser/map/elevation_map.h"
#include "grouser/math/registers.h"

namespace grouser {

/// Made by ElevationMap::patch(); does not need the map any more.
class ElevationPatch {
 public:
  /// What the map says, to rounding, where the patch covers the point. Elsewhere the polynomial
  /// goes on; only beyond a border of the map that the cell lies at, the border's rule holds.
  SurfaceHeight at(double x, double y) const;

  /// In the cell, with its border; a cell at the border of the map goes on beyond it.
  bool covers(double x, double y) const {
    const auto within = [](double t, const Ends& ends) {
      const double on = std::clamp(t, ends.lowest, ends.highest);
      return on >= 0.0 && on <= 1.0;
    };
    return within(along_x(x), ends_x_) && within(along_y(y), ends_y_);
  }

  /// Between the nodes (ix, iy) and (ix + 1, iy + 1) of the map.
  std::size_t ix() const { return static_cast<std::size_t>(cell_.x()); }
  std::size_t iy() const { return static_cast<std::size_t>(cell_.y()); }
  /// No gap of the map takes part.
  bool known() const { return known_; }

 private:
  friend class ElevationMap;
  using Pair = registers::Double2;

  /// Where along an axis the polynomial ends: at the border of the map, or nowhere [cells].
  struct Ends {
    double lowest, highest;
  };

  double along_x(double x) const { return (x - origin_.x()) * inverse_spacing_ - cell_.x(); }
  double along_y(double y) const { return (y - origin_.y()) * inverse_spacing_ - cell_.y(); }
  void make_coefficients(const double* first, std::size_t stride);

  // For each power along y the coefficients of 1, t along x, and of t^2, b(t).
  std::array<Pair, 4> low_, high_;
  Vec2 origin_, cell_;  // of the map; number of the cell, along x and y
  Ends ends_x_, ends_y_;
  double inverse_spacing_;
  ElevationMap::Kind kind_;
  ElevationMap::Border border_;
  bool known_;
};

}  // namespace grouser
