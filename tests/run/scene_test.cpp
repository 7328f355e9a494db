// Scene files: every table becomes the right numbers, and what is wrong is told with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "grouser/contact/pcm.h"
#include "grouser/contact/sphere_half_space.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/run/run_scene.h"
#include "grouser/scene/registry.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

const std::string kSimulation = "[simulation]\nduration = 1.0\n";

const std::string kBall = kSimulation + R"(
[[body]]
name = "ball"
mass = 2.0
inertia = [0.4, 0.4, 0.4]
position = [1.0, 2.0, 3.0]
)";

const std::string kPendulum =
    kSimulation + "[mechanism]\nfile = \"" GROUSER_SCENES "/mechanisms/double_pendulum.xml\"\n";

class SceneTest : public ::testing::Test {
 protected:
  Scene load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return load_scene(folder_.write("scene.toml", text), overrides);
  }
  std::unique_ptr<Mechanism> build(const std::string& text) {
    return build_mechanism(load(text), extras_);
  }
  std::string refusal(const std::string& text,
                      const std::vector<std::string>& overrides = {}) const {
    return message_of<InputError>([&] { load(text, overrides); });
  }
  /// The refusal of a scene that can be read, but not built.
  std::string build_refusal(const std::string& text) {
    const Scene scene = load(text);
    return message_of<InputError>([&] { build_mechanism(scene, extras_); });
  }
  /// "scene.toml:line:column: " of the last `part` in `text`.
  std::string place(const std::string& text, const std::string& part) const {
    const std::size_t at = text.rfind(part);
    EXPECT_NE(at, std::string::npos) << "the scene has no '" << part << "'";
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return folder_ / "scene.toml" + ":" + std::to_string(line) + ":" +
           std::to_string(at - start + 1) + ": ";
  }
  /// Refuses kSimulation + `table` at `part` with `message`, when read.
  void expect_refusal(const std::string& table, const std::string& part,
                      const std::string& message) const {
    const std::string text = kSimulation + table;
    EXPECT_TRUE(contains(refusal(text), place(text, part) + message));
  }

  const TemporaryFolder folder_;
  MechanismExtras extras_;
};

void expect_equal(const Vec3& a, const Vec3& b) {
  EXPECT_TRUE(a == b) << a.transpose() << " is not " << b.transpose();
}

using Numbers = std::vector<double>;

// Reading

using SceneReading = SceneTest;

TEST_F(SceneReading, FillsInDefaults) {
  const Scene scene = load(kSimulation);
  EXPECT_EQ(scene.simulation.duration, 1.0);
  EXPECT_EQ(scene.simulation.output_interval, 0.01);
  expect_equal(scene.simulation.gravity, Vec3(0.0, 0.0, -9.81));
  EXPECT_EQ(scene.simulation.threads, 1);
  EXPECT_TRUE(scene.simulation.record_patches);
  EXPECT_EQ(scene.simulation.integrator.method, Method::bdf);
  EXPECT_EQ(scene.simulation.integrator.jacobian, JacobianKind::structured);
  EXPECT_EQ(scene.simulation.integrator.tolerance, 1e-6);
  EXPECT_EQ(scene.simulation.integrator.absolute_tolerance, 0.0);
  EXPECT_EQ(scene.simulation.integrator.max_step, 0.01);
  EXPECT_EQ(scene.simulation.integrator.step, 1e-3);
  EXPECT_EQ(scene.simulation.integrator.dense_limit, 400);
  EXPECT_EQ(scene.mechanism.file, "");
  EXPECT_EQ(scene.mechanism.base, MechanismFileDef::Base::fixed);
  EXPECT_TRUE(scene.bodies.empty() && scene.moving_bodies.empty() && scene.couplings.empty());
  EXPECT_TRUE(scene.loops.empty() && scene.prescribed.empty() && scene.motors.empty());
  EXPECT_TRUE(scene.initial.empty() && scene.contact.shapes.empty());
  EXPECT_TRUE(scene.contact.materials.empty() && scene.contact.contacts.empty());
  EXPECT_EQ(scene.contact.threads, 1);
}

TEST_F(SceneReading, KeepsPathFolderTextAndOverrides) {
  const Scene scene = load(kSimulation, {"simulation.duration=2"});
  EXPECT_EQ(scene.path, folder_ / "scene.toml");
  EXPECT_EQ(scene.folder + "/", folder_ / "");
  EXPECT_TRUE(scene.text.starts_with(kSimulation));
  EXPECT_EQ(scene.overrides, std::vector<std::string>{"simulation.duration=2"});
}

TEST_F(SceneReading, Simulation) {
  const SimulationDef def = load(R"([simulation]
duration = 3
output_interval = 0.5
gravity = [1, 2.5, -3]
threads = 4
record_patches = false
integrator = "esdirk"
tolerance = 1e-8
absolute_tolerance = 1e-11
max_step = 0.02
step = 1e-5
jacobian = "plain"
dense_limit = 0
)")
                                .simulation;
  EXPECT_EQ(def.duration, 3.0);
  EXPECT_EQ(def.output_interval, 0.5);
  expect_equal(def.gravity, Vec3(1.0, 2.5, -3.0));
  EXPECT_EQ(def.threads, 4);
  EXPECT_FALSE(def.record_patches);
  EXPECT_EQ(def.integrator.method, Method::esdirk);
  EXPECT_EQ(def.integrator.tolerance, 1e-8);
  EXPECT_EQ(def.integrator.absolute_tolerance, 1e-11);
  EXPECT_EQ(def.integrator.max_step, 0.02);
  EXPECT_EQ(def.integrator.step, 1e-5);
  EXPECT_EQ(def.integrator.jacobian, JacobianKind::plain);
  EXPECT_EQ(def.integrator.dense_limit, 0);
}

TEST_F(SceneReading, EveryIntegratorByName) {
  for (std::size_t i = 0; i < method_names().size(); ++i) {
    const Scene scene = load(kSimulation + "integrator = '" + method_names()[i] + "'\n");
    EXPECT_EQ(scene.simulation.integrator.method, static_cast<Method>(i));
  }
}

TEST_F(SceneReading, Bodies) {
  const Scene scene = load(kSimulation + R"(
[[body]]
name = "first"
mass = 2.0
inertia = [1, 2, 3]
center = [0.1, 0.2, 0.3]
position = [4, 5, 6]
rpy = [0.1, 0.2, 0.3]
velocity = [7, 8, 9]
angular_velocity = [10, 11, 12]

[[body]]
name = "second"
density = 1000.0

[[body]]
name = "third"
mass = 1.0
inertia = [1, 2, 3, 0.1, 0.2, 0.3]
quaternion = [0, 1, 0, 0]
)");
  ASSERT_EQ(scene.bodies.size(), 3u);
  const BodyDef& first = scene.bodies[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.mass, 2.0);
  EXPECT_EQ(first.density, 0.0);
  EXPECT_EQ(first.inertia, (Numbers{1, 2, 3}));
  expect_equal(first.center, Vec3(0.1, 0.2, 0.3));
  expect_equal(first.placement.position, Vec3(4, 5, 6));
  expect_equal(first.placement.rpy, Vec3(0.1, 0.2, 0.3));
  expect_equal(first.velocity, Vec3(7, 8, 9));
  expect_equal(first.angular_velocity, Vec3(10, 11, 12));
  EXPECT_EQ(first.place.line, 4);
  EXPECT_EQ(scene.bodies[1].density, 1000.0);
  EXPECT_EQ(scene.bodies[1].place.line, 14);
  EXPECT_EQ(scene.bodies[2].inertia, (Numbers{1, 2, 3, 0.1, 0.2, 0.3}));
  EXPECT_EQ(scene.bodies[2].placement.quaternion, (Numbers{0, 1, 0, 0}));
}

