#include "grouser/soil/soil_patches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "grouser/base/assert.h"

namespace grouser {
namespace {

using Index = std::ptrdiff_t;

// ---- Sets of nodes, one bit each ----
//
// Rows follow one another without a gap. The outermost nodes are not inside, so what is inside has
// all its neighbours, and sets can be shifted as a whole.

using Word = std::uint64_t;
constexpr Index kBits = 64;  // of a word

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

class NodeSet {
 public:
  /// Shifts of `reach` nodes are possible.
  NodeSet(Index nodes, Index reach, Scratch& scratch)
      : words_((nodes + kBits - 1) / kBits), margin_(reach / kBits + 2) {
    const std::span<Word> all = scratch.take<Word>(at(words_ + 2 * margin_));
    std::fill(all.begin(), all.end(), Word{0});
    first_ = all.data() + margin_;
  }
  Index words() const { return words_; }
  Word& operator[](Index w) { return first_[w]; }
  Word operator[](Index w) const { return first_[w]; }
  bool has(Index node) const { return (first_[at(node) / kBits] >> (at(node) % kBits) & 1) != 0; }
  /// Takes out the nodes from `first` up to `end`.
  void clear(Index first, Index end) {
    while (first < end) {
      const Index low = first % kBits, count = std::min(kBits - low, end - first);
      first_[first / kBits] &= ~(~Word{0} >> (kBits - count) << low);
      first += count;
    }
  }
  /// Bit k of word w: whether the node `shift` behind node k of that word is in the set.
  Word shifted(Index w, Index shift) const {
    const auto from = static_cast<std::size_t>((w + margin_) * kBits + shift);
    const Word* word = first_ - margin_ + from / kBits;
    const std::size_t low = from % kBits;
    return word[0] >> low | word[1] << 1 << (kBits - 1 - low);
  }

 private:
  Index words_, margin_;
  Word* first_;
};

/// Calls visit(k) for the ones of a word, in order.
template <class Visit>
void for_each_node(Word bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
}

// ---- Where the object is ----

struct Classes {
  NodeSet inside;   ///< more than half a cell in the ground
  NodeSet edge;     ///< in the ground, by less than half a cell
  NodeSet shallow;  ///< more than half a cell above the ground
};

/// Bits of `count` nodes, at most a word: whether their number is above the limit.
Word above(const double* number, double limit, Index count) {
  Word out = 0;
  Index k = 0;
#if defined(__SSE2__)
  const __m128d limits = _mm_set1_pd(limit);
  const auto two = [&](Index i) {
    return _mm_castpd_si128(_mm_cmpgt_pd(_mm_loadu_pd(number + i), limits));
  };
  const auto four = [&](Index i) { return _mm_packs_epi32(two(i), two(i + 2)); };
  const auto eight = [&](Index i) { return _mm_packs_epi32(four(i), four(i + 4)); };
  for (; k + 16 <= count; k += 16) {
    const int bits = _mm_movemask_epi8(_mm_packs_epi16(eight(k), eight(k + 8)));
    out |= static_cast<Word>(bits) << k;
  }
#endif
  for (; k < count; ++k) out |= static_cast<Word>(number[k] > limit) << k;
  return out;
}

void clear_outermost(NodeSet& set, Index nx, Index ny) {
  set.clear(0, nx);
  for (Index iy = 1; iy < ny; ++iy) set.clear(iy * nx - 1, iy * nx + 1);
  set.clear((ny - 1) * nx, ny * nx);
}

Classes classify(const SoilFootprint& f, Scratch& scratch) {
  const Index nx = f.nx, size = nx * f.ny;
  Classes out{{size, nx + 1, scratch}, {size, nx + 1, scratch}, {size, nx + 1, scratch}};
  for (Index w = 0; w < out.inside.words(); ++w) {
    const Index first = w * kBits;
    const Index count = std::min(kBits, size - first);
    const Word deep = above(f.depth.data() + first, 0.0, count);
    const Word covered = above(f.coverage.data() + first, kHalfCovered, count);
    out.inside[w] = deep & covered;
    for_each_node(deep & ~covered, [&](int k) {
      out.edge[w] |= static_cast<Word>(f.coverage[at(first + k)] > 0.0) << k;
    });
    out.shallow[w] = ~deep & covered;
  }
  clear_outermost(out.inside, nx, f.ny);
  clear_outermost(out.edge, nx, f.ny);
  return out;
}

// ---- Labels ----

/// Nodes inside that follow one another in a row.
struct Run {
  std::int32_t first, end;
  std::int32_t parent;  ///< a run that is connected to it, or itself
};

/// The first of the runs that were found to be connected.
std::int32_t root_of(std::span<Run> runs, std::int32_t run) {
  while (runs[at(run)].parent != run) {
    std::int32_t& up = runs[at(run)].parent;
    up = runs[at(up)].parent;
    run = up;
  }
  return run;
}

std::span<Run> find_runs(const NodeSet& inside, Scratch& scratch) {
  ScratchList<Run> list(scratch);
  std::int32_t first = 0, number = 0;
  for (Index w = 0; w < inside.words(); ++w) {
    // A run starts at a node whose neighbour before it is not inside, and ends the same way.
    for_each_node(inside[w] ^ inside.shifted(w, -1), [&](int k) {
      const auto node = static_cast<std::int32_t>(w * kBits + k);
      if (inside.has(node))
        first = node;
      else
        list.add({first, node, number++});
    });
  }
  return list.items();
}

/// Joins runs that touch along a side of a cell under the first of them.
void join(std::span<Run> runs, std::int32_t nx) {
  std::size_t below = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::int32_t first = runs[r].first - nx, end = runs[r].end - nx;
    while (runs[below].end <= first) ++below;
    for (std::size_t b = below; runs[b].first < end; ++b) {
      GROUSER_ASSERT(b < r);
      const std::int32_t one = root_of(runs, static_cast<std::int32_t>(r));
      const std::int32_t other = root_of(runs, static_cast<std::int32_t>(b));
      runs[at(std::max(one, other))].parent = std::min(one, other);
    }
  }
}

/// Numbers of patches for the nodes inside; returns how many patches there are.
std::int32_t label_runs(std::span<Run> runs, std::span<std::int32_t> labels) {
  std::int32_t count = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::int32_t root = root_of(runs, static_cast<std::int32_t>(r));
    const bool is_first = root == static_cast<std::int32_t>(r);
    const std::int32_t number = is_first ? count++ : labels[at(runs[at(root)].first)];
    std::fill(labels.begin() + runs[r].first, labels.begin() + runs[r].end, number);
  }
  return count;
}

