#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

#include "grouser/base/assert.h"
#include "grouser/base/bits.h"
#include "grouser/math/registers.h"
#include "grouser/soil/soil_flow.h"

namespace grouser {
namespace {

using Byte = std::uint8_t;
using Index = std::ptrdiff_t;

using namespace registers;

#if defined(__SSE2__)
/// Bits of sixteen bytes: whether they have this value.
unsigned which_are(Byte value, const Byte* bytes) {
  const __m128i equal =
      _mm_cmpeq_epi8(load<__m128i>(bytes), _mm_set1_epi8(static_cast<char>(value)));
  return static_cast<unsigned>(_mm_movemask_epi8(equal));
}
#else
unsigned which_are(Byte value, const Byte* bytes) {
  unsigned out = 0;
  for (unsigned k = 0; k < 16; ++k) out |= static_cast<unsigned>(bytes[k] == value) << k;
  return out;
}
#endif

// ---- The border ----

constexpr std::size_t kRegisterLanes = 2;

/// Open nodes next to covered ones, in order. Coordinates are padded to whole registers.
struct Border {
  std::span<std::uint32_t> nodes;
  std::span<double> x, y;
};

/// Bits of at most a word of nodes.
BitSet::Word covered_bits(const Byte* closed, Index count) {
  BitSet::Word out = 0;
  constexpr Index kStep = 16;
  for (Index k = 0; k < count; k += kStep) {
    Byte bytes[kStep] = {};
    if (k + kStep <= count)
      std::memcpy(bytes, closed + k, kStep);
    else
      std::memcpy(bytes, closed + k, static_cast<std::size_t>(count - k));
    out |= static_cast<BitSet::Word>(which_are(kSoilCovered, bytes)) << k;
  }
  return out;
}

/// Which nodes are covered, row by row with an empty place behind each row.
BitSet find_covered(const SoilField& field, std::size_t pitch, Scratch& scratch) {
  constexpr Index kBits = BitSet::kBits;
  const Index nx = field.nx, ny = field.ny;
  BitSet out(static_cast<std::size_t>(ny) * pitch, scratch, pitch + 1);
  for (Index iy = 0; iy < ny; ++iy)
    for (Index ix = 0; ix < nx; ix += kBits)
      out.insert_word(static_cast<std::size_t>(iy) * pitch + static_cast<std::size_t>(ix),
                      covered_bits(field.closed.data() + iy * nx + ix, std::min(kBits, nx - ix)));
  return out;
}

/// Of a word of nodes, those that are not covered though one of the eight neighbours is.
BitSet::Word beside_covered(const BitSet& covered, std::size_t w, Index pitch) {
  BitSet::Word near = covered.shifted(w, -1) | covered.shifted(w, 1);
  for (Index x = -1; x <= 1; ++x)
    near |= covered.shifted(w, x - pitch) | covered.shifted(w, x + pitch);
  return near & ~covered[w];
}

Border find_border(const SoilField& field, Scratch& scratch) {
  const std::size_t size = field.closed.size();
  if (size == 0) return {};
  const std::size_t nx = static_cast<std::size_t>(field.nx), pitch = nx + 1;
  const BitSet covered = find_covered(field, pitch, scratch);
  // With room for all nodes.
  Border out{scratch.take<std::uint32_t>(size), scratch.take<double>(size + kRegisterLanes),
             scratch.take<double>(size + kRegisterLanes)};
  std::size_t count = 0;
  for (std::size_t w = 0; w < covered.words(); ++w)
    for_each_bit(beside_covered(covered, w, static_cast<Index>(pitch)), [&](std::size_t k) {
      const std::size_t place = w * BitSet::kBits + k, iy = place / pitch, ix = place % pitch;
      const std::size_t node = iy * nx + ix;
      if (ix == nx || node >= size || field.closed[node] != kSoilOpen) return;
      out.nodes[count] = static_cast<std::uint32_t>(node);
      out.x[count] = static_cast<double>(ix);
      out.y[count] = static_cast<double>(iy);
      ++count;
    });
  const std::size_t room = (count + kRegisterLanes - 1) / kRegisterLanes * kRegisterLanes;
  std::fill(out.x.begin() + count, out.x.begin() + room, 0.0);
  std::fill(out.y.begin() + count, out.y.begin() + room, 0.0);
  return {out.nodes.first(count), out.x.first(room), out.y.first(room)};
}

/// 2^x for -86 <= x <= 0, relative error 4e-6 at most.
Double2 power_of_two(Double2 x) {
  // Adding this constant rounds to whole numbers.
  const Double2 round = two(0x1.8p52);
  const Double2 shifted = x + round;
  const Double2 rest = x - (shifted - round);
  // A polynomial of degree 4 that is right to 3.5e-6 for |rest| <= 1/2, and exact at both ends: no
  // jump where the whole part changes.
  Double2 sum = two(0.009590996001352629);
  for (const double term :
       {0.0559599431761068, 0.2402453845494437, 0.6931167953925209, 0.9999993883923759})
    sum = sum * rest + two(term);
  // The whole part is added to the exponent.
  const Long2 whole = reinterpret_cast<Long2>(shifted) - reinterpret_cast<Long2>(round);
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(sum) + (whole << 52));
}

/// Weights of all border nodes for one source, not normalised; returns their sum. kPower 0: any.
template <int kPower, bool kDirected>
double find_weights(const SoilSource& source, const Border& border, double power, double* weight) {
  // exp(a) = 2^(a / ln 2)
  const Vec2 flow = source.flow / std::numbers::ln2;
  const double kappa = flow.norm();
  const double *x = border.x.data(), *y = border.y.data();
  const auto weigh = [&](std::size_t k) {
    const Double2 dx = load2(x + k) - source.x, dy = load2(y + k) - source.y;
    const Double2 square = greater(dx * dx + dy * dy, two(0.25));
    Double2 w = two(1.0);
    if constexpr (kPower == 2) w = 1.0 / square;
    if constexpr (kPower == 1) w = 1.0 / sqrt(square);
    if constexpr (kPower == 0)
      for (std::size_t lane = 0; lane < kRegisterLanes; ++lane)
        w[lane] = std::pow(square[lane], -0.5 * power);
    if constexpr (kDirected) {
      const Double2 inverse = kPower == 1 ? w : kPower == 2 ? sqrt(w) : 1.0 / sqrt(square);
      w *= power_of_two(greater((flow.x() * dx + flow.y() * dy) * inverse - kappa, two(-86.0)));
    }
    return w;
  };

  Double2 sum{};
  std::size_t k = 0;
  for (; k + kRegisterLanes <= border.nodes.size(); k += kRegisterLanes) {
    const Double2 w = weigh(k);
    store(weight + k, w);
    sum += w;
  }
  // Lanes beyond the last node have no weight.
  if (k < border.nodes.size()) {
    Double2 w = weigh(k);
    w[1] = 0.0;
    store(weight + k, w);
    sum += w;
  }
  return sum[0] + sum[1];
}

using FindWeights = double (*)(const SoilSource&, const Border&, double, double*);
FindWeights weights_for(double power, bool directed) {
  if (power == 1.0) return directed ? find_weights<1, true> : find_weights<1, false>;
  if (power == 2.0) return directed ? find_weights<2, true> : find_weights<2, false>;
  return directed ? find_weights<0, true> : find_weights<0, false>;
}

/// part += share * weight
void add_share(double share, std::span<const double> weight, double* part) {
  for (std::size_t k = 0; k < weight.size(); k += kRegisterLanes)
    store(part + k, load2(part + k) + share * load2(weight.data() + k));
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
  GROUSER_ASSERT(std::ranges::none_of(sources, [](const SoilSource& s) { return s.volume < 0.0; }));
  GROUSER_ASSERT(field.change.size() == static_cast<std::size_t>(field.nx) * field.ny);
  GROUSER_ASSERT(field.closed.empty() || field.closed.size() == field.change.size());
  if (volume == 0.0) return 0.0;
  const Scratch::Mark mark = scratch.mark();
  const Border border = find_border(field, scratch);
  if (border.nodes.empty()) {
    scratch.rewind(mark);
    return volume;
  }

  // Which part of all soil goes to which node.
  const std::span<double> weight = scratch.take<double>(border.x.size());
  const std::span<double> part = scratch.take<double>(border.x.size());
  std::fill(part.begin(), part.end(), 0.0);
  for (const SoilSource& source : sources) {
    if (source.volume == 0.0) continue;
    const FindWeights find = weights_for(power, source.flow != Vec2::Zero());
    const double sum = find(source, border, power, weight.data());
    GROUSER_ASSERT(sum > 0.0);
    add_share(source.volume / volume / sum, weight, part.data());
  }

  // The parts are made to add up to one: no volume is lost.
  double parts = 0.0;
  for (const double p : part) parts += p;
  GROUSER_ASSERT(std::abs(parts - 1.0) < 1e-6);
  const double height = volume / (field.spacing * field.spacing) / parts;
  for (std::size_t k = 0; k < border.nodes.size(); ++k)
    field.change[border.nodes[k]] += height * part[k];
  scratch.rewind(mark);
  return 0.0;
}

std::span<SoilSource> grouped(std::span<const SoilSource> sources, int nx, int ny, int block,
                              Scratch& scratch) {
  // Odd numbers of equal blocks: no node is on the border of two, so a window seen in a mirror has
  // its groups mirrored.
  GROUSER_ASSERT(nx > 0 && ny > 0 && block > 0);
  const int across = nx / block | 1, along = ny / block | 1;
  const std::span<SoilSource> groups =
      scratch.take<SoilSource>(static_cast<std::size_t>(across) * static_cast<std::size_t>(along));
  std::fill(groups.begin(), groups.end(), SoilSource{});
  // Sums of volume, volume x place and volume x flow; then divided.
  const auto block_of = [](double place, double per_node, int blocks) {
    return static_cast<int>(std::clamp((place + 0.5) * per_node, 0.0, blocks - 0.5));
  };
  const double per_x = static_cast<double>(across) / nx, per_y = static_cast<double>(along) / ny;
  for (const SoilSource& source : sources) {
    SoilSource& group =
        groups[block_of(source.y, per_y, along) * across + block_of(source.x, per_x, across)];
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

}  // namespace grouser
