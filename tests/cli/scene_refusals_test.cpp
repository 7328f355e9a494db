// What is wrong in a scene is told with file, line, column, key and, for a name, the nearest one.
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

struct Refusal {
  const char* name;
  const char* from;  // in kBall
  const char* to;
  const char* place;
  const char* message;
};

const Refusal kRefusals[] = {
    // The text.
    {"TomlSyntax", "duration = 0.1", "duration = ", ":2:12:", "expected value"},
    {"RepeatedKey", "duration = 0.1", "duration = 0.1\nduration = 1.0", ":3:", "duration"},
    {"UnknownTable", "[simulation]", "[simulatoin]",
     ":1:2:", "unknown key simulatoin; did you mean 'simulation'?"},
    {"UnknownKey", "duration = 0.1", "duraton = 0.1",
     ":2:1:", "unknown key simulation.duraton; did you mean 'duration'?"},
    {"UnknownKeyOfAContact", "friction = 0.3", "frction = 0.3",
     ":25:1:", "unknown key contact.frction; did you mean 'friction'?"},
    {"KeyOfAnEarlierVersion", "friction = 0.3", "bristle_damping = 0.3",
     ":25:1:", "contact.bristle_damping is now called contact.friction_damping"},
    {"LawOfAnotherModel", "friction = 0.3", "friction_law = \"spring-slider\"",
     ":25:16:", "contact.friction_law is 'spring-slider'; it must be one of quadratic, tanh, "},
    {"MissingTable", "[simulation]\nduration = 0.1", "", "", "has no [simulation]"},
    {"MissingKey", "duration = 0.1", "", ":1:1:", "simulation.duration is missing"},
    {"MissingModel", "model = \"sphere-half-space\"", "", ":19:1:", "contact.model is missing"},
    {"OneInsteadOfMany", "[[body]]", "[body]", ":4:1:", "body must be written [[body]]"},
    // Values.
    {"WordForANumber", "duration = 0.1", "duration = \"long\"",
     ":2:12:", "simulation.duration must be a number, is a string, \"long\""},
    {"NumberForAWord", "name = \"ball\"", "name = 3", ":5:8:", "body.name must be a string"},
    {"FractionForAnInteger", "duration = 0.1", "duration = 0.1\nthreads = 1.5",
     ":3:11:", "simulation.threads must be a whole number, is 1.5"},
    {"Negative", "mass = 1.0", "mass = -1.0", ":6:8:", "body.mass must be positive, is -1"},
    {"NotANumber", "duration = 0.1", "duration = nan",
     ":2:12:", "simulation.duration must be positive, is nan"},
    {"Infinite", "duration = 0.1", "duration = inf",
     ":2:12:", "simulation.duration must be positive, is inf"},
    {"NotANumberInAnArray", "0.0, 0.101", "nan, 0.101",
     ":8:18:", "body.position must be finite, is nan"},
    {"TooFewNumbers", "[0.0, 0.0, 0.101]", "[0.0, 0.101]",
     ":8:12:", "body.position must have 3 numbers, has 2"},
    {"OutOfRange", "friction = 0.3", "restitution = 1.5",
     ":25:15:", "contact.restitution must lie in [0, 1], is 1.5"},
    {"NoSuchChoice", "duration = 0.1", "duration = 0.1\nintegrator = \"bfd\"",
     ":3:14:", "simulation.integrator is 'bfd'; it must be one of bdf, adams"},
    {"ImpossibleInertia", "[0.004, 0.004, 0.004]", "[0.001, 0.001, 0.004]",
     ":4:1:", "the largest exceeds the sum of the others"},
    // Names.
    {"SameShapeTwice", "name = \"ground\"", "name = \"sphere\"",
     ":15:1:", "shape.name 'sphere' is used twice; first at "},
    {"SameBodyTwice", "[[shape]]",
     "[[body]]\nname = \"ball\"\nmass = 1.0\ninertia = [1, 1, 1]\n[[shape]]",
     ":10:1:", "body.name 'ball' is used twice; first at "},
    {"SameContactTwice", "friction = 0.3",
     "[[contact]]\nname = \"landing\"\nmodel = \"sphere-half-space\"\nsphere = \"sphere\"\n"
     "half_space = \"ground\"\nstiffness = 1e6",
     ":25:1:", "contact.name 'landing' is used twice"},
    {"NoSuchBody", "body = \"ball\"", "body = \"bal\"",
     ":10:1:", "shape.body: there is no body 'bal'; did you mean 'ball'?"},
    {"NoSuchShape", "sphere = \"sphere\"", "sphere = \"spere\"",
     ":19:1:", "contact.sphere: there is no shape 'spere'; did you mean 'sphere'?"},
    {"WrongKindOfShape", "half_space = \"ground\"", "half_space = \"sphere\"",
     ":19:1:", "contact.half_space: shape 'sphere' is a sphere, it must be a half_space"},
    {"NoSuchMaterial", "[[shape]]",
     "[[material]]\nname = \"steel\"\nyoung_modulus = 2e11\n[[shape]]\nmaterial = \"stel\"",
     ":13:1:", "shape.material: there is no material 'stel'; did you mean 'steel'?"},
    {"NoSuchModel", "\"sphere-half-space\"", "\"sphere-halfspace\"",
     ":21:9:", "contact.model 'sphere-halfspace' is unknown; did you mean 'sphere-half-space'?"},
    {"NoSuchJoint", "[[contact]]", "[[motor]]\njoint = \"hnge\"\ntarget = 1.0\n[[contact]]",
     ":19:1:", "motor.joint: there is no joint 'hnge'"},
    // Mesh files.
    {"NoSuchMesh", "sphere.radius = 0.1", "mesh.file = \"none.obj\"",
     ":13:13:", "shape.mesh.file: none.obj: there is no such file"},
    {"EmptyMesh", "sphere.radius = 0.1", "mesh.file = \"empty.stl\"",
     ":13:13:", "shape.mesh.file: empty.stl: the file is empty"},
    {"TruncatedMesh", "sphere.radius = 0.1", "mesh.file = \"cut.stl\"",
     ":13:13:", "shape.mesh.file: cut.stl"},
    {"UnknownMeshFormat", "sphere.radius = 0.1", "mesh.file = \"mesh.txt\"",
     ":13:13:", "'.txt' is not a mesh format known here"},
    {"NoSuchGenerator", "sphere.radius = 0.1", "mesh.torsu = {}",
     ":13:6:", "unknown key shape.mesh.torsu; did you mean 'torus'?"},
    {"NothingMoves", "[[body]]", "[[moving_body]]", ":6:1:", "unknown key moving_body.mass"},
};

