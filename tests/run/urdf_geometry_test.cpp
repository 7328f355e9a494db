// The geometry of URDF files: where meshes are found, what is shown, what stands in for masses.
#include "grouser/mechanism/urdf_geometry.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "grouser/mechanism/mechanism_file.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/run/simulation.h"
#include "tests/rover/rover_text.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

/// A package as ROS has it: my_rover/urdf/rover.urdf beside my_rover/meshes.
class UrdfPackage : public ::testing::Test {
 protected:
  UrdfPackage() {
    fs::create_directories(folder_ / "my_rover/urdf");
    fs::create_directories(folder_ / "my_rover/meshes");
    write_mesh_file(make_box({.size = Vec3(2.0, 4.0, 6.0)}), folder_ / "my_rover/meshes/box.stl");
  }
  MujocoModel read(const std::string& inside, UrdfBase base = UrdfBase::floating) const {
    folder_.write("my_rover/urdf/rover.urdf", "<robot name='r'>" + inside + "</robot>");
    MechanismFileOptions options;
    options.base = base;
    return read_mechanism_file(urdf_, options);
  }
  static std::string visual(const std::string& file, const std::string& more = "",
                            const std::string& use = "visual") {
    return "<" + use + "><origin xyz='1 0 0'/><geometry><mesh filename='" + file + "' " + more +
           "/></geometry></" + use + ">";
  }

  const TemporaryFolder folder_;
  const std::string urdf_ = folder_ / "my_rover/urdf/rover.urdf";
};

TEST_F(UrdfPackage, MeshesAreFoundHoweverTheyAreNamed) {
  const std::string box = folder_ / "my_rover/meshes/box.stl";
  for (const std::string& reference :
       {std::string("package://my_rover/meshes/box.stl"),
        std::string("package://renamed/meshes/box.stl"), std::string("../meshes/box.stl"),
        std::string("meshes/box.stl"), "file://" + box, box,
        std::string("/home/somebody/my_rover/meshes/box.stl"),
        std::string("model://my_rover/meshes/box.stl")}) {
    EXPECT_EQ(find_mesh_file(reference, urdf_), box) << reference;
  }
  EXPECT_EQ(find_mesh_file("package://my_rover/meshes/ball.stl", urdf_), "");
  EXPECT_EQ(find_mesh_file("package://", urdf_), "");
  EXPECT_EQ(find_mesh_file("", urdf_), "");
}

TEST_F(UrdfPackage, MeshesAreScaledPlacedAndMirrored) {
  const MujocoModel model =
      read(urdf_link("a", visual("package://my_rover/meshes/box.stl", "scale='0.5 -0.25 0.5'")));
  ASSERT_EQ(model.geoms.size(), 1u);
  EXPECT_EQ(model.geoms[0].name, "geoms/a");
  EXPECT_EQ(model.geoms[0].body, "a");
  const MassProperties solid = mass_properties(model.geoms[0].mesh, 1.0, "box");  // not inside out
  EXPECT_NEAR(solid.mass, 1.0 * 1.0 * 3.0, 1e-12);
  EXPECT_LT((solid.center - Vec3(1, 0, 0)).norm(), 1e-12);
}

TEST_F(UrdfPackage, VisualsAreShownAndCollisionsAreKeptForMeasuring) {
  const MujocoModel model = read(
      urdf_link("a", visual("meshes/box.stl") + urdf_cylinder("collision")) +
      urdf_link("b", urdf_cylinder("collision")) + urdf_joint("j", "a", "b", "0 0 1", "0 0 1"));
  ASSERT_EQ(model.solids.size(), 3u);
  EXPECT_TRUE(model.solids[0].shown);
  EXPECT_FALSE(model.solids[1].shown);
  EXPECT_EQ(model.solids[1].kind, ModelGeom::Kind::cylinder);
  EXPECT_TRUE(model.solids[2].shown);  // b has nothing else
  EXPECT_EQ(model.geoms.size(), 2u);
}

