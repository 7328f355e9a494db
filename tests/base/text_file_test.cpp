#include "grouser/base/text_file.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(SuffixOf, IsInLowerCase) {
  EXPECT_EQ(suffix_of("a/B.OBJ"), ".obj");
  EXPECT_EQ(suffix_of("a.b/c.tar.gZ"), ".gz");
  EXPECT_EQ(suffix_of("a.b/c"), "");
}

}  // namespace
}  // namespace grouser
