#include <gtest/gtest.h>

#include <filesystem>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_formats.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

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

/// Three groups, in no order.
TriangleMesh grouped_cylinder() {
  TriangleMesh mesh = make_cylinder({.radius = 1.0 / 3.0, .length = 1.2, .segments = 24});
  mesh.group_names = {"the side", "\"bottom\" \\ 2", "déckel"};
  Random random(3);
  for (std::int32_t& group : mesh.groups) group = static_cast<std::int32_t>(random.uniform(0, 3));
  return mesh;
}

TEST(WriteMesh, PlyReadsBackTheSame) {
  const TemporaryFolder folder;
  for (const TriangleMesh& mesh : {third_torus(), grouped_cylinder()}) {
    write_mesh_file(mesh, folder / "a.ply");
    const TriangleMesh back = read_mesh_file(folder / "a.ply");
    EXPECT_EQ(back.vertices, mesh.vertices);  // the same bits
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.groups, mesh.groups);
    EXPECT_EQ(back.group_names, mesh.group_names);
  }
}

/// Files written here are read in one go, others row by row; an element more makes others of them.
TEST(WriteMesh, PlyReadsTheSameInOneGoAndRowByRow) {
  const TemporaryFolder folder;
  TriangleMesh rough = grouped_cylinder();
  rough.vertices.push_back(rough.vertices[2]);  // twice, one of them not used
  rough.vertices.emplace_back(-0.0, 5e-324, 1e300);
  rough.triangles[3] = {0, 0, 1};
  for (const TriangleMesh& mesh : {third_torus(), grouped_cylinder(), rough}) {
    write_mesh_file(mesh, folder / "a.ply");
    std::string bytes = folder.read("a.ply");
    const auto read = [&] { return mesh_formats::read_ply({"a.ply", bytes}); };
    const TriangleMesh at_once = read();
    bytes.insert(bytes.find("end_header"), "element edge 0\nproperty int a\n");
    const TriangleMesh by_rows = read();
    EXPECT_EQ(at_once.vertices, mesh.vertices);
    EXPECT_EQ(by_rows.vertices, at_once.vertices);
    EXPECT_EQ(by_rows.triangles, at_once.triangles);
    EXPECT_EQ(by_rows.groups, at_once.groups);
    EXPECT_EQ(by_rows.group_names, at_once.group_names);
  }
}

TEST(WriteMesh, RefusesDamagedPlyInTheSameWords) {
  const TemporaryFolder folder;
  write_mesh_file(third_torus(), folder / "a.ply");
  const std::string sound = folder.read("a.ply");
  const std::size_t vertices = sound.find("end_header\n") + 11;
  const std::size_t faces = vertices + 24 * third_torus().vertices.size();
  const auto complaint = [&](std::size_t at, const std::string& changed) {
    std::string bytes = sound;
    bytes.replace(at, changed.size(), changed);
    return message_of<InputError>([&] { mesh_formats::read_ply({"a.ply", bytes}); });
  };
  EXPECT_EQ(complaint(vertices + 24 + 6, "\xf0\x7f"),
            "a.ply: vertex 1: a coordinate must be finite, is nan");
  EXPECT_EQ(complaint(faces + 1, std::string("\x80\0\0\0", 4)),
            "a.ply: a face names vertex 128, but the file has 128");
  EXPECT_EQ(complaint(faces + 1, "\xff\xff\xff\xff"),
            "a.ply: a face's corner must be the number of a vertex, is -1");
  EXPECT_TRUE(contains(complaint(faces, "\2"), "a.ply: a face needs three corners or more, has 2"));
  const std::size_t count = sound.find("face 256") + 5;
  EXPECT_EQ(complaint(count, "257"),
            "a.ply: the file is cut off: the PLY header promises 257 rows of element face, it ends "
            "in row 256");
  EXPECT_EQ(complaint(count, "255"),
            "a.ply: the file has 13 bytes more than the PLY header promises");
}