TEST_F(UrdfPackage, MissingAndBrokenMeshesAreNotedOnceAndTheLinkKeepsItsMass) {
  folder_.write("my_rover/meshes/broken.stl", "solid nothing");
  const MujocoModel model = read(
      urdf_link("a", visual("package://my_rover/meshes/ball.dae")) +
      urdf_link("b", visual("package://my_rover/meshes/ball.dae") + visual("meshes/broken.stl")) +
      urdf_joint("j", "a", "b", "0 0 1", "0 0 1"));
  EXPECT_TRUE(model.geoms.empty());
  EXPECT_EQ(model.bodies[0].mass, 2.0);
  ASSERT_EQ(model.notes.size(), 2u);
  EXPECT_TRUE(contains(model.notes[0], "mesh 'meshes/broken.stl' of link b is left out: " +
                                           (folder_ / "my_rover/meshes/broken.stl")));
  EXPECT_EQ(model.notes[1],
            "mesh 'package://my_rover/meshes/ball.dae' of links a, b is left out: there is no "
            "'my_rover/meshes/ball.dae' and no 'meshes/ball.dae' in " +
                (folder_ / "my_rover/urdf") + " or above");
}

TEST_F(UrdfPackage, MeshesThatMujocoWouldRefuseAreRead) {
  TriangleMesh flat;  // three vertices, no volume
  flat.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  flat.triangles = {{0, 1, 2}};
  write_mesh_file(flat, folder_ / "my_rover/meshes/flat.ply");
  write_mesh_file(make_sphere({.radius = 1.0, .triangles = 250880}),
                  folder_ / "my_rover/meshes/fine.ply");  // MuJoCo reads 200000 at most
  const MujocoModel model =
      read(urdf_link("a", visual("meshes/flat.ply") + visual("meshes/fine.ply")));
  ASSERT_EQ(model.geoms.size(), 2u);
  EXPECT_GT(model.geoms[1].mesh.triangle_count(), 200000u);
  EXPECT_TRUE(model.notes.empty()) << model.notes[0];
}

TEST_F(UrdfPackage, AMovingLinkWithoutMassIsRefusedWithWhatItMightWeigh) {
  const std::string weightless = "<link name='wheel'>" + urdf_cylinder("visual", 0.1, 0.2) +
                                 "</link>" + urdf_joint("j", "a", "wheel", "0 0 1", "0 1 0");
  const std::string message =
      message_of<InputError>([&] { read("\n" + urdf_link("a") + weightless); });
  EXPECT_TRUE(contains(message, "rover.urdf:3:1: link 'wheel' moves but has no mass"));
  // 300 kg/m^3 pi 0.01 m^2 0.2 m = 1.88 kg; m r^2 / 2 about the axis y.
  EXPECT_TRUE(contains(message,
                       "; its geometry, at 300 kg/m^3, would have <inertial><origin xyz=\"0 0 "
                       "0\"/><mass value=\"1.88\"/><inertia ixx=\"0.011\" iyy=\"0.00942\" "
                       "izz=\"0.011\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"));
  // A mesh does, too.
  const std::string box = "<link name='wheel'>" + visual("meshes/box.stl") + "</link>" +
                          urdf_joint("j", "a", "wheel", "0 0 1", "0 1 0");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read(urdf_link("a") + box); }),
                       "<origin xyz=\"1 0 0\"/><mass value=\"1.44e+04\"/>"));
}

TEST(UrdfDifferential, ByMimicHoldsToRounding) {
  const TemporaryFolder folder;
  folder.write("rover.urdf", urdf_rover(""));
  // Held by its chassis, the sides swing: they hang below their pivots.
  const Scene scene = load_scene(folder.write("scene.toml", R"(
[simulation]
duration = 1.0
[mechanism]
file = "rover.urdf"
[initial]
rocker_left_joint = 0.4
rocker_right_joint = -0.4
)"));
  Simulation simulation(scene);
  Mechanism& mechanism = simulation.mechanism();
  std::size_t left = 0, right = 0;
  for (const Joint& joint : mechanism.joints()) {
    if (joint.name == "rocker_left_joint") left = joint.q;
    if (joint.name == "rocker_right_joint") right = joint.q;
  }
  double gap = 0.0, travel = 0.0;
  RunOptions options;
  options.sample = [&](double) {
    const VecX& q = mechanism.positions();
    const auto at = [&](std::size_t i) { return q[static_cast<Eigen::Index>(i)]; };
    gap = std::max(gap, std::abs(at(left) + at(right)));
    travel = std::max(travel, std::abs(at(left) - 0.4));
  };
  EXPECT_EQ(simulation.run(options).status, RecordingStatus::complete);
  EXPECT_LE(gap, 1e-9);
  EXPECT_GT(travel, 0.1);
}

}  // namespace
}  // namespace grouser
