// grouser rover, and what grouser check tells about mechanisms from files.
#include <fstream>
#include <iterator>

#include "tests/cli/scenes.h"
#include "tests/rover/rover_text.h"

namespace grouser {
namespace {

using RoverCommand = CommandTest;

TEST_F(RoverCommand, RefusesWhatItCannotUse) {
  expect_refusal(grouser({"rover", "inti", "a.urdf"}), 2,
                 {"no task 'inti'", "did you mean 'init'"});
  expect_refusal(grouser({"rover", "init"}), 2, {"give a URDF or MJCF file"});
  expect_refusal(grouser({"rover", "init", "a.urdf"}), 2, {"there is no file 'a.urdf'"});
  expect_refusal(grouser({"rover", "init", "a.urdf", "--soil", "lete-sandd"}), 2,
                 {"--soil", "did you mean 'lete-sand'?"});
  expect_refusal(grouser({"rover", "init", "a.urdf", "--model", "tera"}), 2,
                 {"--model", "did you mean 'terra'?"});
}

#ifdef GROUSER_HAVE_URDF

TEST_F(RoverCommand, WritesASceneWithEverythingThatItFound) {
  std::filesystem::create_directories(folder_ / "files");
  folder_.write("files/six.urdf", urdf_rover(urdf_cylinder()));
  const Ending ending = grouser({"rover", "init", "files/six.urdf", "--soil", "lete-sand",
                                 "--model", "scm", "-o", "six.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  for (const char* part : {"front_wheel_left", "steer_left", "0.15", "0.12", "50 kg", "six.toml"})
    EXPECT_TRUE(contains(ending.out, part));
  const std::string scene = folder_.read("six.toml");
  for (const char* part :
       {"[mechanism]\nfile = \"files/six.urdf\"\nbase = \"floating\"\n", "[rover]\nwheels = [",
        "\"rear_wheel_right\"]", "soil = \"ground\"\nmodel = \"scm\"\n",
        "#   rear_wheel_right: turned by rear_right (backwards), radius 0.15 m, width 0.12 m, at "
        "-0.5, -0.4, -0.2 m",
        "[[soil]]\nname = \"ground\"\ntype = \"lete-sand\"",
        "[[drive]]\nmanoeuvre = \"straight\"\nspeed = 0.05\n", "[simulation]\nduration = "})
    EXPECT_TRUE(contains(scene, part));
  EXPECT_EQ(scene.find("[[coupling]]"), std::string::npos);  // the file has a differential
  EXPECT_EQ(scene.find("radius = "), std::string::npos);     // measured
}

TEST_F(RoverCommand, WritesASceneThatRuns) {
  folder_.write("six.urdf", urdf_rover(urdf_cylinder()));
  EXPECT_EQ(grouser({"rover", "init", "six.urdf"}).code, 0);
  const Ending ending = grouser({"run", "six_rover.toml", "--set", "simulation.duration=2"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "path of the rover"));
}

TEST_F(RoverCommand, ReplacesASceneOnlyIfTold) {
  folder_.write("six.urdf", urdf_rover(urdf_cylinder()));
  EXPECT_EQ(grouser({"rover", "init", "six.urdf"}).code, 0);
  folder_.write("six_rover.toml", "mine");
  expect_refusal(grouser({"rover", "init", "six.urdf"}), 2,
                 {"six_rover.toml is there already", "--force"});
  EXPECT_EQ(folder_.read("six_rover.toml"), "mine");
  EXPECT_EQ(grouser({"rover", "init", "six.urdf", "--force"}).code, 0);
  EXPECT_NE(folder_.read("six_rover.toml"), "mine");
}

/// A text without all that stands between two parts of it, and without these.
std::string without(std::string text, const std::string& first, const std::string& last) {
  for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first))
    text.erase(at, text.find(last, at) + last.size() - at);
  return text;
}

TEST_F(RoverCommand, HasNotesGuessesAndADifferentialWhereTheFileHasNone) {
  std::ifstream file(std::string(GROUSER_SCENES) + "/mechanisms/rocker_bogie.xml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text = without(without(text, "<equality>", "</equality>"), "<geom name=\"wheel_", "/>");
  folder_.write("bare.xml", text);
  const Ending ending = grouser({"rover", "init", "bare.xml", "-o", "r.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  const std::string scene = folder_.read("r.toml");
  for (const char* part :
       {"# Note: the file has no geometry of wheel_front_left, ", "radius = 0.1   # a guess",
        "[[coupling]]\nname = \"differential\"\njoints = { \"rocker_left\" = 1.0, "
        "\"rocker_right\" = 1.0 }\n"})
    EXPECT_TRUE(contains(scene, part));
  EXPECT_EQ(scene.find("base = "), std::string::npos);
}

TEST_F(RoverCommand, CheckTellsMassAndCountsCouplingsOfTheFile) {
  folder_.write("six.urdf", urdf_rover(""));
  folder_.write("scene.toml",
                "[simulation]\nduration = 1\n[mechanism]\nfile = \"six.urdf\"\nbase = "
                "\"floating\"\nscale = 2.0\n");
  const Ending ending = grouser({"check", "scene.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  // 50 kg times 2^3. Wheels 12 kg, of which 4 at x = 0.5 and 4 at -0.5, steering 4 kg at 0.5.
  EXPECT_TRUE(contains(ending.out, "400 kg, centre at 0.08, 0, "));
  EXPECT_TRUE(contains(ending.out, "1 coupling"));
  folder_.write("scene.toml",
                "[simulation]\nduration = 1\n[mechanism]\nfile = \"six.urdf\"\nscale = -1\n");
  expect_refusal(grouser({"check", "scene.toml"}), 2, {"scene.toml:5:9: mechanism.scale"});
}

#endif

}  // namespace
}  // namespace grouser
