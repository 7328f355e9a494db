#include "grouser/contact/soil_flow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numbers>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace grouser {
namespace {

using Byte = std::uint8_t;
using Index = std::ptrdiff_t;

// ---- Registers of two doubles and four floats, as every 64-bit processor has them ----

using Double2 [[gnu::vector_size(16)]] = double;
using Long2 [[gnu::vector_size(16)]] = std::int64_t;
using Float4 [[gnu::vector_size(16)]] = float;
using Int4 [[gnu::vector_size(16)]] = std::int32_t;

template <class Register, class Number>
Register load(const Number* p) {
  Register v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class Register, class Number>
void store(Number* p, Register v) {
  std::memcpy(p, &v, sizeof v);
}
Double2 load2(const double* p) {
  return load<Double2>(p);
}
Double2 two(double x) {
  return Double2{x, x};
}
Float4 four(float x) {
  return Float4{x, x, x, x};
}
Double2 bits_and(Double2 a, Double2 b) {
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) & reinterpret_cast<Long2>(b));
}
Double2 bits_or(Double2 a, Double2 b) {
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) | reinterpret_cast<Long2>(b));
}
Double2 abs(Double2 a) {
  const std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) & Long2{all_but_sign, all_but_sign});
}

// Greatest, least: the second where the first is not a number.
#if defined(__SSE2__)
Double2 max(Double2 a, Double2 b) {
  return _mm_max_pd(a, b);
}
Double2 min(Double2 a, Double2 b) {
  return _mm_min_pd(a, b);
}
Float4 max(Float4 a, Float4 b) {
  return _mm_max_ps(a, b);
}
Float4 sqrt(Float4 a) {
  return _mm_sqrt_ps(a);
}
bool any_above(Double2 a, Double2 b) {
  return _mm_movemask_pd(_mm_cmpgt_pd(a, b)) != 0;
}
#else
Double2 max(Double2 a, Double2 b) {
  return a > b ? a : b;
}
Double2 min(Double2 a, Double2 b) {
  return a < b ? a : b;
}
Float4 max(Float4 a, Float4 b) {
  return a > b ? a : b;
}
Float4 sqrt(Float4 a) {
  return Float4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
bool any_above(Double2 a, Double2 b) {
  return a[0] > b[0] || a[1] > b[1];
}
#endif
/// First, second number of each of two pairs.
Double2 firsts(Double2 a, Double2 b) {
  return Double2{a[0], b[0]};
}
Double2 seconds(Double2 a, Double2 b) {
  return Double2{a[1], b[1]};
}

// ---- Deposition ----

constexpr std::size_t kLanes = 4;

/// Open nodes next to covered ones, in order. Coordinates are padded to whole registers.
struct Border {
  std::span<std::uint32_t> nodes;
  std::span<float> x, y;
};

/// 1 where a node is open and one of its eight neighbours is covered, else 0.
void mark_border(const SoilField& field, Byte* __restrict column, Byte* __restrict border) {
  const Index nx = field.nx;
  // Covered in one of three rows; the ends stay 0.
  column[0] = column[nx + 1] = 0;
  for (Index iy = 0; iy < field.ny; ++iy) {
    const Byte* row = field.closed.data() + iy * nx;
    const Byte* below = iy > 0 ? row - nx : row;
    const Byte* above = iy + 1 < field.ny ? row + nx : row;
    for (Index ix = 0; ix < nx; ++ix)
      column[ix + 1] = static_cast<Byte>((below[ix] == kSoilCovered) | (row[ix] == kSoilCovered) |
                                         (above[ix] == kSoilCovered));
    Byte* out = border + iy * nx;
    for (Index ix = 0; ix < nx; ++ix)
      out[ix] = static_cast<Byte>((column[ix] | column[ix + 1] | column[ix + 2]) &
                                  (row[ix] == kSoilOpen));
  }
}

Border find_border(const SoilField& field, Scratch& scratch) {
  const std::size_t size = field.closed.size();
  if (size == 0) return {};
  const std::span<Byte> border = scratch.take<Byte>(size);
  mark_border(field, scratch.take<Byte>(static_cast<std::size_t>(field.nx) + 2).data(),
              border.data());
  const auto count = static_cast<std::size_t>(std::count(border.begin(), border.end(), Byte{1}));
  const std::size_t room = (count + kLanes - 1) / kLanes * kLanes;
  Border out{scratch.take<std::uint32_t>(count), scratch.take<float>(room),
             scratch.take<float>(room)};
  std::fill(out.x.begin(), out.x.end(), 0.0f);
  std::fill(out.y.begin(), out.y.end(), 0.0f);
  const auto nx = static_cast<std::uint32_t>(field.nx);
  const Byte* next = border.data();
  const Byte* end = next + size;
  for (std::size_t k = 0; k < count; ++k, ++next) {
    next = static_cast<const Byte*>(std::memchr(next, 1, static_cast<std::size_t>(end - next)));
    const auto node = static_cast<std::uint32_t>(next - border.data());
    out.nodes[k] = node;
    out.x[k] = static_cast<float>(node % nx);
    out.y[k] = static_cast<float>(node / nx);
  }
  return out;
}

/// 2^x for -86 <= x <= 0, relative error 4e-6 at most.
Float4 power_of_two(Float4 x) {
  // Adding this constant rounds to whole numbers.
  const Float4 round = four(0x1.8p23f);
  const Float4 shifted = x + round;
  const Float4 rest = x - (shifted - round);
  // Best polynomial of degree 4 for |rest| <= 1/2: 2.6e-6.
  Float4 sum = four(0.00957010191f);
  for (const float term : {0.0559178603f, 0.240247448f, 0.693121815f, 0.999999261f})
    sum = sum * rest + four(term);
  // The whole part is added to the exponent.
  const Int4 whole = reinterpret_cast<Int4>(shifted) - reinterpret_cast<Int4>(round);
  return reinterpret_cast<Float4>(reinterpret_cast<Int4>(sum) + (whole << 23));
}

/// Weights of all border nodes for one source, not normalised; returns their sum. kPower 0: any.
template <int kPower, bool kDirected>
float find_weights(const SoilSource& source, const Border& border, double power, float* weight) {
  // Whole and broken part of the place apart: the way to a node keeps all digits.
  const double whole_x = std::floor(source.x), whole_y = std::floor(source.y);
  const Float4 x0 = four(static_cast<float>(whole_x)), y0 = four(static_cast<float>(whole_y));
  const Float4 dx0 = four(static_cast<float>(source.x - whole_x));
  const Float4 dy0 = four(static_cast<float>(source.y - whole_y));
  // exp(a) = 2^(a / ln 2)
  const Vec2 flow = source.flow / std::numbers::ln2;
  const Float4 flow_x = four(static_cast<float>(flow.x()));
  const Float4 flow_y = four(static_cast<float>(flow.y()));
  const Float4 kappa = four(static_cast<float>(flow.norm()));
  const Float4 one = four(1.0f);
  const float *x = border.x.data(), *y = border.y.data();
  const auto weigh = [&](std::size_t k) {
    const Float4 dx = load<Float4>(x + k) - x0 - dx0, dy = load<Float4>(y + k) - y0 - dy0;
    const Float4 square = max(dx * dx + dy * dy, four(0.25f));
    Float4 w = one;
    if constexpr (kPower == 2) w = one / square;
    if constexpr (kPower == 1) w = one / sqrt(square);
    if constexpr (kPower == 0)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        w[lane] = static_cast<float>(std::pow(static_cast<double>(square[lane]), -0.5 * power));
    if constexpr (kDirected) {
      const Float4 inverse = kPower == 1 ? w : kPower == 2 ? sqrt(w) : one / sqrt(square);
      w *= power_of_two(max((flow_x * dx + flow_y * dy) * inverse - kappa, four(-86.0f)));
    }
    return w;
  };

  Float4 sum = four(0.0f);
  std::size_t k = 0;
  for (; k + kLanes <= border.nodes.size(); k += kLanes) {
    const Float4 w = weigh(k);
    store(weight + k, w);
    sum += w;
  }
  // Lanes beyond the last node have no weight.
  if (k < border.nodes.size()) {
    Float4 w = weigh(k);
    for (std::size_t lane = border.nodes.size() - k; lane < kLanes; ++lane) w[lane] = 0.0f;
    store(weight + k, w);
    sum += w;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

using FindWeights = float (*)(const SoilSource&, const Border&, double, float*);
FindWeights weights_for(double power, bool directed) {
  if (power == 1.0) return directed ? find_weights<1, true> : find_weights<1, false>;
  if (power == 2.0) return directed ? find_weights<2, true> : find_weights<2, false>;
  return directed ? find_weights<0, true> : find_weights<0, false>;
}

/// part += share * weight
void add_share(float share, std::span<const float> weight, float* part) {
  for (std::size_t k = 0; k < weight.size(); k += kLanes)
    store(part + k, load<Float4>(part + k) + four(share) * load<Float4>(weight.data() + k));
}

double total_volume(std::span<const SoilSource> sources) {
  double sum = 0.0;
  for (const SoilSource& source : sources) sum += source.volume;
  return sum;
}

}  // namespace

double deposit(std::span<const SoilSource> sources, double power, SoilField& field,
               Scratch& scratch) {
  const double volume = total_volume(sources);
  if (volume == 0.0) return 0.0;
  const Scratch::Mark mark = scratch.mark();
  const Border border = find_border(field, scratch);
  if (border.nodes.empty()) {
    scratch.rewind(mark);
    return volume;
  }

  // Which part of all soil goes to which node, in single precision.
  const std::span<float> weight = scratch.take<float>(border.x.size());
  const std::span<float> part = scratch.take<float>(border.x.size());
  std::fill(part.begin(), part.end(), 0.0f);
  for (const SoilSource& source : sources) {
    if (source.volume == 0.0) continue;
    const FindWeights find = weights_for(power, source.flow != Vec2::Zero());
    const float sum = find(source, border, power, weight.data());
    add_share(static_cast<float>(source.volume / volume) / sum, weight, part.data());
  }

  // The parts are made to add up to one in double precision: no volume is lost.
  double parts = 0.0;
  for (const float p : part) parts += static_cast<double>(p);
  const double height = volume / (field.spacing * field.spacing) / parts;
  for (std::size_t k = 0; k < border.nodes.size(); ++k)
    field.change[border.nodes[k]] += height * static_cast<double>(part[k]);
  scratch.rewind(mark);
  return 0.0;
}

std::span<SoilSource> grouped(std::span<const SoilSource> sources, int nx, int ny, int block,
                              Scratch& scratch) {
  const int across = (nx + block - 1) / block, along = (ny + block - 1) / block;
  const std::span<SoilSource> groups =
      scratch.take<SoilSource>(static_cast<std::size_t>(across) * static_cast<std::size_t>(along));
  std::fill(groups.begin(), groups.end(), SoilSource{});
  // Sums of volume, volume x place and volume x flow; then divided.
  const double inverse_block = 1.0 / block;
  const auto block_of = [inverse_block](double place, int blocks) {
    return static_cast<int>(std::clamp((place + 0.5) * inverse_block, 0.0, blocks - 0.5));
  };
  for (const SoilSource& source : sources) {
    SoilSource& group = groups[block_of(source.y, along) * across + block_of(source.x, across)];
    group.volume += source.volume;
    group.x += source.volume * source.x;
    group.y += source.volume * source.y;
    group.flow += source.volume * source.flow;
  }
  std::size_t count = 0;
  for (const SoilSource& group : groups) {
    if (group.volume == 0.0) continue;
    const double inverse = 1.0 / group.volume;
    groups[count++] = {group.x * inverse, group.y * inverse, group.volume, group.flow * inverse};
  }
  return groups.first(count);
}

// ---- Erosion ----

namespace {

constexpr double kAxisRate = 0.75, kDiagonalRate = 1.0;
constexpr Index kBlock = 4;           // nodes looked at together
constexpr Index kPairs = kBlock / 2;  // registers of a block
constexpr Index kMargin = 2;          // nodes beyond a row that a block may touch

/// A set of parts of a row, one bit each. Part k stands for the edges that start in it.
using Parts = std::uint64_t;
constexpr Index kMostParts = 64;

/// The window with rows of whole blocks and a margin. Nodes that soil neither reaches nor leaves,
/// and the margin, hold "not a number": every comparison with them says no, so nothing moves.
struct Bed {
  Index nx = 0, ny = 0, pitch = 0;
  Index part = kBlock;  ///< nodes of a part: one block, more where a row has too many
  double* change = nullptr;
  double* ground = nullptr;  ///< none: flat
  double* active = nullptr;  ///< all bits or none; none: all
  // By row: parts with an active node; parts to look at because of what the last sweep changed (at
  // first: because too steep) and because of what this one did; whether anything changed since the
  // start. `now` has a row before the first.
  Parts *allowed = nullptr, *before = nullptr, *now = nullptr;
  Byte* touched = nullptr;
};

/// All bits, as a double not a number; or none.
std::uint64_t all_bits(bool yes) {
  return std::uint64_t{0} - static_cast<std::uint64_t>(yes);
}

template <class T>
T* take_filled(Index count, T value, Scratch& scratch) {
  const std::span<T> out = scratch.take<T>(static_cast<std::size_t>(count));
  std::fill(out.begin(), out.end(), value);
  return out.data();
}

/// Rows of the bed from rows of nx numbers, with `rest` beyond.
double* padded_copy(std::span<const double> numbers, double rest, const Bed& bed,
                    Scratch& scratch) {
  double* out = scratch.take<double>(static_cast<std::size_t>(bed.pitch * bed.ny)).data();
  for (Index iy = 0; iy < bed.ny; ++iy) {
    double* row = out + iy * bed.pitch;
    std::copy_n(numbers.data() + iy * bed.nx, bed.nx, row);
    std::fill(row + bed.nx, row + bed.pitch, rest);
  }
  return out;
}

/// Sets all bits of the numbers whose byte is not zero.
void set_bits(std::span<const Byte> bytes, const Bed& bed, double* numbers) {
  const Index nx = bed.nx;
  for (Index iy = 0; iy < bed.ny; ++iy) {
    double* __restrict row = numbers + iy * bed.pitch;
    const Byte* __restrict byte = bytes.data() + iy * nx;
    for (Index ix = 0; ix < nx; ++ix)
      row[ix] =
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(row[ix]) | all_bits(byte[ix] != 0));
  }
}

/// Parts of a row of bytes with one that is not zero.
Parts parts_with_any(const Byte* row, const Bed& bed) {
  Parts parts = 0;
  Index ix = 0;
  for (Index k = 0; ix < bed.nx; ++k)
    for (const Index end = std::min(ix + bed.part, bed.nx); ix < end; ix += kBlock) {
      std::uint32_t four_bytes = 0;
      if (ix + kBlock <= end)
        std::memcpy(&four_bytes, row + ix, kBlock);
      else
        std::memcpy(&four_bytes, row + ix, static_cast<std::size_t>(end - ix));
      parts |= static_cast<Parts>(four_bytes != 0) << k;
    }
  return parts;
}

/// With the ones before and after.
Parts widened(Parts parts) {
  return parts | parts << 1 | parts >> 1;
}

void set_active(std::span<const Byte> active, Bed& bed, Scratch& scratch) {
  bed.active = take_filled(bed.pitch * bed.ny, 0.0, scratch);
  set_bits(active, bed, bed.active);
  Parts row = parts_with_any(active.data(), bed);
  for (Index iy = 0; iy < bed.ny; ++iy) {
    const bool is_last = iy + 1 == bed.ny;
    const Parts above = is_last ? 0 : parts_with_any(active.data() + (iy + 1) * bed.nx, bed);
    bed.allowed[iy] = widened(row | above);
    row = above;
  }
}

Bed make_bed(const SoilField& field, std::span<const Byte> active, Scratch& scratch) {
  Bed bed;
  bed.nx = field.nx;
  bed.ny = field.ny;
  const Index blocks = (bed.nx + kBlock - 1) / kBlock;
  bed.pitch = blocks * kBlock + kMargin;
  bed.part = (blocks + kMostParts - 1) / kMostParts * kBlock;
  bed.allowed = take_filled(bed.ny, ~Parts{0}, scratch);
  bed.before = take_filled(bed.ny, Parts{0}, scratch);
  bed.now = take_filled(bed.ny + 1, Parts{0}, scratch) + 1;
  bed.touched = take_filled(bed.ny, Byte{0}, scratch);
  bed.change = padded_copy(field.change, std::bit_cast<double>(all_bits(true)), bed, scratch);
  if (!field.closed.empty()) set_bits(field.closed, bed, bed.change);
  if (!field.ground.empty()) bed.ground = padded_copy(field.ground, 0.0, bed, scratch);
  if (!active.empty()) set_active(active, bed, scratch);
  return bed;
}

/// Writes back what changed; nodes that were left out keep what they had.
void write_back(const Bed& bed, std::span<double> change) {
  for (Index iy = 0; iy < bed.ny; ++iy) {
    if (bed.touched[iy] == 0) continue;
    const double* from = bed.change + iy * bed.pitch;
    double* to = change.data() + iy * bed.nx;
    for (Index ix = 0; ix < bed.nx; ++ix) to[ix] = from[ix] == from[ix] ? from[ix] : to[ix];
  }
}

template <bool kGround, bool kMasked>
class Eroder {
 public:
  Eroder(const Bed& bed, double limit)
      : bed_(bed), limit_(two(limit)), diagonal_limit_squared_(two(2.0 * limit * limit)) {
    for (Index iy = 0; iy < bed.ny; ++iy)
      bed.before[iy] = steep_parts(iy * bed.pitch, iy + 1 < bed.ny ? bed.pitch : 0);
  }

  /// One turn of all edges; returns the greatest excess met.
  double sweep(bool exchanged) {
    greatest_axis_ = greatest_diagonal_ = two(0.0);
    if (exchanged) {
      horizontal();
      diagonal<true>();
      vertical();
      diagonal<false>();
    } else {
      vertical();
      diagonal<false>();
      horizontal();
      diagonal<true>();
    }
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      bed_.touched[iy] |= static_cast<Byte>(bed_.now[iy] != 0);
      bed_.before[iy] = bed_.now[iy];
      bed_.now[iy] = 0;
    }
    const Double2 greatest =
        max(greatest_axis_ * two(2.0 / kAxisRate), greatest_diagonal_ * two(2.0 / kDiagonalRate));
    return std::max(greatest[0], greatest[1]);
  }
  double moved() const { return moved_[0] + moved_[1]; }

 private:
  /// Height at node i above node j, and at i + 1 above j + 1.
  Double2 difference(Index i, Index j) const {
    const Double2 change = load2(bed_.change + i) - load2(bed_.change + j);
    if constexpr (!kGround) return change;
    return change + (load2(bed_.ground + i) - load2(bed_.ground + j));
  }
  /// Zero where neither node is active.
  Double2 if_active(Double2 number, Index i, Index j) const {
    if constexpr (!kMasked) return number;
    return bits_and(number, bits_or(load2(bed_.active + i), load2(bed_.active + j)));
  }
  /// Square of the slope along and across; across a node that is left out there is none.
  static Double2 squares(Double2 along, Double2 across) {
    return along * along + max(across * across, two(0.0));
  }

  /// Parts of the row that starts at node `row` with an edge that is too steep, active or not;
  /// `up` leads to the next row (none: 0).
  Parts steep_parts(Index row, Index up) const {
    Parts parts = 0;
    Index i = row;
    for (Index k = 0; i < row + bed_.nx; ++k) {
      Double2 axis = two(0.0), diagonal = two(0.0);
      for (const Index end = std::min(i + bed_.part, row + bed_.nx); i < end; i += 2) {
        axis = max(abs(difference(i, i + 1)), axis);
        axis = max(abs(difference(i, i + up)), axis);
        const Double2 one = difference(i, i + up + 1), other = difference(i + 1, i + up);
        const Double2 one_squared = max(one * one, two(0.0));
        const Double2 other_squared = max(other * other, two(0.0));
        diagonal = max(one_squared + other_squared, diagonal);
      }
      const bool is_steep = any_above(axis, limit_) || any_above(diagonal, diagonal_limit_squared_);
      parts |= static_cast<Parts>(is_steep) << k;
    }
    return parts;
  }

  /// Calls move(i) for the blocks of row iy that may have something to move, from left to right.
  /// What changes wakes the edges around: in this row, in the one below, and in the one above if
  /// edges lead there (kRows is 2).
  template <int kRows, class Move>
  void visit(Index iy, const Move& move) {
    Parts left = bed_.allowed[iy];
    while (const Parts awake = (bed_.before[iy] | bed_.now[iy]) & left) {
      const int k = std::countr_zero(awake);
      left &= ~Parts{1} << k;
      bool changed = false;
      const Index first = iy * bed_.pitch + k * bed_.part;
      const Index end = std::min(first + bed_.part, iy * bed_.pitch + bed_.nx);
      for (Index i = first; i < end; i += kBlock) changed |= move(i);
      if (!changed) continue;
      const Parts around = widened(Parts{1} << k);
      for (Index row = iy - 1; row < iy + kRows; ++row) bed_.now[row] |= around;
    }
  }
  /// Rows 0 and 1, 2 and 3, ..., then 1 and 2, 3 and 4, ...
  template <class Move>
  void visit_row_pairs(const Move& move) {
    for (Index start = 0; start < 2; ++start)
      for (Index iy = start; iy + 1 < bed_.ny; iy += 2) visit<2>(iy, move);
  }

  void move_soil(Index i, Index j, Double2 flow) {
    store(bed_.change + i, load2(bed_.change + i) - flow);
    store(bed_.change + j, load2(bed_.change + j) + flow);
  }
  void note(Double2 flow, Double2& greatest) {
    const Double2 size = abs(flow);
    greatest = max(size, greatest);
    moved_ += size;
  }
  Double2 axis_flow(Double2 difference) {
    const Double2 down = max(difference - limit_, two(0.0));
    const Double2 up = min(difference + limit_, two(0.0));
    const Double2 flow = two(0.5 * kAxisRate) * (down + up);
    note(flow, greatest_axis_);
    return flow;
  }
  Double2 diagonal_flow(Double2 difference, Double2 square) {
    const Double2 limit = diagonal_limit_squared_;
    const Double2 is_steep = reinterpret_cast<Double2>(square > limit);
    const Double2 share = two(1.0) - limit / max(square, limit);
    const Double2 flow = two(0.25 * kDiagonalRate) * bits_and(is_steep, difference) * share;
    note(flow, greatest_diagonal_);
    return flow;
  }

  void vertical() {
    const Index up = bed_.pitch;
    visit_row_pairs([this, up](Index i) {
      Double2 d[kPairs], steepest = two(0.0);
      for (Index k = 0; k < kPairs; ++k) {
        const Index at = i + 2 * k;
        d[k] = if_active(difference(at, at + up), at, at + up);
        steepest = max(abs(d[k]), steepest);
      }
      if (!any_above(steepest, limit_)) return false;
      for (Index k = 0; k < kPairs; ++k) move_soil(i + 2 * k, i + 2 * k + up, axis_flow(d[k]));
      return true;
    });
  }

  /// Edges to the upper right, or the other ones.
  template <bool kOther>
  void diagonal() {
    const Index from = kOther ? 1 : 0, to = bed_.pitch + 1 - from;
    const Index across_from = 1 - from, across_to = bed_.pitch + from;
    visit_row_pairs([=, this](Index i) {
      Double2 d[kPairs], square[kPairs], steepest = two(0.0);
      for (Index k = 0; k < kPairs; ++k) {
        const Index at = i + 2 * k;
        d[k] = difference(at + from, at + to);
        const Double2 across = difference(at + across_from, at + across_to);
        square[k] = if_active(squares(d[k], across), at + from, at + to);
        steepest = max(square[k], steepest);
      }
      if (!any_above(steepest, diagonal_limit_squared_)) return false;
      for (Index k = 0; k < kPairs; ++k)
        move_soil(i + 2 * k + from, i + 2 * k + to, diagonal_flow(d[k], square[k]));
      return true;
    });
  }

  void horizontal() {
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      visit<1>(iy, [this](Index i) { return horizontal_block(i); });
      visit<1>(iy, [this](Index i) { return horizontal_block(i + 1); });
    }
  }
  /// Edges from i to i + 1 and from i + 2 to i + 3.
  bool horizontal_block(Index i) {
    static_assert(kBlock == 4);
    Double2 d = evens(bed_.change + i) - odds(bed_.change + i);
    if constexpr (kGround) d += evens(bed_.ground + i) - odds(bed_.ground + i);
    if constexpr (kMasked) d = bits_and(d, bits_or(evens(bed_.active + i), odds(bed_.active + i)));
    if (!any_above(abs(d), limit_)) return false;
    const Double2 flow = axis_flow(d), signs = {1.0, -1.0};
    store(bed_.change + i, load2(bed_.change + i) - firsts(flow, flow) * signs);
    store(bed_.change + i + 2, load2(bed_.change + i + 2) - seconds(flow, flow) * signs);
    return true;
  }
  static Double2 evens(const double* p) { return firsts(load2(p), load2(p + 2)); }
  static Double2 odds(const double* p) { return seconds(load2(p), load2(p + 2)); }

  const Bed& bed_;
  const Double2 limit_, diagonal_limit_squared_;
  Double2 greatest_axis_ = two(0.0), greatest_diagonal_ = two(0.0), moved_ = two(0.0);
};

template <bool kGround, bool kMasked>
ErosionResult relax(const Bed& bed, double limit, int sweeps, double tolerance) {
  Eroder<kGround, kMasked> eroder(bed, limit);
  ErosionResult result;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    result.greatest_excess = eroder.sweep(sweep % 2 == 1);
    if (result.greatest_excess <= std::max(tolerance, 0.0)) break;
  }
  result.moved = eroder.moved();
  return result;
}

}  // namespace

ErosionResult erode(SoilField& field, double tan_repose, int sweeps, double tolerance,
                    Scratch& scratch, std::span<const std::uint8_t> active) {
  if (sweeps <= 0 || field.change.empty()) return {};
  const Scratch::Mark mark = scratch.mark();
  const Bed bed = make_bed(field, active, scratch);
  const auto relax_bed = bed.ground != nullptr
                             ? (bed.active != nullptr ? relax<true, true> : relax<true, false>)
                             : (bed.active != nullptr ? relax<false, true> : relax<false, false>);
  const ErosionResult result = relax_bed(bed, field.spacing * tan_repose, sweeps, tolerance);
  if (result.moved > 0.0) write_back(bed, field.change);
  scratch.rewind(mark);
  return result;
}

}  // namespace grouser
