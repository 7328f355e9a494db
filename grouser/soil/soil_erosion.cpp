#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "grouser/math/registers.h"
#include "grouser/soil/soil_bed.h"

namespace grouser {
namespace {

using namespace erosion;
using namespace registers;

constexpr double kAxisRate = 0.75, kDiagonalRate = 1.0;

/// The nodes of a bed, in pairs: i and i + 1.
template <bool kGround, bool kMasked>
struct Nodes {
  double* change;
  const double *ground, *active;

  Double2 height(Index i) const {
    if constexpr (!kGround) return load2(change + i);
    return load2(change + i) + load2(ground + i);
  }
  /// Height at node i above node j, and at i + 1 above j + 1.
  Double2 difference(Index i, Index j) const {
    const Double2 of_change = load2(change + i) - load2(change + j);
    if constexpr (!kGround) return of_change;
    return of_change + (load2(ground + i) - load2(ground + j));
  }
  /// Zero where neither node is active.
  Double2 if_active(Double2 number, Index i, Index j) const {
    if constexpr (!kMasked) return number;
    return bits_and(number, bits_or(load2(active + i), load2(active + j)));
  }
  void add(Index i, Double2 soil) const { store(change + i, load2(change + i) + soil); }
};

/// The highest and the lowest of heights. Nodes that are left out are neither.
struct HeightSpan {
  Double2 high = two(-std::numeric_limits<double>::infinity());
  Double2 low = two(std::numeric_limits<double>::infinity());
  void add(Double2 height) {
    high = greater(height, high);
    low = lesser(height, low);
  }
  Double2 with(const HeightSpan& other) const {
    return greater(high, other.high) - lesser(low, other.low);
  }
};

/// Flows over edges that are too steep, and what they come to.
struct Flows {
  Double2 limit, diagonal_limit_squared;
  Double2 start, diagonal_start_squared;  // below these, blocks rest
  Double2 greatest_axis = two(0.0), greatest_diagonal = two(0.0), moved = two(0.0);

  Flows(double limit_on_axis, double tolerance)
      : limit(two(limit_on_axis)),
        diagonal_limit_squared(square_of(std::numbers::sqrt2 * limit_on_axis)),
        start(two(limit_on_axis + tolerance)),
        diagonal_start_squared(square_of(std::numbers::sqrt2 * limit_on_axis + tolerance)) {}

  Double2 on_axis(Double2 difference) {
    const Double2 down = greater(difference - limit, two(0.0));
    const Double2 up = lesser(difference + limit, two(0.0));
    const Double2 is_steep = reinterpret_cast<Double2>(abs(difference) > start);
    const Double2 flow = two(0.5 * kAxisRate) * bits_and(is_steep, down + up);
    note(flow, greatest_axis);
    return flow;
  }
  Double2 on_diagonal(Double2 difference, Double2 square) {
    const Double2 is_steep = reinterpret_cast<Double2>(square > diagonal_start_squared);
    const Double2 share =
        two(1.0) - diagonal_limit_squared / greater(square, diagonal_limit_squared);
    const Double2 flow = two(0.25 * kDiagonalRate) * bits_and(is_steep, difference) * share;
    note(flow, greatest_diagonal);
    return flow;
  }
  double greatest_excess() const {
    const Double2 greatest =
        greater(greatest_axis * two(2.0 / kAxisRate), greatest_diagonal * two(2.0 / kDiagonalRate));
    return std::max(greatest[0], greatest[1]);
  }