TEST_F(SceneReading, MovingBodies) {
  const Scene scene = load(kSimulation + R"(
[[moving_body]]
name = "sled"
position = [1, 2, 3]
x = 0.5
y = { rate = 2.0 }
z = { from = 0, to = 1, duration = 2 }
angle = { amplitude = 0.1, frequency = 1, phase = 1 }
axis = [0, 3, 4]

[[moving_body]]
name = "still"
)");
  ASSERT_EQ(scene.moving_bodies.size(), 2u);
  const MovingBodyDef& sled = scene.moving_bodies[0];
  EXPECT_EQ(sled.name, "sled");
  expect_equal(sled.X_WB.p, Vec3(1, 2, 3));
  EXPECT_EQ(sled.x.at(1.0).value, 0.5);
  EXPECT_EQ(sled.y.at(1.5).value, 3.0);
  EXPECT_EQ(sled.z.at(1.0).value, 0.5);
  EXPECT_EQ(sled.angle.at(0.0).value, 0.1 * std::sin(1.0));
  EXPECT_LT((sled.axis - Vec3(0.0, 0.6, 0.8)).norm(), 1e-15);  // rounding of the unit length
  const MovingBodyDef& still = scene.moving_bodies[1];
  for (const Signal* signal :
       {&still.x, &still.y, &still.z, &still.roll, &still.pitch, &still.yaw, &still.angle})
    EXPECT_EQ(signal->at(1.0).value, 0.0);
  expect_equal(still.axis, Vec3::UnitZ());
}

TEST_F(SceneReading, SignalsFromFilesNextToTheScene) {
  folder_.write("motion.csv", "t [ms],angle [deg],force\n0,0,1\n1000,90,3\n");
  const std::string value = "{ file = 'motion.csv', value = '";
  const Scene scene = load(kSimulation + "[[moving_body]]\nname = 'sled'\npitch = " + value +
                           "angle' }\n[[prescribed]]\njoint = 'a'\nspeed = " + value +
                           "force' }\n[[motor]]\njoint = 'b'\ntarget = " + value + "force' }\n");
  EXPECT_NEAR(scene.moving_bodies[0].pitch.at(1.0).value, kPi / 2.0, 1e-15);  // rounding
  EXPECT_EQ(scene.prescribed[0].signal.at(1.0).value, 3.0);
  EXPECT_EQ(scene.motors[0].target.at(1.0).value, 3.0);
}

