// The same function, compiled with assertions and without.
#pragma once

namespace grouser::test {

/// Count `asked` up inside the assertion that it is below three.
void assert_below_three_on(int& asked);
void assert_below_three_off(int& asked);

}  // namespace grouser::test