 private:
  /// Without friction still not zero: level ground is not steep then either.
  static Double2 square_of(double limit) {
    return two(std::max(limit * limit, std::numeric_limits<double>::min()));
  }
  void note(Double2 flow, Double2& greatest) {
    const Double2 size = abs(flow);
    greatest = greater(size, greatest);
    moved += size;
  }
};

/// Passes over the bed work on copies of `nodes_` and `flows_`, which stay in registers.
template <bool kGround, bool kMasked, bool kWide>
class Eroder {
 public:
  Eroder(const Bed& bed, double limit, double tolerance)
      : bed_(bed), nodes_{bed.change, bed.ground, bed.active}, flows_(limit, tolerance) {
    // Of the two diagonals of a cell that is too steep, one is so by this much at least.
    const double least = limit + tolerance / std::numbers::sqrt2;
    for (Index ix = 0; ix < bed.nx; ix += kBlock) wake(ix, least);
  }

  /// Half of a sweep: two of the four directions.
  void turn(std::uint64_t number) {
    if (number % 2 == 1) return diagonal();
    const bool rows_first = number % 4 == 2;
    if (rows_first) horizontal();
    vertical();
    if (!rows_first) horizontal();
  }
  /// After a sweep, or at the end: the greatest excess met.
  double rest() {
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      bed_.touched[iy] |= bed_.now[iy];
      bed_.before[iy] = bed_.now[iy];
      bed_.now[iy] = 0;
    }
    const double excess = flows_.greatest_excess();
    flows_.greatest_axis = flows_.greatest_diagonal = two(0.0);
    return excess;
  }
  double moved() const { return flows_.moved[0] + flows_.moved[1]; }

 private:
  /// Wakes the parts in a column of blocks that may have an edge that is too steep, active or not:
  /// the heights of a cell's four nodes then differ by more than `least`. What is a little less
  /// steep wakes too, since heights are rounded.
  void wake(Index ix, double least) {
    static_assert(kBlock == 4);
    constexpr double kRounding = 1e-9;  // of heights up to 1000 km [m]
    const Nodes<kGround, kMasked> nodes = nodes_;
    const Double2 limit = two(least - kRounding);
    const Parts part = Parts{1} << (ix / bed_.part);
    Index i = bed_.ny * bed_.pitch + ix;
    HeightSpan above[kPairs];
    for (Index iy = bed_.ny - 1; iy >= 0; --iy) {
      i -= bed_.pitch;
      Double2 differ = two(0.0);
      for (Index k = 0; k < kPairs; ++k) {
        HeightSpan here;
        here.add(nodes.height(i + 2 * k));
        here.add(nodes.height(i + 2 * k + 1));
        differ = greater(here.with(above[k]), differ);
        above[k] = here;
      }
      if (any_above(differ, limit)) bed_.before[iy] |= part;
    }
  }

  Parts awake(Index iy) const { return (bed_.before[iy] | bed_.now[iy]) & bed_.allowed[iy]; }
  /// What changed in parts of row iy wakes the edges around: in this row, in the one below, and in
  /// the one above if edges lead there (kRows is 2).
  template <int kRows>
  void wake_around(Index iy, Parts changed) {
    const Parts around = widened(changed);
    for (Index row = iy - 1; row < iy + kRows; ++row) bed_.now[row] |= around;
  }
  /// Calls move(i) for the blocks of a part that starts at node `first`; what it returns, together.
  template <class Move>
  auto move_part(Index first, const Move& move) const {
    auto out = move(first);
    if constexpr (kWide)
      for (Index i = first + kBlock; i < first + bed_.part; i += kBlock) out |= move(i);
    return out;
  }
  /// Nodes of a part.
  Index part() const { return kWide ? bed_.part : kBlock; }
  /// Calls visit(first node, part, parts that are left) for parts of the row that starts at node
  /// `row`, from left to right; it may add parts further on.
  template <class Visit>
  void for_each_part(Parts left, Index row, const Visit& visit) const {
    while (left != 0) {
      Index first = row + std::countr_zero(left) * part();
      Parts here = left & (~left + 1);
      do {
        visit(first, here, left);
        left ^= here;
        here <<= 1;
        first += part();
      } while ((left & here) != 0);
    }
  }
  /// Calls find(node, place in a row of flows) for the blocks of row iy that may have something to
  /// move, from left to right; returns the parts in which it has found something.
  template <class Find>
  Parts find_flows(Index iy, const Find& find) const {
    Parts moving = 0;
    for_each_part(awake(iy), iy * bed_.pitch, [&](Index first, Parts here, Parts&) {
      const Index shift = iy * bed_.pitch;
      if (move_part(first, [&](Index i) { return find(i, i - shift); })) moving |= here;
    });
    return moving;
  }
  /// Calls change(node, place in a row of flows), two nodes at a time, for the parts of row iy.
  template <class Change>
  void change_row(Index iy, Parts parts, const Change& change) const {
    const Index row = iy * bed_.pitch;
    for_each_part(parts & bed_.all, row, [&](Index first, Parts, Parts&) {
      for (Index i = first; i < first + part(); i += 2) change(i, i - row);
    });
  }
  /// Empties the flows of some parts.
  void clear(double* flow, Parts parts) const {
    for_each_part(parts, 0, [&](Index first, Parts, Parts&) {
      for (Index i = first; i < first + part(); i += 2) store(flow + i, two(0.0));
    });
  }

