// Runs that end before their time: what was recorded stays readable and says that it is partial.
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

class Interruption : public CommandTest {
 protected:
  /// Begins a run that would take very long.
  std::unique_ptr<Child> begin() const {
    folder_.write("long.toml", replaced(kBall, "duration = 0.1", "duration = 1e7"));
    auto child = std::make_unique<Child>(
        std::vector<std::string>{"run", "long.toml", "--out", "long"}, folder_ / "");
    // A flush comes after 256 samples, or after a second.
    for (int i = 0; i < 3000; ++i) {
      if (info("long").find("samples       ") != std::string::npos &&
          info("long").find("samples       0") == std::string::npos)
        return child;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the run recorded nothing";
    return child;
  }
  void expect_samples() const {
    EXPECT_FALSE(contains(info("long"), "samples       0"));
    EXPECT_TRUE(contains(info("long"), "s to "));
    EXPECT_TRUE(contains(csv("long"), "\n0.01,"));
  }
};

TEST_F(Interruption, RunningIsTold) {
  const auto child = begin();
  EXPECT_TRUE(contains(info("long"), "status        running"));
  expect_samples();
}

TEST_F(Interruption, BySignalClosesTheRecording) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto child = begin();
    child->send(signal);
    const Ending ending = child->end();
    expect_refusal(ending, 1, {"long.toml: interrupted at t = ", " s of 1e+07 s", "long/long.h5"});
    EXPECT_TRUE(contains(ending.out, "status        interrupted"));
    EXPECT_TRUE(contains(info("long"), "status        interrupted: partial"));
    EXPECT_TRUE(contains(info("long"), "interrupted at t = "));
    expect_samples();
    std::filesystem::remove_all(folder_ / "long");
  }
}

TEST_F(Interruption, ByASecondSignalIsAtOnce) {
  const auto child = begin();
  child->send(SIGSTOP);  // so that both have come before the next step
  child->send(SIGINT);
  child->send(SIGTERM);
  child->send(SIGCONT);
  EXPECT_EQ(child->end().signal, SIGTERM);
  expect_samples();
}

TEST_F(Interruption, ByKillLeavesWhatWasFlushed) {
  const auto child = begin();
  child->send(SIGKILL);
  EXPECT_EQ(child->end().signal, SIGKILL);
  EXPECT_TRUE(contains(info("long"), "killed before it ended: partial"));
  expect_samples();
  // The next run takes the place of the dead one.
  folder_.write("long.toml", kBall);
  EXPECT_EQ(grouser({"run", "long.toml", "--out", "long"}).code, 0);
  EXPECT_TRUE(contains(info("long"), "status        complete"));
}

TEST_F(Interruption, ByAFullDiskNamesFileAndReason) {
  folder_.write("long.toml", replaced(kBall, "duration = 0.1", "duration = 1e7"));
  Child child({"run", "long.toml", "--out", "long"}, folder_ / "", 1'000'000);
  expect_refusal(child.end(), 1, {"long/long.h5: ", "File too large", "the recording keeps "});
  EXPECT_TRUE(contains(info("long"), "status        failed: partial"));
  EXPECT_TRUE(contains(info("long"), "File too large"));
  expect_samples();
}

TEST_F(Interruption, ByADiskFullFromTheStartLeavesNoRecording) {
  folder_.write("ball.toml", kBall);
  Child child({"run", "ball.toml", "--out", "ball"}, folder_ / "", 4096);
  expect_refusal(child.end(), 1, {"ball/ball.h5: cannot create the recording: File too large"});
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "ball"));
}

}  // namespace
}  // namespace grouser
