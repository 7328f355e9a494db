// Assertions as in Debug, however the tests are built.
#undef GROUSER_ASSERTIONS
#define GROUSER_ASSERTIONS 1
#include "grouser/base/assert.h"
#include "tests/base/assert_cases.h"

namespace grouser::test {

void assert_below_three_on(int& asked) {
  GROUSER_ASSERT(++asked < 3);
}

}  // namespace grouser::test
