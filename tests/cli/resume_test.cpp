// Runs that are killed and resumed from their last checkpoint.
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

class Resume : public CommandTest {
 protected:
  std::string write_scene(const std::string& method) const {
    folder_.write("long.toml",
                  replaced(kBall, "duration = 0.1",
                           "duration = 40\nstep = 2e-4\noutput_interval = 0.05\nintegrator = \"" +
                               method + "\""));
    return "long.toml";
  }
  std::string told(const std::string& out) const { return grouser({"info", out + "/long.h5"}).out; }
  std::string numbers(const std::string& out) const {
    return grouser({"export", out + "/long.h5"}).out;
  }
  /// The checkpoint of a run into the folder `out`.
  std::string checkpoint(const std::string& out) const { return out + "/long.checkpoint"; }
  bool has_checkpoint(const std::string& out) const {
    return std::filesystem::is_regular_file(folder_ / checkpoint(out));
  }
};

TEST_F(Resume, GoesOnAfterAKillAtAnyMoment) {
  const std::string scene = write_scene("semi-implicit-euler");
  const auto start = std::chrono::steady_clock::now();
  const Ending whole = grouser({"run", scene, "--out", "whole", "--json", "--checkpoint", "2"});
  const auto took = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(whole.code, 0) << whole.err;
  const nlohmann::json expected = nlohmann::json::parse(whole.out);

  std::mt19937 random(1);
  int killed = 0, resumed = 0;
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove_all(folder_ / "cut");
    bool begun = false;
    Ending ending;
    // One kill, or two of the same run.
    for (int kills = 1 + i % 2; kills >= 0; --kills) {
      const std::vector<std::string> arguments =
          has_checkpoint("cut")
              ? std::vector<std::string>{"run", "--resume", checkpoint("cut"), "--json"}
              : std::vector<std::string>{"run",    scene,          "--out", "cut",
                                         "--json", "--checkpoint", "2"};
      resumed += begun && has_checkpoint("cut");
      begun = true;
      Child child(arguments, folder_ / "");
      if (kills > 0) {
        std::this_thread::sleep_for(took * static_cast<double>(random() % 1000) / 1000.0);
        child.send(SIGKILL);
      }
      ending = child.end();
      killed += ending.signal == SIGKILL;
    }
    ASSERT_EQ(ending.code, 0) << ending.err;
    const nlohmann::json summary = nlohmann::json::parse(ending.out);
    EXPECT_EQ(summary["state_hash"], expected["state_hash"]);
    EXPECT_EQ(summary["samples"], expected["samples"]);
    EXPECT_EQ(numbers("cut"), numbers("whole"));
    EXPECT_TRUE(contains(told("cut"), "status        complete"));
  }
  EXPECT_GT(killed, 0);
  EXPECT_GT(resumed, 0);
}

TEST_F(Resume, MakesARunLonger) {
  const std::string scene = write_scene("bdf");
  ASSERT_EQ(grouser({"run", scene, "--out", "short", "--checkpoint", "1", "--set",
                     "simulation.duration=3"})
                .code,
            0);
  const Ending ending =
      grouser({"run", "--resume", checkpoint("short"), "--set", "simulation.duration=5"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(told("short"), "from 0 s to 5 s"));
}

TEST_F(Resume, RefusesWhatIsNoneOrOfAnotherScene) {
  const std::string scene = write_scene("semi-implicit-euler");
  ASSERT_EQ(
      grouser({"run", scene, "--out", "cut", "--checkpoint", "1", "--set", "simulation.duration=3"})
          .code,
      0);
  expect_refusal(grouser({"run"}), 2, {"scene"});
  expect_refusal(grouser({"run", "--resume", "none.checkpoint"}), 2, {"none.checkpoint"});
  expect_refusal(grouser({"run", "--resume", scene}), 2, {scene, "checkpoint"});
  expect_refusal(grouser({"run", "--resume", checkpoint("cut"), "--out", "other"}), 2, {"--out"});
  expect_refusal(grouser({"run", "--resume", checkpoint("cut"), "--set", "contact.0.friction=0.1"}),
                 2, {checkpoint("cut"), "another"});
  std::filesystem::remove(folder_ / "cut/long.h5");
  expect_refusal(grouser({"run", "--resume", checkpoint("cut")}), 2, {"long.h5"});
}

}  // namespace
}  // namespace grouser