TEST_F(SceneReading, WhatHoldsAndDrivesJoints) {
  const Scene scene = load(kSimulation + R"(
[mechanism]
file = "arm.urdf"
base = "floating"

[[coupling]]
name = "gear"
joints = { left = 1.0, right = -2 }
offset = 0.5

[[loop]]
name = "pin"
body_a = "world"
body_b = "rocker"
point_a = [1, 2, 3]
point_b = [4, 5, 6]

[[loop]]
name = "found"
body_a = "a"
body_b = "b"

[[loop]]
name = "glued"
kind = "weld"
body_a = "a"
body_b = "b"

[[prescribed]]
joint = "left"
position = { rate = 2.0 }

[[prescribed]]
joint = "right"
speed = 3.0

[[motor]]
name = "drive"
joint = "wheel"
control = "position"
target = 4.0
stiffness = 5.0
damping = 6.0
limit = 7.0

[[motor]]
joint = "arm"
control = "torque"
target = { rate = 1.0 }

[initial]
left = 0.25
right = { position = 1, velocity = -2 }
free = { position = [1, 2, 3], quaternion = [1, 0, 0, 0], velocity = [4, 5, 6], angular_velocity = [7, 8, 9] }
)");
  EXPECT_EQ(scene.mechanism.file, "arm.urdf");
  EXPECT_EQ(scene.mechanism.base, MechanismFileDef::Base::floating);
  EXPECT_EQ(scene.mechanism.place.line, 5);
  EXPECT_EQ(scene.mechanism.place.column, 8);

  ASSERT_EQ(scene.couplings.size(), 1u);
  EXPECT_EQ(scene.couplings[0].name, "gear");
  using Factors = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(scene.couplings[0].joints, (Factors{{"left", 1.0}, {"right", -2.0}}));
  EXPECT_EQ(scene.couplings[0].offset, 0.5);

  ASSERT_EQ(scene.loops.size(), 3u);
  EXPECT_EQ(scene.loops[0].name, "pin");
  EXPECT_EQ(scene.loops[0].kind, LoopDef::Kind::point);
  EXPECT_EQ(scene.loops[0].body_a, "world");
  EXPECT_EQ(scene.loops[0].body_b, "rocker");
  expect_equal(scene.loops[0].point_a, Vec3(1, 2, 3));
  expect_equal(scene.loops[0].point_b, Vec3(4, 5, 6));
  EXPECT_FALSE(scene.loops[0].find_b);
  EXPECT_TRUE(scene.loops[1].find_b);
  EXPECT_EQ(scene.loops[2].kind, LoopDef::Kind::weld);
  EXPECT_TRUE(scene.loops[2].find_b);

  ASSERT_EQ(scene.prescribed.size(), 2u);
  EXPECT_EQ(scene.prescribed[0].joint, "left");
  EXPECT_FALSE(scene.prescribed[0].speed);
  EXPECT_EQ(scene.prescribed[0].signal.at(2.0).value, 4.0);
  EXPECT_TRUE(scene.prescribed[1].speed);
  EXPECT_EQ(scene.prescribed[1].signal.at(2.0).value, 3.0);

  ASSERT_EQ(scene.motors.size(), 2u);
  EXPECT_EQ(scene.motors[0].name, "drive");
  EXPECT_EQ(scene.motors[0].joint, "wheel");
  EXPECT_EQ(scene.motors[0].control, MotorDef::Control::position);
  EXPECT_EQ(scene.motors[0].target.at(0.0).value, 4.0);
  EXPECT_EQ(scene.motors[0].stiffness, 5.0);
  EXPECT_EQ(scene.motors[0].damping, 6.0);
  EXPECT_EQ(scene.motors[0].limit, 7.0);
  EXPECT_EQ(scene.motors[1].name, "arm");  // that of its joint
  EXPECT_EQ(scene.motors[1].control, MotorDef::Control::torque);

  ASSERT_EQ(scene.initial.size(), 3u);
  EXPECT_EQ(scene.initial[0].joint, "left");
  EXPECT_EQ(scene.initial[0].position, Numbers{0.25});
  EXPECT_TRUE(scene.initial[0].velocity.empty());
  EXPECT_EQ(scene.initial[1].position, Numbers{1.0});
  EXPECT_EQ(scene.initial[1].velocity, Numbers{-2.0});
  EXPECT_EQ(scene.initial[2].position, (Numbers{1, 2, 3}));
  EXPECT_EQ(scene.initial[2].quaternion, (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(scene.initial[2].velocity, (Numbers{4, 5, 6}));
  EXPECT_EQ(scene.initial[2].angular_velocity, (Numbers{7, 8, 9}));
}

TEST_F(SceneReading, ShapesMaterialsAndContacts) {
  folder_.write("tetrahedron.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Scene scene = load(R"([simulation]
duration = 1.0
threads = 3

[[material]]
name = "rubber"
young_modulus = 1e6
poisson_ratio = 0.45
thickness = 0.02

[[shape]]
name = "tetrahedron"
body = "ball"
material = "rubber"
position = [1, 2, 3]
mesh = { file = "tetrahedron.obj", scale = 0.001 }

[[shape]]
name = "box"
mesh.box = { size = [1, 2, 3] }

[[shape]]
name = "sphere"
sphere.radius = 0.5

[[shape]]
name = "ground"
half_space = true

[[contact]]
name = "meshes"
model = "pcm"
base = "tetrahedron"
target = "box"
max_penetration = 0.1
friction = 0.4
layer.box = { young_modulus = 1e5, poisson_ratio = 0.4, thickness = 0.03 }

[[contact]]
name = "landing"
model = "sphere-half-space"
sphere = "sphere"
half_space = "ground"
stiffness = 1e5
)");
  const ContactWorldDef& def = scene.contact;
  EXPECT_EQ(def.threads, 3);
  ASSERT_EQ(def.materials.size(), 1u);
  EXPECT_EQ(def.materials[0].name, "rubber");
  EXPECT_EQ(def.materials[0].young_modulus, 1e6);
  EXPECT_EQ(def.materials[0].poisson_ratio, 0.45);
  EXPECT_EQ(def.materials[0].thickness, 0.02);

  ASSERT_EQ(def.shapes.size(), 4u);
  EXPECT_EQ(def.shapes[0].body, "ball");
  EXPECT_EQ(def.shapes[0].material, "rubber");
  expect_equal(def.shapes[0].X_BS.p, Vec3(1, 2, 3));
  const TriangleMesh& mesh = *std::get<MeshShape>(def.shapes[0].geometry).mesh;
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  expect_equal(mesh.vertices[1], Vec3(0.001, 0.0, 0.0));  // the file is in millimetres
  EXPECT_EQ(def.shapes[1].body, "world");
  EXPECT_EQ(std::get<MeshShape>(def.shapes[1].geometry).mesh->vertices.size(), 8u);
  EXPECT_EQ(std::get<SphereShape>(def.shapes[2].geometry).radius, 0.5);
  EXPECT_TRUE(std::holds_alternative<HalfSpaceShape>(def.shapes[3].geometry));

  ASSERT_EQ(def.contacts.size(), 2u);
  const auto& pcm = dynamic_cast<const PcmDef&>(*def.contacts[0]);
  EXPECT_EQ(pcm.name, "meshes");
  EXPECT_EQ(pcm.base, "tetrahedron");
  EXPECT_EQ(pcm.target, "box");
  EXPECT_EQ(pcm.max_penetration, 0.1);
  EXPECT_EQ(pcm.friction, 0.4);
  EXPECT_EQ(pcm.layer.at("box").thickness, 0.03);
  const auto& landing = dynamic_cast<const SphereHalfSpaceDef&>(*def.contacts[1]);
  EXPECT_EQ(landing.stiffness, 1e5);
  EXPECT_EQ(landing.place.line, 39);
}

TEST_F(SceneReading, RpyAndQuaternionGiveTheSamePose) {
  const double roll = 0.3, pitch = -0.7, yaw = 2.1;
  const Quat q = Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
                 Eigen::AngleAxisd(roll, Vec3::UnitX());
  char text[400];
  std::snprintf(text, sizeof text,
                "[[body]]\nname = 'a'\nposition = [1, 2, 3]\nrpy = [%.17g, %.17g, %.17g]\n"
                "[[body]]\nname = 'b'\nposition = [1, 2, 3]\n"
                "quaternion = [%.17g, %.17g, %.17g, %.17g]\n",
                roll, pitch, yaw, 3.0 * q.w(), 3.0 * q.x(), 3.0 * q.y(), 3.0 * q.z());
  const Scene scene = load(kSimulation + text);
  const Pose a = scene.bodies[0].placement.pose(), b = scene.bodies[1].placement.pose();
  expect_equal(a.p, b.p);
  EXPECT_LT((a.R - b.R).cwiseAbs().maxCoeff(), 2e-15);  // ten roundings of numbers below one
  EXPECT_LT((b.R * b.R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff(), 2e-15);
}

TEST_F(SceneReading, RpyTurnsAboutFixedAxesXThenYThenZ) {
  const Scene scene = load(kSimulation +
                           "[[body]]\nname = 'a'\n"
                           "rpy = [1.5707963267948966, 1.5707963267948966, 0]\n");
  // x first: z goes to -y; then y, which leaves it there.
  EXPECT_LT((scene.bodies[0].placement.pose().R * Vec3::UnitZ() + Vec3::UnitY()).norm(), 1e-15);
}

// Overrides

using SceneOverride = SceneTest;

using SceneInclude = SceneTest;

TEST_F(SceneInclude, PutsAFileIntoATable) {
  folder_.write("common.toml", "duration = 7.0\ntolerance = 1e-5\n");
  std::filesystem::create_directory(folder_ / "parts");
  folder_.write("parts/body.toml", "mass = 3.0\ninclude = \"inertia.toml\"\n");
  folder_.write("parts/inertia.toml", "inertia = [0.1, 0.2, 0.25]\nmass = 9.0\n");
  const Scene scene = load(
      "[simulation]\ninclude = \"common.toml\"\ntolerance = 1e-7\n"
      "[[body]]\nname = \"ball\"\ninclude = \"parts/body.toml\"\n",
      {"simulation.output_interval=0.5"});
  EXPECT_EQ(scene.simulation.duration, 7.0);
  EXPECT_EQ(scene.simulation.integrator.tolerance, 1e-7);  // what the table says itself counts
  EXPECT_EQ(scene.simulation.output_interval, 0.5);
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].mass, 3.0);  // the nearer file counts
  // A recording keeps all of it.
  EXPECT_TRUE(contains(scene.text, "duration = 7.0"));
  EXPECT_TRUE(contains(scene.text, "inertia = [0.1, 0.2, 0.25]"));
}

TEST_F(SceneInclude, IsRefusedWithTheRightPlace) {
  folder_.write("bad.toml", "duration = 1.0\ntolerrance = 1e-5\n");
  folder_.write("round.toml", "include = \"round.toml\"\n");
  const std::string key = refusal("[simulation]\ninclude = \"bad.toml\"\n");
  EXPECT_TRUE(contains(key, "bad.toml:2:1")) << key;
  EXPECT_TRUE(contains(key, "did you mean 'tolerance'?")) << key;
  const std::string missing = refusal("[simulation]\ninclude = \"no.toml\"\n");
  EXPECT_TRUE(contains(missing, "scene.toml:2:11")) << missing;
  EXPECT_TRUE(contains(missing, "no.toml cannot be read")) << missing;
  EXPECT_TRUE(contains(refusal("[simulation]\ninclude = 3\n"), "include must be a string"));
  EXPECT_TRUE(contains(refusal("[simulation]\ninclude = \"round.toml\"\n"), "includes itself"));
}

TEST_F(SceneOverride, SetsNumbers) {
  EXPECT_EQ(load(kBall, {"simulation.duration=2.5"}).simulation.duration, 2.5);
  EXPECT_EQ(load(kBall, {"simulation.duration=3"}).simulation.duration, 3.0);
  EXPECT_EQ(load(kBall, {"simulation.duration= 1e-3"}).simulation.duration, 1e-3);
}

TEST_F(SceneOverride, CreatesAMissingKey) {
  const Scene scene = load(kBall, {"simulation.threads=2", "simulation.record_patches=false"});
  EXPECT_EQ(scene.simulation.threads, 2);
  EXPECT_FALSE(scene.simulation.record_patches);
}

TEST_F(SceneOverride, CreatesAMissingTable) {
  const Scene scene = load(kBall, {"mechanism.file=arm.xml", "initial.hinge=0.5"});
  EXPECT_EQ(scene.mechanism.file, "arm.xml");
  ASSERT_EQ(scene.initial.size(), 1u);
  EXPECT_EQ(scene.initial[0].position, Numbers{0.5});
}

TEST_F(SceneOverride, FindsEntriesWithoutANameByTheirJointOrBody) {
  const std::string text = kBall +
                           "[[motor]]\njoint = 'left'\ntarget = 1\n"
                           "[[motor]]\nname = 'drive'\njoint = 'right'\ntarget = 1\n"
                           "[[prescribed]]\njoint = 'rail'\nspeed = 1\n"
                           "[[force]]\nbody = 'ball'\nforce_x = 1\n";
  const Scene scene = load(text, {"motor.left.damping=3", "motor.drive.damping=4",
                                  "prescribed.rail.speed=0.5", "force.ball.force_x=2"});
  EXPECT_EQ(scene.motors[0].damping, 3.0);
  EXPECT_EQ(scene.motors[1].damping, 4.0);
  EXPECT_EQ(scene.prescribed[0].signal.at(0.0).value, 0.5);
  EXPECT_EQ(scene.forces[0].force[0].at(0.0).value, 2.0);
}

TEST_F(SceneOverride, SetsStringsBareAndQuoted) {
  const auto method = [&](const std::string& word) {
    return load(kBall, {"simulation.integrator=" + word}).simulation.integrator.method;
  };
  EXPECT_EQ(method("adams"), Method::adams);
  EXPECT_EQ(method("runge-kutta"), Method::runge_kutta);
  EXPECT_EQ(method("\"rk4\""), Method::rk4);
  EXPECT_EQ(method("'rk4'"), Method::rk4);
  // What is no TOML value is a word, whatever it contains; only the first = divides.
  for (const char* word : {"a b.xml", "../a=b.xml", "2024-01-01", "/x/y#z.xml"})
    EXPECT_EQ(load(kBall, {std::string("mechanism.file=") + word}).mechanism.file, word);
}

TEST_F(SceneOverride, SetsArraysAndTheirEntries) {
  expect_equal(load(kBall, {"simulation.gravity=[0, 0, -1.62]"}).simulation.gravity,
               Vec3(0.0, 0.0, -1.62));
  expect_equal(load(kBall, {"body.0.position.1=7"}).bodies[0].placement.position, Vec3(1, 7, 3));
}

TEST_F(SceneOverride, SetsTables) {
  const std::string text = kSimulation + "[[moving_body]]\nname = 'sled'\nx = 1.0\n";
  EXPECT_EQ(load(text, {"moving_body.sled.x={ rate = 2.0 }"}).moving_bodies[0].x.at(1.5).value,
            3.0);
}

TEST_F(SceneOverride, FindsAnEntryByIndexAndByName) {
  const std::string text = kBall + "[[body]]\nname = 'second'\nmass = 3.0\ninertia = [1, 1, 1]\n";
  EXPECT_EQ(load(text, {"body.0.mass=5"}).bodies[0].mass, 5.0);
  EXPECT_EQ(load(text, {"body.1.mass=5"}).bodies[1].mass, 5.0);
  const Scene scene = load(text, {"body.second.mass=6"});
  EXPECT_EQ(scene.bodies[0].mass, 2.0);
  EXPECT_EQ(scene.bodies[1].mass, 6.0);
}

TEST_F(SceneOverride, LastOneWins) {
  EXPECT_EQ(load(kBall, {"simulation.duration=2", "simulation.duration=3"}).simulation.duration,
            3.0);
}

TEST_F(SceneOverride, IsRefusedByName) {
  const struct {
    const char* word;
    const char* message;
  } kCases[] = {
      {"simulation.duration", "--set simulation.duration: write it as key=value"},
      {"=1", "--set =1: write it as key=value"},
      {"simulation..duration=1", "--set simulation..duration: "},
      {"simulation.durtion=1",
       "--set simulation.durtion: unknown key simulation.durtion; did you mean 'duration'?"},
      {"simulatoin.duration=1",
       "--set simulatoin.duration: unknown key simulatoin; did you mean 'simulation'?"},
      {"simulation.duration.x=1",
       "--set simulation.duration.x: simulation.duration.x: simulation.duration is a number"},
      {"body.1.mass=1", "--set body.1.mass: body.1.mass: there are 1 entries"},
      {"body.bal.mass=1",
       "--set body.bal.mass: body.bal.mass: no entry is named 'bal'; did you mean 'ball'?"},
      // Values.
      {"simulation.duration=", "--set simulation.duration:"},
      {"simulation.gravity=[0, 0", "--set simulation.gravity:"},
      {"simulation.integrator=\"rk4", "--set simulation.integrator:"},
      {"simulation.duration=-1",
       "--set simulation.duration: simulation.duration must be positive, is -1"},
      {"simulation.duration=nan",
       "--set simulation.duration: simulation.duration must be positive"},
      {"simulation.gravity=[0, 0]",
       "--set simulation.gravity: simulation.gravity must have 3 numbers, has 2"},
      // Kinds.
      {"simulation.duration=long",
       "--set simulation.duration: simulation.duration must be a number, is a string, \"long\""},
      {"simulation.integrator=3",
       "--set simulation.integrator: simulation.integrator must be a string, is a number, 3"},
      {"simulation.threads=1.5",
       "--set simulation.threads: simulation.threads must be a whole number, is 1.5"},
      {"simulation.gravity=9.81", "--set simulation.gravity: simulation.gravity must be an array"},
      {"simulation=1", "--set simulation: simulation must be a table, is a number, 1"},
      {"body=1", "--set body: body must be an array"},
      {"body.ball=1", "--set body.ball: body must be a table"},
      {"body.ball.mass=-1", "--set body.ball.mass: body.mass must be positive, is -1"},
  };
  for (const auto& c : kCases) {
    const std::string message = refusal(kBall, {c.word});
    EXPECT_TRUE(message.starts_with(c.message)) << c.word << ": " << message;
  }
}

// Refusals when reading

using SceneRefusal = SceneTest;

TEST_F(SceneRefusal, OfAFileThatIsNone) {
  const std::string missing = message_of<InputError>([&] { load_scene(folder_ / "none.toml"); });
  EXPECT_TRUE(contains(missing, folder_ / "none.toml"));
  EXPECT_TRUE(contains(missing, "No such file"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { load_scene(folder_ / ""); }), "is a folder"));
}

TEST_F(SceneRefusal, OfTextThatIsNoToml) {
  const std::string text = kSimulation + "[[body]]\nname = \n";
  EXPECT_TRUE(contains(refusal(text), folder_ / "scene.toml:4:"));
  EXPECT_TRUE(contains(refusal(kSimulation + "output_interval = 2024-01-01\n"),
                       place(kSimulation + "output_interval = 2024-01-01\n", "2024") + "dates"));
}

TEST_F(SceneRefusal, OfASceneWithoutSimulation) {
  EXPECT_TRUE(contains(refusal("[[body]]\nname = 'a'\n"),
                       folder_ / "scene.toml: the scene has no [simulation]"));
  EXPECT_TRUE(contains(refusal(""), folder_ / "scene.toml: the file is empty"));
}

TEST_F(SceneRefusal, OfASimulationWithoutDuration) {
  EXPECT_TRUE(
      contains(refusal("\n[simulation]\nthreads = 1\n"),
               folder_ / "scene.toml:2:1: simulation.duration is missing (simulated time)"));
}

TEST_F(SceneRefusal, OfUnknownTables) {
  expect_refusal("[[boddy]]\n", "boddy", "unknown key boddy; did you mean 'body'?");
  expect_refusal("[gearbox]\n", "gearbox", "unknown key gearbox; known are simulation, mechanism");
}

TEST_F(SceneRefusal, OfUnknownKeysNamesTheNearest) {
  const struct {
    const char* table;
    const char* key;
    const char* nearest;
  } kCases[] = {
      {"[mechanism]\nfil = 'a.xml'\n", "mechanism.fil", "file"},
      {"[[body]]\nmas = 1\n", "body.mas", "mass"},
      {"[[moving_body]]\naxs = [0, 0, 1]\n", "moving_body.axs", "axis"},
      {"[[material]]\nyoung_modulu = 1\n", "material.young_modulu", "young_modulus"},
      {"[[shape]]\nmaterail = 'x'\n", "shape.materail", "material"},
      {"[[shape]]\nname = 'x'\nmesh.boxx = {}\n", "shape.mesh.boxx", "box"},
      {"[[shape]]\nname = 'x'\nsphere.radios = 1\n", "shape.sphere.radios", "radius"},
      {"[[contact]]\nmodel = 'pcm'\nfrction = 1\n", "contact.frction", "friction"},
      {"[[coupling]]\nofset = 1\n", "coupling.ofset", "offset"},
      {"[[loop]]\nbodya = 'x'\n", "loop.bodya", "body_a"},
      {"[[prescribed]]\nsped = 1\n", "prescribed.sped", "speed"},
      {"[[motor]]\nstifness = 1\n", "motor.stifness", "stiffness"},
      {"[[motor]]\ntarget = { amplitude = 1, frequncy = 1 }\n", "motor.target.frequncy",
       "frequency"},
      {"[initial]\nhinge = { velocty = 1 }\n", "initial.hinge.velocty", "velocity"},
  };
  for (const auto& c : kCases) {
    const std::string key = c.key;
    expect_refusal(c.table, key.substr(key.rfind('.') + 1),
                   "unknown key " + key + "; did you mean '" + c.nearest + "'?");
  }
  const std::string text = "[simulation]\ndurtion = 1\n";
  EXPECT_TRUE(contains(refusal(text), place(text, "durtion") +
                                          "unknown key simulation.durtion; did you mean "
                                          "'duration'?"));
}

TEST_F(SceneRefusal, OfMissingKeysNamesTheTable) {
  const struct {
    const char* table;
    const char* key;
  } kCases[] = {
      {"[mechanism]\n", "mechanism.file"},
      {"[[body]]\n", "body.name"},
      {"[[moving_body]]\n", "moving_body.name"},
      {"[[material]]\nyoung_modulus = 1\n", "material.name"},
      {"[[material]]\nname = 'a'\n", "material.young_modulus"},
      {"[[shape]]\n", "shape.name"},
      {"[[contact]]\n", "contact.model"},
      {"[[coupling]]\nname = 'a'\n", "coupling.joints"},
      {"[[coupling]]\njoints.a = 1\n", "coupling.name"},
      {"[[loop]]\nname = 'a'\nbody_a = 'world'\n", "loop.body_b"},
      {"[[loop]]\nname = 'a'\nbody_b = 'world'\n", "loop.body_a"},
      {"[[prescribed]]\nspeed = 1\n", "prescribed.joint"},
      {"[[motor]]\njoint = 'a'\n", "motor.target"},
      {"[[motor]]\ntarget = 1\n", "motor.joint"},
  };
  for (const auto& c : kCases) {
    const std::string table = c.table;
    expect_refusal(table, table.substr(0, table.find('\n')), std::string(c.key) + " is missing");
  }
}

TEST_F(SceneRefusal, OfWrongKindsAndRanges) {
  expect_refusal("threads = 0\n", "0\n", "simulation.threads must lie in [1, 1024], is 0");
  expect_refusal("tolerance = 1.5\n", "1.5", "simulation.tolerance must lie in [1e-14, 0.1]");
  expect_refusal("max_step = 0.0\n", "0.0", "simulation.max_step must be positive, is 0");
  expect_refusal("dense_limit = -1\n", "-1", "simulation.dense_limit must not be negative, is -1");
  expect_refusal("dense_limit = 3000000000\n", "3000", "simulation.dense_limit is too large");
  expect_refusal("integrator = 'bfd'\n", "'bfd'",
                 "simulation.integrator is 'bfd'; it must be one of bdf, adams");
  expect_refusal("jacobian = 'full'\n", "'full'",
                 "simulation.jacobian is 'full'; it must be one of structured, plain");
  expect_refusal("[mechanism]\nfile = 'a.urdf'\nbase = 'free'\n", "'free'",
                 "mechanism.base is 'free'; it must be one of fixed, floating");
  expect_refusal("[[body]]\nmass = 0\n", "0\n", "body.mass must be positive, is 0");
  expect_refusal("[[body]]\nquaternion = [0, 0, 0, 0]\n", "[0,",
                 "body.quaternion must not be zero");
  expect_refusal("[[body]]\nquaternion = [1, 0, 0]\n", "[1,",
                 "body.quaternion must have 4 numbers, has 3");
  expect_refusal("[[moving_body]]\nname = 'a'\naxis = [0, 0, 0]\n", "[[moving",
                 "moving_body.axis must not be zero");
  expect_refusal("[[coupling]]\nname = 'a'\njoints = {}\n", "{}", "coupling.joints names no joint");
  expect_refusal("[[coupling]]\nname = 'a'\njoints = { b = 'x' }\n", "'x'",
                 "coupling.joints.b must be a number");
  expect_refusal("[[loop]]\nkind = 'hinge'\n", "'hinge'",
                 "loop.kind is 'hinge'; it must be one of point, weld");
  expect_refusal("[[motor]]\nlimit = -1\n", "-1", "motor.limit must be positive, is -1");
  expect_refusal("[[motor]]\ncontrol = 'force'\n", "'force'",
                 "motor.control is 'force'; it must be one of torque, speed, position");
  expect_refusal("[initial]\nhinge = 'x'\n", "'x'", "initial.hinge must be a number");
  expect_refusal("[initial]\nhinge = nan\n", "nan", "initial.hinge must be finite, is nan");
  expect_refusal("[[shape]]\nname = 'a'\n", "[[shape]]", "shape 'a' needs exactly one of mesh");
}

TEST_F(SceneRefusal, OfInertiaWithFourNumbers) {
  expect_refusal("[[body]]\ninertia = [1, 2, 3, 4]\n", "[1,",
                 "body.inertia must have 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, yz), "
                 "has 4");
}

TEST_F(SceneRefusal, OfPrescribingPositionAndSpeed) {
  for (const char* both : {"position = 1\nspeed = 2\n", ""})
    expect_refusal(std::string("[[prescribed]]\njoint = 'a'\n") + both, "[[prescribed]]",
                   "prescribed 'a' needs either position or speed");
}

TEST_F(SceneRefusal, OfNamesUsedTwice) {
  const struct {
    const char* key;
    const char* rest;
  } kCases[] = {{"body", ""},
                {"moving_body", ""},
                {"coupling", "joints.a = 1\n"},
                {"loop", "body_a = 'world'\nbody_b = 'ball'\n"},
                {"motor", "joint = 'a'\ntarget = 1\n"},
                {"shape", "half_space = true\n"}};
  for (const auto& c : kCases) {
    const std::string head = std::string("[[") + c.key + "]]\n";
    const std::string one = head + "name = 'twin'\n" + c.rest;
    const std::string first = place(kSimulation + one, head);
    expect_refusal(one + one, head,
                   std::string(c.key) + ".name 'twin' is used twice; first at " +
                       first.substr(0, first.size() - 2));
  }
}

TEST_F(SceneRefusal, OfTwoUnnamedMotorsOnOneJoint) {
  const std::string one = "[[motor]]\njoint = 'a'\ntarget = 1\n";
  expect_refusal(one + one, "[[motor]]", "motor.name 'a' is used twice");
}

TEST_F(SceneRefusal, OfOneTableWhereThereMayBeMany) {
  for (const std::string key : {"body", "moving_body", "coupling", "loop", "prescribed", "motor"})
    expect_refusal("[" + key + "]\n", "[" + key,
                   key + " must be written [[" + key + "]], there may be many");
  for (const std::string key : {"shape", "material", "contact"})
    expect_refusal("[" + key + "]\n", "[" + key, key + " must be ");
  expect_refusal("[[simulation.x]]\n", "x]]", "unknown key simulation.x");
  expect_refusal("[[mechanism]]\n", "[[mechanism", "mechanism must be a table, is an array");
  expect_refusal("[[initial]]\n", "[[initial", "initial must be a table, is an array");
}

TEST_F(SceneRefusal, OfMeshFilesThatAreMissing) {
  expect_refusal("[[shape]]\nname = 'a'\nmesh.file = 'none.obj'\n", "'none.obj'",
                 "shape.mesh.file: " + (folder_ / "none.obj"));
}

// Building

using SceneBuilding = SceneTest;

double kinetic_energy(Mechanism& mechanism) {
  const VecX q = mechanism.initial_positions(), v = mechanism.initial_velocities();
  mechanism.set_state(0.0, {q.data(), mechanism.nq()}, {v.data(), mechanism.nv()});
  return mechanism.kinetic_energy();
}

TEST_F(SceneBuilding, FreeBodiesAreWhereTheyWerePut) {
  const auto mechanism = build(kBall +
                               "rpy = [0.1, 0.2, 0.3]\ncenter = [0.1, 0.0, 0.0]\n"
                               "velocity = [4, 5, 6]\nangular_velocity = [7, 8, 9]\n");
  EXPECT_EQ(mechanism->nq(), 7u);
  EXPECT_EQ(mechanism->nv(), 6u);
  ASSERT_EQ(mechanism->body_names().size(), 2u);
  EXPECT_EQ(mechanism->body_names()[0], "world");
  EXPECT_EQ(mechanism->body_names()[1], "ball");
  kinetic_energy(*mechanism);
  const BodyKinematics& ball = mechanism->kinematics()[1];
  const PlacementDef placed{Vec3(1.0, 2.0, 3.0), Vec3(0.1, 0.2, 0.3), {}};
  // Through the centre of mass and a quaternion and back: roundings of numbers below ten.
  EXPECT_LT((ball.X_WB.p - placed.position).norm(), 1e-14);
  EXPECT_LT((ball.X_WB.R - placed.pose().R).norm(), 1e-14);
  EXPECT_LT((ball.V_WB.v - Vec3(4, 5, 6)).norm(), 1e-14);
  EXPECT_LT((ball.V_WB.w - Vec3(7, 8, 9)).norm(), 1e-13);
}

TEST_F(SceneBuilding, SixNumbersAreTheWholeInertia) {
  const auto mechanism =
      build(kSimulation +
            "[[body]]\nname = 'a'\nmass = 1\n"
            "inertia = [4, 5, 6, 0.1, 0.2, 0.3]\nangular_velocity = [1, 2, 3]\n");
  // (4 + 5 * 4 + 6 * 9) / 2 + 0.1 * 1 * 2 + 0.2 * 1 * 3 + 0.3 * 2 * 3
  EXPECT_NEAR(kinetic_energy(*mechanism), 41.6, 1e-13);  // a dozen roundings of 40
}

TEST_F(SceneBuilding, DensityFillsTheMeshesOfTheBody) {
  // Two boxes of 2 x 4 x 6, shifted along the axis of the turn; one of another body does not count.
  const auto mechanism = build(kSimulation + R"(
[[body]]
name = "a"
density = 0.5
velocity = [0, 0, 2]
angular_velocity = [3, 0, 0]
[[body]]
name = "b"
mass = 1.0
inertia = [1, 1, 1]
[[shape]]
name = "left"
body = "a"
mesh.box = { size = [2, 4, 6] }
position = [-3, 0, 0]
[[shape]]
name = "right"
body = "a"
mesh.box = { size = [2, 4, 6] }
position = [3, 0, 0]
[[shape]]
name = "other"
body = "b"
mesh.box = { size = [2, 4, 6] }
)");
  const double mass = 2.0 * 0.5 * 48.0, inertia = mass * (16.0 + 36.0) / 12.0;
  const double energy = 0.5 * mass * 4.0 + 0.5 * inertia * 9.0;
  EXPECT_NEAR(kinetic_energy(*mechanism), energy, 1e-13 * energy);  // rounding
}

TEST_F(SceneBuilding, MovingBodiesComeBeforeTheOthers) {
  const auto mechanism = build(kBall + "[[moving_body]]\nname = 'sled'\nx = { rate = 2.0 }\n");
  ASSERT_EQ(mechanism->body_names().size(), 3u);
  EXPECT_EQ(mechanism->body_names()[1], "sled");
  EXPECT_EQ(mechanism->body_names()[2], "ball");
  const VecX q = mechanism->initial_positions(), v = mechanism->initial_velocities();
  mechanism->set_state(1.5, {q.data(), 7}, {v.data(), 6});
  expect_equal(mechanism->kinematics()[1].X_WB.p, Vec3(3.0, 0.0, 0.0));
  expect_equal(mechanism->kinematics()[1].V_WB.v, Vec3(2.0, 0.0, 0.0));
}

TEST_F(SceneBuilding, LoopsBetweenFreeBodiesAreClosed) {
  const auto mechanism = build(kBall +
                               "[[loop]]\nname = 'pin'\nbody_a = 'world'\nbody_b = 'ball'\n"
                               "point_a = [0.0, 0.0, 1.0]\npoint_b = [0.0, 0.0, 0.5]\n");
  kinetic_energy(*mechanism);
  const Pose& ball = mechanism->kinematics()[1].X_WB;
  EXPECT_LT((ball * Vec3(0.0, 0.0, 0.5) - Vec3(0.0, 0.0, 1.0)).norm(), 1e-12);  // Newton's end
}

TEST_F(SceneBuilding, LoopWithoutPointBKeepsTheInitialState) {
  const auto mechanism =
      build(kBall + "[[loop]]\nname = 'pin'\nkind = 'weld'\nbody_a = 'world'\nbody_b = 'ball'\n");
  kinetic_energy(*mechanism);
  EXPECT_LT((mechanism->kinematics()[1].X_WB.p - Vec3(1.0, 2.0, 3.0)).norm(), 1e-12);
  EXPECT_EQ(kinetic_energy(*mechanism), 0.0);
}

/// Without MuJoCo there are no mechanism files, and the scene says so.
TEST_F(SceneBuilding, MechanismFilesBringBodiesAndJoints) {
  const std::string text = kPendulum + R"(
[[coupling]]
name = "gear"
joints = { upper = 1.0, lower = 2.0 }
offset = 0.5
[[prescribed]]
joint = "upper"
position = { rate = 3.0, offset = 0.1 }
[[motor]]
joint = "lower"
target = 1.0
damping = 1.0
[[body]]
name = "ball"
mass = 1.0
inertia = [1, 1, 1]
)";
  if (!have_mujoco()) {
    EXPECT_TRUE(contains(build_refusal(text), "this build has no MuJoCo"));
    return;
  }
  const auto mechanism = build(text);
  EXPECT_EQ(mechanism->nq(), 9u);
  EXPECT_EQ(mechanism->nv(), 8u);
  const std::vector<std::string> bodies(mechanism->body_names().begin(),
                                        mechanism->body_names().end());
  EXPECT_EQ(bodies, (std::vector<std::string>{"world", "upper", "lower", "ball"}));
  // Linear constraints are met to rounding.
  EXPECT_NEAR(mechanism->initial_positions()[0], 0.1, 1e-14);
  EXPECT_NEAR(mechanism->initial_positions()[1], 0.2, 1e-14);
  EXPECT_NEAR(mechanism->initial_velocities()[0], 3.0, 1e-13);
  EXPECT_NEAR(mechanism->initial_velocities()[1], -1.5, 1e-13);
  std::vector<std::string> channels;
  for (const auto& channel : mechanism->drive_channels()) channels.push_back(channel.name);
  EXPECT_EQ(std::count_if(channels.begin(), channels.end(),
                          [](const std::string& name) { return contains(name, "motors/lower/"); }),
            2);  // effort and power
}