TEST(WriteMesh, CommentsOfPlyAndObjReadBack) {
  const TemporaryFolder folder;
  const std::vector<std::string> comments = {"grouser wheel 1", "radius = 0.25", "",
                                             "  end_header v 1 2 3 # \\", "f 1 2 3"};
  for (const char* name : {"a.ply", "a.obj"}) {
    write_mesh_file(grouped_cylinder(), folder / name, comments);
    EXPECT_EQ(read_mesh_comments(folder / name), comments);
    EXPECT_EQ(read_mesh_file(folder / name).triangles, grouped_cylinder().triangles);
    write_mesh_file(third_torus(), folder / name);
    EXPECT_EQ(read_mesh_comments(folder / name), std::vector<std::string>{});
    EXPECT_TRUE(contains(message_of<InputError>([&] {
                           const std::string two_lines[] = {"a\nb"};
                           write_mesh_file(third_torus(), folder / name, two_lines);
                         }),
                         "a comment must be one line of text, is 'a?b'"));
  }
  // The header is enough.
  write_mesh_file(third_torus(), folder / "a.ply", comments);
  const std::string whole = folder.read("a.ply");
  const std::size_t end = whole.find("end_header\n") + 11;
  folder.write("a.ply", whole.substr(0, end));
  EXPECT_EQ(read_mesh_comments(folder / "a.ply"), comments);
}

TEST(WriteMesh, RefusesToReadCommentsOfWhatHasNone) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name) {
    const std::string message = message_of<InputError>([&] { read_mesh_comments(folder / name); });
    return message.substr(message.find(name));
  };
  folder.write("none.ply", "solid x\n");
  EXPECT_EQ(refusal("none.ply"), "none.ply:1: a PLY file starts with 'ply'");
  folder.write("none.ply", "");
  EXPECT_EQ(refusal("none.ply"), "none.ply:1: a PLY file starts with 'ply'");
  folder.write("none.ply", "ply\ncomment a\n");
  EXPECT_EQ(refusal("none.ply"), "none.ply:3: the file is cut off inside its PLY header");
  folder.write("none.ply", "ply\n" + std::string(2'000'000, 'x'));
  EXPECT_EQ(refusal("none.ply"), "none.ply:1: a line of the header never ends");
  EXPECT_EQ(refusal("a.stl"), "a.stl: comments are read from .ply and .obj files only");
  EXPECT_EQ(refusal("no.ply"), "no.ply: cannot be opened: No such file or directory");
  std::filesystem::create_directory(folder / "folder.ply");
  EXPECT_EQ(refusal("folder.ply"), "folder.ply: is a directory, not a mesh file");
}

TEST(WriteMesh, RefusesPlyGroupsThatHaveNoName) {
  const TemporaryFolder folder;
  write_mesh_file(grouped_cylinder(), folder / "a.ply");
  std::string bytes = folder.read("a.ply");
  bytes[bytes.size() - 4] = 3;
  folder.write("a.ply", bytes);
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_mesh_file(folder / "a.ply"); }),
                       "a.ply: a face's group is 3, but the header names 3"));
}

TEST(WriteMesh, RefusesPlyCutAnywhere) {
  const TemporaryFolder folder;
  const std::string comments[] = {"a comment"};
  write_mesh_file(grouped_cylinder(), folder / "a.ply", comments);
  const std::string whole = folder.read("a.ply");
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 40)
    EXPECT_THROW(read_mesh_file(folder.write("a.ply", whole.substr(0, length))), InputError);
}

