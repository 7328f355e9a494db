// glTF files, written here byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "grouser/base/error.h"
#include "grouser/math/spatial.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_file.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

/// Assimp 5.2 forgets to close a buffer file that is too short.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:Assimp::DefaultIOSystem::Open\n";
}

namespace grouser {
namespace {

void append_unsigned(std::string& out, std::uint32_t x) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>(static_cast<std::uint8_t>(x >> (8 * k)));
}

/// Four corners of a tetrahedron with volume 1/6, then its twelve indices: 48 + 24 bytes.
std::string tetrahedron_buffer(float first_coordinate = 0.0f, int last_index = 3) {
  std::string out;
  for (const float x : {first_coordinate, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f})
    append_unsigned(out, std::bit_cast<std::uint32_t>(x));
  for (const int i : {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, last_index}) {
    out += static_cast<char>(i);
    out += '\0';
  }
  return out;
}

/// A scene whose nodes all show the tetrahedron; `uri` names the buffer, or is empty in a GLB file.
std::string scene(const std::string& nodes, const std::string& uri, int mode = 4) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
         R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":)" +
         std::to_string(mode) +
         R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3",)"
         R"("min":[0,0,0],"max":[1,1,1]},)"
         R"({"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],)"
         R"("bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},)"
         R"({"buffer":0,"byteOffset":48,"byteLength":24}],"buffers":[{)" +
         (uri.empty() ? "" : R"("uri":")" + uri + R"(",)") + R"("byteLength":72}]})";
}

std::string glb(std::string json, const std::string& buffer) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out = "glTF";
  append_unsigned(out, 2);
  append_unsigned(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
  append_unsigned(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  append_unsigned(out, static_cast<std::uint32_t>(buffer.size()));
  out += std::string("BIN\0", 4) + buffer;
  return out;
}

constexpr char kOneNode[] = R"({"mesh":0})";

#if GROUSER_TEST_ASSIMP

class Gltf : public ::testing::Test {
 protected:
  TriangleMesh read(const std::string& name, const std::string& bytes) {
    return read_mesh_file(folder_.write(name, bytes));
  }
  std::string complaint(const std::string& name, const std::string& bytes) {
    return message_of<InputError>([&] { read(name, bytes); });
  }
  TemporaryFolder folder_;
};

TEST_F(Gltf, ReadsGlb) {
  const TriangleMesh mesh = read("a.glb", glb(scene(kOneNode, ""), tetrahedron_buffer()));
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangle_count(), 4u);
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6.0, 1e-16);
}

TEST_F(Gltf, ReadsGltfWithItsBuffer) {
  folder_.write("data.bin", tetrahedron_buffer());
  EXPECT_EQ(read("a.gltf", scene(kOneNode, "data.bin")).triangle_count(), 4u);
}

TEST_F(Gltf, PutsNodesInPlace) {
  // A parent moved by x = 10 and scaled by 2, itself and a child turned by 90 degrees about z.
  const std::string nodes =
      R"({"mesh":0,"translation":[10,0,0],"scale":[2,2,2],"children":[1]},)"
      R"({"mesh":0,"translation":[0,0,5],"rotation":[0,0,0.7071067811865476,0.7071067811865476]})";
  const TriangleMesh mesh = read("a.glb", glb(scene(nodes, ""), tetrahedron_buffer()));
  EXPECT_EQ(mesh.triangle_count(), 8u);
  EXPECT_NEAR(signed_volume(mesh), 2.0 * 8.0 / 6.0, 1e-5);  // single precision
  const Box box = bounding_box(mesh);
  EXPECT_LT((box.lower - Vec3(8, 0, 0)).norm(), 1e-5);
  EXPECT_LT((box.upper - Vec3(12, 2, 12)).norm(), 1e-5);
}

TEST_F(Gltf, KeepsTheOutsideOutUnderAMirror) {
  const TriangleMesh mesh =
      read("a.glb", glb(scene(R"({"mesh":0,"scale":[-1,1,1]})", ""), tetrahedron_buffer()));
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6.0, 1e-7);  // single precision
}

/// Two nodes with a mesh each; a material per mesh, or none.
std::string two_meshes(const std::string& material_0, const std::string& material_1) {
  std::string text = scene(R"({"mesh":0,"children":[1]},{"mesh":1,"translation":[3,0,0]})", "");
  const auto mesh = [](const std::string& name, const std::string& material) {
    return R"({"name":")" + name + R"(","primitives":[{"attributes":{"POSITION":0},"indices":1)" +
           (material.empty() ? "" : R"(,"material":)" + material) + "}]}";
  };
  const std::size_t begin = text.find(R"("meshes":[)");
  const std::size_t end = text.find(R"(,"accessors")");
  return text.replace(begin, end - begin,
                      R"("materials":[{"name":"steel"},{"name":"wood"},{}],"meshes":[)" +
                          mesh("hull", material_0) + "," + mesh("wheel", material_1) + "]");
}

