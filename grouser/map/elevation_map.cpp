#include "grouser/map/elevation_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/map/elevation_cell.h"
#include "grouser/map/elevation_gaps.h"
#include "grouser/math/registers.h"

namespace grouser {
namespace {

/// Two numbers, worked on at once: something along x and the same along y, or neighbours in memory.
using Pair = registers::Double2;

/// What the four numbers of a row (along x) and of a column (along y) count, for the value and two
/// derivatives by t in [0, 1].
using Weights = std::array<std::array<Pair, 4>, 3>;

Weights bilinear(Pair t) {
  const Pair zero{}, one = zero + 1.0;
  return {{{zero, 1.0 - t, t, zero}, {zero, -one, one, zero}, {zero, zero, zero, zero}}};
}

Weights cubic(Pair t) {
  const Pair t2 = t * t, t3 = t2 * t;
  return {{{-0.5 * t + t2 - 0.5 * t3, 1.0 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2.0 * t2 - 1.5 * t3,
            0.5 * (t3 - t2)},
           {-0.5 + 2.0 * t - 1.5 * t2, -5.0 * t + 4.5 * t2, 0.5 + 4.0 * t - 4.5 * t2, 1.5 * t2 - t},
           {2.0 - 3.0 * t, -5.0 + 9.0 * t, 4.0 - 9.0 * t, 3.0 * t - 1.0}}};
}

Weights quintic(Pair t) {
  // The outer two are those of a parabola through three heights and a bump, the inner two alike.
  const Pair t2 = t * t, t3 = t2 * t;
  const Pair bump = t3 * (1.5 + t * (t - 2.5));
  const Pair slope = t2 * (4.5 + t * (5.0 * t - 10.0));
  const Pair curvature = t * (9.0 + t * (20.0 * t - 30.0));
  return {{{0.5 * (t2 - t) + bump, 1.0 - t2 - 3.0 * bump, 0.5 * (t2 + t) + 3.0 * bump, -bump},
           {t - 0.5 + slope, -2.0 * t - 3.0 * slope, t + 0.5 + 3.0 * slope, -slope},
           {1.0 + curvature, -2.0 - 3.0 * curvature, 1.0 + 3.0 * curvature, -curvature}}};
}

Weights bspline(Pair t) {
  const Pair s = 1.0 - t, t2 = t * t, s2 = s * s;
  constexpr double sixth = 1.0 / 6.0;
  return {{{sixth * s2 * s, (0.5 * t - 1.0) * t2 + 2.0 / 3.0, (0.5 * s - 1.0) * s2 + 2.0 / 3.0,
            sixth * t2 * t},
           {-0.5 * s2, (1.5 * t - 2.0) * t, (2.0 - 1.5 * s) * s, 0.5 * t2},
           {s, 3.0 * t - 2.0, 3.0 * s - 2.0, t}}};
}

/// The surface over one cell, half evaluated.
class Cell {
 public:
  /// `p` is the first of its 4 x 4 numbers.
  template <Weights (*weights)(Pair)>
  static Cell at(const double* p, std::size_t stride, double tx, double ty) {
    Cell out;
    out.weights_ = weights(Pair{tx, ty});
    for (std::size_t j = 0; j < 3; ++j) out.low_[j] = out.high_[j] = Pair{};
    for (std::size_t r = 0; r < 4; ++r, p += stride) {
      const Pair low = {p[0], p[1]}, high = {p[2], p[3]};
      for (std::size_t j = 0; j < 3; ++j) {
        const double w = out.weights_[j][r][1];
        out.low_[j] += w * low;
        out.high_[j] += w * high;
      }
    }
    return out;
  }
  static Cell of_kind(ElevationMap::Kind kind, const double* p, std::size_t stride, double tx,
                      double ty) {
    switch (kind) {
      case ElevationMap::Kind::bilinear:
        return at<bilinear>(p, stride, tx, ty);
      case ElevationMap::Kind::cubic:
        return at<cubic>(p, stride, tx, ty);
      case ElevationMap::Kind::quintic:
        return at<quintic>(p, stride, tx, ty);
      default:
        return at<bspline>(p, stride, tx, ty);
    }
  }

