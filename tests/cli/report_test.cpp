// grouser report, grouser compare, grouser run --report.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

class ReportVerb : public CommandTest {
 protected:
  ReportVerb() { EXPECT_EQ(run(kBall, "ball").code, 0); }

  bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
  void wait_for(const std::string& name) const {
    for (int i = 0; i < 3000 && !exists(name); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(exists(name));
  }
};
using CompareVerb = ReportVerb;

// --- numbers, in any build --------------------------------------------------------------------

TEST_F(CompareVerb, OfEqualRunsFindsNothing) {
  const Ending ending = grouser({"compare", "ball/ball.h5", "ball/ball.h5", "--no-page"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  for (const char* text : {"compared      ball/ball.h5 with ball/ball.h5\n",
                           "time          0 s to 0.1 s, 11 samples\n", "differ        0 of "})
    EXPECT_TRUE(contains(ending.out, text));
  EXPECT_FALSE(exists("compare.html"));
}

TEST_F(CompareVerb, ListsTheGreatestDifferencesFirst) {
  EXPECT_EQ(run(kBall, "heavy", {"--set", "body.ball.mass=2"}).code, 0);
  const Ending ending = grouser({"compare", "ball/ball.h5", "heavy/heavy.h5", "--no-page"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "channel"));
  EXPECT_TRUE(contains(ending.out, "of range"));
  EXPECT_TRUE(contains(ending.out, "system/potential_energy"));
  EXPECT_FALSE(contains(ending.out, "bodies/ball/position.y"));  // no difference

  const Ending all = grouser({"compare", "ball/ball.h5", "heavy/heavy.h5", "--no-page", "--all"});
  EXPECT_TRUE(contains(all.out, "bodies/ball/position.y"));
}

TEST_F(CompareVerb, TellsWhatOnlyOneHas) {
  const std::string other = replaced(kBall, "name = \"landing\"", "name = \"touch\"");
  EXPECT_EQ(run(other, "other").code, 0);
  const Ending ending = grouser({"compare", "ball/ball.h5", "other/other.h5", "--no-page"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "first only    contacts/landing/force\n"));
  EXPECT_TRUE(contains(ending.out, "other only    contacts/touch/force\n"));
}

TEST_F(CompareVerb, RefusesFewerThanTwoAndWhatIsNoRecording) {
  folder_.write("garbage.h5", "no recording at all");
  expect_refusal(grouser({"compare"}), 2, {"grouser compare: recordings is required"});
  expect_refusal(grouser({"compare", "ball/ball.h5", "--no-page"}), 2,
                 {"grouser compare: give two recordings or more"});
  expect_refusal(grouser({"compare", "ball/ball.h5", "none.h5", "--no-page"}), 2,
                 {"none.h5: ", "No such file or directory"});
  expect_refusal(grouser({"compare", "garbage.h5", "ball/ball.h5", "--no-page"}), 2,
                 {"garbage.h5: is not an HDF5 file"});
}

#ifdef GROUSER_HAVE_REPORT_PAGE

// --- pages ------------------------------------------------------------------------------------

TEST_F(ReportVerb, WritesAPageBesideTheRecording) {
  const Ending ending = grouser({"report", "ball/ball.h5"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "page          ball/ball.html ("));
  EXPECT_TRUE(contains(ending.out, "kB)\n"));
  EXPECT_TRUE(contains(folder_.read("ball/ball.html"), "id=\"grouser-data\""));
}

TEST_F(ReportVerb, WritesAPageWhereItIsTold) {
  const Ending ending = grouser({"report", "ball/ball.h5", "-o", "page.html", "--samples", "2"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "page          page.html ("));
  EXPECT_TRUE(exists("page.html"));
  EXPECT_FALSE(exists("ball/ball.html"));
}

TEST_F(ReportVerb, RefusesWhatIsNoRecording) {
  const std::string whole = folder_.read("ball/ball.h5");
  folder_.write("cut.h5", whole.substr(0, whole.size() / 2));
  folder_.write("garbage.h5", "no recording at all");
  expect_refusal(grouser({"report", "none.h5"}), 2, {"none.h5: ", "No such file or directory"});
  expect_refusal(grouser({"report", "cut.h5"}), 2, {"cut.h5: ", "damaged or cut short"});
  expect_refusal(grouser({"report", "garbage.h5"}), 2, {"garbage.h5: is not an HDF5 file"});
  expect_refusal(grouser({"report", "."}), 2, {".: cannot be opened as a recording"});
  expect_refusal(grouser({"report"}), 2, {"grouser report: recording is required"});
  expect_refusal(grouser({"report", "ball/ball.h5", "--samples", "1"}), 2,
                 {"grouser report: --samples: Value 1 not in range"});
  EXPECT_FALSE(exists("cut.html"));
}

TEST_F(ReportVerb, RefusesPlacesThatMakeNoSense) {
  const std::string before = folder_.read("ball/ball.h5");
  expect_refusal(grouser({"report", "ball/ball.h5", "-o", "./ball/ball.h5"}), 2,
                 {"./ball/ball.h5: the page would replace the recording"});
  expect_refusal(grouser({"report", "ball/ball.h5", "-o", "ball"}), 2,
                 {"ball: is a folder; give the name of a file"});
  expect_refusal(grouser({"report", "ball/ball.h5", "-o", "/dev/full"}), 2,
                 {"/dev/full: is no regular file"});
  EXPECT_EQ(folder_.read("ball/ball.h5"), before);
}

TEST_F(ReportVerb, TellsWhyAPageCannotBeWritten) {
  expect_refusal(grouser({"report", "ball/ball.h5", "-o", "none/page.html"}), 1,
                 {"none/page.html: cannot be written: No such file or directory"});
  Child child({"report", "ball/ball.h5", "-o", "page.html"}, folder_ / "", 1000);
  expect_refusal(child.end(), 1, {"page.html: cannot be written: File too large"});
  EXPECT_FALSE(exists("page.html"));
  EXPECT_FALSE(exists("page.html.part"));
}

TEST_F(ReportVerb, TakesRecordingsThatAreNotComplete) {
  Child child(
      {"run", "ball.toml", "--quiet", "--out", "killed", "--set", "simulation.duration=1e7"},
      folder_ / "");
  wait_for("killed/ball.h5");
  EXPECT_EQ(grouser({"report", "killed/ball.h5", "-o", "running.html"}).code, 0);
  child.send(SIGKILL);
  child.end();
  EXPECT_EQ(grouser({"report", "killed/ball.h5"}).code, 0);
  EXPECT_EQ(run(kTooLongStep, "failed").code, 1);
  EXPECT_EQ(grouser({"report", "failed/failed.h5"}).code, 0);
  EXPECT_TRUE(exists("killed/ball.html"));
  EXPECT_TRUE(exists("failed/failed.html"));
}

TEST_F(CompareVerb, WritesAPageIntoThisFolder) {
  const Ending ending = grouser({"compare", "ball/ball.h5", "ball/ball.h5", "ball/ball.h5"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "page          compare.html ("));
  EXPECT_TRUE(exists("compare.html"));
  EXPECT_EQ(grouser({"compare", "ball/ball.h5", "ball/ball.h5", "-o", "c.html"}).code, 0);
  EXPECT_TRUE(exists("c.html"));
  expect_refusal(grouser({"compare", "ball/ball.h5", "ball/ball.h5", "-o", "ball/ball.h5"}), 2,
                 {"ball/ball.h5: the page would replace the recording"});
}

// --- run --report -----------------------------------------------------------------------------

TEST_F(ReportVerb, ComesAfterARun) {
  const Ending ending = grouser({"run", "ball.toml", "--out", "told", "--report"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "page          told/ball.html ("));
  EXPECT_TRUE(exists("told/ball.html"));
  EXPECT_EQ(run(kBall, "quiet", {"--report"}).out, "");
  EXPECT_TRUE(exists("quiet/quiet.html"));
}

TEST_F(ReportVerb, ComesAfterARunThatFails) {
  expect_refusal(run(kTooLongStep, "failed", {"--report"}), 1, {"holds the part"});
  EXPECT_TRUE(exists("failed/failed.html"));
}

TEST_F(ReportVerb, ComesAfterARunThatIsInterrupted) {
  folder_.write("endless.toml", replaced(kBall, "duration = 0.1", "duration = 1e7"));
  Child child({"run", "endless.toml", "--quiet", "--report"}, folder_ / "");
  wait_for("results/endless/endless.h5");
  child.send(SIGINT);
  expect_refusal(child.end(), 1, {"interrupted at t = "});
  EXPECT_TRUE(exists("results/endless/endless.html"));
}

#else

TEST_F(ReportVerb, SaysThatPagesAreOffBeforeAnythingElse) {
  const std::vector<std::string> message = {"report pages are off in this build", "npm",
                                            "-DGROUSER_WITH_REPORT_PAGE=ON"};
  expect_refusal(grouser({"report", "ball/ball.h5"}), 2, message);
  expect_refusal(grouser({"compare", "ball/ball.h5", "ball/ball.h5"}), 2, message);
  expect_refusal(grouser({"run", "ball.toml", "--out", "never", "--report"}), 2, message);
  EXPECT_FALSE(exists("never"));
}

#endif

}  // namespace
}  // namespace grouser
