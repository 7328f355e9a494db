#include "grouser/mesh/mesh_file.h"

#include <gtest/gtest.h>

#include <bit>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

/// Reads a file with these bytes.
class MeshFile : public ::testing::Test {
 protected:
  TriangleMesh read(const std::string& name, const std::string& bytes) {
    return read_mesh_file(folder_.write(name, bytes));
  }
  /// What reading complains about, without the folder.
  std::string complaint(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.write(name, bytes);
    std::string message = message_of<InputError>([&] { read_mesh_file(path); });
    EXPECT_TRUE(message.starts_with(path)) << message;
    return message.starts_with(path) ? name + message.substr(path.size()) : message;
  }
  /// Every shorter version of the file must be refused.
  void expect_refused_at_every_length(const std::string& name, const std::string& bytes) {
    EXPECT_NO_THROW(read(name, bytes));
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_THROW(read(name, bytes.substr(0, length)), InputError) << length;
  }

  TemporaryFolder folder_;
};

const char kTetrahedronObj[] =
    "# a tetrahedron\n"
    "mtllib missing.mtl\n"
    "o thing\n"
    "v 0 0 0\nv 1 0 0 1.0\nv 0 +1.0 0\r\nv 0 0 1e0 # comment\n"
    "vt 0 0\nvn 0 0 1\n"
    "usemtl steel\ns off\n"
    "f 1 3 2\nf 1/1 2/1 4/1\nf 2//1 3//1 4//1\nf -2/1/1 \\\n -4/1/1 -1/1/1\n"
    "l 1 2\n";

TEST_F(MeshFile, ReadsObj) {
  const TriangleMesh mesh = read("a.obj", kTetrahedronObj);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  ASSERT_EQ(mesh.triangle_count(), 4u);
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6.0, 1e-16);
}

TEST_F(MeshFile, ReadsAllDigitsOfObj) {
  const TriangleMesh mesh =
      read("a.obj", "v 0.1234567890123456 0 0\nv 1 0 0\nv 0 1e-400 1\nf 1 2 3\n");
  EXPECT_EQ(mesh.vertices[0].x(), 0.1234567890123456);
  EXPECT_EQ(mesh.vertices[2].y(), 0.0);  // below the smallest double
}

