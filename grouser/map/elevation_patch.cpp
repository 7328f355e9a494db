#include "grouser/map/elevation_patch.h"

#include <limits>

#include "grouser/base/assert.h"
#include "grouser/map/elevation_cell.h"

namespace grouser {
namespace {

using Pair = registers::Double2;
using Kind = ElevationMap::Kind;

/// Coefficients of 1, t, t^2 and b(t) from four numbers, for two rows or columns at once.
std::array<Pair, 4> coefficients(Pair m, Pair p, Pair q, Pair r, Kind kind) {
  if (kind == Kind::bilinear) return {p, q - p, Pair{}, Pair{}};
  const Pair a2 = 0.5 * ((q - p) - (p - m));
  const Pair a3 = 3.0 * (q - p) - (r - m);
  return {kind == Kind::bspline ? p + (1.0 / 3.0) * a2 : p, 0.5 * (q - m), a2, a3};
}

/// b and its derivatives by t, along x and along y.
struct Bump {
  Pair value, slope, curvature;
};
Bump bump_at(Pair t, Kind kind) {
  const Pair t2 = t * t;
  switch (kind) {
    case Kind::bilinear:
      return {Pair{}, Pair{}, Pair{}};
    case Kind::cubic:
      return {0.5 * t2 * (1.0 - t), t - 1.5 * t2, 1.0 - 3.0 * t};
    case Kind::quintic:
      return {t2 * t * (1.5 + t * (t - 2.5)), t2 * (4.5 + t * (5.0 * t - 10.0)),
              t * (9.0 + t * (20.0 * t - 30.0))};
    default:
      return {(-1.0 / 6.0) * t2 * t, -0.5 * t2, -t};
  }
}

/// The polynomials along x that the patch is at one y: coefficients of 1, t, t^2, b.
struct Row {
  Pair low, high;

  double value(double t, double b) const {
    return (low[0] + t * low[1]) + (t * t * high[0] + b * high[1]);
  }
  double slope(double t, double b) const { return low[1] + (2.0 * t * high[0] + b * high[1]); }
  double curvature(double b) const { return 2.0 * high[0] + b * high[1]; }
};

}  // namespace

ElevationPatch ElevationMap::patch(double x, double y) const {
  const AlongCells ax = along_cells((x - origin_.x()) * inverse_spacing_, nx_);
  const AlongCells ay = along_cells((y - origin_.y()) * inverse_spacing_, ny_);
  const std::size_t stride = nx_ + 2;
  const double* first = numbers_.data() + ay.cell * stride + ax.cell;
  GROUSER_ASSERT(ay.cell + 3 < ny_ + 2 && ax.cell + 3 < stride);
  // Memory is what takes longest: let it begin.
  for (std::size_t r = 0; r < 4; ++r) __builtin_prefetch(first + r * stride);

  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  const auto ends = [](std::size_t cell, std::size_t nodes) -> ElevationPatch::Ends {
    return {cell == 0 ? 0.0 : -kNowhere, cell + 2 == nodes ? 1.0 : kNowhere};
  };
  ElevationPatch out;
  out.origin_ = origin_;
  out.cell_ = Vec2(static_cast<double>(ax.cell), static_cast<double>(ay.cell));
  out.ends_x_ = ends(ax.cell, nx_);
  out.ends_y_ = ends(ay.cell, ny_);
  out.inverse_spacing_ = inverse_spacing_;
  out.kind_ = kind_;
  out.border_ = border_;
  out.known_ = knows_cell(ax.cell, ay.cell);
  out.make_coefficients(first, stride);
  return out;
}

void ElevationPatch::make_coefficients(const double* first, std::size_t stride) {
  // Along y first, for two columns at a time, ...
  const auto numbers = [&](std::size_t row, std::size_t column) {
    return registers::load2(first + row * stride + column);
  };
  const auto columns = [&](std::size_t c) {
    return coefficients(numbers(0, c), numbers(1, c), numbers(2, c), numbers(3, c), kind_);
  };
  const std::array<Pair, 4> left = columns(0), right = columns(2);
  // ... then along x, for two powers of y at a time.
  for (std::size_t j = 0; j < 4; j += 2) {
    const Pair a = left[j], b = left[j + 1], c = right[j], d = right[j + 1];
    const std::array<Pair, 4> x =
        coefficients(registers::firsts(a, b), registers::seconds(a, b), registers::firsts(c, d),
                     registers::seconds(c, d), kind_);
    low_[j] = registers::firsts(x[0], x[1]);
    low_[j + 1] = registers::seconds(x[0], x[1]);
    high_[j] = registers::firsts(x[2], x[3]);
    high_[j + 1] = registers::seconds(x[2], x[3]);
  }
}

SurfaceHeight ElevationPatch::at(double x, double y) const {
  const double ux = along_x(x), uy = along_y(y);
  const double tx = std::clamp(ux, ends_x_.lowest, ends_x_.highest);
  const double ty = std::clamp(uy, ends_y_.lowest, ends_y_.highest);

  const Bump bump = bump_at(Pair{tx, ty}, kind_);
  const double ty2 = ty * ty, twice = 2.0 * ty;
  const double by = bump.value[1], by1 = bump.slope[1], by2 = bump.curvature[1];
  const Row value{(low_[0] + ty * low_[1]) + (ty2 * low_[2] + by * low_[3]),
                  (high_[0] + ty * high_[1]) + (ty2 * high_[2] + by * high_[3])};
  const Row slope{low_[1] + (twice * low_[2] + by1 * low_[3]),
                  high_[1] + (twice * high_[2] + by1 * high_[3])};
  const Row curvature{2.0 * low_[2] + by2 * low_[3], 2.0 * high_[2] + by2 * high_[3]};

  const double bx = bump.value[0], bx1 = bump.slope[0], bx2 = bump.curvature[0];
  const double s = inverse_spacing_, s2 = s * s;
  if (ux == tx && uy == ty)
    return {value.value(tx, bx),
            s * value.slope(tx, bx1),
            s * slope.value(tx, bx),
            s2 * value.curvature(bx2),
            s2 * slope.slope(tx, bx1),
            s2 * curvature.value(tx, bx),
            true,
            known_};

  CellDerivatives d;
  const Row* rows[] = {&value, &slope, &curvature};
  for (std::size_t j = 0; j < 3; ++j) {
    d[0][j] = rows[j]->value(tx, bx);
    d[1][j] = rows[j]->slope(tx, bx1);
    d[2][j] = rows[j]->curvature(bx2);
  }
  return continued_beyond(d, ux - tx, uy - ty, border_, s, known_);
}

}  // namespace grouser
