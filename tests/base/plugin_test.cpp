#include "grouser/base/plugin.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>
#include <vector>

#include "grouser/base/text.h"
#include "tests/base/test_plugin.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

struct Division : PluginCall {
  double quotient = 0.0;
  static PluginAnswer take(void* self, double quotient) {
    auto& to = *static_cast<Division*>(self);
    return to.guarded([&] {
      if (quotient > 100.0)
        throw InputError("a quotient of " + to_text(quotient) + " is too large");
      to.quotient = quotient;
    });
  }
};

double divide(double a, double b) {
  const OpenedPlugin plugin = open_plugin("test", 1);
  if (!plugin.table) throw InputError(plugin.why_not);
  Division division;
  const QuotientTaker taker{&division, Division::take};
  const auto& table = *static_cast<const TestTable*>(plugin.table);
  division.require(table.divide(a, b, &taker, division.errors()));
  return division.quotient;
}

TEST(Plugin, AnswersAndCallsBack) {
  EXPECT_TRUE(plugin_exists("test"));
  EXPECT_EQ(divide(1.0, 4.0), 0.25);
}

TEST(Plugin, ErrorsComeAcrossAsTheyAre) {
  EXPECT_EQ(message_of<InputError>([] { divide(1.0, 0.0); }), "b:1:2: must not be zero");
  EXPECT_EQ(message_of<RunError>([] { divide(-1.0, 1.0); }), "no quotient today");
  EXPECT_THROW(divide(-2.0, 1.0), std::bad_alloc);
  EXPECT_EQ(message_of<RunError>([] { divide(-3.0, 1.0); }), "from the library");
  EXPECT_EQ(message_of<RunError>([] { divide(-4.0, 1.0); }),
            "a plugin failed and does not say why");
}

TEST(Plugin, WhatACallBackThrowsPassesThroughIt) {
  EXPECT_EQ(message_of<InputError>([] { divide(1000.0, 1.0); }), "a quotient of 1000 is too large");
}

TEST(Plugin, ThreadsMayOpenItAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([t] { EXPECT_EQ(divide(t, 2.0), 0.5 * t); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Plugin, TellsWhereItLooked) {
  const TemporaryFolder folder;
  ASSERT_EQ(setenv("GROUSER_PLUGIN_PATH", (folder / "one:" + folder / "two").c_str(), 1), 0);
  EXPECT_FALSE(plugin_exists("none"));
  const std::string why = open_plugin("none", 1).why_not;
  unsetenv("GROUSER_PLUGIN_PATH");
  const std::string beside = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  EXPECT_TRUE(why.starts_with("grouser_none.so is in none of " + (folder / "one") + ", " +
                              (folder / "two") + ", " + beside + ", "))
      << why;
  EXPECT_TRUE(contains(why, GROUSER_PLUGINS_OF_THE_BUILD)) << why;
}

TEST(Plugin, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(contains(open_plugin("old_test", 1).why_not,
                       "grouser_old_test.so is of another grouser: its interface has version 0, 1 "
                       "is needed"));
  const TemporaryFolder folder;
  folder.write("grouser_junk.so", "junk");
  setenv("GROUSER_PLUGIN_PATH", (folder / "").c_str(), 1);
  EXPECT_TRUE(plugin_exists("junk"));
  EXPECT_TRUE(contains(open_plugin("junk", 1).why_not, "grouser_junk.so cannot be loaded: "));
  unsetenv("GROUSER_PLUGIN_PATH");
}

}  // namespace
}  // namespace grouser