TEST_F(SceneBuilding, InitialStateIsThatOfTheScene) {
  if (!have_mujoco()) {
    EXPECT_TRUE(contains(build_refusal(kPendulum), "this build has no MuJoCo"));
    return;
  }
  const auto mechanism =
      build(kPendulum + "[initial]\nupper = 0.5\nlower = { position = 0.25, velocity = -2 }\n");
  EXPECT_EQ(mechanism->initial_positions()[0], 0.5);
  EXPECT_EQ(mechanism->initial_positions()[1], 0.25);
  EXPECT_EQ(mechanism->initial_velocities()[0], 0.0);
  EXPECT_EQ(mechanism->initial_velocities()[1], -2.0);
}

TEST_F(SceneBuilding, EveryMechanismFileOfTheRepositoryBuilds) {
  for (const char* file : {"double_pendulum.xml", "four_bar.xml", "rocker_bogie.xml", "top.xml"}) {
    const std::string text =
        kSimulation + "[mechanism]\nfile = \"" GROUSER_SCENES "/mechanisms/" + file + "\"\n";
    if (!have_mujoco()) {
      EXPECT_TRUE(contains(build_refusal(text), "this build has no MuJoCo"));
      continue;
    }
    EXPECT_GT(build(text)->nv(), 0u) << file;
  }
}

