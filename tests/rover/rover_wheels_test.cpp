// Rovers found in mechanism files.
#include "grouser/rover/rover_wheels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grouser/assets/wheel.h"
#include "grouser/mechanism/mechanism_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/rover/rover_text.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

const Vec3 kGravity(0, 0, -9.81);

MujocoModel rocker_bogie(double scale = 1.0) {
  return load_mujoco(std::string(GROUSER_SCENES) + "/mechanisms/rocker_bogie.xml", std::nullopt,
                     kGravity, scale);
}

const std::string kMass = "<inertial pos='0 0 0' mass='2' diaginertia='0.1 0.1 0.1'/>";

/// A free body called rover, turned by a quarter about the world's z, that carries `inside`.
MujocoModel mjcf_rover(const std::string& inside) {
  return load_mujoco("test.xml",
                     "<mujoco><compiler angle='radian' inertiafromgeom='false'/><worldbody>"
                     "<body name='rover' pos='1 2 0.5' quat='1 0 0 1'><freejoint name='free'/>" +
                         kMass + inside + "</body></worldbody></mujoco>",
                     kGravity);
}

std::string body(const std::string& name, const std::string& inside,
                 const std::string& pos = "0 0 0") {
  return "<body name='" + name + "' pos='" + pos + "'>" + kMass + inside + "</body>";
}

std::string hinge(const std::string& name, const std::string& axis, const std::string& more = "") {
  return "<joint name='" + name + "' type='hinge' axis='" + axis + "' " + more + "/>";
}

const std::string kCylinder =
    "<geom type='cylinder' size='0.1 0.04' euler='1.5707963267948966 0 0'/>";

RoverSearch wheels(const std::vector<std::string>& names) {
  return {"", names, Place{"scene.toml", 7, 3}};
}

std::string refusal(const MujocoModel& model, const RoverSearch& search = wheels({})) {
  return message_of<InputError>([&] { find_rover(model, search); });
}

std::vector<std::string> names_of(const RoverFacts& rover) {
  std::vector<std::string> out;
  for (const RoverWheel& wheel : rover.wheels) out.push_back(wheel.body);
  return out;
}

// ---- A whole rover ------------------------------------------------------------------------------

TEST(FindRover, ReadsTheRockerBogieByItself) {
  const RoverFacts rover = find_rover(rocker_bogie(), {});
  EXPECT_EQ(rover.chassis, "rover");
  EXPECT_EQ(rover.free_joint, "rover_free");
  EXPECT_NEAR(rover.mass, 180.0, 1e-12);
  EXPECT_NEAR(rover.p_RM.y(), 0.0, 1e-15);  // it is symmetric
  ASSERT_EQ(rover.wheels.size(), 6u);
  int steered = 0;
  for (const RoverWheel& wheel : rover.wheels) {
    EXPECT_EQ(wheel.spin_joint, wheel.body + "_spin");
    EXPECT_EQ(wheel.spin_sign, 1.0);
    EXPECT_EQ(wheel.axis, Vec3(Vec3::UnitY()));
    EXPECT_NEAR(std::abs(wheel.p_RC.y()), 0.53, 1e-15);
    EXPECT_EQ(wheel.p_RC.z(), 0.125 - 0.5);  // exact in the file
    EXPECT_EQ(wheel.radius, 0.125);
    EXPECT_EQ(wheel.width, 0.16);
    if (wheel.steering_joint.empty()) continue;
    ++steered;
    EXPECT_EQ(wheel.steering_joint, wheel.body + "_steer");
    EXPECT_EQ(wheel.p_RS, wheel.p_RC);
    EXPECT_EQ(wheel.steering_least, -1.4);
    EXPECT_EQ(wheel.steering_most, 1.4);
  }
  EXPECT_EQ(steered, 4);
  EXPECT_TRUE(rover.loose_rockers.empty());  // the file has the differential
}

