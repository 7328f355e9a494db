// Beside another user of MuJoCo in the same process.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "grouser/base/error.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

constexpr const char* kPendulum =
    "<mujoco><worldbody><body name=\"rod\"><joint type=\"hinge\"/>"
    "<geom size=\"0.1\"/></body></worldbody></mujoco>";

struct TheirError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
int their_warnings = 0;

TEST(MujocoNeighbour, KeepsItsHandlers) {
  mju_user_error = [](const char* message) { throw TheirError(message); };
  mju_user_warning = [](const char*) { ++their_warnings; };
  const TemporaryFolder folder;
  folder.write("rod.xml", kPendulum);
  folder.write("bad.xml", "<mujoco><worldbody><body/></worldbody>");
  for (int round = 0; round < 2; ++round) {
    EXPECT_NO_THROW(load_mujoco(folder / "rod.xml", {}, Vec3::Zero()));
    EXPECT_THROW(load_mujoco(folder / "bad.xml", {}, Vec3::Zero()), InputError);
    EXPECT_THROW(mju_error("theirs"), TheirError);
    mju_warning("theirs");
    EXPECT_EQ(their_warnings, round + 1);
  }
  // In another thread, too.
  std::thread([] { EXPECT_THROW(mju_error("theirs"), TheirError); }).join();
  mju_user_error = nullptr;
  mju_user_warning = nullptr;
}

}  // namespace
}  // namespace grouser
