// grouser plot.
#include <algorithm>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

class Plot : public CommandTest {
 protected:
  Plot() { EXPECT_EQ(run(kBall, "ball").code, 0); }

  /// The picture of some channels.
  std::string picture(const std::string& channels) const {
    const Ending ending = grouser({"plot", "ball/ball.h5", channels, "-o", "ball.svg"});
    EXPECT_EQ(ending.code, 0) << ending.err;
    return folder_.read("ball.svg");
  }
};

TEST_F(Plot, DrawsAllColumnsOfAChannel) {
  const std::string svg = picture("bodies/*/position");
  EXPECT_TRUE(contains(svg, "position [m]"));
  for (const char* curve : {"ball x", "ball y", "ball z"}) EXPECT_TRUE(contains(svg, curve));
}

TEST_F(Plot, DrawsOneColumn) {
  const std::string svg = picture("bodies/*/position.z");
  EXPECT_TRUE(contains(svg, "position.z [m]"));
  EXPECT_TRUE(contains(svg, ">ball<"));
  EXPECT_EQ(svg.find("position x"), std::string::npos);
}

TEST_F(Plot, RefusesChannelsThatAreNotThere) {
  expect_refusal(grouser({"plot", "ball/ball.h5", "bodies/ball/position.w"}), 2,
                 {"no channel is called 'bodies/ball/position.w'"});
}

}  // namespace
}  // namespace grouser