TEST_F(Gltf, ReadsMaterialsOrMeshesAsGroups) {
  const auto groups = [&](const std::string& material_0, const std::string& material_1) {
    const TriangleMesh mesh =
        read("a.glb", glb(two_meshes(material_0, material_1), tetrahedron_buffer()));
    if (!mesh.groups.empty()) {
      EXPECT_EQ(mesh.groups, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    }
    return mesh.group_names;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(groups("0", "1"), (Words{"steel", "wood"}));
  EXPECT_EQ(groups("1", "2"), (Words{"wood", "wheel"}));  // the last material has no name
  EXPECT_EQ(groups("", ""), (Words{"hull", "wheel"}));
  EXPECT_EQ(groups("1", "1"), Words{});  // one name is no group
}

TEST_F(Gltf, GivesPartsOfOneMeshOneName) {
  const std::string part = R"({"attributes":{"POSITION":0},"indices":1)";
  const auto parts = [&](const std::string& material) {
    std::string text = two_meshes("", "");
    const std::size_t begin = text.find(part, text.find("hull"));
    return text.replace(begin, part.size(), part + "}," + part + material);
  };
  const TriangleMesh plain = read("a.glb", glb(parts(""), tetrahedron_buffer()));
  EXPECT_EQ(plain.group_names, (std::vector<std::string>{"hull", "wheel"}));
  EXPECT_EQ(plain.groups, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
  const TriangleMesh mixed = read("a.glb", glb(parts(R"(,"material":1)"), tetrahedron_buffer()));
  EXPECT_EQ(mixed.group_names, (std::vector<std::string>{"hull", "wood", "wheel"}));
}

TEST_F(Gltf, RefusesGlbCutAnywhere) {
  const std::string whole = glb(scene(kOneNode, ""), tetrahedron_buffer());
  for (std::size_t length = 0; length < whole.size(); length += length < 40 ? 1 : 37)
    EXPECT_THROW(read("a.glb", whole.substr(0, length)), InputError) << length;
  EXPECT_TRUE(contains(complaint("a.glb", whole.substr(0, whole.size() - 1)),
                       "a.glb: the file is cut off: its GLB header promises " +
                           std::to_string(whole.size()) + " bytes, it has " +
                           std::to_string(whole.size() - 1)));
  EXPECT_TRUE(contains(complaint("a.glb", whole.substr(0, 7)), "cut off inside its GLB header"));
  EXPECT_TRUE(contains(complaint("a.glb", whole + "1234"), "the file is too long"));

  std::string chunks = whole;
  chunks[12] = static_cast<char>(chunks[12] + 4);
  EXPECT_TRUE(contains(complaint("a.glb", chunks), "sizes of its GLB chunks do not add up"));
}

TEST_F(Gltf, RefusesGltfCutAnywhere) {
  folder_.write("data.bin", tetrahedron_buffer());
  const std::string whole = scene(kOneNode, "data.bin");
  for (std::size_t length = 0; length < whole.size(); length += 13)
    EXPECT_THROW(read("a.gltf", whole.substr(0, length)), InputError) << length;
  EXPECT_TRUE(contains(complaint("a.gltf", whole.substr(0, 100)), "a.gltf: assimp: "));
}

TEST_F(Gltf, RefusesABufferThatIsMissingOrShort) {
  EXPECT_TRUE(contains(complaint("a.gltf", scene(kOneNode, "missing.bin")), "missing.bin"));
  folder_.write("short.bin", tetrahedron_buffer().substr(0, 60));
  EXPECT_TRUE(contains(complaint("a.gltf", scene(kOneNode, "short.bin")), "a.gltf: assimp: "));
  EXPECT_THROW(read("a.glb", glb(scene(kOneNode, ""), tetrahedron_buffer().substr(0, 60))),
               InputError);
}

TEST_F(Gltf, RefusesBadNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(contains(complaint("a.glb", glb(scene(kOneNode, ""), tetrahedron_buffer(nan))),
                       "vertex 0 is not finite: [nan, nan, nan]"));
  EXPECT_TRUE(
      contains(complaint("a.glb", glb(scene(kOneNode, ""), tetrahedron_buffer(0.0f, 99))),
               "a.glb: assimp: Some faces had out-of-range indices. Those faces were dropped."));
}

TEST_F(Gltf, RefusesAFileWithoutTriangles) {
  constexpr int kPoints = 0;
  EXPECT_TRUE(contains(complaint("a.glb", glb(scene(kOneNode, "", kPoints), tetrahedron_buffer())),
                       "a.glb: the file has no triangles"));
  EXPECT_TRUE(contains(complaint("a.gltf", "junk"), "a.gltf: assimp: "));
}

/// A tetrahedron in millimetres with z up, one of its faces written as a polygon.
const std::string kCollada = R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g" name="g"><mesh>
    <source id="p"><float_array id="pa" count="15">
      0 0 0  1000 0 0  0 1000 0  0 0 3000  500 500 0</float_array>
      <technique_common><accessor source="#pa" count="5" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="5"><input semantic="VERTEX" source="#v" offset="0"/>
      <vcount>4 3 3 3 3</vcount><p>0 2 4 1  0 1 3  1 4 3  4 2 3  2 0 3</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n">
    <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)";

TEST_F(Gltf, ColladaIsReadInMetresWithItsAxesAsTheyAre) {
  const TriangleMesh mesh = read("a.dae", kCollada);
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_NEAR(signed_volume(mesh), 0.5, 1e-6);  // single precision
  EXPECT_LT((bounding_box(mesh).upper - Vec3(1, 1, 3)).norm(), 1e-6);
  EXPECT_TRUE(contains(complaint("b.dae", kCollada.substr(0, 300)), "b.dae: assimp: "));
}

#else

TEST(GltfWithoutAssimp, SaysHowToGetIt) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.glb", glb(scene(kOneNode, ""), tetrahedron_buffer()));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_mesh_file(path); }),
                       "build with -DGROUSER_WITH_ASSIMP=ON"));
}

#endif

}  // namespace
}  // namespace grouser
