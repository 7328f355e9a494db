#include "grouser/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace grouser {
namespace {

/// PCG32 written down from the paper (O'Neill 2014, section 6.3): "XSH-RR" output of the old state,
/// then state <- a state + c. Rotation bit by bit, seeding in two steps as in the reference code.
class PaperPcg32 {
 public:
  PaperPcg32(std::uint64_t seed, std::uint64_t stream) : increment_(2 * stream + 1) {
    step();
    state_ += seed;
    step();
  }
  std::uint32_t next() {
    const std::uint64_t old = state_;
    step();
    auto word = static_cast<std::uint32_t>((old ^ (old >> 18)) >> 27);
    for (std::uint64_t turns = old >> 59; turns > 0; --turns)
      word = (word >> 1) | ((word & 1u) << 31);
    return word;
  }

 private:
  void step() { state_ = state_ * 6364136223846793005ull + increment_; }
  std::uint64_t state_ = 0;
  std::uint64_t increment_;
};

// The stream of the reference implementation's initialiser, and ours.
constexpr std::uint64_t kStream = 1442695040888963407ull / 2;

TEST(Pcg32, AsWrittenInThisTestGivesThePublishedNumbers) {
  // First line of the demonstration that comes with the reference code: seed 42, stream 54.
  constexpr std::array<std::uint32_t, 6> kPublished = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                                       0x83d2f293, 0xbfa4784b, 0xcbed606e};
  PaperPcg32 pcg(42, 54);
  for (const std::uint32_t word : kPublished) EXPECT_EQ(pcg.next(), word);
}

TEST(Random, IsPcg32) {
  for (const std::uint64_t seed : {0ull, 1ull, 42ull, 0xffffffffffffffffull}) {
    Random random(seed);
    PaperPcg32 pcg(seed, kStream);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(random.next(), pcg.next()) << "seed " << seed;
  }
}

TEST(Random, UniformHasItsHighBitsFromTheFirstWord) {
  Random random(7);
  PaperPcg32 pcg(7, kStream);
  for (int i = 0; i < 1000; ++i) {
    const double high = pcg.next();
    const double low = pcg.next() >> 11;
    // 53 bits, exactly representable: 32 from the first word, 21 from the second.
    const double expected = high * 0x1p21 + low;
    ASSERT_EQ(random.uniform(), expected * 0x1p-53);
  }
}

TEST(Random, StaysInItsRanges) {
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    const double unit = random.uniform();
    ASSERT_TRUE(unit >= 0.0 && unit < 1.0);
    const double x = random.uniform(-2.5, 0.5);
    ASSERT_TRUE(x >= -2.5 && x < 0.5);
    ASSERT_LT(random.below(7), 7u);
    ASSERT_EQ(random.below(1), 0u);
  }
}

/// Sum over bins of (count - mean)^2 / mean.
double chi_square(const std::vector<int>& counts, int samples) {
  const double mean = static_cast<double>(samples) / static_cast<double>(counts.size());
  double sum = 0.0;
  for (const int count : counts) sum += (count - mean) * (count - mean) / mean;
  return sum;
}

// For 64 bins chi square has mean 63 and standard deviation sqrt(2 * 63) = 11.2. The generator is
// fixed, so a bound at four of them either way fails always or never.
constexpr std::size_t kBins = 64;
constexpr double kLeast = 63.0 - 45.0, kMost = 63.0 + 45.0;

TEST(Random, UniformFillsAllBinsAlike) {
  constexpr int kSamples = 256000;
  Random random(11);
  std::vector<int> counts(kBins), low_bits(kBins);
  for (int i = 0; i < kSamples; ++i) {
    const double x = random.uniform() * kBins;
    const auto bin = static_cast<std::size_t>(x);
    ++counts[bin];
    ++low_bits[static_cast<std::size_t>((x - static_cast<double>(bin)) * kBins)];
  }
  for (const std::vector<int>& bins : {counts, low_bits}) {
    EXPECT_GT(chi_square(bins, kSamples), kLeast);
    EXPECT_LT(chi_square(bins, kSamples), kMost);
  }
}

TEST(Random, BelowFillsAllBinsAlike) {
  constexpr int kSamples = 256000;
  Random random(12);
  std::vector<int> counts(kBins);
  for (int i = 0; i < kSamples; ++i) ++counts[random.below(kBins)];
  EXPECT_GT(chi_square(counts, kSamples), kLeast);
  EXPECT_LT(chi_square(counts, kSamples), kMost);
}

}  // namespace
}  // namespace grouser
