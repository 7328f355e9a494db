// The command line itself.
#include <sstream>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using CommandLine = CommandTest;

TEST_F(CommandLine, TellsItsVersion) {
  const Ending ending = grouser({"--version"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(ending.out, "grouser " GROUSER_VERSION "\n");
}

TEST_F(CommandLine, EveryVerbOfTheHelpHasHelpWithExamples) {
  const Ending help = grouser({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_TRUE(contains(help.out, "Examples:"));
  std::istringstream lines(help.out.substr(help.out.find("Subcommands:")));
  std::string line, verb;
  std::size_t verbs = 0;
  for (std::getline(lines, line); std::getline(lines, line) && line.starts_with("  "); ++verbs) {
    std::istringstream(line) >> verb;
    const Ending ending = grouser({verb, "--help"});
    EXPECT_EQ(ending.code, 0);
    EXPECT_TRUE(contains(ending.out, "Examples:\n  grouser " + verb)) << verb;
  }
  EXPECT_GE(verbs, 15u);
}

TEST_F(CommandLine, WithoutArgumentsIsHelpAndAnError) {
  const Ending ending = grouser({});
  EXPECT_EQ(ending.code, 2);
  EXPECT_EQ(ending.out, "");
  EXPECT_TRUE(contains(ending.err, "Usage: grouser"));
}

TEST_F(CommandLine, UnknownVerbGetsTheNearest) {
  expect_refusal(grouser({"rnu", "scene.toml"}), 2, {"no verb 'rnu'", "did you mean 'run'?"});
  expect_refusal(grouser({"frobnicate"}), 2, {"no verb 'frobnicate'", "known are run, check"});
}

TEST_F(CommandLine, UnknownOptionGetsTheNearest) {
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"run", "ball.toml", "--qiet"}), 2,
                 {"grouser run", "'--qiet'", "did you mean '--quiet'?"});
  expect_refusal(grouser({"check", "ball.toml", "another.toml"}), 2,
                 {"grouser check does not take 'another.toml'"});
  expect_refusal(grouser({"--frobnicate"}), 2, {"grouser --help"});
}

TEST_F(CommandLine, MissingArgumentsAreNamed) {
  expect_refusal(grouser({"run"}), 2, {"grouser run", "scene is required"});
  expect_refusal(grouser({"export"}), 2, {"recording is required"});
  expect_refusal(grouser({"run", "ball.toml", "--out"}), 2, {"--out"});
}

TEST_F(CommandLine, ModelsAndKeysComeFromTheTables) {
  const Ending models = grouser({"models"});
  EXPECT_EQ(models.code, 0);
  for (const char* text : {"pcm: ", "sphere-half-space: ", "max_penetration", "N/m^1.5"})
    EXPECT_TRUE(contains(models.out, text));
  const Ending keys = grouser({"keys"});
  EXPECT_EQ(keys.code, 0);
  for (const char* text : {"[simulation]: ", "[[body]]: ", "output_interval", "required"})
    EXPECT_TRUE(contains(keys.out, text));
}

TEST_F(CommandLine, MarkdownHasOneTablePerPart) {
  const Ending models = grouser({"models", "--markdown"});
  EXPECT_EQ(models.code, 0);
  EXPECT_TRUE(contains(models.out, "## `pcm`\n"));
  EXPECT_TRUE(contains(models.out, "| key | kind |"));
  EXPECT_TRUE(contains(models.out, "| `damping` | number | Ns/m^3 | `0` | not negative |"));
  const Ending keys = grouser({"keys", "--markdown"});
  EXPECT_TRUE(contains(keys.out, "## `[[contact]] model = \"pcm\"`\n"));
  EXPECT_TRUE(contains(keys.out, "| `duration` | number | s | required | positive |"));
}

TEST_F(CommandLine, LostOutputIsAnError) {
  // More than the limit lets through: the file behind stdout is "full".
  Child child({"keys"}, folder_ / "", 1000);
  expect_refusal(child.end(), 1, {"standard output cannot be written: File too large"});
}

}  // namespace
}  // namespace grouser
