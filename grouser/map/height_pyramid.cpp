#include "grouser/map/height_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/registers.h"

namespace grouser {
namespace {

using Pair = registers::Double2;

// Control points of the polynomial between p and q that the numbers m, p, q, r make (see
// elevation_patch.h), in Bernstein's form: it runs between the lowest and the highest of them.

std::array<Pair, 2> bilinear_hull(Pair, Pair p, Pair q, Pair) {
  return {p, q};
}
std::array<Pair, 4> cubic_hull(Pair m, Pair p, Pair q, Pair r) {
  constexpr double sixth = 1.0 / 6.0;
  return {p, p + sixth * (q - m), q - sixth * (r - p), q};
}
std::array<Pair, 6> quintic_hull(Pair m, Pair p, Pair q, Pair r) {
  const Pair left = 0.1 * (q - m), right = 0.1 * (r - p);  // slopes, a fifth of them
  const Pair bend_p = 0.05 * ((q - p) - (p - m)), bend_q = 0.05 * ((r - q) - (q - p));
  return {p, p + left, p + 2.0 * left + bend_p, q - 2.0 * right + bend_q, q - right, q};
}
std::array<Pair, 4> bspline_hull(Pair m, Pair p, Pair q, Pair r) {
  constexpr double third = 1.0 / 3.0;
  const Pair one = p + third * (q - p), other = q - third * (q - p);
  const Pair before = p - third * (p - m), after = q + third * (r - q);
  return {0.5 * (before + one), one, other, 0.5 * (other + after)};
}

/// The highest control point of every cell of row iy.
template <auto hull>
class RowBounds {
 public:
  static constexpr std::size_t kPoints =
      std::tuple_size_v<decltype(hull(Pair{}, Pair{}, Pair{}, Pair{}))>;

  explicit RowBounds(const ElevationMap& map) : map_(map) {
    for (std::vector<double>& row : along_y_) row.resize(map.nx() + 3);  // pairs read one further
    highest_.resize(map.nx());
  }

  const std::vector<double>& of_row(std::size_t iy) {
    control_along_y(iy);
    control_along_x();
    return highest_;
  }

 private:
  void control_along_y(std::size_t iy) {
    const std::size_t n = map_.nx() + 2;
    std::array<const double*, 4> rows;
    for (std::size_t r = 0; r < 4; ++r) rows[r] = map_.numbers(iy + r).data();
    for (std::size_t next = 0; next < n; next += 2) {
      const std::size_t i = std::min(next, n - 2);
      const auto points = hull(registers::load2(rows[0] + i), registers::load2(rows[1] + i),
                               registers::load2(rows[2] + i), registers::load2(rows[3] + i));
      for (std::size_t k = 0; k < kPoints; ++k) registers::store(&along_y_[k][i], points[k]);
    }
  }
  void control_along_x() {
    for (std::size_t i = 0; i + 1 < map_.nx(); i += 2) {
      Pair highest = registers::two(-std::numeric_limits<double>::infinity());
      for (std::size_t k = 0; k < kPoints; ++k) {
        const double* row = along_y_[k].data() + i;
        const auto points = hull(registers::load2(row), registers::load2(row + 1),
                                 registers::load2(row + 2), registers::load2(row + 3));
        for (const Pair& point : points) highest = registers::greater(highest, point);
      }
      registers::store(&highest_[i], highest);
    }
  }

  const ElevationMap& map_;
  std::array<std::vector<double>, kPoints> along_y_;
  std::vector<double> highest_;
};

/// A float that is not less.
float rounded_up(double x) {
  constexpr double kMost = 3e38;
  if (x > kMost) return std::numeric_limits<float>::infinity();
  const auto near = static_cast<float>(std::max(x, -kMost));
  return near + (std::abs(near) * 0x1p-23f + 1e-30f);
}

struct NumberRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};
NumberRange range_of(const ElevationMap& map) {
  NumberRange out;
  for (std::size_t iy = 0; iy < map.ny() + 2; ++iy) {
    const auto [low, high] = std::minmax_element(map.numbers(iy).begin(), map.numbers(iy).end());
    out.low = std::min(out.low, *low);
    out.high = std::max(out.high, *high);
  }
  return out;
}

/// Writes the bounds of all cells: (highest point - base) / spacing, and some roundings more.
template <auto hull>
void write_bounds(const ElevationMap& map, double base, double slack, float* out) {
  RowBounds<hull> rows(map);
  const double scale = 1.0 / map.spacing();
  for (std::size_t iy = 0; iy + 1 < map.ny(); ++iy) {
    const std::vector<double>& highest = rows.of_row(iy);
    for (std::size_t ix = 0; ix + 1 < map.nx(); ++ix)
      *out++ = rounded_up((highest[ix] - base + slack) * scale);
  }
}

void write_bounds_of_kind(const ElevationMap& map, double base, double slack, float* out) {
  switch (map.kind()) {
    case ElevationMap::Kind::bilinear:
      return write_bounds<bilinear_hull>(map, base, slack, out);
    case ElevationMap::Kind::cubic:
      return write_bounds<cubic_hull>(map, base, slack, out);
    case ElevationMap::Kind::quintic:
      return write_bounds<quintic_hull>(map, base, slack, out);
    case ElevationMap::Kind::bspline:
      return write_bounds<bspline_hull>(map, base, slack, out);
  }
}

/// Greatest of 2 x 2, or of what is there of them.
void write_block_bounds(const float* from, std::size_t nx, std::size_t ny, float* out) {
  std::vector<float> higher(nx);
  for (std::size_t iy = 0; iy < ny; iy += 2) {
    const float* low = from + iy * nx;
    const float* high = iy + 1 < ny ? low + nx : low;
    for (std::size_t ix = 0; ix < nx; ++ix) higher[ix] = std::max(low[ix], high[ix]);
    for (std::size_t ix = 0; ix + 1 < nx; ix += 2) *out++ = std::max(higher[ix], higher[ix + 1]);
    if (nx % 2 == 1) *out++ = higher[nx - 1];
  }
}

}  // namespace