TEST(WriteMesh, GlbIsChunksAsTheFormatWantsThem) {
  const TemporaryFolder folder;
  const std::string comments[] = {"say \"x\""};
  const TriangleMesh mesh = grouped_cylinder();
  write_mesh_file(mesh, folder / "a.glb", comments);
  const std::string bytes = folder.read("a.glb");
  const auto number = [&](std::size_t at) { return mesh_formats::unsigned_at(bytes, at); };
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number(4), 2u);
  EXPECT_EQ(number(8), bytes.size());
  const std::size_t json = number(12);
  EXPECT_EQ(json % 4, 0u);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  const std::size_t buffer = number(20 + json);
  EXPECT_EQ(buffer, 12 * mesh.vertices.size() + 12 * mesh.triangle_count());
  EXPECT_EQ(bytes.substr(24 + json, 4), std::string("BIN\0", 4));
  EXPECT_EQ(28 + json + buffer, bytes.size());
  const std::string text = bytes.substr(20, json);
  EXPECT_TRUE(contains(text, R"("asset":{"version":"2.0","generator":"grouser")"));
  EXPECT_TRUE(contains(text, R"("extras":{"comments":["say \"x\""]})"));
  EXPECT_TRUE(contains(text, R"("materials":[{"name":"the side"},{"name":"\"bottom\" \\ 2"},)"));
  EXPECT_TRUE(contains(text, R"("byteLength":)" + std::to_string(buffer) + "}]}"));
}

#if GROUSER_TEST_ASSIMP
TEST(WriteMesh, GlbReadsBackInSinglePrecision) {
  const TemporaryFolder folder;
  write_mesh_file(third_torus(), folder / "a.glb");
  const TriangleMesh torus = read_mesh_file(folder / "a.glb");
  EXPECT_EQ(torus.triangles, third_torus().triangles);
  expect_same_corners(torus, third_torus(), 0x1p-25);  // half a unit in the last place below 0.5
  EXPECT_TRUE(torus.groups.empty());

  // Triangles come group by group.
  const TriangleMesh mesh = grouped_cylinder();
  write_mesh_file(mesh, folder / "a.glb");
  const TriangleMesh back = read_mesh_file(folder / "a.glb");
  EXPECT_EQ(back.group_names, mesh.group_names);
  EXPECT_TRUE(take_census(back).closed());
  EXPECT_EQ(back.vertices.size(), mesh.vertices.size());
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::int32_t> groups;
  for (std::int32_t g = 0; g < 3; ++g)
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
      if (mesh.groups[t] == g) {
        triangles.push_back(mesh.triangles[t]);
        groups.push_back(g);
      }
  EXPECT_EQ(back.triangles, triangles);
  EXPECT_EQ(back.groups, groups);
}
#endif

TEST(WriteMesh, TheSuffixTellsTheFormat) {
  const TemporaryFolder folder;
  EXPECT_EQ(mesh_write_suffixes(), (std::vector<std::string>{".glb", ".obj", ".ply", ".stl"}));
  for (const std::string& suffix : mesh_write_suffixes()) {
    write_mesh_file(grouped_cylinder(), folder / ("a" + suffix));
    const std::string first = folder.read("a" + suffix);
    write_mesh_file(grouped_cylinder(), folder / ("a" + suffix));
    EXPECT_EQ(folder.read("a" + suffix), first);
  }
  write_mesh_file(third_torus(), folder / "A.PLY");
  EXPECT_EQ(read_mesh_file(folder / "A.PLY").vertices, third_torus().vertices);
  EXPECT_EQ(read_mesh_comments(folder / "A.PLY"), std::vector<std::string>());
  write_mesh_file(third_torus(), folder / "A.Obj");
  EXPECT_EQ(read_mesh_file(folder / "A.Obj").vertices, third_torus().vertices);
  const auto refusal = [&](const TriangleMesh& mesh, const std::string& name) {
    const std::string message =
        message_of<InputError>([&] { write_mesh_file(mesh, folder / name); });
    EXPECT_FALSE(std::filesystem::exists(folder / name));
    return message.substr(message.find(name));
  };
  EXPECT_EQ(refusal(third_torus(), "a.gltf"),
            "a.gltf: '.gltf' is not a mesh format written here; known are .glb, .obj, .ply, .stl");
  EXPECT_EQ(refusal(third_torus(), "name"),
            "name: the name has no suffix that tells its format; known are .glb, .obj, .ply, .stl");
  EXPECT_TRUE(contains(refusal({}, "b.ply"), "b.ply: "));
  TriangleMesh large = third_torus();
  large.vertices[0].x() = 1e39;
  EXPECT_EQ(refusal(large, "b.glb"),
            "b.glb: a coordinate of 1e+39 is too large for the single precision of glTF");
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
