#include "grouser/base/inline_list.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(InlineList, KeepsItsItemsWhenItIsAssignedToItself) {
  InlineList<int, 4> list;
  list.add(1);
  list.add(2);
  const InlineList<int, 4>& same = list;
  list = same;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], 1);
  EXPECT_EQ(list[1], 2);
}

}  // namespace
}  // namespace grouser