/// What is touched by less than half a cell goes with its deepest neighbour inside, the same one in
/// a mirror, or is a patch of its own.
std::int32_t label_edge(const SoilFootprint& f, const Classes& is, std::span<std::int32_t> labels,
                        std::int32_t count) {
  const Index nx = f.nx;
  for (Index w = 0; w < is.edge.words(); ++w)
    for_each_node(is.edge[w], [&](int k) {
      const Index i = w * kBits + k;
      std::int32_t label = -1;
      double deepest = -std::numeric_limits<double>::infinity();
      for (const Index j :
           {i - 1, i + 1, i - nx, i + nx, i - nx - 1, i - nx + 1, i + nx - 1, i + nx + 1}) {
        if (!is.inside.has(j) || !(f.depth[at(j)] > deepest)) continue;
        deepest = f.depth[at(j)];
        label = labels[at(j)];
      }
      labels[at(i)] = label >= 0 ? label : count++;
    });
  return count;
}

// ---- Outline ----

class Outline {
 public:
  Outline(const SoilFootprint& f, const Classes& is) : f_(f), is_(is) {}

  /// Length of the outline between the four nodes of which `i` is the lower left one, in spacings,
  /// given to the patches of the nodes inside by `add(node, length)`. Bits of `in`: which corners
  /// are inside, around the square; not all, not none.
  template <class Add>
  void measure(Index i, unsigned in, Add&& add) const {
    const Index up = f_.nx;
    // Two corners across: cut off one by one.
    if (in == 0b0101) {
      add(i, length<3, 0>(i, in));
      add(i + up + 1, length<1, 2>(i, in));
    } else if (in == 0b1010) {
      add(i + 1, length<0, 1>(i, in));
      add(i + up, length<2, 3>(i, in));
    } else {
      const Index last = (in & 0b1000) != 0 ? up : (in & 0b0100) != 0 ? up + 1 : in >> 1;
      add(i + last, length(i, in));
    }
  }

  /// Area between the side of a node's cell and an outline where the depth ends, in cells: what the
  /// chords along x say, and those along y, in the mean.
  double beyond(Index i) const {
    double area = 0.0;
    for (const Index j : {i - 1, i + 1, i - f_.nx, i + f_.nx})
      if (is_.shallow.has(j)) area += 0.5 * (distance(i, j) - 0.5);
    return area;
  }

