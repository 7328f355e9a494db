// One picture of the underside of a body: nodes, and cells around them. Inside the soil room, for
// the lower envelope.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/soil/envelope_patch.h"
#include "grouser/soil/lower_envelope.h"

namespace grouser::envelope {

/// Walls: from the first slope on a face counts as lower, from the second on its foot alone counts.
constexpr double kSteep = 20.0, kWall = 40.0;

/// The outline of a body in a cell, where it is next to the node. That is the same however the
/// outline is cut into pieces.
struct Rim {
  static constexpr double kSame = 1e-9;  // squares of distances that differ by less
  double square = kInfinity;             // of the distance, in cells
  double z = kInfinity;
  double wall = kInfinity;  // z of walls that end in the cell

  void add(double new_square, double new_z) {
    if (new_square > square + kSame) return;
    z = new_square < square - kSame ? new_z : lesser(z, new_z);
    square = lesser(square, new_square);
  }
  void add_wall(double new_z) { wall = lesser(wall, new_z); }
  /// z at the node, where nothing but walls, with this z, may be above it.
  double at_node(double over) const { return lesser(over, z < kInfinity ? z : wall); }
};

class Drawing {
 public:
  Drawing(const LowerEnvelope::Request& request, std::span<double> height,
          std::span<double> coverage);

  /// For heights and shares: a picture of nothing.
  void clear(int side_count, Scratch& scratch);

  Point place(const Vec3& p_B) const {
    return {to_u_.dot(p_B) + u_origin_, to_v_.dot(p_B) + v_origin_, to_z_.dot(p_B)};
  }
  const Vec3& up_B() const { return to_z_; }
  /// What is higher above the body's origin is left out [m].
  double ceiling() const { return ceiling_; }

  /// Grid coordinates of `count` places, an even number.
  void place(const double* __restrict places, std::size_t count, const Places& out) const;

  /// Whether a face with normal n_B is a wall. Of a wall the foot counts alone, so that it makes no
  /// difference whether it leans in or out: else a body that rocks would lose the ground under its
  /// rim from one moment to the next.
  bool is_wall(const Vec3& n_B) const;
  /// By how much a face with normal n_B counts as lower [m]: steep ones more and more, until they
  /// are walls.
  double drop_of(const Vec3& n_B) const;
  /// Whether a wall with normal n_B rises from a piece of another face's outline.
  bool rises(const Vec3& n_B, const Point& from, const Point& to) const {
    return to_v_.dot(n_B) * (to.u - from.u) > to_u_.dot(n_B) * (to.v - from.v);
  }

  /// Lowers the nodes in a patch to its plane, which has normal n_B.
  void fill(Patch& patch, const Vec3& n_B);
  /// Adds a piece of the outline of a patch below the ceiling, as its face runs through it.
  void add_outline(const Point& from, const Point& to, const Patch& patch);
  /// Adds the line along which a patch is the foot of a wall.
  void add_foot(const Point& from, const Point& to, const Patch& patch);
  /// Adds the line along which the ceiling cuts a patch.
  void add_cut(const Patch& patch);
  /// Sums up the shares and lets heights and shares agree.
  void finish();

  /// Lowers the node whose cell a point is in.
  void add_vertex(const Point& p);

 private:
  /// Number of the first node of a row.
  std::size_t first_of(int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(nx_);
  }

  // In envelope_fill.cpp: the nodes inside of a patch.
  void fill_few(const Patch& patch, int first_u, int last_u, int first_v, int last_v, double* all);
  void fill_rows(const Patch& patch, int first_row, int last_row, double* all);
  void fill_columns(const Patch& patch, int first_column, int last_column, double* all);

  // In envelope_outline.cpp: the cells along a line.
  /// Where a line goes.
  struct Line {
    double* pieces;
    double sign;         // 0: it covers nothing
    double drop, least;  // of the patch
    bool wall;
  };
  void add_line(const Point& from, const Point& to, const Patch& patch);
  void add_clipped(const Point& a, const Point& b, const Line& line);
  void add_left(double from, double to, const Line& line);
  void add_pieces(const Point& a, const Point& b, const Line& line);

  void sum_rows(double* pieces) const;
  void agree(const double* shares, double* heights, double* rim) const;
  void agree_two(Double2 shares, double* heights, double* rim) const;

  int nx_, ny_;
  std::span<double> height_;  // above the body's origin until the end
  std::span<double> coverage_;
  std::span<double> walls_;  // the same, of walls
  std::span<Rim> rims_;
  // For each side: what lines add to each cell and all to the right, and what they take from it.
  std::span<double> pieces_[2];
  double spacing_;
  Vec3 to_u_, to_v_, to_z_;
  double u_origin_, v_origin_, z_origin_;
  double ceiling_;
  bool covers_ = true;  // lines that are added now
};

inline bool Drawing::is_wall(const Vec3& n_B) const {
  const double up = std::abs(to_z_.dot(n_B));
  return up <= 1.0 / kWall &&
         spacing_ * greater(std::abs(to_u_.dot(n_B)), std::abs(to_v_.dot(n_B))) >= kWall * up;
}

inline double Drawing::drop_of(const Vec3& n_B) const {
  const double up = std::abs(to_z_.dot(n_B));
  if (up > 1.0 / kSteep) return 0.0;
  const double per_up = spacing_ / up;
  const double along_u = per_up * std::abs(to_u_.dot(n_B));
  const double along_v = per_up * std::abs(to_v_.dot(n_B));
  const double share = (greater(along_u, along_v) - kSteep) / (kWall - kSteep);
  return 0.5 * spacing_ * clamped(share, 0.0, 1.0) * (along_u + along_v);
}

}  // namespace grouser::envelope