TEST_F(SceneBuilding, RefusesImpossibleMasses) {
  const struct {
    const char* keys;
    const char* message;
  } kCases[] = {
      {"", "body 'a' needs mass and inertia, or density"},
      {"mass = 1\n", "body 'a' needs mass and inertia, or density"},
      {"inertia = [1, 1, 1]\n", "body 'a' needs mass and inertia, or density"},
      {"density = 1\n", "body 'a' has a density but no solid shape"},
      {"density = 1\nmass = 1\n", "body 'a': give density, or mass and inertia, not both"},
      {"density = 1\ninertia = [1, 1, 1]\n",
       "body 'a': give density, or mass and inertia, not both"},
      {"mass = 1\ninertia = [1, 1, 0]\n", "body 'a': inertia must be positive definite"},
      {"mass = 1\ninertia = [1, 1, 1, 1, 0, 0]\n", "body 'a': inertia must be positive definite"},
      {"mass = 1\ninertia = [1, 1, 3]\n",
       "body 'a': no body has the principal moments 1, 1, 3: the largest exceeds the sum of the "
       "others"},
  };
  for (const auto& c : kCases) {
    const std::string text = kSimulation + "[[body]]\nname = 'a'\n" + c.keys;
    EXPECT_TRUE(contains(build_refusal(text), place(text, "[[body]]") + c.message));
  }
}

