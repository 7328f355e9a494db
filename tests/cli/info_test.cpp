// grouser info.
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using Info = CommandTest;

/// A tetrahedron with three legs of length 1; without its last triangle it is open.
const std::string kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST_F(Info, DescribesAClosedMesh) {
  folder_.write("mesh.obj", kTetrahedron);
  const Ending ending = grouser({"info", "mesh.obj"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  for (const char* text :
       {"triangles     4\n", "vertices      4 ", "6 edges", "[0, 0, 0] to [1, 1, 1] m",
        "surface       closed, clean", "area          2.36603 m^2",  // 3 / 2 + sqrt(3) / 2
        "volume        0.166667 m^3"})
    EXPECT_TRUE(contains(ending.out, text));
}

TEST_F(Info, DescribesAnOpenMesh) {
  folder_.write("mesh.obj", replaced(kTetrahedron, "f 2 3 4\n", ""));
  const Ending ending = grouser({"info", "mesh.obj"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_TRUE(contains(ending.out, "surface       open, 3 boundary edges"));
  EXPECT_FALSE(contains(ending.out, "volume"));
}

TEST_F(Info, SaysThatAMeshIsInsideOut) {
  folder_.write("mesh.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
  EXPECT_TRUE(contains(grouser({"info", "mesh.obj"}).out, "inside out"));
}

TEST_F(Info, ListsTheGroupsOfAMesh) {
  folder_.write("mesh.obj", replaced(kTetrahedron, "f 1 3 2\n", "f 1 3 2\ng inclined face\n"));
  const Ending ending = grouser({"info", "mesh.obj"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  for (const char* text :
       {"group          triangles  area [m^2]\n", "default                1         0.5\n",
        "inclined face          3     1.86603\n"})  // 1 + sqrt(3) / 2
    EXPECT_TRUE(contains(ending.out, text));
  folder_.write("plain.obj", kTetrahedron);
  EXPECT_FALSE(contains(grouser({"info", "plain.obj"}).out, "group"));
}

TEST_F(Info, DescribesARecording) {
  EXPECT_EQ(run(kBall, "ball").code, 0);
  const Ending ending = grouser({"info", "ball/ball.h5"});
  EXPECT_EQ(ending.code, 0);
  for (const char* text :
       {"status        complete\n", "scene         ball.toml\n", "with grouser " GROUSER_VERSION,
        "samples       11, from 0 s to 0.1 s", "bodies/ball/orientation", "w x y z",
        "contacts/landing/elements", "half_space", "greatest penetration of landing [m]"})
    EXPECT_TRUE(contains(ending.out, text));
}

TEST_F(Info, RefusesWhatItDoesNotKnow) {
  folder_.write("garbage.h5", "no recording at all");
  folder_.write("garbage.stl", "no mesh at all");
  folder_.write("garbage.txt", "nothing at all");
  folder_.write("ball.toml", kBall);
  expect_refusal(grouser({"info", "garbage.h5"}), 2, {"garbage.h5: is not an HDF5 file"});
  expect_refusal(grouser({"info", "garbage.stl"}), 2, {"garbage.stl: "});
  expect_refusal(grouser({"info", "garbage.txt"}), 2,
                 {"garbage.txt: is of no known kind; known are recording (.h5", "mesh (", ".stl"});
  expect_refusal(grouser({"info", "ball.toml"}), 2, {"is a scene; see 'grouser check'"});
  expect_refusal(grouser({"info", "none.h5"}), 2, {"none.h5: there is no such file"});
  expect_refusal(grouser({"info", "."}), 2, {".: is a folder"});
}

TEST_F(Info, RefusesACutRecording) {
  EXPECT_EQ(run(kBall, "ball").code, 0);
  const std::string whole = folder_.read("ball/ball.h5");
  for (const std::size_t size : {std::size_t{100}, whole.size() / 2}) {
    folder_.write("cut.h5", whole.substr(0, size));
    expect_refusal(grouser({"info", "cut.h5"}), 2, {"cut.h5: ", "damaged or cut short"});
  }
}

}  // namespace
}  // namespace grouser
