#include "grouser/base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace grouser {
namespace {

template <class... Values>
std::uint64_t digest(const Values&... values) {
  Hash hash;
  (hash.add(values), ...);
  return hash.digest();
}

TEST(Hash, IsFnv1a) {
  // Published: the offset basis for nothing, and 0xaf63dc4c8601ec8c for the byte 'a'. A word goes
  // in as its eight bytes, the lowest first.
  EXPECT_EQ(Hash().digest(), 0xcbf29ce484222325ull);
  std::uint64_t expected = 0xcbf29ce484222325ull;
  for (const std::uint64_t byte : {0x61, 0, 0, 0, 0, 0, 0, 0}) {
    expected = (expected ^ byte) * 0x100000001b3ull;
    if (byte == 0x61) {
      EXPECT_EQ(expected, 0xaf63dc4c8601ec8cull);
    }
  }
  EXPECT_EQ(digest(std::uint64_t{0x61}), expected);
}

TEST(Hash, KnowsTheOrder) {
  EXPECT_NE(digest(1.0, 2.0), digest(2.0, 1.0));
  EXPECT_NE(digest(std::uint64_t{1}, std::uint64_t{2}), digest(std::uint64_t{2}, std::uint64_t{1}));
}

TEST(Hash, SeesEveryBitOfANumber) {
  EXPECT_NE(digest(0.0), digest(-0.0));
  EXPECT_NE(digest(1.0), digest(1.0 + std::numeric_limits<double>::epsilon()));
  EXPECT_EQ(digest(0.1), digest(0.1));
}

TEST(Hash, OfASpanIsThatOfItsNumbers) {
  const std::array<double, 3> xs = {1.0, -2.0, 0.5};
  EXPECT_EQ(digest(std::span<const double>(xs)), digest(1.0, -2.0, 0.5));
}

TEST(Hash, SeesWhereATextEnds) {
  using namespace std::string_view_literals;
  EXPECT_NE(digest("ab"sv, "c"sv), digest("a"sv, "bc"sv));
  EXPECT_NE(digest("a"sv), digest("a"sv, ""sv));
  EXPECT_NE(digest("scene"sv), digest("scenf"sv));
}

}  // namespace
}  // namespace grouser