TEST_F(MeshFile, ReadsFacesBeforeTheirVertices) {
  EXPECT_EQ(read("a.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangle_count(), 1u);
}

TEST_F(MeshFile, CutsPolygonsThatPokeInward) {
  // An arrowhead and an L; a fan from the first corner would leave both.
  const TriangleMesh arrow = read("a.obj", "v 1 0 0\nv 4 4 0\nv 0 2 0\nv 1 2 0\nf 1 2 3 4\n");
  EXPECT_EQ(arrow.triangle_count(), 2u);
  const TriangleMesh ell =
      read("l.obj", "v 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 0\nv 3 0 0\nf 1 2 3 4 5 6\n");
  EXPECT_EQ(ell.triangle_count(), 4u);
  EXPECT_NEAR(surface_area(ell), 5.0, 1e-15);
  for (const TriangleMesh& mesh : {arrow, ell})
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
      EXPECT_GT(face_of(mesh, t).normal.z(), 0.0);
}

TEST_F(MeshFile, RefusesBadObj) {
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  EXPECT_EQ(complaint("a.obj", square), "a.obj: the file has no triangles");
  EXPECT_EQ(complaint("a.obj", square + "f 1 2 7\n"),
            "a.obj:5: a face names vertex 7, but the file has 4");
  EXPECT_EQ(complaint("a.obj", square + "f 1 2 -9\n"),
            "a.obj:5: a face names vertex -4, but the file has 4");
  EXPECT_EQ(complaint("a.obj", square + "f 1 2\n"),
            "a.obj:5: a face needs three corners or more, has 2");
  EXPECT_EQ(complaint("a.obj", square + "f 1 2 x\n"),
            "a.obj:5: a face's corner must be the number of a vertex, is 'x'");
  EXPECT_EQ(complaint("a.obj", square + "f 0 1 2\n"),
            "a.obj:5: a face's corner must be the number of a vertex, is '0'");
  EXPECT_EQ(complaint("a.obj", "v 0 0\n"), "a.obj:1: a vertex needs three coordinates");
  EXPECT_EQ(complaint("a.obj", "v 0 0 1,5\n"), "a.obj:1: a coordinate must be a number, is '1,5'");
  EXPECT_EQ(complaint("a.obj", "v 0 nan 0\n"), "a.obj:1: a coordinate must be finite, is nan");
  EXPECT_EQ(complaint("a.obj", "v 0 1e999 0\n"), "a.obj:1: a coordinate must be finite, is 1e999");
  EXPECT_EQ(complaint("a.obj", square + "f 1 1 2\n"),
            "a.obj: all triangles of the file are lines or points");
  EXPECT_EQ(complaint("a.obj", std::string("\0\1\2junk", 7)), "a.obj: the file has no triangles");
}

TEST_F(MeshFile, RefusesObjCutInsideALine) {
  const std::string path = folder_ / "whole.obj";
  write_mesh_obj(make_sphere({.radius = 0.37, .triangles = 80}), path);
  const std::string whole = folder_.read("whole.obj");
  std::size_t refused = 0;
  for (std::size_t length = 0; length < whole.size() - 1; ++length) {
    if (length > 0 && whole[length - 1] == '\n') continue;  // a shorter file, see mesh_file.h
    EXPECT_THROW(read("cut.obj", whole.substr(0, length)), InputError) << length;
    ++refused;
  }
  EXPECT_GT(refused, 1000u);
  // Without its last line break it is whole.
  EXPECT_EQ(read("cut.obj", whole.substr(0, whole.size() - 1)).triangle_count(), 80u);
  EXPECT_TRUE(contains(complaint("cut.obj", whole.substr(0, whole.find('\n', whole.size() - 200))),
                       "cut.obj: seems to be cut off: its last line has no end"));
}

using Names = std::vector<std::string>;
using Groups = std::vector<std::int32_t>;

const std::string kFourVertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(MeshFile, ReadsGroupsOfObj) {
  const TriangleMesh mesh = read("a.obj", kFourVertices +
                                              "o thing\nusemtl steel\nf 1 2 3\ng  front  left \r\n"
                                              "f 1 2 3 4\ng rear # behind\nusemtl wood\nf 2 3 4\n"
                                              "g front  left\nf 1 3 4\ng empty\ng\nf 1 2 4\n");
  EXPECT_EQ(mesh.group_names, (Names{"default", "front  left", "rear"}));
  EXPECT_EQ(mesh.groups, (Groups{0, 1, 1, 2, 1, 0}));  // a square has two triangles
}

TEST_F(MeshFile, TakesMaterialsOrObjectsOfObjIfThereAreNoGroups) {
  const std::string faces = "o one\nf 1 2 3\nusemtl steel\nf 1 3 4\no two\nf 2 3 4\n";
  const TriangleMesh by_material = read("a.obj", kFourVertices + faces);
  EXPECT_EQ(by_material.group_names, (Names{"default", "steel"}));
  EXPECT_EQ(by_material.groups, (Groups{0, 1, 1}));

  std::string no_material = faces;
  no_material.replace(faces.find("usemtl"), 6, "mtllib");
  const TriangleMesh by_object = read("a.obj", kFourVertices + no_material);
  EXPECT_EQ(by_object.group_names, (Names{"one", "two"}));
  EXPECT_EQ(by_object.groups, (Groups{0, 0, 1}));
}

TEST_F(MeshFile, HasNoGroupsIfNoFaceOfObjIsNamed) {
  for (const char* faces : {"f 1 2 3\n", "g\nf 1 2 3\n", "f 1 2 3\ng late\n"}) {
    const TriangleMesh mesh = read("a.obj", kFourVertices + faces);
    EXPECT_TRUE(mesh.group_names.empty()) << faces;
    EXPECT_TRUE(mesh.groups.empty()) << faces;
  }
}

TEST_F(MeshFile, DropsGroupsOfFacesThatAreLines) {
  const TriangleMesh mesh = read("a.obj", kFourVertices + "g a\nf 1 2 3\ng b\nf 1 2 2\nf 1 3 4\n");
  EXPECT_EQ(mesh.groups, (Groups{0, 1}));
}

const char kTriangleStl[] =
    "solid a thing\n facet normal 0 0 0\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 0 1 0.1234567890123456\n  endloop\n endfacet\nendsolid";

TEST_F(MeshFile, ReadsTextStl) {
  const TriangleMesh mesh = read("a.STL", kTriangleStl);  // suffixes in any case
  ASSERT_EQ(mesh.triangle_count(), 1u);
  EXPECT_EQ(mesh.corner(0, 2), Vec3(0, 1, 0.1234567890123456));
  const TriangleMesh two = read("a.stl", std::string(kTriangleStl) + " a thing\r\n" + kTriangleStl);
  EXPECT_EQ(two.triangle_count(), 2u);
  EXPECT_EQ(two.vertices.size(), 3u);  // the same triangle twice has the same vertices
}

TEST_F(MeshFile, ReadsSolidsOfTextStlAsGroups) {
  const auto solid = [](const std::string& name, int x) {
    const std::string at = std::to_string(x);
    return "solid" + name + "\nfacet normal 0 0 0\nouter loop\nvertex " + at + " 0 0\nvertex " +
           at + " 1 0\nvertex " + at + " 0 1\nendloop\nendfacet\nendsolid\n";
  };
  const TriangleMesh mesh = read(
      "a.stl", solid(" left arm ", 0) + solid(" Right", 1) + solid(" left arm", 2) + solid("", 3));
  EXPECT_EQ(mesh.group_names, (Names{"left arm", "Right", "default"}));
  EXPECT_EQ(mesh.groups, (Groups{0, 1, 0, 2}));
  for (const std::string& text : {solid(" a", 0), solid(" a", 0) + solid(" a", 1)}) {
    EXPECT_TRUE(read("a.stl", text).group_names.empty());
    EXPECT_TRUE(read("a.stl", text).groups.empty());
  }
}

TEST_F(MeshFile, RefusesBadTextStl) {
  expect_refused_at_every_length("a.stl", kTriangleStl);
  EXPECT_EQ(complaint("a.stl", "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nendloop\n"),
            "a.stl:5: a facet needs three vertices, has 1");
  EXPECT_EQ(complaint("a.stl", "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 inf\n"),
            "a.stl:4: a coordinate must be finite, is inf");
  EXPECT_EQ(complaint("a.stl", "solid x\nvertex 0 0 0\n"),
            "a.stl:2: 'vertex' is not expected here in an STL file");
  EXPECT_EQ(complaint("a.stl", "solid x\n"),
            "a.stl:1: the file is cut off: 'endsolid' is missing at its end");
  EXPECT_EQ(complaint("a.stl", "solid x\nendsolid x\n"), "a.stl: the file has no triangles");
}

std::string binary_stl(const TemporaryFolder& folder, const std::string& header) {
  write_mesh_stl(make_box({.size = Vec3::Ones()}), folder / "box.stl", StlKind::binary);
  std::string bytes = folder.read("box.stl");
  return bytes.replace(0, header.size(), header);
}

TEST_F(MeshFile, ReadsBinaryStlThatStartsLikeText) {
  for (const std::string header : {"binary", "solid box"}) {
    const TriangleMesh mesh = read("a.stl", binary_stl(folder_, header));
    EXPECT_EQ(mesh.triangle_count(), 12u);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_NEAR(signed_volume(mesh), 1.0, 1e-15);  // halves are exact in single precision
  }
}

TEST_F(MeshFile, RefusesBadBinaryStl) {
  const std::string bytes = binary_stl(folder_, "binary");
  expect_refused_at_every_length("a.stl", bytes);
  expect_refused_at_every_length("a.stl", binary_stl(folder_, "solid box"));
  EXPECT_EQ(complaint("a.stl", bytes.substr(0, 400)),
            "a.stl: is a binary STL file that is cut off: 12 triangles make 684 bytes, it has 400");
  EXPECT_EQ(complaint("a.stl", bytes + "more"),
            "a.stl: is a binary STL file that is longer than it should be: 12 triangles make 684 "
            "bytes, it has 688");
  std::string not_finite = bytes;
  not_finite.replace(84 + 50 + 12, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_EQ(complaint("a.stl", not_finite),
            "a.stl: triangle 1: a coordinate must be finite, is nan");
  EXPECT_TRUE(contains(complaint("a.stl", "junk"), "a.stl: is neither a text STL file"));
}

const char kTetrahedronPly[] =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\n"
    "property float y\nproperty double z\nproperty uchar red\nelement face 4\n"
    "property list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nend_header\n"
    "0 0 0 255\n1 0 0 255\n0 1 0 255\n0 0 1.000000000000001 255\n"
    "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n\n7\n";

TEST_F(MeshFile, ReadsTextPly) {
  const TriangleMesh mesh = read("a.ply", kTetrahedronPly);
  EXPECT_EQ(mesh.triangle_count(), 4u);
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_EQ(mesh.vertices[3].z(), 1.000000000000001);
}

TEST_F(MeshFile, RefusesTextPlyCutAnywhere) {
  // The last row is a single digit; without the line break after it the file is still whole.
  const std::string whole = kTetrahedronPly;
  expect_refused_at_every_length("a.ply", whole.substr(0, whole.size() - 1));
}

template <class T>
void append(std::string& out, T x, bool big_endian) {
  std::string bytes(sizeof x, '\0');
  std::memcpy(bytes.data(), &x, sizeof x);
  if (big_endian != (std::endian::native == std::endian::big))
    bytes.assign(bytes.rbegin(), bytes.rend());
  out += bytes;
}

std::string binary_ply(bool big_endian) {
  std::string out = "ply\nformat ";
  out += big_endian ? "binary_big_endian" : "binary_little_endian";
  out +=
      " 1.0\nelement vertex 4\nproperty double x\nproperty float y\nproperty float z\n"
      "element face 4\nproperty list uchar short vertex_index\nproperty char flag\nend_header\n";
  const double vertices[4][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& p : vertices) {
    append(out, p[0], big_endian);
    append(out, static_cast<float>(p[1]), big_endian);
    append(out, static_cast<float>(p[2]), big_endian);
  }
  const std::int16_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (const auto& face : faces) {
    append(out, std::uint8_t{3}, big_endian);
    for (const std::int16_t v : face) append(out, v, big_endian);
    append(out, std::int8_t{-1}, big_endian);
  }
  return out;
}

TEST_F(MeshFile, ReadsBinaryPly) {
  for (const bool big_endian : {false, true}) {
    const TriangleMesh mesh = read("a.ply", binary_ply(big_endian));
    EXPECT_EQ(mesh.triangle_count(), 4u);
    EXPECT_EQ(mesh.vertices[1].x(), 0.1);  // all digits of a double
    EXPECT_NEAR(signed_volume(mesh), 0.1 / 6.0, 1e-17);
  }
}

TEST_F(MeshFile, RefusesBinaryPlyOfAnotherLength) {
  const std::string bytes = binary_ply(false);
  expect_refused_at_every_length("a.ply", bytes);
  EXPECT_EQ(complaint("a.ply", bytes.substr(0, bytes.size() - 1)),
            "a.ply: the file is cut off: the PLY header promises 4 rows of element face, it ends "
            "in row 3");
  EXPECT_EQ(complaint("a.ply", bytes + "x"),
            "a.ply: the file has 1 bytes more than the PLY header promises");
}

TEST_F(MeshFile, RefusesBadPly) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kTetrahedronPly;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(complaint("a.ply", "plyx\n"), "a.ply:1: a PLY file starts with 'ply'");
  EXPECT_EQ(complaint("a.ply", changed("ascii", "utf8")),
            "a.ply:2: 'utf8' is not a PLY format; known are ascii, binary_little_endian, "
            "binary_big_endian");
  EXPECT_EQ(complaint("a.ply", changed("double z", "quad z")),
            "a.ply:7: 'quad' is not a PLY number type");
  EXPECT_EQ(complaint("a.ply", changed("double z", "double w")),
            "a.ply: the PLY vertices have no x, y and z");
  EXPECT_EQ(complaint("a.ply", changed("vertex_indices", "corners")),
            "a.ply: the PLY faces have no list vertex_indices");
  EXPECT_EQ(complaint("a.ply", changed("element face 4", "element face 5")),
            "a.ply: the file is cut off: the PLY header promises 5 rows of element face, it ends "
            "in row 4");
  EXPECT_EQ(complaint("a.ply", changed("element vertex 4", "element vertex 3")),
            "a.ply:17: row 0 of element face has more numbers than the header promises");
  EXPECT_EQ(complaint("a.ply", changed("element edge 1", "element edge 2")),
            "a.ply: the file is cut off: the PLY header promises 2 rows of element edge, it ends "
            "in row 1");
  EXPECT_EQ(complaint("a.ply", changed("element edge 1", "element edge 0")),
            "a.ply:23: the file goes on after all rows the PLY header promises");
  EXPECT_EQ(complaint("a.ply", changed("element vertex 4", "element vertex -4")),
            "a.ply:4: a PLY element needs a name and a number of rows");
  EXPECT_EQ(complaint("a.ply", changed("3 2 0 3", "3 2 0 4")),
            "a.ply:21: a face names vertex 4, but the file has 4");
  EXPECT_EQ(complaint("a.ply", changed("3 2 0 3", "3 2 0 0.5")),
            "a.ply:21: a face's corner must be the number of a vertex, is 0.5");
  EXPECT_EQ(complaint("a.ply", changed("3 2 0 3", "2 2 0")),
            "a.ply:21: a face needs three corners or more, has 2");
  EXPECT_EQ(complaint("a.ply", changed("3 2 0 3", "3 2 0 3 1")),
            "a.ply:21: row 3 of element face has more numbers than the header promises");
  EXPECT_EQ(complaint("a.ply", changed("1 0 0 255", "1 nan 0 255")),
            "a.ply:15: vertex 1: a coordinate must be finite, is nan");
  EXPECT_EQ(complaint("a.ply", changed("element vertex 4", "element vertex 999999999999999999")),
            "a.ply: the file is cut off: the PLY header promises 999999999999999999 rows of "
            "element vertex, it ends in row 8");
}

TEST_F(MeshFile, RefusesWhatIsNoMeshFile) {
  EXPECT_EQ(complaint("a.obj", ""), "a.obj: the file is empty");
  EXPECT_EQ(complaint("a.txt", "x"), "a.txt: '.txt' is not a mesh format known here; known are " +
                                         join(mesh_file_suffixes()));
  EXPECT_TRUE(contains(complaint("mesh", "x"), "mesh: the name has no suffix"));

  const std::string missing = folder_ / "missing.obj";
  EXPECT_EQ(message_of<InputError>([&] { read_mesh_file(missing); }),
            missing + ": there is no such file");
  const std::string directory = folder_ / "folder.obj";
  std::filesystem::create_directory(directory);
  EXPECT_EQ(message_of<InputError>([&] { read_mesh_file(directory); }),
            directory + ": is a directory, not a mesh file");
}

TEST_F(MeshFile, RefusesAFileItMayNotRead) {
  const std::string path = folder_.write("a.obj", kTetrahedronObj);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  // In a child process: root may read everything and has to become somebody else first, who may not
  // look for leaks on the way out.
  const auto refuses = [&] {
    if (geteuid() == 0 && seteuid(65534) != 0) std::_Exit(2);
    const std::string message = message_of<InputError>([&] { read_mesh_file(path); });
    std::_Exit(message == path + ": cannot be opened: Permission denied" ? 0 : 1);
  };
  EXPECT_EXIT(refuses(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace grouser
