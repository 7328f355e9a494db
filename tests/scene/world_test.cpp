#include "grouser/contact/world.h"

#include <gtest/gtest.h>

#include "grouser/contact/sphere_half_space.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"

namespace grouser {
namespace {

std::string message_of(const std::string& scene) {
  try {
    ContactWorld world(read_contact_world(read_toml_text(scene, "s.toml"), "."));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kBall = "[[shape]]\nname = \"ball\"\nbody = \"ball\"\nsphere.radius = 0.1\n";
const std::string kFloor = "[[shape]]\nname = \"floor\"\nhalf_space = true\n";

TEST(WorldFromScene, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(message_of(kBall + kFloor), "accepted");
  EXPECT_EQ(message_of(kBall + kBall),
            "s.toml:5:1: shape.name 'ball' is used twice; first at s.toml:1:1");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsphere.radius = -1\n"),
            "s.toml:3:17: shape.sphere.radius must not be negative, is -1");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsphere.radius = nan\n"),
            "s.toml:3:17: shape.sphere.radius must not be negative, is nan");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nsfere.radius = 1\n"),
            "s.toml:3:1: unknown key shape.sfere; did you mean 'sphere'?");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\n"),
            "s.toml:1:1: shape 'x' needs exactly one of mesh, sphere, half_space, box, cylinder, "
            "capsule, cone, ellipsoid, hull, wheel, surface, compound, line, disc, polygon, curve, "
            "spline, frustum, map, torus, superellipsoid, parametric; it has 0");
  EXPECT_EQ(message_of("[[shape]]\nname = \"x\"\nmesh.file = \"none.obj\"\n").substr(0, 38),
            "s.toml:3:13: shape.mesh.file: ./none.o");
  EXPECT_EQ(
      message_of(kBall + kFloor + "[[contact]]\nmodel = \"pmc\"\n"),
      "s.toml:9:9: contact.model 'pmc' is unknown; did you mean 'pcm'? (of bekker, "
      "bekker-janosi, convex, line-cone, line-line, pcm, rheological, scm, smooth, "
      "sphere-cone, sphere-curve, sphere-disc, sphere-half-space, sphere-line, sphere-polygon, "
      "sphere-sphere, sphere-spline, terra)");
  EXPECT_EQ(message_of(kBall + kFloor +
                       "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\n"),
            "s.toml:8:1: contact.half_space is missing (shape of kind half_space)");
  EXPECT_EQ(message_of(kBall + kFloor +
                       "[[contact]]\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\n"
                       "half_space = \"flor\"\nstiffness = 1e6\n"),
            "s.toml:8:1: contact.half_space: there is no shape 'flor'; did you mean 'floor'?");
}

TEST(WorldFromScene, NamesThePlaceOfAConvexShapeThatCannotBe) {
  const std::string shape = "[[shape]]\nname = \"x\"\n";
  const auto message = [&](const std::string& line) { return message_of(shape + line + "\n"); };
  EXPECT_EQ(message("box.size = [1, 1, 0]"), "s.toml:3:19: shape.box.size must be positive, is 0");
  EXPECT_EQ(
      message("hull.plane = { size_x = 1, size_y = 1 }"),
      "s.toml:3:1: shape.hull: all points lie in one plane; a hull needs points that enclose a "
      "volume, thicker than 1e-09 of its greatest extent");
  EXPECT_EQ(message("hull.file = \"none.stl\"").substr(0, 30), "s.toml:3:13: shape.hull.file: ");
  EXPECT_EQ(message("compound = []"), "s.toml:3:12: shape.compound has no bodies in it");
  EXPECT_EQ(message("compound = [{ position = [0, 0, 1] }]"),
            "s.toml:3:13: shape.compound.0 needs exactly one kind of body; it has 0");
  EXPECT_EQ(message("compound = [{ sphere.radius = 1 }, { box.size = [1, 1, 1] }]"), "accepted");
  EXPECT_EQ(message_of(kBall + kFloor +
                       "[[contact]]\nmodel = \"convex\"\ngroups = { feet = [\"foot_*\"] }\n"),
            "s.toml:8:1: contact.groups.feet: none of the shapes of this contact is one of foot_*");
  EXPECT_EQ(message_of(kBall + kFloor + "[[contact]]\nmodel = \"convex\"\n"),
            "s.toml:5:1: shapes 'ball' and 'floor' may touch, but neither has a material, so both "
            "are rigid; give one of them a material");
}

/// The mesh of a shape whose `mesh` says this.
TriangleMesh mesh_of(const std::string& lines) {
  const ContactWorldDef def =
      read_contact_world(read_toml_text("[[shape]]\nname = \"x\"\n" + lines, "s.toml"), ".");
  return *std::get<MeshShape>(def.shapes.at(0).geometry).mesh;
}
std::string mesh_refusal(const std::string& lines) {
  return message_of("[[shape]]\nname = \"x\"\n" + lines);
}

TEST(MeshFromScene, IsScaledThenSubdividedThenRefined) {
  const std::string box = "mesh.box.size = [1, 1, 1]\n";
  EXPECT_EQ(mesh_of(box).triangle_count(), 12u);
  EXPECT_EQ(mesh_of(box + "mesh.subdivide = 0\n").triangle_count(), 12u);
  EXPECT_EQ(mesh_of(box + "mesh.subdivide = 2\n").triangle_count(), 12u * 16u);
  EXPECT_EQ(mesh_of(box + "mesh.longest_edge = 1.5\n").triangle_count(), 12u);
  EXPECT_EQ(mesh_of(box + "mesh.longest_edge = 1.2\n").triangle_count(), 24u);  // diagonals

  // Ten times as large, the diagonals are 14.1 m long: 3.5 m after two subdivisions.
  const std::string large = "mesh.subdivide = 2\nmesh.scale = 10\n" + box;
  const TriangleMesh mesh = mesh_of("mesh.longest_edge = 3\n" + large);
  EXPECT_EQ(mesh.triangle_count(), 2u * 12u * 16u);
  EXPECT_NEAR(surface_area(mesh), 600.0, 1e-9);
  EXPECT_EQ(mesh.group_names.size(), 6u);
  EXPECT_EQ(mesh.groups.size(), mesh.triangle_count());
  EXPECT_EQ(mesh_of("mesh.longest_edge = 3.6\n" + large).triangle_count(), 12u * 16u);
}

