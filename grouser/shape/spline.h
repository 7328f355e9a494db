// A smooth curve through points: cubic pieces with continuous curvature.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grouser/math/types.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/spline_ends.h"

namespace grouser {

/// A cubic spline with the length of chords as its parameter t, from 0 to `period`.
class Spline {
 public:
  /// Through the points in turn; a periodic one closes by itself, its first point is not repeated.
  /// Throws InputError, without a place, if there are fewer than two points (three if periodic),
  /// neighbours coincide or a number is not finite.
  static Spline natural(const std::vector<Vec3>& points);
  static Spline periodic(const std::vector<Vec3>& points);
  /// Only the directions of the tangents count. Also refuses tangents of length 0.
  static Spline clamped(const std::vector<Vec3>& points, const Vec3& first_tangent,
                        const Vec3& last_tangent);

  SplineEnds ends() const { return ends_; }
  bool closed() const { return ends_ == SplineEnds::periodic; }
  const std::vector<double>& knots() const { return knots_; }  ///< t of the points, and the end
  double end() const { return knots_.back(); }
  /// Point, first and second derivative by t; t is clamped to the ends, or wraps if periodic.
  Vec3 at(double t) const;
  Vec3 slope_at(double t) const;
  Vec3 curve_at(double t) const;
  /// Points along the curve for drawing: `per_piece` on each piece, and the end of an open one.
  std::vector<Vec3> samples(int per_piece) const;
  Box box() const;  ///< holds the curve, not always as tightly as possible

  /// One cubic piece, for u = 0 to 1: c0 + u (c1 + u (c2 + u c3)).
  struct Piece {
    std::array<Vec3, 4> c;
    // (p - curve) . slope as a polynomial in u has the Bernstein coefficients along[k] . p - at[k].
    std::array<Vec3, 6> along;
    std::array<double, 6> at;
    double width;  ///< of the interval of t
    Vec3 center;   ///< of a ball that holds the piece
    double radius;
  };
  std::size_t piece_count() const { return pieces_.size(); }
  const Piece& piece(std::size_t i) const { return pieces_[i]; }

  /// A run of pieces within a ball, for passing over what is far away.
  struct Group {
    Vec3 center;
    double radius;
    std::size_t begin, end;  ///< of the pieces
  };
  const std::vector<Group>& groups() const { return groups_; }

 private:
  Spline(std::vector<double> knots, const std::vector<Vec3>& points,
         const std::vector<Vec3>& slopes, SplineEnds ends);

  SplineEnds ends_;
  std::vector<double> knots_;
  std::vector<Piece> pieces_;
  std::vector<Group> groups_;
};

}  // namespace grouser