class SceneRefusal : public CommandTest, public ::testing::WithParamInterface<Refusal> {};

TEST_P(SceneRefusal, NamesPlaceAndKey) {
  const Refusal& refusal = GetParam();
  folder_.write("empty.stl", "");
  // 84 bytes announce 2 triangles of 50 bytes; one and a half are there.
  folder_.write("cut.stl",
                std::string(80, ' ') + std::string("\2\0\0\0", 4) + std::string(75, '\0'));
  folder_.write("mesh.txt", "v 0 0 0\n");
  folder_.write("scene.toml", replaced(kBall, refusal.from, refusal.to));
  const std::string place = std::string("grouser: error: scene.toml") + refusal.place;
  const Ending check = grouser({"check", "scene.toml"});
  expect_refusal(check, 2, {place, refusal.message});
  EXPECT_EQ(check.out, "");

  // A run refuses with the same words, and leaves nothing behind.
  const Ending run = grouser({"run", "scene.toml"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, check.err);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

INSTANTIATE_TEST_SUITE_P(Cli, SceneRefusal, ::testing::ValuesIn(kRefusals),
                         [](const auto& row) { return std::string(row.param.name); });

using SceneFile = CommandTest;

TEST_F(SceneFile, MustExist) {
  expect_refusal(grouser({"run", "none.toml"}), 2, {"none.toml", "No such file or directory"});
}

TEST_F(SceneFile, MustNotBeAFolder) {
  std::filesystem::create_directories(folder_ / "folder.toml");
  expect_refusal(grouser({"run", "folder.toml"}), 2, {"folder.toml", "is a folder"});
}

TEST_F(SceneFile, MustBeText) {
  folder_.write("scene.toml", std::string("\xff\xfe\0bad", 6));
  expect_refusal(grouser({"run", "scene.toml"}), 2, {"scene.toml:1:1:"});
}

TEST_F(SceneFile, MustNotBeEmpty) {
  folder_.write("scene.toml", "");
  expect_refusal(grouser({"run", "scene.toml"}), 2, {"scene.toml: ", "the file is empty"});
}

struct BadSetting {
  const char* name;
  const char* word;
  const char* message;
};

const BadSetting kBadSettings[] = {
    {"NoEqualSign", "simulation.duration", "--set simulation.duration: write it as key=value"},
    {"NoKey", "=1", "--set =1: write it as key=value"},
    {"NoValue", "simulation.duration=", "--set simulation.duration"},
    {"UnknownKey", "simulation.duratio=1",
     "unknown key simulation.duratio; did you mean 'duration'?"},
    {"UnknownTable", "duration=1", "unknown key duration; known are simulation"},
    {"WrongType", "simulation.duration=abc", "simulation.duration must be a number"},
    {"OutOfRange", "simulation.duration=-1", "simulation.duration must be positive, is -1"},
    {"UnknownEntry", "contact.landin.friction=1", "did you mean 'landing'?"},
    {"IndexTooLarge", "contact.3.friction=1", "counted from zero; 3 is not one of them"},
    {"BrokenArray", "simulation.gravity=[0,0", "--set simulation.gravity"},
    {"KeyOfANumber", "simulation.duration.x=1", "simulation.duration is a number"},
};

class Setting : public CommandTest, public ::testing::WithParamInterface<BadSetting> {};

TEST_P(Setting, IsRefused) {
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"check", "ball.toml", "--set", GetParam().word}), 2,
                 {"grouser: error: --set", GetParam().message});
}

INSTANTIATE_TEST_SUITE_P(Cli, Setting, ::testing::ValuesIn(kBadSettings),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(SceneFile, CheckTellsWhatTheSceneHas) {
  folder_.write("ball.toml", kBall);
  const Ending ending = grouser({"check", "ball.toml"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(ending.err, "");
  for (const char* text : {"ball.toml is in order", "1: ball", "6 degrees of freedom",
                           "15: 7 positions, 6 velocities, 2 of contacts", "half_space", "landing",
                           "sphere-half-space"})
    EXPECT_TRUE(contains(ending.out, text));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

}  // namespace
}  // namespace grouser
