// The nodes inside of a patch.
#include "grouser/soil/envelope_drawing.h"

namespace grouser::envelope {

namespace {

/// Faces reach this much further, in cells, so that no node on an edge between two of them is lost.
constexpr double kSlack = 1e-7;
constexpr int kFewNodes = 12;

/// Between which places a patch lies on lines of the grid. Each edge of the patch is a least or a
/// greatest place that changes from line to line, and none on the other side.
class Ends {
 public:
  /// `across` counts the lines, `along` is the place on them; sign is 1 if the edges that run to
  /// higher lines are greatest places, else -1.
  Ends(const Corners& across, const Corners& along, std::size_t pairs, double sign)
      : pairs_(pairs) {
    for (std::size_t k = 0; k < pairs_; ++k) {
      const Double2 line = across.begin[k], place = along.begin[k];
      const Double2 lines = across.end[k] - line;
      const Double2 slope = (along.end[k] - place) / lines;
      const Double2 base = place - slope * line;
      const Double2 slack = kSlack * (1.0 + greater(slope, -slope));
      const Double2 up = sign * lines, level{};
      least_slope_[k] = where_less(up, level, slope, level);
      most_slope_[k] = where_less(level, up, slope, level);
      least_[k] = where_less(up, level, base - slack, two(-kInfinity));
      most_[k] = where_less(level, up, base + slack, two(kInfinity));
    }
  }
  double least(double line) const {
    Double2 out = least_[0] + least_slope_[0] * line;
    for (std::size_t k = 1; k < pairs_; ++k) out = greater(out, least_[k] + least_slope_[k] * line);
    return greater(out[0], out[1]);
  }
  double most(double line) const {
    Double2 out = most_[0] + most_slope_[0] * line;
    for (std::size_t k = 1; k < pairs_; ++k) out = lesser(out, most_[k] + most_slope_[k] * line);
    return lesser(out[0], out[1]);
  }

 private:
  std::size_t pairs_;
  std::array<Double2, Corners::kPairs> least_, least_slope_, most_, most_slope_;
};

/// Smallest integer from 0 to count that is not below x - kSlack.
int first_node(double x, int count) {
  return static_cast<int>(clamped(x, 0.0, count) + (1.0 - kSlack));
}
/// Greatest integer from -1 to count - 1 that is not above x + kSlack.
int last_node(double x, int count) {
  return static_cast<int>(clamped(x + (1.0 + kSlack), 0.0, count)) - 1;
}

}  // namespace

/// A small patch: asks every node around it on which side of the edges it is.
inline void Drawing::fill_few(const Patch& patch, int first_u, int last_u, int first_v, int last_v,
                              double* all) {
  const double sign = patch.side == kDown ? -1.0 : 1.0;
  const double start_u = first_u, start_v = first_v;
  // Four edges in two pairs: positive on the side of the patch, and how that changes.
  Double2 along_u[2], along_v[2], start[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const Double2 u = patch.u.begin[k], v = patch.v.begin[k];
    const Double2 du = sign * (patch.u.end[k] - u), dv = sign * (patch.v.end[k] - v);
    const Double2 slack = kSlack * (greater(du, -du) + greater(dv, -dv));
    start[k] = dv * (u - start_u) - du * (v - start_v) + slack;
    along_u[k] = -dv;
    along_v[k] = du;
  }
  double z = patch.z[0] - patch.drop + patch.slope_v * (start_v - patch.v[0]) +
             patch.slope_u * (start_u - patch.u[0]);
  double* heights = all + first_of(first_v) + static_cast<std::size_t>(first_u);
  for (int row = first_v; row <= last_v; ++row) {
    Double2 inside = start[0], inside_too = start[1];
    for (int i = 0; i <= last_u - first_u; ++i) {
      const double here = clamped(z + patch.slope_u * i, patch.z.least, patch.z.most);
      const Double2 least = lesser(inside, inside_too);
      const bool out = (least[0] < 0.0) | (least[1] < 0.0);
      heights[i] = lesser(out ? kInfinity : here, heights[i]);
      inside += along_u[0];
      inside_too += along_u[1];
    }
    start[0] += along_v[0];
    start[1] += along_v[1];
    z += patch.slope_v;
    heights += nx_;
  }
}

/// Row by row, from edge to edge.
inline void Drawing::fill_rows(const Patch& patch, int first_row, int last_row, double* all) {
  const double sign = patch.side == kDown ? -1.0 : 1.0;
  const Ends ends(patch.v, patch.u, patch.pairs, sign);
  for (int row = first_row; row <= last_row; ++row) {
    const double v = row;
    const int first = first_node(greater(ends.least(v), patch.u.least), nx_);
    const int last = last_node(lesser(ends.most(v), patch.u.most), nx_);
    const double z = patch.z[0] - patch.drop + patch.slope_v * (v - patch.v[0]);
    double* const heights = all + first_of(row);
    for (int i = first; i <= last; ++i) {
      const double here = z + patch.slope_u * (i - patch.u[0]);
      heights[i] = lesser(clamped(here, patch.z.least, patch.z.most), heights[i]);
    }
  }
}

/// The same column by column: less work for patches that are narrow along u.
inline void Drawing::fill_columns(const Patch& patch, int first_column, int last_column,
                                  double* all) {
  const double sign = patch.side == kDown ? 1.0 : -1.0;
  const Ends ends(patch.u, patch.v, patch.pairs, sign);
  for (int column = first_column; column <= last_column; ++column) {
    const double u = column;
    const int first = first_node(greater(ends.least(u), patch.v.least), ny_);
    const int last = last_node(lesser(ends.most(u), patch.v.most), ny_);
    const double z = patch.z[0] - patch.drop + patch.slope_u * (u - patch.u[0]);
    double* height = all + first_of(first) + static_cast<std::size_t>(column);
    for (int i = first; i <= last; ++i, height += nx_) {
      const double here = z + patch.slope_v * (i - patch.v[0]);
      *height = lesser(clamped(here, patch.z.least, patch.z.most), *height);
    }
  }
}

void Drawing::fill(Patch& patch, const Vec3& n_B) {
  const int first_u = first_node(patch.u.least, nx_), last_u = last_node(patch.u.most, nx_);
  const int first_v = first_node(patch.v.least, ny_), last_v = last_node(patch.v.most, ny_);
  const int width = last_u - first_u + 1, depth = last_v - first_v + 1;
  if (width <= 0 || depth <= 0) return;
  const double scale = -spacing_ * spacing_ / to_z_.dot(n_B);
  patch.slope_u = scale * to_u_.dot(n_B);
  patch.slope_v = scale * to_v_.dot(n_B);
  double* const heights = patch.wall ? walls_.data() : height_.data();
  if (patch.pairs == 2 && width * depth <= kFewNodes)
    fill_few(patch, first_u, last_u, first_v, last_v, heights);
  else if (width < depth)
    fill_columns(patch, first_u, last_u, heights);
  else
    fill_rows(patch, first_v, last_v, heights);
}

}  // namespace grouser::envelope