TEST_F(SceneBuilding, AcceptsAFlatPlate) {
  // In a plate the largest moment is exactly the sum of the others.
  EXPECT_EQ(
      build(kSimulation + "[[body]]\nname = 'a'\nmass = 1\ninertia = [0.1, 0.2, 0.3]\n")->nv(), 6u);
}

TEST_F(SceneBuilding, RefusesUnknownNames) {
  const std::string loop = kBall + "[[loop]]\nname = 'pin'\nbody_a = 'world'\nbody_b = 'bal'\n";
  EXPECT_TRUE(contains(
      build_refusal(loop),
      place(loop, "[[loop]]") + "loop.body_b: there is no body 'bal'; did you mean 'ball'?"));
  const struct {
    const char* table;
    const char* key;
  } kCases[] = {{"[[coupling]]\nname = 'gear'\njoints.hinge = 1\n", "coupling.joints"},
                {"[[prescribed]]\njoint = 'hinge'\nspeed = 1\n", "prescribed.joint"},
                {"[[motor]]\njoint = 'hinge'\ntarget = 1\n", "motor.joint"}};
  for (const auto& c : kCases) {
    const std::string text = kBall + c.table, table = c.table;
    EXPECT_TRUE(contains(build_refusal(text), place(text, table.substr(0, table.find('\n'))) +
                                                  c.key + ": there is no joint 'hinge'"));
  }
  const std::string initial = kBall + "[initial]\nhinge = 1\n";
  EXPECT_TRUE(contains(build_refusal(initial),
                       place(initial, "hinge") + "initial: there is no joint 'hinge'"));
}

