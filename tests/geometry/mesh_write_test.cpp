#include <gtest/gtest.h>

#include "grouser/base/error.h"
#include "grouser/geometry/mesh_file.h"
#include "grouser/geometry/mesh_shapes.h"
#include "tests/geometry/messages.h"
#include "tests/geometry/temporary_folder.h"

namespace grouser {
namespace {

/// Coordinates with all digits in use.
TriangleMesh third_torus() {
  return make_torus({.major_radius = 1.0 / 3.0, .minor_radius = 0.1, .triangles = 256});
}

TEST(WriteMesh, ObjReadsBackTheSame) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = third_torus();
  write_mesh_obj(mesh, folder / "torus.obj");
  const TriangleMesh back = read_mesh_file(folder / "torus.obj");
  EXPECT_EQ(back.vertices, mesh.vertices);  // the same bits
  EXPECT_EQ(back.triangles, mesh.triangles);
}

/// STL has no numbers of vertices, so compare corner by corner.
void expect_same_corners(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  ASSERT_EQ(a.triangle_count(), b.triangle_count());
  for (std::size_t t = 0; t < a.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      ASSERT_LE((a.corner(t, k) - b.corner(t, k)).cwiseAbs().maxCoeff(), tolerance);
}

TEST(WriteMesh, TextStlReadsBackTheSame) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = third_torus();
  write_mesh_stl(mesh, folder / "torus.stl");
  const TriangleMesh back = read_mesh_file(folder / "torus.stl");
  expect_same_corners(back, mesh, 0.0);
  EXPECT_EQ(back.vertices.size(), mesh.vertices.size());  // welded
  EXPECT_TRUE(take_census(back).closed());
}

TEST(WriteMesh, BinaryStlReadsBackInSinglePrecision) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = third_torus();
  write_mesh_stl(mesh, folder / "torus.stl", StlKind::binary);
  EXPECT_EQ(folder.read("torus.stl").size(), 84u + 50u * 256u);
  const TriangleMesh back = read_mesh_file(folder / "torus.stl");
  expect_same_corners(back, mesh, 0x1p-25);  // half a unit in the last place of floats below 0.5
  EXPECT_TRUE(take_census(back).closed());
}

TEST(WriteMesh, KeepsGroupsInObjAndDropsThemInStl) {
  const TemporaryFolder folder;
  TriangleMesh mesh = make_cylinder({.radius = 0.5, .length = 1.2, .segments = 5});
  mesh.group_names = {"the side", "#1\\", "top\nlid"};  // some names cannot stand in a file
  write_mesh_obj(mesh, folder / "a.obj");
  const TriangleMesh back = read_mesh_file(folder / "a.obj");
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.group_names, (std::vector<std::string>{"1", "the side", "top lid"}));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    EXPECT_EQ(back.groups[t],
              (std::array<std::int32_t, 3>{1, 0, 2}[static_cast<std::size_t>(mesh.groups[t])]));

  for (const StlKind kind : {StlKind::text, StlKind::binary}) {
    write_mesh_stl(mesh, folder / "a.stl", kind);
    EXPECT_TRUE(read_mesh_file(folder / "a.stl").groups.empty());
  }
}

TEST(WriteMesh, SaysWhereItCouldNotWrite) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = third_torus();
  const std::string path = folder / "nowhere/torus.obj";
  EXPECT_EQ(message_of<RunError>([&] { write_mesh_obj(mesh, path); }),
            path + ": cannot be written: No such file or directory");
  EXPECT_EQ(message_of<RunError>([&] { write_mesh_stl(mesh, folder / ""); }),
            (folder / "") + ": cannot be written: Is a directory");
}

TEST(WriteMesh, SaysThatTheDiskIsFull) {
  EXPECT_EQ(message_of<RunError>([] { write_mesh_obj(third_torus(), "/dev/full"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

}  // namespace
}  // namespace grouser
