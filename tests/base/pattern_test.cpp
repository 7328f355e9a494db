#include "grouser/base/pattern.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(Pattern, WithoutAStarIsAName) {
  EXPECT_FALSE(is_pattern("rock_1"));
  EXPECT_TRUE(matches_pattern("rock_1", "rock_1"));
  EXPECT_FALSE(matches_pattern("rock_1", "rock_12"));
}

TEST(Pattern, AStarStandsForAnyLettersOrNone) {
  EXPECT_TRUE(is_pattern("rock_*"));
  EXPECT_TRUE(matches_pattern("rock_*", "rock_12"));
  EXPECT_TRUE(matches_pattern("rock_*", "rock_"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("rock_*", "rocks"));
}

TEST(Pattern, MayHaveSeveralStars) {
  EXPECT_TRUE(matches_pattern("*_left_*", "wheel_left_left_1"));
  EXPECT_TRUE(matches_pattern("wheel_*_left", "wheel_front_left"));
  EXPECT_FALSE(matches_pattern("wheel_*_left", "wheel_front_right"));
}

}  // namespace
}  // namespace grouser