  /// All edges between rows.
  void vertical() {
    const Nodes<kGround, kMasked> nodes = nodes_;
    const Index up = bed_.pitch;
    Flows flows = flows_;
    double *above = bed_.flow[0], *below = bed_.flow[1];
    Parts moved_below = 0;
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      Parts moved = 0;
      if (iy + 1 < bed_.ny)
        moved = find_flows(iy, [nodes, up, above, &flows](Index i, Index at) {
          Double2 d[kPairs], steepest = two(0.0);
          for (Index k = 0; k < kPairs; ++k) {
            const Index from = i + 2 * k;
            d[k] = nodes.if_active(nodes.difference(from, from + up), from, from + up);
            steepest = greater(abs(d[k]), steepest);
          }
          if (!any_above(steepest, flows.start)) return false;
          for (Index k = 0; k < kPairs; ++k) store(above + at + 2 * k, flows.on_axis(d[k]));
          return true;
        });
      if (moved != 0) wake_around<2>(iy, moved);
      change_row(iy, moved | moved_below,
                 [&](Index i, Index at) { nodes.add(i, load2(below + at) - load2(above + at)); });
      clear(below, moved_below);
      moved_below = moved;
      std::swap(above, below);
    }
    clear(below, moved_below);
    flows_ = flows;
  }

