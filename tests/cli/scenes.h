// Small scenes for the command, and what is usual to say about its answers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/child.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {

/// A ball over the ground. Each argument is lines of its table: of the simulation, of where the
/// ball is and how it moves, of the contact.
inline std::string ball_on_ground(const std::string& simulation, const std::string& state,
                                  const std::string& contact) {
  return "[simulation]\n" + simulation + R"(
[[body]]
name = "ball"
mass = 1.0
inertia = [0.004, 0.004, 0.004]
)" + state +
         R"(
[[shape]]
name = "sphere"
body = "ball"
sphere.radius = 0.1

[[shape]]
name = "ground"
half_space = true

[[contact]]
name = "landing"
model = "sphere-half-space"
sphere = "sphere"
half_space = "ground"
)" + contact +
         "friction = 0.3\n";
}

/// A ball falls on the ground. Lines are counted in scene_refusals_test.cpp.
inline const std::string kBall =
    ball_on_ground("duration = 0.1\n", "position = [0.0, 0.0, 0.101]\n", "stiffness = 1e6\n");

/// A ball slides, with a step a thousand times longer than its bristles need (stroke / speed =
/// 1e-5 s): their deflection doubles and redoubles until it is no number any more.
inline const std::string kTooLongStep = ball_on_ground(
    "duration = 2.0\nintegrator = \"rk4\"\nstep = 0.01\n",
    "position = [0.0, 0.0, 0.0901]\nvelocity = [10.0, 0.0, 0.0]\n", "stiffness = 1e4\n");

/// Three meshes on a mesh: several contacts for several threads.
inline const std::string kThreeContacts = [] {
  std::string text = R"([simulation]
duration = 0.05

[[shape]]
name = "floor"
mesh.box = { size = [2.0, 2.0, 0.2], divisions = 10 }
position = [0.0, 0.0, -0.1]
)";
  for (const char* x : {"-0.5", "0.0", "0.5"}) {
    const std::string name = "'ball" + std::string(x) + "'";
    text += "\n[[body]]\nname = " + name + "\ndensity = 500.0\nposition = [" + x +
            ", 0.1, 0.0985]\n\n[[shape]]\nname = " + name + "\nbody = " + name +
            "\nmesh.sphere = { radius = 0.1, triangles = 180 }\n\n[[contact]]\nname = " + name +
            "\nmodel = 'pcm'\nbase = " + name +
            "\ntarget = 'floor'\nmax_penetration = 0.02\ndamping = 1e4\nfriction = 0.3\nlayer." +
            name + " = { young_modulus = 1e5, poisson_ratio = 0.4, thickness = 0.01 }\n";
  }
  return text;
}();

/// `text` with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the scene has no '" << from << "'";
    return text;
  }
  return text.replace(at, from.size(), to);
}

/// A folder for scenes and results, in which the command runs.
class CommandTest : public ::testing::Test {
 protected:
  Ending grouser(std::vector<std::string> arguments) const {
    return grouser_command(std::move(arguments), folder_ / "");
  }
  /// Runs a scene quietly into the folder `out`.
  Ending run(const std::string& scene, const std::string& out,
             std::vector<std::string> more = {}) const {
    folder_.write(out + ".toml", scene);
    more.insert(more.begin(), {"run", out + ".toml", "--quiet", "--out", out});
    return grouser(std::move(more));
  }
  std::string recording(const std::string& out) const { return out + "/" + out + ".h5"; }
  std::string info(const std::string& out) const { return grouser({"info", recording(out)}).out; }
  std::string csv(const std::string& out) const { return grouser({"export", recording(out)}).out; }

  const TemporaryFolder folder_;
};

/// Fails with everything the command said, unless it ended with `code` and an error with `parts`.
inline void expect_refusal(const Ending& ending, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(ending.code, code) << ending.err;
  EXPECT_EQ(ending.signal, 0);
  EXPECT_TRUE(contains(ending.err, "grouser: error: "));
  for (const std::string& part : parts) EXPECT_TRUE(contains(ending.err, part));
}

}  // namespace grouser
