// grouser run, to its end or to a failure of its own.
#include <nlohmann/json.hpp>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using RunVerb = CommandTest;

TEST_F(RunVerb, WritesTheRecordingAndTellsWhatItDid) {
  folder_.write("ball.toml", kBall);
  const Ending ending = grouser({"run", "ball.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.err, "ball.toml: 1 body, 6 degrees of freedom, 1 contact; bdf"));
  for (const char* text :
       {"status        complete, 0.1 s", "steps  ", "rejected  ", "evaluations  ", "  contact\n",
        "  mechanism\n", "  Jacobians\n", "  integrator", " m  landing  sphere-half-space",
        "warnings      none", "results/ball/ball.h5 (11 samples"})
    EXPECT_TRUE(contains(ending.out, text));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "results/ball/ball.h5"));
}

TEST_F(RunVerb, QuietPrintsNothing) {
  const Ending ending = run(kBall, "ball");
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(ending.out, "");
  EXPECT_EQ(ending.err, "");
}

TEST_F(RunVerb, ReplacesAnEarlierRecording) {
  EXPECT_EQ(run(kBall, "ball", {"--set", "simulation.duration=0.2"}).code, 0);
  EXPECT_TRUE(contains(info("ball"), "samples       21, from 0 s to 0.2 s"));
  EXPECT_EQ(run(kBall, "ball").code, 0);
  EXPECT_TRUE(contains(info("ball"), "samples       11, from 0 s to 0.1 s"));
}

TEST_F(RunVerb, SettingsChangeTheResultAndAreRecorded) {
  EXPECT_EQ(run(kBall, "hard").code, 0);
  const Ending soft = run(
      kBall, "soft", {"--set", "contact.landing.stiffness=1e5", "--set", "contact.0.friction=0"});
  EXPECT_EQ(soft.code, 0) << soft.err;
  EXPECT_NE(csv("hard"), csv("soft"));
  EXPECT_TRUE(contains(info("soft"), "contact.landing.stiffness=1e5"));
  EXPECT_TRUE(contains(info("soft"), "contact.0.friction=0"));
}

TEST_F(RunVerb, TwiceGivesTheSameNumbers) {
  EXPECT_EQ(run(kBall, "first").code, 0);
  EXPECT_EQ(run(kBall, "second").code, 0);
  EXPECT_TRUE(contains(csv("first"), "\n0.1,"));
  EXPECT_EQ(csv("first"), csv("second"));
}

TEST_F(RunVerb, AnyNumberOfThreadsGivesTheSameNumbers) {
  for (const char* threads : {"1", "2", "3"}) {
    const Ending ending = run(kThreeContacts, std::string("threads_") + threads,
                              {"--set", std::string("simulation.threads=") + threads});
    EXPECT_EQ(ending.code, 0) << ending.err;
  }
  EXPECT_TRUE(contains(csv("threads_1"), "\n0.05,"));
  EXPECT_EQ(csv("threads_1"), csv("threads_2"));
  EXPECT_EQ(csv("threads_1"), csv("threads_3"));
}

TEST_F(RunVerb, FailedIntegratorLeavesAPartialRecordingWithTheReason) {
  const Ending ending = run(kTooLongStep, "slide");
  expect_refusal(ending, 1,
                 {"slide.toml: the fixed step of 0.01 s fails", "no longer finite",
                  "slide/slide.h5 holds the part that was simulated"});
  const std::string told = info("slide");
  EXPECT_TRUE(contains(told, "status        failed: partial"));
  EXPECT_TRUE(contains(told, "the fixed step of 0.01 s fails"));
  EXPECT_TRUE(contains(told, "samples       "));
  EXPECT_TRUE(contains(csv("slide"), "\n0.1,"));
}

TEST_F(RunVerb, OutputBelowAFileIsRefused) {
  folder_.write("file", "");
  folder_.write("ball.toml", kBall);
  for (const char* out : {"file", "file/below"})
    expect_refusal(grouser({"run", "ball.toml", "--out", out}), 1,
                   {std::string(out) + ": the output folder cannot be made: Not a directory"});
}

TEST_F(RunVerb, OutputThatCannotBeMadeIsRefused) {
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"run", "ball.toml", "--out", "/proc/results"}), 1,
                 {"/proc/results: the output folder cannot be made: "});
  // The folder is there but takes no files.
  expect_refusal(grouser({"run", "ball.toml", "--out", "/proc/self"}), 1,
                 {"/proc/self/ball.h5: cannot create the recording: "});
}

TEST_F(RunVerb, AFolderInPlaceOfTheRecordingIsRefused) {
  std::filesystem::create_directories(folder_ / "ball/ball.h5");
  expect_refusal(run(kBall, "ball"), 1, {"ball/ball.h5: cannot create the recording: "});
}

TEST_F(RunVerb, TellsItsSummaryAsOneJsonObject) {
  folder_.write("ball.toml", kBall);
  const Ending ending = grouser({"run", "ball.toml", "--json", "--out", "out"});
  EXPECT_EQ(ending.code, 0);
  const nlohmann::json json = nlohmann::json::parse(ending.out);  // throws if there is more
  EXPECT_EQ(json["status"], "complete");
  EXPECT_EQ(json["scene"], "ball.toml");
  EXPECT_EQ(json["contacts"][0]["name"], "landing");
  EXPECT_GT(json["integrator"]["steps"], 0);
  EXPECT_GT(json["contacts"][0]["greatest_penetration"], 0.0);
  EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16u);
  // What cannot begin tells nobody that it did.
  const Ending refused = grouser({"run", "nothing.toml", "--json"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
}

TEST_F(RunVerb, CheckTellsStepsWhereTheyAreFixed) {
  folder_.write("ball.toml", kBall);
  for (const std::string method : {"rk4", "semi-implicit-euler", "implicit-euler"}) {
    const Ending ending = grouser({"check", "ball.toml", "--set", "simulation.integrator=" + method,
                                   "--set", "simulation.step=0.002"});
    EXPECT_TRUE(contains(ending.out, method + ", steps of 0.002 s")) << ending.out;
  }
}

TEST_F(RunVerb, NeverReplacesItsScene) {
  folder_.write("ball.h5", kBall);
  expect_refusal(grouser({"run", "ball.h5", "--out", "."}), 2, {"would replace the scene"});
  EXPECT_EQ(folder_.read("ball.h5"), kBall);
}

}  // namespace
}  // namespace grouser
