#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

#include "grouser/contact/soil_flow.h"
#include "grouser/math/registers.h"

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

constexpr std::size_t kLanes = 4;

/// Open nodes next to covered ones, in order. Coordinates are padded to whole registers.
struct Border {
  std::span<std::uint32_t> nodes;
  std::span<float> x, y;
};

/// Which nodes are covered: a bit each, rows of whole words. There is an empty word at both ends of
/// a row, and an empty row at both ends.
struct Covered {
  using Word = std::uint64_t;
  static constexpr Index kBits = 64;
  Index words = 0;  ///< of a row, with the empty ones
  Word* first = nullptr;

  Word at(Index iy, Index word) const { return first[(iy + 1) * words + word + 1]; }
  /// In this row or one of those beside it.
  Word column(Index iy, Index word) const {
    return at(iy - 1, word) | at(iy, word) | at(iy + 1, word);
  }
  /// Not covered, but one of the eight neighbours is.
  Word beside(Index iy, Index word) const {
    const Word here = column(iy, word);
    const Word left = here << 1 | column(iy, word - 1) >> (kBits - 1);
    const Word right = here >> 1 | column(iy, word + 1) << (kBits - 1);
    return (here | left | right) & ~at(iy, word);
  }
};

/// Bits of at most a word of nodes.
Covered::Word covered_bits(const Byte* closed, Index count) {
  Covered::Word out = 0;
  constexpr Index kStep = 16;
  for (Index k = 0; k < count; k += kStep) {
    Byte bytes[kStep] = {};
    if (k + kStep <= count)
      std::memcpy(bytes, closed + k, kStep);
    else
      std::memcpy(bytes, closed + k, static_cast<std::size_t>(count - k));
    out |= static_cast<Covered::Word>(which_are(kSoilCovered, bytes)) << k;
  }
  return out;
}

Covered find_covered(const SoilField& field, Scratch& scratch) {
  const Index nx = field.nx, ny = field.ny;
  Covered out;
  out.words = (nx + Covered::kBits - 1) / Covered::kBits + 2;
  const std::span<Covered::Word> all =
      scratch.take<Covered::Word>(static_cast<std::size_t>((ny + 2) * out.words));
  std::fill(all.begin(), all.end(), Covered::Word{0});
  out.first = all.data();
  for (Index iy = 0; iy < ny; ++iy)
    for (Index ix = 0; ix < nx; ix += Covered::kBits)
      out.first[(iy + 1) * out.words + ix / Covered::kBits + 1] =
          covered_bits(field.closed.data() + iy * nx + ix, std::min(Covered::kBits, nx - ix));
  return out;
}

Border find_border(const SoilField& field, Scratch& scratch) {
  const std::size_t size = field.closed.size();
  if (size == 0) return {};
  const Covered covered = find_covered(field, scratch);
  // With room for all nodes.
  Border out{scratch.take<std::uint32_t>(size), scratch.take<float>(size + kLanes),
             scratch.take<float>(size + kLanes)};
  std::size_t count = 0;
  const Index nx = field.nx;
  for (Index iy = 0; iy < field.ny; ++iy)
    for (Index word = 0; word < covered.words - 2; ++word)
      for (Covered::Word left = covered.beside(iy, word); left != 0; left &= left - 1) {
        const Index ix = word * Covered::kBits + std::countr_zero(left), node = iy * nx + ix;
        if (ix >= nx || field.closed[node] != kSoilOpen) continue;
        out.nodes[count] = static_cast<std::uint32_t>(node);
        out.x[count] = static_cast<float>(ix);
        out.y[count] = static_cast<float>(iy);
        ++count;
      }
  const std::size_t room = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(out.x.begin() + count, out.x.begin() + room, 0.0f);
  std::fill(out.y.begin() + count, out.y.begin() + room, 0.0f);
  return {out.nodes.first(count), out.x.first(room), out.y.first(room)};
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
    const Float4 square = greater(dx * dx + dy * dy, four(0.25f));
    Float4 w = one;
    if constexpr (kPower == 2) w = one / square;
    if constexpr (kPower == 1) w = one / sqrt(square);
    if constexpr (kPower == 0)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        w[lane] = static_cast<float>(std::pow(static_cast<double>(square[lane]), -0.5 * power));
    if constexpr (kDirected) {
      const Float4 inverse = kPower == 1 ? w : kPower == 2 ? sqrt(w) : one / sqrt(square);
      w *= power_of_two(greater((flow_x * dx + flow_y * dy) * inverse - kappa, four(-86.0f)));
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

}  // namespace grouser
