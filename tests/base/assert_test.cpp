#include "grouser/base/assert.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/base/assert_cases.h"

namespace grouser {
namespace {

TEST(Assert, LetsPassWhatIsTrue) {
  int asked = 0;
  test::assert_below_three_on(asked);
  EXPECT_EQ(asked, 1);
}

TEST(AssertDeathTest, SaysPlaceTextAndFunctionAndAborts) {
  int asked = 2;
  EXPECT_EXIT(test::assert_below_three_on(asked), testing::KilledBySignal(SIGABRT),
              "assert_on\\.cpp:10: assertion failed: \\+\\+asked < 3 \\(assert_below_three_on\\)");
}

TEST(Assert, EvaluatesNothingWhenOff) {
  int asked = 2;
  test::assert_below_three_off(asked);
  EXPECT_EQ(asked, 2);
}

TEST(Assert, IsAnExpressionThatConstantFunctionsMayHave) {
  constexpr auto half = [](int x) {
    GROUSER_ASSERT(x % 2 == 0);
    return x / 2;
  };
  static_assert(half(4) == 2);
}

}  // namespace
}  // namespace grouser