TEST_F(SceneBuilding, RefusesJointsOfTheWrongKind) {
  const std::string text = kBall + "[[motor]]\njoint = 'ball'\ntarget = 1\n";
  EXPECT_TRUE(contains(build_refusal(text), place(text, "[[motor]]") +
                                                "motor.joint: joint 'ball' is neither a hinge nor "
                                                "a slide"));
  const std::string initial = kBall + "[initial]\nball = 1\n";
  EXPECT_TRUE(contains(build_refusal(initial), place(initial, "ball = 1") +
                                                   "initial.ball: give the initial state in "
                                                   "[[body]]"));
}

TEST_F(SceneBuilding, RefusesTwoBodiesOfOneName) {
  const std::string text = kBall + "[[moving_body]]\nname = 'ball'\n";
  EXPECT_TRUE(contains(build_refusal(text), "two bodies are named 'ball'"));
  const std::string world = kSimulation + "[[moving_body]]\nname = 'world'\n";
  EXPECT_TRUE(
      contains(build_refusal(world), place(world, "[[moving") + "two bodies are named 'world'"));
}

TEST_F(SceneBuilding, RefusesALoopThatCannotBeClosed) {
  const std::string text = kSimulation +
                           "[[loop]]\nname = 'pin'\nbody_a = 'world'\nbody_b = 'world'\n"
                           "point_b = [1.0, 0.0, 0.0]\n";
  EXPECT_TRUE(contains(build_refusal(text),
                       place(text, "[[loop]]") + "loop 'pin' cannot be closed: a gap of 1"));
}

