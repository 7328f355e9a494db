// A curve of straight pieces, prepared for asking which of them are near a point.
#pragma once

#include <cstddef>
#include <vector>

#include "grouser/math/types.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Open, or closed: then the last point is joined to the first one, which is not repeated.
class Polyline {
 public:
  /// Throws InputError, without a place, if there are fewer than two points (three if closed),
  /// neighbours coincide or a number is not finite.
  explicit Polyline(std::vector<Vec3> points, bool closed = false);

  const std::vector<Vec3>& points() const { return points_; }
  bool closed() const { return closed_; }
  std::size_t piece_count() const { return pieces_.size(); }
  /// Of all pieces [m].
  double length() const;
  Box box() const;

  /// From one point to the next.
  struct Piece {
    Vec3 from, tangent;  ///< tangent of length 1
    double length;
  };
  const Piece& piece(std::size_t i) const { return pieces_[i]; }

  /// A run of pieces within a ball, for passing over what is far away.
  struct Group {
    Vec3 center;
    double radius;
    std::size_t begin, end;  ///< of the pieces
  };
  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::vector<Vec3> points_;
  bool closed_;
  std::vector<Piece> pieces_;
  std::vector<Group> groups_;
};

}  // namespace grouser