HeightPyramid::HeightPyramid(const ElevationMap& map)
    : origin_(map.origin()),
      spacing_(map.spacing()),
      inverse_spacing_(1.0 / map.spacing()),
      endless_(map.border() == ElevationMap::Border::extrapolate) {
  const NumberRange range = range_of(map);
  base_ = 0.5 * range.low + 0.5 * range.high;
  // The surface and its control points are rounded on their ways, about twenty times.
  const double slack = 64.0 * std::numeric_limits<double>::epsilon() *
                       std::max(std::abs(range.low), std::abs(range.high));
  Level& cells = levels_.emplace_back(Level{map.nx() - 1, map.ny() - 1, {}});
  cells.bounds.resize(cells.nx * cells.ny);
  write_bounds_of_kind(map, base_, slack, cells.bounds.data());
  while (levels_.back().bounds.size() > 1) {
    const Level& below = levels_.back();
    Level above{(below.nx + 1) / 2, (below.ny + 1) / 2, {}};
    above.bounds.resize(above.nx * above.ny);
    write_block_bounds(below.bounds.data(), below.nx, below.ny, above.bounds.data());
    levels_.push_back(std::move(above));
  }
}

std::size_t HeightPyramid::memory() const {
  std::size_t bytes = 0;
  for (const Level& level : levels_) bytes += level.bounds.size() * sizeof(float);
  return bytes;
}

/// What is not a number is in some cell.
HeightPyramid::Range HeightPyramid::cells_over(double low, double high, std::size_t cells) {
  const auto last = static_cast<double>(cells - 1);
  const auto cell = [last](double x) {
    return static_cast<std::size_t>(std::min(last, std::max(0.0, x)));
  };
  const std::size_t first = cell(low);
  return {first, std::max(first, cell(high))};
}

bool HeightPyramid::reaches_beyond(double x0, double x1, double y0, double y1) const {
  return x0 < 0.0 || y0 < 0.0 || x1 > static_cast<double>(levels_[0].nx) ||
         y1 > static_cast<double>(levels_[0].ny);
}

double HeightPyramid::max_over(double x0, double x1, double y0, double y1) const {
  GROUSER_ASSERT(!(x0 > x1) && !(y0 > y1));
  const auto along = [&](double x, int axis) { return (x - origin_[axis]) * inverse_spacing_; };
  const double u0 = along(x0, 0), u1 = along(x1, 0), v0 = along(y0, 1), v1 = along(y1, 1);
  if (endless_ && reaches_beyond(u0, u1, v0, v1)) return std::numeric_limits<double>::infinity();
  const Range x = cells_over(u0, u1, levels_[0].nx), y = cells_over(v0, v1, levels_[0].ny);
  const std::size_t k = level_for(x, y, 2, 1);
  GROUSER_ASSERT(k < levels_.size());
  const Range blocks_x = x.blocks(k), blocks_y = y.blocks(k);
  float highest = -std::numeric_limits<float>::infinity();
  for (std::size_t by = blocks_y.first; by <= blocks_y.last; ++by)
    for (std::size_t bx = blocks_x.first; bx <= blocks_x.last; ++bx)
      highest = std::max(highest, levels_[k].at(bx, by));
  return base_ + spacing_ * double{highest};
}

HeightPyramid::Ball HeightPyramid::in_cells(const Vec3& centre, double radius) const {
  GROUSER_ASSERT(!(radius < 0.0));
  const double x = (centre.x() - origin_.x()) * inverse_spacing_;
  const double y = (centre.y() - origin_.y()) * inverse_spacing_;
  const double r = radius * inverse_spacing_ + 1e-9;  // against rounding
  return {x,
          y,
          (centre.z() - base_) * inverse_spacing_,
          r,
          cells_over(x - r, x + r, levels_[0].nx),
          cells_over(y - r, y + r, levels_[0].ny),
          endless_ && reaches_beyond(x - r, x + r, y - r, y + r)};
}

/// What lies beyond the border has no bound: only the way to there counts.
bool HeightPyramid::near_beyond(const Ball& ball, std::size_t level, std::size_t bx,
                                std::size_t by) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto way_out = [](double x, std::size_t b, std::size_t count, std::size_t cells) {
    const double below = b == 0 ? std::max(0.0, x) : kFar;
    const double above = b + 1 == count ? std::max(0.0, static_cast<double>(cells) - x) : kFar;
    return std::min(below, above);
  };
  const Level& blocks = levels_[level];
  const double dx = distance(ball.x, bx, blocks.nx, level);
  const double dy = distance(ball.y, by, blocks.ny, level);
  const double out_x = way_out(ball.x, bx, blocks.nx, levels_[0].nx);
  const double out_y = way_out(ball.y, by, blocks.ny, levels_[0].ny);
  const double reach = ball.radius * ball.radius;
  return out_x * out_x + dy * dy <= reach || dx * dx + out_y * out_y <= reach;
}

}  // namespace grouser