TEST(FindRover, TellsDirectionsLimitsAndPlacesInTheFrameOfTheChassis) {
  const RoverFacts rover = find_rover(
      mjcf_rover(body("mount",
                      hinge("turn", "0 0 -2", "limited='true' range='-0.3 0.9' pos='0.01 0 0'") +
                          body("wheel", hinge("spin", "0 -1 0") + kCylinder, "0 0.02 -0.1"),
                      "0.4 0.2 0")),
      {});
  ASSERT_EQ(rover.wheels.size(), 1u);
  const RoverWheel& wheel = rover.wheels[0];
  EXPECT_EQ(wheel.spin_sign, -1.0);
  EXPECT_LT((wheel.axis - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(wheel.steering_sign, -1.0);
  EXPECT_EQ(wheel.steering_least, -0.9);
  EXPECT_EQ(wheel.steering_most, 0.3);
  EXPECT_LT((wheel.p_RC - Vec3(0.4, 0.22, -0.1)).norm(), 1e-15);
  EXPECT_LT((wheel.p_RS - Vec3(0.41, 0.2, -0.1)).norm(), 1e-15);
}

TEST(FindRover, KnowsAUrdfWithADifferentialByMimic) {
  const TemporaryFolder folder;
  MechanismFileOptions options;
  options.base = UrdfBase::floating;
  const RoverFacts rover = find_rover(
      read_mechanism_file(folder.write("rover.urdf", urdf_rover(urdf_cylinder())), options), {});
  EXPECT_EQ(rover.chassis, "base_link");
  EXPECT_NEAR(rover.mass, 50.0, 1e-9);
  EXPECT_EQ(names_of(rover), (std::vector<std::string>{"front_wheel_left", "middle_wheel_left",
                                                       "rear_wheel_left", "front_wheel_right",
                                                       "middle_wheel_right", "rear_wheel_right"}));
  EXPECT_EQ(rover.wheels[0].steering_joint, "steer_left");
  EXPECT_EQ(rover.wheels[0].steering_most, 0.8);
  EXPECT_EQ(rover.wheels[5].spin_sign, -1.0);
  EXPECT_NEAR(rover.wheels[0].radius, 0.15, 1e-12);
  EXPECT_NEAR(rover.wheels[0].width, 0.12, 1e-12);
  EXPECT_TRUE(rover.loose_rockers.empty());
  EXPECT_TRUE(rover.notes.empty()) << rover.notes[0];
}

TEST(FindRover, TakesARangeForALimitAsMujocoDoesByNow) {
  const TemporaryFolder folder;
  write_mesh_stl(make_box({.size = Vec3(0.2, 0.1, 0.2)}), folder / "box.stl", StlKind::binary);
  const std::string file =
      folder.write("rover.xml",
                   "<mujoco model='new'>\n<compiler inertiafromgeom='false'/><asset><mesh name='m' "
                   "file='box.stl'/></asset><worldbody><body name='rover'><freejoint/>" +
                       kMass +
                       body("wheel", hinge("steer", "0 0 1", "range='-10 20'") +
                                         hinge("spin", "0 1 0") + "<geom type='mesh' mesh='m'/>") +
                       "</body></worldbody></mujoco>");
  const RoverFacts rover = find_rover(read_mechanism_file(file, {}), {});
  EXPECT_NEAR(rover.wheels.at(0).steering_most, 20.0 * kPi / 180.0, 1e-12);
  EXPECT_NEAR(rover.wheels.at(0).width, 0.1, 1e-6);  // meshes of MuJoCo have single precision
}

// ---- Which bodies are wheels --------------------------------------------------------------------

TEST(FindRover, TakesNoCarrierAndNoCoverForAWheel) {
  const MujocoModel model =
      mjcf_rover(body("Wheel_mount",
                      hinge("bogie", "0 1 0") + body("Wheel_A", hinge("a", "0 1 0") + kCylinder +
                                                                    body("wheel_A_cover", ""))) +
                 body("spare_wheel", "", "-0.5 0 0.2"));
  const RoverFacts rover = find_rover(model, {});
  EXPECT_EQ(names_of(rover), std::vector<std::string>{"Wheel_A"});
  ASSERT_EQ(rover.notes.size(), 1u);
  EXPECT_TRUE(contains(rover.notes[0], "spare_wheel is called like a wheel"));
  EXPECT_EQ(names_of(find_rover(model, wheels({"*heel_*"}))), std::vector<std::string>{"Wheel_A"});
}

TEST(FindRover, FindsTheSpinOfAWheelThatIsWeldedToItsAxle) {
  const RoverFacts rover = find_rover(
      mjcf_rover(body("axle", hinge("spin", "0 1 0") + body("wheel", kCylinder, "0 0.3 0"))), {});
  ASSERT_EQ(rover.wheels.size(), 1u);
  EXPECT_EQ(rover.wheels[0].spin_joint, "spin");
  EXPECT_LT((rover.wheels[0].p_RC - Vec3(0, 0.3, 0)).norm(), 1e-15);
}

TEST(FindRover, FindsSteeringOnTheBodyOfTheWheelItself) {
  const RoverFacts rover =
      find_rover(mjcf_rover(body("wheel", hinge("steer", "0 0 1") + hinge("spin", "0 1 0"))), {});
  EXPECT_EQ(rover.wheels[0].spin_joint, "spin");
  EXPECT_EQ(rover.wheels[0].steering_joint, "steer");
}

// ---- How large they are -------------------------------------------------------------------------

RoverWheel measured(const std::string& geoms) {
  return find_rover(mjcf_rover(body("wheel", hinge("spin", "0 1 0", "pos='0 0 0.01'") + geoms)), {})
      .wheels.at(0);
}

TEST(WheelSizes, AreExactForRoundGeoms) {
  const RoverWheel cylinder = measured(
      "<geom type='cylinder' size='0.1 0.04' euler='1.5707963267948966 0 0' pos='0 0.03 0.01'/>");
  EXPECT_NEAR(cylinder.radius, 0.1, 1e-15);
  EXPECT_NEAR(cylinder.width, 0.08, 1e-15);
  EXPECT_LT((cylinder.p_BC - Vec3(0, 0.03, 0.01)).norm(), 1e-15);  // on the axis

  const RoverWheel ball = measured("<geom type='sphere' size='0.2' pos='0 0 0.01'/>");
  EXPECT_NEAR(ball.radius, 0.2, 1e-15);
  EXPECT_NEAR(ball.width, 0.4, 1e-15);

  // A hub that reaches out to the left, and a tyre.
  const RoverWheel both = measured(
      "<geom type='cylinder' size='0.1 0.04' euler='1.5707963267948966 0 0' pos='0 0 .01'/>"
      "<geom type='capsule' size='0.02' fromto='0 0 0.01 0 0.08 0.01'/>");
  EXPECT_NEAR(both.radius, 0.1, 1e-15);
  EXPECT_NEAR(both.width, 0.14, 1e-12);
}

TEST(WheelSizes, ComeFromHiddenGeomsIfNoneIsShown) {
  const std::string hidden =
      "<geom group='3' type='cylinder' size='0.1 0.04' euler='1.5707963267948966 0 0' "
      "pos='0 0 .01'/>";
  EXPECT_NEAR(measured(hidden).radius, 0.1, 1e-15);
  EXPECT_NEAR(measured(hidden + "<geom type='sphere' size='0.12' pos='0 0 .01'/>").radius, 0.12,
              1e-15);
}

TEST(WheelSizes, OfAMeshLeaveOutItsGrousers) {
  const TemporaryFolder folder;
  WheelDef wheel;
  wheel.radius = 0.15;
  wheel.width = 0.12;
  wheel.grouser_count = 24;
  wheel.grouser_height = 0.02;
  wheel.grouser_thickness = 0.004;
  write_mesh_file(make_wheel(wheel), folder / "wheel.stl");
  const std::string visual =
      "<visual><geometry><mesh filename='package://six_wheels/wheel.stl'/></geometry></visual>";
  MechanismFileOptions options;
  options.base = UrdfBase::floating;
  for (const double scale : {1.0, 2.0}) {
    options.scale = scale;
    const RoverFacts rover = find_rover(
        read_mechanism_file(folder.write("rover.urdf", urdf_rover(visual)), options), {});
    for (const RoverWheel& found : rover.wheels) {
      EXPECT_NEAR(found.radius, 0.15 * scale, 0.01 * 0.15 * scale);  // flat facets of a round tread
      EXPECT_NEAR(found.width, 0.12 * scale, 1e-9);
      EXPECT_FALSE(found.mesh.triangles.empty());
    }
  }
}

TEST(WheelSizes, AreUnknownWithoutGeometryAndANoteSaysSo) {
  const RoverFacts rover = find_rover(mjcf_rover(body("wheel", hinge("spin", "0 1 0"))), {});
  EXPECT_EQ(rover.wheels[0].radius, 0.0);
  EXPECT_EQ(rover.notes, std::vector<std::string>{"the file has no geometry of wheel: how large it "
                                                  "is is not known"});
}

// ---- Suspension
// -----------------------------------------------------------------------------------

TEST(FindRover, WondersAboutSixWheelsWithoutSuspension) {
  std::string inside;
  for (int i = 0; i < 6; ++i)
    inside +=
        body("wheel_" + std::to_string(i), hinge("spin_" + std::to_string(i), "0 1 0") + kCylinder,
             std::to_string(i / 2) + (i % 2 ? " 0.5 0" : " -0.5 0"));
  const RoverFacts rover = find_rover(mjcf_rover(inside), {});
  ASSERT_EQ(rover.notes.size(), 1u);
  EXPECT_TRUE(contains(rover.notes[0], "are rockers or bogies fixed in the file?"));
}

// ---- Refusals
// -------------------------------------------------------------------------------------

TEST(RoverRefusal, OfAnythingThatIsNotARover) {
  const std::string place = "scene.toml:7:3: rover.";
  const TemporaryFolder folder;
  const std::string urdf = folder.write("rover.urdf", urdf_rover(urdf_cylinder()));
  EXPECT_EQ(refusal(read_mechanism_file(urdf, {})),
            place +
                "body: no body of the mechanism is free to move; give the body of the rover a "
                "<freejoint>, or write mechanism.base = \"floating\" for a URDF");
  const MujocoModel model = mjcf_rover(body("drum", hinge("a", "0 1 0")));
  EXPECT_EQ(refusal(model), place +
                                "wheels: no body of the rover is called like a wheel; name the "
                                "wheels, perhaps of drum");
  EXPECT_EQ(refusal(model, wheels({"drums"})),
            place + "wheels: no body of the rover is called 'drums'; did you mean 'drum'?");
  EXPECT_EQ(refusal(model, {"rovre", {}, Place{"scene.toml", 7, 3}}),
            place + "body: 'rovre' is no body with a free joint; did you mean 'rover'?");
}

TEST(RoverRefusal, OfWheelsThatDoNotRoll) {
  const std::string place = "scene.toml:7:3: rover.wheels: ";
  EXPECT_EQ(refusal(mjcf_rover(body("wheel_a", "")), wheels({"wheel_*"})),
            place + "no hinge turns body 'wheel_a'");
  EXPECT_EQ(refusal(mjcf_rover(body("wheel_a", hinge("spin", "1 0 0"))), wheels({"wheel_*"})),
            place +
                "hinge 'spin' turns body 'wheel_a' about 1, 0, 0 of the rover, not about its "
                "lateral axis y; in the frame of 'rover' x must be forward, y left, z up");
  EXPECT_EQ(refusal(mjcf_rover(body("wheel_a", hinge("spin", "1 0 0")))),
            place +
                "no hinge turns wheel_a about the rover's y axis; x must be forward, y left, "
                "z up");
}

// ---- Size
// -----------------------------------------------------------------------------------------

TEST(Scale, MakesARoverOfMarsExplorationClassOneOfMarsScienceLaboratoryClass) {
  const double s = 1.71;
  const RoverFacts small = find_rover(rocker_bogie(), {}), large = find_rover(rocker_bogie(s), {});
  EXPECT_NEAR(large.mass, 180.0 * s * s * s, 1e-9);  // 900 kg
  EXPECT_LT((large.p_RM - s * small.p_RM).norm(), 1e-14);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_LT((large.wheels[i].p_RC - s * small.wheels[i].p_RC).norm(), 1e-14);
}

TEST(Scale, SlowsTheSameMotionByTheSquareRoot) {
  // Hinges with spring, damper and armature, a slide with the same, and a free body.
  const std::string text =
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><worldbody>"
      "<body name='a'><joint name='ja' axis='0 1 0' stiffness='3' damping='0.4' armature='0.01' "
      "springref='0.2'/><inertial pos='0.3 0.1 0' mass='1' diaginertia='0.1 0.15 0.2'/>"
      "<body name='b' pos='0.5 0 0'><joint name='jb' type='slide' axis='1 0 1' stiffness='70' "
      "damping='5' armature='0.2' springref='0.1'/>"
      "<inertial pos='0.1 0 0.2' mass='2' diaginertia='0.1 0.1 0.1'/>"
      "<body name='c' pos='0 0 -0.4'><joint name='jc' axis='1 0 0' pos='0 0 0.1' damping='0.1'/>"
      "<inertial pos='0.1 0.2 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></body></body>"
      "</worldbody></mujoco>";
  const double s = 1.71;
  const auto accelerations = [&](double scale) {
    MujocoModel model = load_mujoco("test.xml", text, kGravity, scale);
    const double lengths = scale, slow = 1.0 / std::sqrt(scale);
    const std::vector<double> q = {0.4, 0.3 * lengths, -0.7};
    const std::vector<double> v = {0.5 * slow, -0.2 * lengths * slow, 0.9 * slow};
    std::vector<double> a(3);
    model.tree->set_positions(q);
    model.tree->set_velocities(v);
    model.tree->bias(a);
    for (double& x : a) x = -x;
    model.tree->solve_mass(a);
    return Vec3(a[0], a[1], a[2]);
  };
  const Vec3 small = accelerations(1.0), large = accelerations(s);
  EXPECT_NEAR(large[0], small[0] / s, 1e-12 * std::abs(small[0]));
  EXPECT_NEAR(large[1], small[1], 1e-12 * std::abs(small[1]));
  EXPECT_NEAR(large[2], small[2] / s, 1e-12 * std::abs(small[2]));
}

}  // namespace
}  // namespace grouser
