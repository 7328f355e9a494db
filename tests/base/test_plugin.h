// What plugin_test.cpp and its plugins say to each other.
#pragma once

#include "grouser/base/plugin.h"

namespace grouser {

struct QuotientTaker {
  void* self;
  PluginAnswer (*take)(void* self, double quotient);
};

struct TestTable {
  int version;
  PluginAnswer (*divide)(double a, double b, const QuotientTaker* taker,
                         const PluginErrors* errors);
};

}  // namespace grouser
