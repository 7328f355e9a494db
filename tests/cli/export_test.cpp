// grouser export.
#include <algorithm>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

class Export : public CommandTest {
 protected:
  Export() { EXPECT_EQ(run(kBall, "ball").code, 0); }

  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
  static auto line_count(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(Export, HasAHeaderAndARowPerSample) {
  const Ending ending = grouser({"export", "ball/ball.h5"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(line_count(ending.out), 1 + 11);  // 0, 0.01, ... 0.1 s
  const std::string header = first_line(ending.out);
  EXPECT_TRUE(header.starts_with("time [s],bodies/ball/position.x [m],")) << header;
  EXPECT_TRUE(contains(header, ",contacts/landing/force.z [N],"));
  EXPECT_TRUE(contains(header, ",system/kinetic_energy [J],"));
}

TEST_F(Export, SelectsChannelsByLeadingParts) {
  const Ending ending = grouser(
      {"export", "ball/ball.h5", "--channels", "system/kinetic_energy,bodies/ball/position"});
  EXPECT_EQ(first_line(ending.out),
            "time [s],bodies/ball/position.x [m],bodies/ball/position.y [m],"
            "bodies/ball/position.z [m],system/kinetic_energy [J]");
  EXPECT_TRUE(contains(ending.out, "\n0,0,0,0.101,0\n"));
}

TEST_F(Export, WritesTheSameToAFile) {
  const Ending ending = grouser({"export", "ball/ball.h5", "-o", "ball.csv"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(ending.out, "");
  EXPECT_EQ(folder_.read("ball.csv"), csv("ball"));
}

TEST_F(Export, RefusesUnknownChannels) {
  expect_refusal(grouser({"export", "ball/ball.h5", "--channels", "bodies/bal"}), 2,
                 {"ball/ball.h5: has no channel 'bodies/bal'; did you mean 'bodies/ball'?"});
}

TEST_F(Export, RefusesWhatIsNoRecording) {
  folder_.write("garbage.h5", "no recording at all");
  expect_refusal(grouser({"export", "garbage.h5"}), 2, {"garbage.h5: is not an HDF5 file"});
  expect_refusal(grouser({"export", "none.h5"}), 2, {"none.h5: ", "No such file or directory"});
}

TEST_F(Export, TellsWhyAFileCannotBeWritten) {
  expect_refusal(grouser({"export", "ball/ball.h5", "-o", "none/ball.csv"}), 1,
                 {"none/ball.csv: cannot be written: No such file or directory"});
  Child child({"export", "ball/ball.h5", "-o", "ball.csv"}, folder_ / "", 1000);
  expect_refusal(child.end(), 1, {"ball.csv: cannot be written: File too large"});
}

TEST_F(Export, NeverReplacesItsRecording) {
  const std::string before = folder_.read("ball/ball.h5");
  expect_refusal(grouser({"export", "ball/ball.h5", "-o", "./ball/ball.h5"}), 2,
                 {"would replace the recording"});
  EXPECT_EQ(folder_.read("ball/ball.h5"), before);
}

}  // namespace
}  // namespace grouser