 private:
  struct Place {
    double x, y;
  };
  /// Where the outline crosses side k of the square, from corner k to the next one.
  template <int k>
  Place crossing(Index i, unsigned in) const {
    const std::array<Index, 4> corner = {i, i + 1, i + 1 + f_.nx, i + f_.nx};
    const Index one = corner[k], other = corner[(k + 1) % 4];
    const double t = (in >> k & 1) != 0 ? distance(one, other) : 1.0 - distance(other, one);
    if constexpr (k == 0) return {t, 0.0};
    if constexpr (k == 1) return {1.0, t};
    if constexpr (k == 2) return {1.0 - t, 1.0};
    if constexpr (k == 3) return {0.0, 1.0 - t};
  }
  /// From one side to another.
  template <int kOne, int kOther>
  double length(Index i, unsigned in) const {
    const Place a = crossing<kOne>(i, in), b = crossing<kOther>(i, in);
    const double x = a.x - b.x, y = a.y - b.y;
    return y == 0.0 ? std::abs(x) : x == 0.0 ? std::abs(y) : std::hypot(x, y);
  }
  /// From the one side that is crossed to the other.
  double length(Index i, unsigned in) const {
    switch (in ^ (in >> 1 | (in << 3 & 8))) {
      case 0b0011:
        return length<0, 1>(i, in);
      case 0b0101:
        return length<0, 2>(i, in);
      case 0b1001:
        return length<0, 3>(i, in);
      case 0b0110:
        return length<1, 2>(i, in);
      case 0b1010:
        return length<1, 3>(i, in);
      default:
        return length<2, 3>(i, in);
    }
  }
  /// Of the outline from a node inside, towards a neighbour outside, in spacings.
  double distance(Index from, Index to) const {
    if (f_.coverage[at(to)] > kHalfCovered) {  // it rises out of the ground
      const double d = f_.depth[at(from)], e = f_.depth[at(to)];
      return std::isfinite(e) ? d / (d - e) : 0.5;
    }
    return std::clamp(f_.coverage[at(from)] + f_.coverage[at(to)] - 0.5, 0.0, 1.0);
  }

  const SoilFootprint& f_;
  const Classes& is_;
};

void add_areas(const SoilFootprint& f, const Classes& is, std::span<const std::int32_t> labels,
               std::span<SoilPatch> patches) {
  const Outline outline(f, is);
  const double cell = f.spacing * f.spacing;
  const double* coverage = f.coverage.data();
  for (Index w = 0; w < is.inside.words(); ++w) {
    const Word beside_shallow = is.shallow.shifted(w, -1) | is.shallow.shifted(w, 1) |
                                is.shallow.shifted(w, -f.nx) | is.shallow.shifted(w, f.nx);
    const Word rising = is.inside[w] & beside_shallow;
    const Word plain = is.inside[w] & ~rising;
    // In the order of nodes: nodes on their own, and stretches of one patch with nothing beyond.
    Word left = is.inside[w] | is.edge[w];
    while (left != 0) {
      const Word lowest = left & (~left + 1);
      const Index i = w * kBits + std::countr_zero(left);
      GROUSER_ASSERT(labels[at(i)] >= 0 && at(labels[at(i)]) < patches.size());
      double& sum = patches[at(labels[at(i)])].area;
      if ((plain & lowest) == 0) {
        const bool rises = (rising & lowest) != 0;
        sum += cell * (coverage[i] + (rises ? outline.beyond(i) : 0.0));
        left ^= lowest;
        continue;
      }
      const Word stretch = plain & ~(plain + lowest);
      const Index end = i + std::countr_one(plain >> (i % kBits));
      double area = sum;
      for (Index k = i; k < end; ++k) area += cell * coverage[k];
      sum = area;
      left &= ~stretch;
    }
  }
}

void add_perimeters(const SoilFootprint& f, const Classes& is, std::span<const std::int32_t> labels,
                    std::span<SoilPatch> patches) {
  const Outline outline(f, is);
  for (Index w = 0; w < is.inside.words(); ++w) {
    // The corners of the squares whose lower left nodes these are.
    const std::array<Word, 4> in = {is.inside[w], is.inside.shifted(w, 1),
                                    is.inside.shifted(w, f.nx + 1), is.inside.shifted(w, f.nx)};
    const Word mixed = (in[0] | in[1] | in[2] | in[3]) & ~(in[0] & in[1] & in[2] & in[3]);
    for_each_node(mixed, [&](int k) {
      unsigned corners = 0;
      for (unsigned c = 0; c < 4; ++c) corners |= static_cast<unsigned>(in[c] >> k & 1) << c;
      outline.measure(w * kBits + k, corners, [&](Index node, double length) {
        patches[at(labels[at(node)])].perimeter += f.spacing * length;
      });
    });
  }
  // Thinner than half a cell: as a strip.
  for (SoilPatch& patch : patches)
    if (patch.perimeter == 0.0) patch.perimeter = 2.0 * f.spacing;
}

}  // namespace

std::span<SoilPatch> find_patches(const SoilFootprint& footprint, std::span<std::int32_t> labels,
                                  Scratch& scratch) {
  GROUSER_ASSERT(footprint.depth.size() == labels.size() &&
                 footprint.coverage.size() == labels.size());
  GROUSER_ASSERT(static_cast<std::size_t>(footprint.nx) * footprint.ny == labels.size());
  Classes classes = classify(footprint, scratch);
  const std::span<Run> runs = find_runs(classes.inside, scratch);
  join(runs, footprint.nx);
  std::fill(labels.begin(), labels.end(), -1);
  const std::int32_t count = label_edge(footprint, classes, labels, label_runs(runs, labels));
  GROUSER_ASSERT(count >= 0);
  const std::span<SoilPatch> patches = scratch.take<SoilPatch>(at(count));
  std::fill(patches.begin(), patches.end(), SoilPatch{});
  add_areas(footprint, classes, labels, patches);
  add_perimeters(footprint, classes, labels, patches);
  return patches;
}

}  // namespace grouser
