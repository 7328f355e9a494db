// grouser testbed and grouser soils.
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using Testbed = CommandTest;

TEST_F(Testbed, SweepsTheSlipOfAWheel) {
  const Ending ending =
      grouser({"testbed", "wheel", "--soil", "dry-sand", "--spacing", "0.02", "--slip", "0.1,0.5",
               "--distance", "0.3", "-o", "w.csv", "--plot", "w.svg"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "drawbar pull [N]"));
  const std::string csv = folder_.read("w.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);  // header and two slips
  EXPECT_TRUE(contains(csv, "\n0.1,"));
  EXPECT_TRUE(contains(folder_.read("w.svg"), "<svg"));
}

TEST_F(Testbed, TakesWheelModels) {
  folder_.write("keys.toml", "[terra]\nfriction = 0.3\n");
  const auto torque = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"testbed",    "wheel", "--model", "terra", "--slip", "0.4",
                                      "--distance", "0.3",   "-q",      "-o",    "t.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 0) << ending.err;
    const std::string csv = folder_.read("t.csv");
    return std::stod(csv.substr(csv.rfind(',') + 1));
  };
  const double usual = torque({}), file = torque({"--include", "keys.toml"});
  EXPECT_LT(file, usual);
  EXPECT_EQ(torque({"--key", "terra.friction=0.3"}), file);
  const Ending refused = grouser({"testbed", "wheel", "--model", "terra", "--key", "terra.x=1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "contact.terra.x")) << refused.err;
}

TEST_F(Testbed, PressesAndShearsPlates) {
  const Ending plate = grouser({"testbed", "plate", "--soil", "cmu-sand", "--diameter", "0.06",
                                "--spacing", "0.01", "--depth", "0.01", "-o", "p.csv"});
  EXPECT_EQ(plate.code, 0) << plate.err;
  EXPECT_TRUE(contains(folder_.read("p.csv"), "sinkage [m],force [N],pressure [Pa]"));
  const Ending shear = grouser({"testbed", "shear", "--side", "0.1", "--spacing", "0.02"});
  EXPECT_EQ(shear.code, 0) << shear.err;
  EXPECT_TRUE(contains(shear.out, "displacement [m]"));
}

TEST_F(Testbed, RefusesWhatItCannotTest) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 2) << ending.err;
    EXPECT_TRUE(contains(ending.err, why)) << ending.err;
  };
  refused({"testbed", "weel"}, "did you mean 'wheel'?");
  refused({"testbed", "wheel", "--soil", "dry-sandd"}, "did you mean 'dry-sand'?");
  refused({"testbed", "wheel", "--set", "cohesionn=3"}, "cohesion");
  refused({"testbed", "wheel", "--set", "n=4"}, "soil.n must");
  refused({"testbed", "wheel", "--load", "-3"}, "--load must be positive");
  refused({"testbed", "wheel", "--slip", "1.5"}, "--slip must lie in");
  refused({"testbed", "wheel", "--mesh", "no.obj"}, "no.obj");
  refused({"testbed", "wheel", "--spacing", "3"}, "soil.spacing");
}

TEST_F(Testbed, ListsSoilsAndTellsAboutOne) {
  const Ending all = grouser({"soils"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.out, "lete-sand"));
  const Ending one = grouser({"soils", "lete-sand"});
  EXPECT_EQ(one.code, 0);
  EXPECT_TRUE(contains(one.out, "Wong"));
  EXPECT_TRUE(contains(one.out, "k_phi"));
  EXPECT_EQ(grouser({"soils", "lete-sandd"}).code, 2);
}

}  // namespace
}  // namespace grouser