TEST(MeshFromScene, MayBeAnEllipsoid) {
  const TriangleMesh mesh = mesh_of("mesh.ellipsoid = { half_axes = [1, 2, 3], triangles = 80 }\n");
  EXPECT_EQ(mesh.triangle_count(), 80u);
  for (const Vec3& p : mesh.vertices)
    EXPECT_NEAR(p.cwiseQuotient(Vec3(1, 2, 3)).norm(), 1.0, 1e-15);  // rounding
}

TEST(MeshFromScene, MayBeWrittenOut) {
  const TriangleMesh mesh = mesh_of(
      "mesh.triangles.vertices = [[0, 0, 0], [1, 0, 0], [0, 1.5, 0], [0, 0, 1]]\n"
      "mesh.triangles.faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]\n"
      "mesh.triangles.groups = ['low', 'side', 'side', 'side']\nmesh.scale = 2\n");
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 3, 0));
  EXPECT_EQ(mesh.groups, (std::vector<std::int32_t>{0, 1, 1, 1}));
  EXPECT_EQ(mesh_refusal("mesh.triangles.vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n"
                         "mesh.triangles.faces = [[0, 1, 3]]\n"),
            "s.toml:4:32: shape.mesh.triangles.faces.0 names vertex 3, but there are 3, counted "
            "from 0");
  EXPECT_EQ(mesh_refusal("mesh.triangles.vertices = [[0, 0, 0], [1, 'a', 0], [0, 1, 0]]\n"),
            "s.toml:3:43: shape.mesh.triangles.vertices.1 must be a number, is a string, \"a\"");
  EXPECT_EQ(mesh_refusal("mesh.triangles.vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n"
                         "mesh.triangles.faces = [[0, 1, 2]]\nmesh.triangles.groups = []\n"),
            "s.toml:5:25: shape.mesh.triangles.groups must not be empty");
}

TEST(MeshFromScene, NamesThePlaceOfWhatIsWrong) {
  const std::string box = "mesh.box.size = [1, 1, 1]\n";
  EXPECT_EQ(mesh_refusal(box + "mesh.subdivide = 9\n"),
            "s.toml:4:18: shape.mesh.subdivide must lie in [0, 8], is 9");
  EXPECT_EQ(mesh_refusal(box + "mesh.subdivide = 1.0\n"),
            "s.toml:4:18: shape.mesh.subdivide must be a whole number, is 1");
  EXPECT_EQ(mesh_refusal(box + "mesh.longest_edge = 0\n"),
            "s.toml:4:21: shape.mesh.longest_edge must be positive, is 0");
  EXPECT_EQ(mesh_refusal(box + "mesh.longest_edge = 1e-4\n"),
            "s.toml:4:21: shape.mesh.longest_edge: the mesh would have about 3.22e+09 triangles "
            "with edges of at most 1e-04 m, at most 2e+07 are allowed");
  EXPECT_EQ(
      mesh_refusal("mesh.subdivide = 8\nmesh.torus = { major_radius = 1, minor_radius = 0.3 }\n"),
      "s.toml:3:18: shape.mesh.subdivide: the mesh would have about 2.68e+08 triangles after "
      "8 subdivisions, at most 2e+07 are allowed");
  EXPECT_EQ(mesh_refusal("mesh.subdivide = 1\n"),
            "s.toml:3:1: shape.mesh needs a file or one of torus, sphere, ellipsoid, box, "
            "cylinder, cone, capsule, plane, triangles, wheel, surface, rock, rocks");
  EXPECT_EQ(mesh_refusal(box + "mesh.sphere.radius = 1\n"),
            "s.toml:4:6: shape.mesh has two sources, 'box' and 'sphere'; give one");
  EXPECT_EQ(mesh_refusal(box + "mesh.longest_edges = 1\n"),
            "s.toml:4:6: unknown key shape.mesh.longest_edges; did you mean 'longest_edge'?");
}

TEST(World, KnowsItsBodiesByName) {
  const ContactWorld world(read_contact_world(read_toml_text(kBall + kFloor, "s.toml"), "."));
  EXPECT_EQ(world.body("world"), 0);
  EXPECT_EQ(world.body("ball"), 1);
  try {
    world.body("bal");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no contact has a body 'bal'; did you mean 'ball'?");
  }
}

TEST(World, SumsTheWrenchesOfAllContactsOfABody) {
  const auto contact = [](const std::string& name) {
    return "[[contact]]\nname = \"" + name +
           "\"\nmodel = \"sphere-half-space\"\nsphere = \"ball\"\nhalf_space = \"floor\"\n"
           "stiffness = 1e6\n";
  };
  ContactWorld world(read_contact_world(
      read_toml_text(kBall + kFloor + contact("a") + contact("b"), "s.toml"), "."));
  world.set_body(1, {{Mat3::Identity(), Vec3(0, 0, 0.0999)}, {}});
  world.evaluate(0.0);
  EXPECT_EQ(world.wrench(1).force.z(), 2.0 * world.port_wrenches(0)[0].force.z());
  EXPECT_EQ(world.wrench(0).force.z(), -world.wrench(1).force.z());
}

}  // namespace
}  // namespace grouser
