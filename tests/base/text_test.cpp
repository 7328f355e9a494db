#include "grouser/base/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>

#include "grouser/base/random.h"

namespace grouser {
namespace {

const std::vector<std::string> kKeys = {"stiffness", "damping", "friction", "restitution"};

TEST(ToText, IsTheShortestThatReadsBackTheSame) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0), "1");
  EXPECT_EQ(to_text(-0.0), "-0");
  EXPECT_EQ(to_text(1e-6), "1e-06");
  EXPECT_EQ(to_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(to_text(1e300), "1e+300");
}

TEST(ToText, ReadsBackEveryBit) {
  Random random(5);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = (std::uint64_t{random.next()} << 32) | random.next();
    const auto x = std::bit_cast<double>(bits);
    if (x != x) continue;  // what is not a number keeps its name, not its bits
    const std::string text = to_text(x);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), bits) << text;
  }
}

TEST(ToText, NamesWhatIsNotFinite) {
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(to_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(to_text(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(ToText, RoundsToDigitsForPeople) {
  EXPECT_EQ(to_text(3.14159265, 3), "3.14");
  EXPECT_EQ(to_text(0.000123456, 2), "0.00012");
  EXPECT_EQ(to_text(123456.0, 3), "1.23e+05");
  EXPECT_EQ(to_text(2.0, 6), "2");
}

TEST(Join, SeparatesWords) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(join(words), "a, b, c");
  EXPECT_EQ(join(words, " | "), "a | b | c");
  EXPECT_EQ(join(std::span(words).first(1)), "a");
  EXPECT_EQ(join({}), "");
}

TEST(NearestName, FindsTypingErrors) {
  EXPECT_EQ(nearest_name("fricton", kKeys), "friction");      // a letter is missing
  EXPECT_EQ(nearest_name("stiffnesss", kKeys), "stiffness");  // one too many
  EXPECT_EQ(nearest_name("dampong", kKeys), "damping");       // another one
  EXPECT_EQ(nearest_name("damping", kKeys), "damping");
}

TEST(NearestName, LeavesOtherWordsAlone) {
  EXPECT_EQ(nearest_name("colour", kKeys), "");
  EXPECT_EQ(nearest_name("", kKeys), "");
  EXPECT_EQ(nearest_name("damping", {}), "");
}

TEST(NearestName, PrefersTheFirstOfEquallyNear) {
  const std::vector<std::string> twins = {"wheel_1", "wheel_2"};
  EXPECT_EQ(nearest_name("wheel_3", twins), "wheel_1");
}

TEST(Suggestion, NamesTheNearestOrAll) {
  EXPECT_EQ(suggestion("fricton", kKeys), "; did you mean 'friction'?");
  EXPECT_EQ(suggestion("colour", kKeys), "; known are stiffness, damping, friction, restitution");
  EXPECT_EQ(suggestion("colour", {}), "");
}

TEST(Suggestion, ListsADozenAtMost) {
  std::vector<std::string> many;
  for (int i = 10; i < 30; ++i) many.push_back("wheel_" + std::to_string(i));
  const std::string text = suggestion("colour", many);
  EXPECT_TRUE(text.ends_with("wheel_21, ... (20 in all)")) << text;
  EXPECT_EQ(suggestion("colour", std::span(many).first(12)).find("..."), std::string::npos);
}

}  // namespace
}  // namespace grouser