TEST_F(SceneBuilding, RefusesMechanismFilesWithTheirPlace) {
  const auto check = [&](const std::string& file, const std::string& message) {
    const std::string text = kSimulation + "[mechanism]\nfile = '" + file + "'\n";
    const std::string refused = build_refusal(text);
    EXPECT_TRUE(contains(refused, place(text, "'" + file) + "mechanism.file: "));
    EXPECT_TRUE(contains(refused, message));
  };
  check("none.xml", "there is no file '" + (folder_ / "none.xml") + "'");
  check("none.urdf", "there is no file '" + (folder_ / "none.urdf") + "'");
  check(".xml", "is neither MJCF (.xml) nor URDF (.urdf)");
  check("arm.step", "'" + (folder_ / "arm.step") + "' is neither MJCF (.xml) nor URDF (.urdf)");
  std::filesystem::create_directories(folder_ / "folder.xml");
  check("folder.xml", "there is no file");

  const auto mujoco = [](const std::string& message) {
    return have_mujoco() ? message : std::string("this build has no MuJoCo");
  };
  folder_.write("bad.xml", "<mujoco>\n  <worldbody>\n    <bdy/>\n  </worldbody>\n</mujoco>\n");
  check("bad.xml", mujoco(folder_ / "bad.xml"));
  check("bad.xml", mujoco("unrecognized element"));
  folder_.write("weightless.xml",
                "<mujoco><worldbody><body><freejoint/></body></worldbody></mujoco>");
  check("weightless.xml", mujoco("mass and inertia of moving bodies"));
}

// Documentation

TEST(SceneKeys, EveryTableHasKeysAndEveryKeyAMeaning) {
  for (const ParameterPage& table : scene_keys()) {
    EXPECT_FALSE(table.meaning.empty()) << table.table;
    EXPECT_FALSE(table.keys.empty()) << table.table;
    for (const ParameterInfo& key : table.keys) {
      EXPECT_FALSE(key.key.empty()) << table.table;
      EXPECT_FALSE(key.kind.empty()) << table.table << " " << key.key;
      EXPECT_FALSE(key.meaning.empty() && key.unit.empty()) << table.table << " " << key.key;
    }
  }
}

TEST(SceneKeys, NameEveryKeyOnce) {
  for (const ParameterPage& table : scene_keys()) {
    std::vector<std::string> keys;
    for (const ParameterInfo& key : table.keys) keys.push_back(key.key);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << table.table;
  }
}

TEST(SceneKeys, CoverEveryTableAndContactModel) {
  std::vector<std::string> tables;
  for (const ParameterPage& table : scene_keys()) tables.push_back(table.table);
  std::vector<std::string> wanted = {"[simulation]",    "[mechanism]",  "[[body]]",
                                     "[[moving_body]]", "[[material]]", "[[shape]]",
                                     "[[coupling]]",    "[[loop]]",     "[[prescribed]]",
                                     "[[motor]]",       "[initial]"};
  for (const std::string& table : wanted)
    EXPECT_EQ(std::count(tables.begin(), tables.end(), table), 1) << table;
  // Models that share their keys share a page.
  for (const ContactModelRow& row : contact_models())
    EXPECT_EQ(std::count_if(tables.begin(), tables.end(),
                            [&](const std::string& table) {
                              return contains(table, "[[contact]] model") &&
                                     contains(table, '"' + std::string(row.name) + '"');
                            }),
              1)
        << row.name;
}

}  // namespace
}  // namespace grouser