  /// All edges in rows.
  void horizontal() {
    const Nodes<kGround, kMasked> nodes = nodes_;
    Flows flows = flows_;
    double* const flow = bed_.flow[0];
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      const Parts moved = find_flows(iy, [nodes, flow, &flows](Index i, Index at) {
        Double2 d[kPairs], steepest = two(0.0);
        for (Index k = 0; k < kPairs; ++k) {
          const Index from = i + 2 * k;
          d[k] = nodes.if_active(nodes.difference(from, from + 1), from, from + 1);
          steepest = greater(abs(d[k]), steepest);
        }
        if (!any_above(steepest, flows.start)) return false;
        for (Index k = 0; k < kPairs; ++k) store(flow + at + 2 * k, flows.on_axis(d[k]));
        return true;
      });
      if (moved == 0) continue;
      wake_around<1>(iy, moved);
      change_row(iy, moved | moved << 1,
                 [&](Index i, Index at) { nodes.add(i, load2(flow + at - 1) - load2(flow + at)); });
      clear(flow, moved);
    }
    flows_ = flows;
  }

  /// All edges across cells, both of each cell.
  void diagonal() {
    const Nodes<kGround, kMasked> nodes = nodes_;
    const Index up = bed_.pitch;
    Flows flows = flows_;
    // To the upper right and to the upper left, from this row and from the one below.
    double *right = bed_.flow[0], *left = bed_.flow[1];
    double *right_below = bed_.flow[2], *left_below = bed_.flow[3];
    Parts moved_below = 0;
    for (Index iy = 0; iy < bed_.ny; ++iy) {
      Parts moved = 0;
      if (iy + 1 < bed_.ny)
        moved = find_flows(iy, [nodes, up, right, left, &flows](Index i, Index at) {
          Double2 r[kPairs], l[kPairs], square_r[kPairs], square_l[kPairs], steepest = two(0.0);
          for (Index k = 0; k < kPairs; ++k) {
            const Index from = i + 2 * k;
            r[k] = nodes.difference(from, from + up + 1);
            l[k] = nodes.difference(from + 1, from + up);
            square_r[k] = nodes.if_active(squares(r[k], l[k]), from, from + up + 1);
            square_l[k] = nodes.if_active(squares(l[k], r[k]), from + 1, from + up);
            steepest = greater(square_r[k], greater(square_l[k], steepest));
          }
          if (!any_above(steepest, flows.diagonal_start_squared)) return false;
          for (Index k = 0; k < kPairs; ++k) {
            store(right + at + 2 * k, flows.on_diagonal(r[k], square_r[k]));
            store(left + at + 2 * k, flows.on_diagonal(l[k], square_l[k]));
          }
          return true;
        });
      if (moved != 0) wake_around<2>(iy, moved);
      const Parts changed = moved | moved_below;
      change_row(iy, changed | changed << 1, [&](Index i, Index at) {
        const Double2 come = load2(left_below + at) + load2(right_below + at - 1);
        const Double2 go = load2(right + at) + load2(left + at - 1);
        nodes.add(i, come - go);
      });
      clear(right_below, moved_below);
      clear(left_below, moved_below);
      moved_below = moved;
      std::swap(right, right_below);
      std::swap(left, left_below);
    }
    clear(right_below, moved_below);
    clear(left_below, moved_below);
    flows_ = flows;
  }
  /// Square of the slope along and across; across a node that is left out there is none.
  static Double2 squares(Double2 along, Double2 across) {
    return along * along + greater(across * across, two(0.0));
  }

  const Bed& bed_;
  const Nodes<kGround, kMasked> nodes_;
  Flows flows_;
};

template <bool kGround, bool kMasked, bool kWide>
ErosionResult relax(const Bed& bed, double limit, ErosionTurns turns, double tolerance) {
  Eroder<kGround, kMasked, kWide> eroder(bed, limit, std::max(tolerance, 0.0));
  ErosionResult result;
  for (std::uint64_t turn = 0; turn < turns.count; ++turn) {
    eroder.turn(turns.first + turn);
    const bool sweep_is_done = turn % 2 == 1;
    if (!sweep_is_done && turn + 1 < turns.count) continue;
    result.greatest_excess = eroder.rest();
    if (sweep_is_done && result.greatest_excess <= std::max(tolerance, 0.0)) break;
  }
  result.moved = eroder.moved();
  return result;
}

using Relax = ErosionResult (*)(const Bed&, double, ErosionTurns, double);
template <bool kWide>
Relax relax_for(const Bed& bed) {
  const bool masked = bed.active != nullptr;
  if (bed.ground == nullptr) return masked ? relax<false, true, kWide> : relax<false, false, kWide>;
  return masked ? relax<true, true, kWide> : relax<true, false, kWide>;
}

}  // namespace

ErosionResult erode(SoilField& field, double tan_repose, ErosionTurns turns, double tolerance,
                    Scratch& scratch, std::span<const std::uint8_t> active) {
  if (turns.count == 0 || field.change.empty()) return {};
  const Scratch::Mark mark = scratch.mark();
  const Bed bed = make_bed(field, active, scratch);
  const Relax relax_bed = bed.part > kBlock ? relax_for<true>(bed) : relax_for<false>(bed);
  const ErosionResult result = relax_bed(bed, field.spacing * tan_repose, turns, tolerance);
  if (result.moved > 0.0) write_back(bed, field.change);
  scratch.rewind(mark);
  return result;
}

}  // namespace grouser
