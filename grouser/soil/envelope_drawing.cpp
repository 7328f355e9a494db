#include "grouser/soil/envelope_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace grouser::envelope {

namespace {

void project(const double* __restrict places, std::size_t count, const Vec3& direction,
             double start, double* __restrict out) {
  const double x = direction.x(), y = direction.y(), z = direction.z();
  const double *const xs = places, *const ys = xs + count, *const zs = ys + count;
  for (std::size_t k = 0; k < count; k += 2) {
    const Double2 sum = x * load2(xs + k) + y * load2(ys + k) + z * load2(zs + k) + start;
    store(out + k, sum);
  }
}

}  // namespace

Drawing::Drawing(const LowerEnvelope::Request& request, std::span<double> height,
                 std::span<double> coverage)
    : nx_(request.window.nx),
      ny_(request.window.ny),
      height_(height),
      coverage_(coverage),
      spacing_(request.spacing),
      z_origin_(request.X_TB.p.z()) {
  const double per_metre = 1.0 / spacing_;
  to_u_ = per_metre * request.X_TB.R.row(0).transpose();
  to_v_ = per_metre * request.X_TB.R.row(1).transpose();
  to_z_ = request.X_TB.R.row(2).transpose();
  // Exact before rounding once: far from the origin no digits are lost here.
  const auto from_window = [&](double p, std::int64_t first) {
    return per_metre * std::fma(-spacing_, static_cast<double>(first), p);
  };
  u_origin_ = from_window(request.X_TB.p.x(), request.window.ix0);
  v_origin_ = from_window(request.X_TB.p.y(), request.window.iy0);
  ceiling_ = request.ceiling + spacing_ - z_origin_;
}

void Drawing::clear(int side_count, Scratch& scratch) {
  std::fill(height_.begin(), height_.end(), kInfinity);
  rims_ = scratch.take<Rim>(height_.size());
  std::fill(rims_.begin(), rims_.end(), Rim{});
  walls_ = scratch.take<double>(height_.size());
  std::fill(walls_.begin(), walls_.end(), kInfinity);
  for (int side = 0; side < side_count; ++side) {
    pieces_[side] = scratch.take<double>(2 * height_.size());
    std::fill(pieces_[side].begin(), pieces_[side].end(), 0.0);
  }
}

void Drawing::place(const double* __restrict places, std::size_t count, const Places& out) const {
  project(places, count, to_u_, u_origin_, out.u.data());
  project(places, count, to_v_, v_origin_, out.v.data());
  project(places, count, to_z_, 0.0, out.z.data());
}

void Drawing::add_vertex(const Point& p) {
  const double u = p.u + 0.5, v = p.v + 0.5;
  if (!(u >= 0.0 && v >= 0.0 && u < nx_ && v < ny_)) return;
  const auto node =
      static_cast<std::size_t>(v) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(u);
  height_[node] = std::min(height_[node], p.z + z_origin_);
  coverage_[node] = 1.0;
}

/// From pieces to shares: a cell has what passes it on the left, less what lies left of the line
/// in the cell itself. The shares of a row take the front of its room.
inline void Drawing::sum_rows(double* pieces) const {
  const std::size_t width = 2 * static_cast<std::size_t>(nx_);
  const auto count = static_cast<std::size_t>(nx_);
  int row = 0;
  for (; row + 4 <= ny_; row += 4) {  // side by side: each sum waits for the one before
    double* const room = pieces + 2 * first_of(row);
    std::array<double, 4> sums{};
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        sums[k] += room[k * width + 2 * i];
        room[k * width + i] = sums[k] - room[k * width + 2 * i + 1];
      }
  }
  for (; row < ny_; ++row) {
    double* const room = pieces + 2 * first_of(row);
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += room[2 * i];
      room[i] = sum - room[2 * i + 1];
    }
  }
}

inline void Drawing::agree_two(Double2 shares, double* heights, double* rim) const {
  const Double2 under = load2(heights), none = two(kInfinity);
  const Double2 share = lesser(shares, two(1.0));
  const Double2 low = where_less(under, none, under, load2(rim));
  const Double2 z = where_less(two(LowerEnvelope::kLeastCoverage), share, low, none);
  store(heights, z + two(z_origin_));
  store(rim, where_less(z, none, share, Double2{}));
}

/// A row of nodes: none has a height without a share, or a share without a height.
inline void Drawing::agree(const double* shares, double* heights, double* rim) const {
  int i = 0;
  for (; i + 2 <= nx_; i += 2) agree_two(load2(shares + i), heights + i, rim + i);
  if (i == nx_) return;
  std::array<double, 2> last_heights{heights[i], kInfinity}, last_rim{rim[i], kInfinity};
  agree_two(Double2{shares[i], 0.0}, last_heights.data(), last_rim.data());
  heights[i] = last_heights[0];
  rim[i] = last_rim[0];
}

void Drawing::finish() {
  for (std::span<double> pieces : pieces_)
    if (!pieces.empty()) sum_rows(pieces.data());
  for (int row = 0; row < ny_; ++row) {
    double* const shares = pieces_[0].data() + 2 * first_of(row);
    if (!pieces_[1].empty()) {
      const double* const others = pieces_[1].data() + 2 * first_of(row);
      for (int i = 0; i < nx_; ++i) shares[i] = greater(shares[i], others[i]);
    }
    const Rim* const rims = &rims_[first_of(row)];
    double* const coverage = &coverage_[first_of(row)];
    const double* const walls = &walls_[first_of(row)];
    double* const heights = &height_[first_of(row)];
    for (int i = 0; i < nx_; ++i) {
      coverage[i] = rims[i].at_node(walls[i]);
      // A wall over the node may be below what else there is.
      heights[i] = heights[i] < kInfinity ? lesser(heights[i], walls[i]) : kInfinity;
    }
    agree(shares, heights, coverage);
  }
}

}  // namespace grouser::envelope
