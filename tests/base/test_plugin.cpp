// A plugin for plugin_test.cpp: divides, and fails in every way it can.
#include "tests/base/test_plugin.h"

#include <stdexcept>

namespace grouser {
namespace {

void divide(double a, double b, const QuotientTaker& taker) {
  if (b == 0.0) throw InputError(Place{"b", 1, 2}, "must not be zero");
  if (a == -1.0) throw RunError("no quotient today");
  if (a == -2.0) throw std::bad_alloc();
  if (a == -3.0) throw std::out_of_range("from the library");
  if (a == -4.0) throw 4;
  continue_if(taker.take(taker.self, a / b));
}

constexpr TestTable kTable = {
    GROUSER_TEST_PLUGIN_VERSION,
    [](double a, double b, const QuotientTaker* taker, const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { divide(a, b, *taker); });
    },
};

}  // namespace
}  // namespace grouser

GROUSER_PLUGIN_ENTRY const void* grouser_plugin() {
  return &grouser::kTable;
}