  /// The i-th derivative along x of the j-th along y, in cells.
  double derivative(std::size_t i, std::size_t j) const {
    const auto& w = weights_[i];
    const Pair sum = Pair{w[0][0], w[1][0]} * low_[j] + Pair{w[2][0], w[3][0]} * high_[j];
    return sum[0] + sum[1];
  }

 private:
  Weights weights_;
  std::array<Pair, 3> low_, high_;  // for each derivative along y, the sums of four columns
};

/// p -> c with (c[i-1] + 4 c[i] + c[i+1]) / 6 = p[i] for n numbers `stride` apart; c[-1] and c[n]
/// follow from the border.
void solve_row(double* p, std::size_t n, std::size_t stride, ElevationMap::Border border,
               std::vector<double>& upper) {
  // Natural ends keep their number (c[-1] = 2 c[0] - c[1]); flat ends mirror (c[-1] = c[1]).
  const bool flat = border == ElevationMap::Border::clamp;
  const auto at = [&](std::size_t i) -> double& { return p[i * stride]; };
  upper.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool end = i == 0 || i == n - 1;
    const double below = i == 0 ? 0.0 : end ? (flat ? 2.0 : 0.0) : 1.0;
    const double above = i == n - 1 ? 0.0 : end ? (flat ? 2.0 : 0.0) : 1.0;
    const double middle = end && !flat ? 6.0 : 4.0;
    const double pivot = middle - (i == 0 ? 0.0 : below * upper[i - 1]);
    GROUSER_ASSERT(pivot > 0.0);
    upper[i] = above / pivot;
    at(i) = (6.0 * at(i) - (i == 0 ? 0.0 : below * at(i - 1))) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) at(i) -= upper[i] * at(i + 1);
}

std::string count_text(std::size_t n) {
  return std::to_string(n);
}

}  // namespace

void require_sound(const ElevationGrid& grid, const Place& place, ElevationGaps gaps) {
  if (grid.nx < 2 || grid.ny < 2)
    throw InputError(place, "an elevation map needs at least 2 x 2 nodes, this one has " +
                                count_text(grid.nx) + " x " + count_text(grid.ny));
  if (!(grid.spacing > 0.0) || !std::isfinite(grid.spacing))
    throw InputError(
        place, "the spacing of an elevation map must be positive, it is " + to_text(grid.spacing));
  if (!grid.origin.allFinite())
    throw InputError(place, "the origin of an elevation map must be two finite numbers");
  if (grid.heights.size() / grid.nx != grid.ny || grid.heights.size() % grid.nx != 0)
    throw InputError(place, "an elevation map of " + count_text(grid.nx) + " x " +
                                count_text(grid.ny) + " nodes has " +
                                count_text(grid.heights.size()) + " heights");
  const auto missing = [](double z) { return !std::isfinite(z); };
  const auto count =
      static_cast<std::size_t>(std::count_if(grid.heights.begin(), grid.heights.end(), missing));
  if (gaps == ElevationGaps::keep) {
    if (count == grid.heights.size())
      throw InputError(place, "the elevation map has no height at any of its nodes");
    return;
  }
  if (count == 0) return;
  const auto first = static_cast<std::size_t>(
      std::find_if(grid.heights.begin(), grid.heights.end(), missing) - grid.heights.begin());
  throw InputError(place, "the elevation map has no height at " + count_text(count) + " of " +
                              count_text(grid.heights.size()) + " nodes, the first is column " +
                              count_text(first % grid.nx) + ", row " + count_text(first / grid.nx) +
                              " (from zero, from the lower left); fill the gaps first");
}

ElevationMap::ElevationMap(const ElevationGrid& grid, Kind kind, Border border, const Place& place,
                           Gaps gaps)
    : kind_(kind),
      border_(border),
      origin_(grid.origin),
      spacing_(grid.spacing),
      inverse_spacing_(1.0 / grid.spacing),
      nx_(grid.nx),
      ny_(grid.ny) {
  require_sound(grid, place, gaps);
  numbers_.resize((nx_ + 2) * (ny_ + 2));
  copy_heights(grid);
  if (kind_ == Kind::bspline) solve_for_spline();
  add_border();
}

