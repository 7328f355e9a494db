// Assertions as for users of the library, who define nothing, however the tests are built.
#undef GROUSER_ASSERTIONS
#include "grouser/base/assert.h"
#include "tests/base/assert_cases.h"

namespace grouser::test {

void assert_below_three_off(int& asked) {
  GROUSER_ASSERT(++asked < 3);
}

}  // namespace grouser::test
