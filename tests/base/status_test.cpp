#include "grouser/base/status.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(Status, OfManyIsTheWorst) {
  constexpr Status kAll[] = {Status::ok, Status::shorten_step, Status::impossible};
  for (const Status a : kAll)
    for (const Status b : kAll) {
      EXPECT_EQ(worse(a, b), worse(b, a));
      EXPECT_GE(worse(a, b), a);
      EXPECT_TRUE(worse(a, b) == a || worse(a, b) == b);
    }
}

TEST(Status, HasANameEach) {
  EXPECT_EQ(kStatusNames[static_cast<std::size_t>(Status::ok)], "ok");
  EXPECT_EQ(kStatusNames[static_cast<std::size_t>(Status::shorten_step)], "shorten step");
  EXPECT_EQ(kStatusNames[static_cast<std::size_t>(Status::impossible)], "impossible");
}

}  // namespace
}  // namespace grouser