void ElevationMap::copy_heights(const ElevationGrid& grid) {
  const std::vector<std::size_t> gaps = gaps_of(grid.heights);
  const std::vector<double> filled =
      gaps.empty() ? std::vector<double>() : heights_without_gaps(grid, gaps);
  const std::vector<double>& heights = gaps.empty() ? grid.heights : filled;
  for (std::size_t iy = 0; iy < ny_; ++iy)
    std::copy_n(heights.data() + iy * nx_, nx_, row(iy + 1) + 1);
  if (!gaps.empty()) mark_gap_cells(gaps);
}

/// Every cell that one of the missing heights would have a say in.
void ElevationMap::mark_gap_cells(std::span<const std::size_t> gaps) {
  gap_cells_.resize((nx_ - 1) * (ny_ - 1));
  const std::size_t reach = kind_ == Kind::bilinear ? 1 : 2;
  const auto first = [&](std::size_t node) { return node - std::min(node, reach); };
  const auto end = [&](std::size_t node, std::size_t nodes) {
    return std::min(node + reach, nodes - 1);
  };
  for (const std::size_t gap : gaps) {
    const std::size_t gx = gap % nx_, gy = gap / nx_;
    GROUSER_ASSERT(gy < ny_);
    for (std::size_t iy = first(gy); iy < end(gy, ny_); ++iy)
      for (std::size_t ix = first(gx); ix < end(gx, nx_); ++ix)
        gap_cells_[iy * (nx_ - 1) + ix] = true;
  }
}

void ElevationMap::solve_for_spline() {
  std::vector<double> upper;
  for (std::size_t iy = 1; iy <= ny_; ++iy) solve_row(row(iy) + 1, nx_, 1, border_, upper);
  for (std::size_t ix = 1; ix <= nx_; ++ix) solve_row(row(1) + ix, ny_, nx_ + 2, border_, upper);
}

/// One more number beyond each end of every column, then of every row.
void ElevationMap::add_border() {
  const auto beyond = [&](double end, double next) {
    if (border_ == Border::extrapolate) return 2.0 * end - next;
    return kind_ == Kind::bspline ? next : end;  // a spline is flat where it is mirrored
  };
  for (std::size_t ix = 1; ix <= nx_; ++ix) {
    row(0)[ix] = beyond(row(1)[ix], row(2)[ix]);
    row(ny_ + 1)[ix] = beyond(row(ny_)[ix], row(ny_ - 1)[ix]);
  }
  for (std::size_t iy = 0; iy < ny_ + 2; ++iy) {
    double* r = row(iy);
    r[0] = beyond(r[1], r[2]);
    r[nx_ + 1] = beyond(r[nx_], r[nx_ - 1]);
  }
}

SurfaceHeight ElevationMap::at(double x, double y) const {
  const AlongCells ax = along_cells((x - origin_.x()) * inverse_spacing_, nx_);
  const AlongCells ay = along_cells((y - origin_.y()) * inverse_spacing_, ny_);
  const std::size_t stride = nx_ + 2;
  const double* p = numbers_.data() + ay.cell * stride + ax.cell;
  // Memory takes longer than the weights: let it begin.
  for (std::size_t r = 0; r < 4; ++r) __builtin_prefetch(p + r * stride);
  const Cell cell = Cell::of_kind(kind_, p, stride, ax.t, ay.t);
  const bool known = knows_cell(ax.cell, ay.cell);
  const double s = inverse_spacing_, s2 = s * s;
  if (ax.beyond == 0.0 && ay.beyond == 0.0)
    return {cell.derivative(0, 0),
            s * cell.derivative(1, 0),
            s * cell.derivative(0, 1),
            s2 * cell.derivative(2, 0),
            s2 * cell.derivative(1, 1),
            s2 * cell.derivative(0, 2),
            true,
            known};

  CellDerivatives d;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) d[i][j] = cell.derivative(i, j);
  return continued_beyond(d, ax.beyond, ay.beyond, border_, s, known);
}

}  // namespace grouser
