// Mechanism files that are wrong: the library's own message is passed on, and nothing aborts.
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

const std::string kPendulum = R"(<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="hinge" type="hinge" axis="0 1 0"/>
      <inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/>
    </body>
  </worldbody>
</mujoco>
)";

const std::string kScene = "[simulation]\nduration = 0.1\n[mechanism]\nfile = \"arm.xml\"\n";

class MechanismRefusal : public CommandTest {
 protected:
  Ending check(const std::string& mechanism, const std::string& more = "") const {
    folder_.write("arm.xml", mechanism);
    folder_.write("scene.toml", kScene + more);
    return grouser({"check", "scene.toml"});
  }
  static constexpr const char* kPlace = "scene.toml:4:8: mechanism.file: ";
};

TEST_F(MechanismRefusal, MissingFile) {
  folder_.write("scene.toml", kScene);
  expect_refusal(grouser({"check", "scene.toml"}), 2, {kPlace, "no file 'arm.xml'"});
}

TEST_F(MechanismRefusal, UnknownSuffix) {
  folder_.write("scene.toml", replaced(kScene, "arm.xml", "arm.txt"));
  expect_refusal(grouser({"check", "scene.toml"}), 2, {kPlace, "neither MJCF (.xml) nor URDF"});
}

#ifdef GROUSER_HAVE_MUJOCO

TEST_F(MechanismRefusal, NoneForAGoodFile) {
  const Ending ending = check(kPendulum);
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "1: hinge"));
  EXPECT_TRUE(contains(ending.out, "1 degree of freedom"));
}

TEST_F(MechanismRefusal, EmptyFile) {
  expect_refusal(check(""), 2, {kPlace, "arm.xml"});
}

TEST_F(MechanismRefusal, BrokenXml) {
  expect_refusal(check(kPendulum.substr(0, kPendulum.size() / 2)), 2,
                 {kPlace, "arm.xml: MuJoCo rejects the model: ", "XML"});
}

TEST_F(MechanismRefusal, UnknownElement) {
  expect_refusal(check(replaced(kPendulum, "<inertial", "<inertia")), 2,
                 {kPlace, "MuJoCo rejects the model: ", "unrecognized element", "'inertia'"});
}

TEST_F(MechanismRefusal, UnreadableNumber) {
  expect_refusal(check(replaced(kPendulum, "mass=\"1\"", "mass=\"one\"")), 2,
                 {kPlace, "MuJoCo rejects the model: ", "'mass'"});
}

TEST_F(MechanismRefusal, BodyWithoutMass) {
  expect_refusal(check(replaced(kPendulum, "mass=\"1\"", "mass=\"0\"")), 2,
                 {kPlace, "mass and inertia of moving bodies"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "MUJOCO_LOG.TXT"));
}

TEST_F(MechanismRefusal, UnknownJoint) {
  expect_refusal(check(kPendulum, "[[motor]]\njoint = \"hnge\"\ntarget = 1.0\n"), 2,
                 {"scene.toml:5:1: motor.joint: there is no joint 'hnge'; did you mean 'hinge'?"});
  expect_refusal(check(kPendulum, "[initial]\nhing = 1.0\n"), 2,
                 {"scene.toml:6:1: ", "no joint 'hing'; did you mean 'hinge'?"});
}

TEST_F(MechanismRefusal, SameBodyInFileAndScene) {
  expect_refusal(check(kPendulum, "[[body]]\nname = \"arm\"\nmass = 1.0\ninertia = [1, 1, 1]\n"), 2,
                 {"scene.toml:", "body.name 'arm' is also a body of "});
}

#endif
#ifdef GROUSER_HAVE_URDF

TEST_F(MechanismRefusal, BrokenUrdf) {
  folder_.write("scene.toml", replaced(kScene, "arm.xml", "arm.urdf"));
  folder_.write("arm.urdf", "<robot name=\"r\">\n  <link name=\"a\"/>\n");
  expect_refusal(grouser({"check", "scene.toml"}), 2, {kPlace, "arm.urdf:1:1: malformed XML"});
  folder_.write("arm.urdf",
                "<robot name=\"r\">\n  <link name=\"upper\"/>\n"
                "  <joint name=\"j\" type=\"continuous\">\n"
                "    <parent link=\"upper\"/><child link=\"uper\"/>\n  </joint>\n</robot>\n");
  expect_refusal(grouser({"check", "scene.toml"}), 2,
                 {kPlace, "arm.urdf:4:", "'uper'; did you mean 'upper'?"});
}

#endif

}  // namespace
}  // namespace grouser
