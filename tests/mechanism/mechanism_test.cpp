// Mechanisms against closed forms, independent references and conservation laws.
#include "grouser/mechanism/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "grouser/math/rotation.h"
#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/run/system.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

const std::string kExact = "tolerance = 1e-8\n";

std::string simulation(double duration, const std::string& more = kExact) {
  return "[simulation]\nduration = " + std::to_string(duration) + "\n" + more;
}

/// Runs a scene and watches its energy; contact and dissipation are not in it.
struct Watched {
  explicit Watched(const std::string& text) : sim(scene_from(text)) {}

  void go() {
    RunOptions options;
    double first = 0.0;
    options.sample = [&](double t) {
      const double T = sim.mechanism().kinetic_energy();
      const double now = T + sim.mechanism().potential_energy();
      if (t == 0.0) first = now;
      kinetic_scale = std::max(kinetic_scale, T);
      drift = std::max(drift, std::abs(now - first));
      if (each) each(t);
    };
    summary = sim.run(options);
    EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  }

  Simulation sim;
  std::function<void(double)> each;
  double drift = 0.0;          // greatest change of the total energy
  double kinetic_scale = 0.0;  // greatest kinetic energy
  RunSummary summary;
};

TEST(FreeBody, FallsAndTurnsAsTheClosedFormSays) {
  // A symmetric body thrown: its centre follows a parabola; its axis, seen along the constant
  // angular momentum, precesses at L / A.
  Watched watched(simulation(2.0, "tolerance = 1e-10\n") + R"(
[[body]]
name = "b"
mass = 2.0
inertia = [0.3, 0.3, 0.5]
position = [1, 2, 3]
velocity = [1, -2, 5]
angular_velocity = [0.6, 0.0, 2.0]
)");
  const Vec3 L(0.3 * 0.6, 0.0, 0.5 * 2.0);
  watched.each = [&](double t) {
    const BodyKinematics& b = watched.sim.mechanism().kinematics()[1];
    const Vec3 p = Vec3(1, 2, 3) + t * Vec3(1, -2, 5) + 0.5 * t * t * Vec3(0, 0, -9.81);
    EXPECT_LE((b.X_WB.p - p).norm(), 1e-8);
    const Mat3 turn = Eigen::AngleAxisd(L.norm() / 0.3 * t, L.normalized()).toRotationMatrix();
    EXPECT_LE((b.X_WB.R.col(2) - turn * Vec3::UnitZ()).norm(), 1e-7);  // 4 turns at 1e-10 a step
  };
  watched.go();
  EXPECT_LE(watched.drift, 1e-7 * watched.kinetic_scale);
}

TEST(FreeBody, HasTheSameDynamicsAsAFreeJointInMujoco) {
  const Mat3 R = rotation_from_vector(Vec3(0.3, -0.7, 0.4));
  FreeBody body{"b",
                {2.0, Vec3(0.1, 0.2, -0.05), Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal())},
                {R, Vec3(1, 2, 3)},
                {Vec3(0.5, -1, 2), Vec3(1, 0, -1)}};
  MechanismDef ours;
  ours.trees.push_back(make_free_bodies({body}, Vec3(0, 0, -9.81)));
  Mechanism a(std::move(ours));

  const Quat q(R);
  std::ostringstream xml;
  xml.precision(17);
  xml << "<mujoco><compiler inertiafromgeom='false' balanceinertia='false'/><worldbody>"
      << "<body name='b' pos='1 2 3' quat='" << q.w() << ' ' << q.x() << ' ' << q.y() << ' '
      << q.z() << "'><freejoint name='f'/><inertial pos='0.1 0.2 -0.05' mass='2' "
      << "diaginertia='0.3 0.4 0.5'/></body></worldbody></mujoco>";
  MujocoModel model = load_mujoco("test.xml", xml.str(), Vec3(0, 0, -9.81));
  MechanismDef theirs;
  theirs.trees.push_back(std::move(model.tree));
  const Vec3 w_B = R.transpose() * Vec3(0.5, -1, 2);
  theirs.initial.push_back({"f", {}, {}, {1, 0, -1}, {w_B.x(), w_B.y(), w_B.z()}, {}});
  Mechanism b(std::move(theirs));

  const std::vector<Wrench> wrenches = {{}, {Vec3(1, 2, 3), Vec3(-4, 5, 6)}};
  const auto acceleration_of_origin = [&](Mechanism& m) {
    std::vector<double> acc(6), rates(7),
        y(m.initial_positions().begin(), m.initial_positions().end());
    std::vector<double> v(m.initial_velocities().begin(), m.initial_velocities().end());
    m.set_state(0.0, y, v);
    EXPECT_LE((m.kinematics()[1].X_WB.p - Vec3(1, 2, 3)).norm(), 1e-14);
    EXPECT_LE((m.kinematics()[1].V_WB.v - Vec3(1, 0, -1)).norm(), 1e-14);
    EXPECT_LE((m.kinematics()[1].V_WB.w - Vec3(0.5, -1, 2)).norm(), 1e-14);
    m.accelerations(wrenches, acc);
    // Compare what does not depend on coordinates: twist after a short step.
    const double h = 1e-6;
    m.position_rates(rates);
    for (std::size_t i = 0; i < 7; ++i) y[i] += h * rates[i];
    for (std::size_t i = 0; i < 6; ++i) v[i] += h * acc[i];
    m.set_state(0.0, y, v);
    Vec6 out;
    out << (m.kinematics()[1].V_WB.w - Vec3(0.5, -1, 2)) / h,
        (m.kinematics()[1].V_WB.v - Vec3(1, 0, -1)) / h;
    return out;
  };
  EXPECT_LE((acceleration_of_origin(a) - acceleration_of_origin(b)).norm(), 1e-4);  // O(h) terms
}

TEST(SpinningTop, PrecessesSteadilyAtTheRateOfTheClosedForm) {
  // m g l = C s p - A p^2 cos(theta): choose theta and p, compute the spin s.
  const double m = 0.5, l = 0.04, A = 1.05e-3, C = 4e-4, g = 9.81, theta = 0.4, p = 3.0;
  const double s = (m * g * l + A * p * p * std::cos(theta)) / (C * p);
  // Tilted about y, precessing about the world's z: w_B = R^T (0, 0, p) + spin about the axis.
  const Vec3 w_B = Eigen::AngleAxisd(-theta, Vec3::UnitY()) * Vec3(0, 0, p);
  std::ostringstream text;
  text.precision(17);
  text << simulation(3.0) << "[mechanism]\nfile = \"top.xml\"\n[initial]\ntip = { quaternion = ["
       << std::cos(theta / 2) << ", 0, " << std::sin(theta / 2) << ", 0], angular_velocity = ["
       << w_B.x() << ", 0, " << s << "] }\n";
  Watched watched(text.str());
  watched.each = [&](double t) {
    const Vec3 axis = watched.sim.mechanism().kinematics()[1].X_WB.R.col(2);
    const Vec3 expected(std::sin(theta) * std::cos(p * t), std::sin(theta) * std::sin(p * t),
                        std::cos(theta));
    // 1e-8 a step over about 100 turns of spin.
    EXPECT_LE((axis - expected).norm(), 2e-5) << t;
  };
  watched.go();
  EXPECT_LE(watched.drift, 1e-6 * watched.kinetic_scale);
}

/// Angles and rates of the double pendulum of scenes/mechanisms, absolute angles, by RK4.
Eigen::Vector4d double_pendulum(Eigen::Vector4d y, double duration) {
  const double g = 9.81;
  const auto rates = [g](const Eigen::Vector4d& x) {
    const double a = x[0], b = x[1], c = std::cos(a - b), s = std::sin(a - b);
    // From T = m L^2 (2/3 a'^2 + 1/6 b'^2 + 1/2 a' b' c), V = -m g L (3/2 cos a + 1/2 cos b).
    Eigen::Matrix2d M;
    M << 4.0 / 3.0, 0.5 * c, 0.5 * c, 1.0 / 3.0;
    const Eigen::Vector2d f(-0.5 * s * x[3] * x[3] - 1.5 * g * std::sin(a),
                            0.5 * s * x[2] * x[2] - 0.5 * g * std::sin(b));
    const Eigen::Vector2d acc = M.inverse() * f;
    return Eigen::Vector4d(x[2], x[3], acc[0], acc[1]);
  };
  const int n = 40000;
  const double h = duration / n;
  for (int i = 0; i < n; ++i) {
    const Eigen::Vector4d k1 = rates(y), k2 = rates(y + 0.5 * h * k1), k3 = rates(y + 0.5 * h * k2),
                          k4 = rates(y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

TEST(DoublePendulum, FollowsAnIndependentIntegration) {
  Watched watched(simulation(2.0, "tolerance = 1e-8\n") +
                  "[mechanism]\nfile = \"double_pendulum.xml\"\n[initial]\nupper = 2.0\nlower = "
                  "0.5\n");
  watched.go();
  const Eigen::Vector4d y = double_pendulum({2.0, 2.5, 0.0, 0.0}, 2.0);
  const VecX& q = watched.sim.mechanism().positions();
  EXPECT_NEAR(std::abs(q[0]), std::abs(y[0]), 1e-5);  // errors of 1e-8 a step grow tenfold a second
  EXPECT_NEAR(std::abs(q[0] + q[1]), std::abs(y[1]), 1e-5);
  EXPECT_LE(watched.drift, 1e-6 * watched.kinetic_scale);
}

const std::string kFourBar = R"(
[mechanism]
file = "four_bar.xml"
[[loop]]
name = "pin"
body_a = "rocker"
point_a = [2, 0, 0]
body_b = "world"
point_b = [2, 0, 0]
)";

TEST(FourBar, StaysClosedAndKeepsItsEnergy) {
  for (const std::string method : {"bdf", "adams", "esdirk", "runge-kutta"}) {
    Watched watched(simulation(3.0, kExact + "integrator = \"" + method + "\"\n") + kFourBar +
                    "[initial]\ncrank = { position = 0.0, velocity = 3.0 }\n");
    double gap = 0.0;
    watched.each = [&](double) {
      const BodyKinematics& rocker = watched.sim.mechanism().kinematics()[3];
      gap = std::max(gap, (rocker.X_WB * Vec3(2, 0, 0) - Vec3(2, 0, 0)).norm());
    };
    watched.go();
    EXPECT_LE(gap, 1e-10) << method;
    EXPECT_LE(watched.drift, 1e-6 * watched.kinetic_scale) << method;
    EXPECT_GT(watched.kinetic_scale, 1.0);
  }
}

TEST(FourBar, TurnsAsFastAsItsEnergyAllows) {
  // One degree of freedom: the crank's speed follows from its angle and the energy alone. The pose
  // of coupler and rocker comes from intersecting two circles.
  Watched watched(simulation(1.0) + kFourBar +
                  "[initial]\ncrank = { position = 0.0, velocity = 6.0 }\n");
  struct Pose2 {
    Eigen::Vector2d b, c;  // ends of crank and coupler in (x, z)
  };
  const auto pose = [](double angle) {  // of the crank, from x to z
    const Eigen::Vector2d b(std::cos(angle), std::sin(angle)), d(2, 0);
    const Eigen::Vector2d middle = 0.5 * (b + d), along = d - b;
    const double height = std::sqrt(4.0 - 0.25 * along.squaredNorm());
    const Eigen::Vector2d up = Eigen::Vector2d(-along.y(), along.x()).normalized();
    return Pose2{b, middle + height * up};
  };
  const auto energies = [&](double angle) {  // (T / w^2, V)
    const double h = 1e-5;
    const Pose2 p = pose(angle), more = pose(angle + h), less = pose(angle - h);
    const Eigen::Vector2d vb = (more.b - less.b) / (2 * h), vc = (more.c - less.c) / (2 * h);
    // A slender rod with end velocities u, v has T = m / 6 (u.u + u.v + v.v).
    const double T = 1.2 / 6.0 * vb.squaredNorm() +
                     2.4 / 6.0 * (vb.squaredNorm() + vb.dot(vc) + vc.squaredNorm()) +
                     2.4 / 6.0 * vc.squaredNorm();
    const double V =
        9.81 * (1.2 * 0.5 * p.b.y() + 2.4 * 0.5 * (p.b.y() + p.c.y()) + 2.4 * 0.5 * p.c.y());
    return std::pair(T, V);
  };
  const auto [T0, V0] = energies(0.0);
  const double total = T0 * 36.0 + V0;
  watched.each = [&](double) {
    const double angle = -watched.sim.mechanism().positions()[0];  // hinges turn z to x
    const auto [T, V] = energies(angle);
    const double speed = std::sqrt((total - V) / T);
    EXPECT_NEAR(std::abs(watched.sim.mechanism().velocities()[0]), speed, 2e-6 * speed);
  };
  watched.go();
}

TEST(FourBar, AssemblesAroundTheCoordinatesThatAreGiven) {
  Simulation sim(scene_from(simulation(1.0) + kFourBar +
                            "[initial]\ncrank = { position = -0.7, velocity = 2.0 }\n"));
  EXPECT_NEAR(sim.mechanism().positions()[0], -0.7, 1e-8);  // held coordinates move 1e-9 as much
  EXPECT_NEAR(sim.mechanism().velocities()[0], 2.0, 1e-8);
  EXPECT_LE(sim.mechanism().constraint_gap(), 1e-12);
}

TEST(Constraints, ThatRepeatEachOtherAreFine) {
  // The planar loop pinned in three directions has one redundant row; pinned twice it has four.
  Watched watched(simulation(0.5) + kFourBar + R"(
[[loop]]
name = "again"
body_a = "rocker"
point_a = [2, 0, 0]
body_b = "world"
[initial]
crank = { velocity = 2.0 }
)");
  watched.go();
  EXPECT_LE(watched.summary.greatest_gap, 1e-10);
  EXPECT_LE(watched.drift, 1e-6 * watched.kinetic_scale);
}

std::string refusal(const std::string& text) {
  try {
    Simulation sim(scene_from(text));
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(".toml") + 5);
  }
  return "accepted";
}

TEST(Constraints, ThatCannotBeMetAreRefusedByName) {
  EXPECT_NE(refusal(simulation(1.0) + kFourBar + R"(
[[loop]]
name = "too far"
body_a = "crank"
point_a = [1, 0, 0]
body_b = "world"
point_b = [9, 0, 0]
)")
                .find("loop 'too far' cannot be closed"),
            std::string::npos);
  EXPECT_NE(refusal(simulation(1.0) + R"(
[mechanism]
file = "double_pendulum.xml"
[[prescribed]]
joint = "upper"
position = 0.1
[[prescribed]]
joint = "upper"
position = 0.2
)")
                .find("contradict"),
            std::string::npos);
}

TEST(Loops, MayEndOnAMovingBodyAndWeld) {
  // A pendulum rod welded to a body that is swung as told: it follows exactly.
  Watched watched(simulation(1.0) + R"(
[mechanism]
file = "double_pendulum.xml"
[[moving_body]]
name = "hand"
position = [0, 0, -2]
x = { amplitude = 0.3, frequency = 0.5 }
[[loop]]
name = "grip"
body_a = "lower"
point_a = [0, 0, -1]
body_b = "hand"
point_b = [0, 0, 0.3]
[initial]
upper = 0.5
lower = -1.0
)");
  double gap = 0.0;
  watched.each = [&](double) {
    const auto kinematics = watched.sim.mechanism().kinematics();
    gap = std::max(
        gap, (kinematics[3].X_WB * Vec3(0, 0, -1) - kinematics[1].X_WB * Vec3(0, 0, 0.3)).norm());
  };
  watched.go();
  EXPECT_LE(gap, 1e-10);
}

TEST(MjcfEqualities, AreKeptExactly) {
  const auto gap_of = [](const std::string& equality) {
    const std::string xml =
        "<mujoco><compiler angle='radian' inertiafromgeom='false'/><worldbody>"
        "<body name='a' pos='0 0 0'><joint name='ja' axis='0 1 0'/>"
        "<inertial pos='0.5 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
        "<body name='b' pos='1 0 0'><joint name='jb' axis='0 1 0'/>"
        "<inertial pos='0.5 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></body>"
        "<body name='c' pos='2 0 0'><joint name='jc' axis='0 1 0'/><joint name='jd' type='slide' "
        "axis='1 0 0'/><joint name='je' type='slide' axis='0 0 1'/>"
        "<inertial pos='0.5 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body>"
        "</worldbody><equality>" +
        equality + "</equality></mujoco>";
    MujocoModel model = load_mujoco("test.xml", xml, Vec3(0, 0, -9.81));
    MechanismDef def;
    def.couplings = model.couplings;
    def.loops = model.loops;
    def.trees.push_back(std::move(model.tree));
    Mechanism mechanism(std::move(def));
    ContactWorld world{ContactWorldDef{}};
    System system(mechanism, world);
    auto integrator = make_integrator({.tolerance = 1e-8}, system);
    const VecX y = system.initial_state();
    integrator->start(0.0, {y.data(), system.size()});
    double gap = 0.0, t = 0.0;
    while (t < 0.5) {
      t = integrator->step(0.5).time;
      system.set_state(t, integrator->state());
      gap = std::max(gap, mechanism.constraint_gap());
    }
    EXPECT_GT(mechanism.velocities().norm(), 0.1);  // it does move
    return gap;
  };
  EXPECT_LE(gap_of("<connect body1='b' body2='c' anchor='1 0 0'/>"), 1e-12);
  EXPECT_LE(gap_of("<weld body1='b' body2='c'/>"), 1e-12);
  EXPECT_LE(gap_of("<joint joint1='ja' joint2='jb' polycoef='0 -2 0 0 0'/>"), 1e-12);
}

TEST(Differential, CouplesTheRockersExactly) {
  Watched watched(simulation(0.5) + R"(
[mechanism]
file = "rocker_bogie.xml"
[initial]
rocker_left = { position = 0.2, velocity = 1.0 }
rocker_right = { position = -0.2, velocity = -1.0 }
)");
  double worst = 0.0;
  std::size_t left = 0, right = 0;
  for (const Joint& joint : watched.sim.mechanism().joints()) {
    if (joint.name == "rocker_left") left = joint.q;
    if (joint.name == "rocker_right") right = joint.q;
  }
  watched.each = [&](double) {
    const VecX& q = watched.sim.mechanism().positions();
    worst = std::max(
        worst, std::abs(q[static_cast<Eigen::Index>(left)] + q[static_cast<Eigen::Index>(right)]));
  };
  watched.go();
  EXPECT_LE(worst, 1e-14);  // rounding
  EXPECT_LE(watched.drift, 1e-6 * watched.kinetic_scale);
}

TEST(PrescribedJoint, FollowsItsSignalAndTellsTheTorque) {
  // One rod of the pendulum held straight against the other: a rod of 2 m and 2.4 kg swung as told.
  // Torque by inverse dynamics: I a + m g l sin(angle).
  Watched watched(simulation(1.0) + R"(
[mechanism]
file = "double_pendulum.xml"
[[prescribed]]
joint = "upper"
position = { amplitude = 0.7, frequency = 0.5 }
[[prescribed]]
joint = "lower"
position = 0.0
)");
  const double I = 2.4 * 4.0 / 3.0, m = 2.4, l = 1.0, w = 2.0 * kPi * 0.5;
  watched.each = [&](double t) {
    const double angle = 0.7 * std::sin(w * t), acceleration = -w * w * angle;
    EXPECT_NEAR(watched.sim.mechanism().positions()[0], angle, 1e-13);
    std::vector<double> drives(2);
    watched.sim.mechanism().drive_values(drives);
    EXPECT_NEAR(drives[0], I * acceleration + m * 9.81 * l * std::sin(angle), 1e-9);
  };
  watched.go();
}

TEST(PrescribedJoint, MayHaveItsSpeedPrescribed) {
  Watched watched(simulation(2.0) + R"(
[mechanism]
file = "double_pendulum.xml"
[[prescribed]]
joint = "upper"
speed = 3.0
)");
  watched.each = [&](double t) {
    EXPECT_NEAR(watched.sim.mechanism().positions()[0], 3.0 * t, 1e-7);  // integrated
    EXPECT_NEAR(watched.sim.mechanism().velocities()[0], 3.0, 1e-13);
  };
  watched.go();
}

TEST(Motor, HoldsItsTargetWithinItsGainAndItsLimit) {
  // A rod held horizontally by position control sags by torque / stiffness; below the torque
  // needed it falls.
  const auto angle_after = [](const std::string& limit) {
    Watched watched(simulation(4.0, "") + R"(
[mechanism]
file = "double_pendulum.xml"
[[prescribed]]
joint = "lower"
position = 0.0
[[motor]]
joint = "upper"
control = "position"
target = -1.5707963267948966
stiffness = 2000.0
damping = 300.0
)" + limit + "[initial]\nupper = -1.5707963267948966\n");
    watched.go();
    return watched.sim.mechanism().positions()[0];
  };
  const double sag = 2.4 * 9.81 / 2000.0;  // first order
  EXPECT_NEAR(angle_after(""), -kPi / 2.0 + sag, 1e-2 * sag);
  EXPECT_GT(angle_after("limit = 5.0\n"), -kPi / 2.0 + 0.5);
}

/// The twist of the first moving body is the central difference of its pose over 2 h.
void expect_twist_of_pose(Mechanism& mechanism, double h, double tolerance) {
  for (const double t : {0.1, 0.4, 0.8}) {
    mechanism.set_state(t + h, {}, {});
    const Pose after = mechanism.kinematics()[1].X_WB;
    mechanism.set_state(t - h, {}, {});
    const Pose before = mechanism.kinematics()[1].X_WB;
    mechanism.set_state(t, {}, {});
    const Twist& V = mechanism.kinematics()[1].V_WB;
    EXPECT_LE((V.v - (after.p - before.p) / (2 * h)).norm(), tolerance);
    EXPECT_LE((V.w - rotation_vector(after.R * before.R.transpose()) / (2 * h)).norm(), tolerance);
  }
}

TEST(MovingBody, HasTheTwistOfItsPose) {
  Watched watched(simulation(1.0, "") + R"(
[[moving_body]]
name = "drum"
position = [1, 2, 3]
rpy = [0.3, 0.2, 0.1]
x = { amplitude = 0.3, frequency = 1.5 }
z = { rate = 0.4 }
axis = [0, 1, 1]
angle = { from = 0.0, to = 2.0, duration = 1.0 }
)");
  expect_twist_of_pose(watched.sim.mechanism(), 1e-6, 1e-8);  // O(h^2) and rounding
}

/// A body driven in all six coordinates and about an axis of its own.
const std::string kHexapod = R"(
[[moving_body]]
name = "platform"
position = [1, 2, 3]
rpy = [0.3, 0.2, 0.1]
x = { amplitude = 0.3, frequency = 1.5 }
y = { table = [[0, 0], [0.3, 0.2], [1, 0.1]] }
z = { rate = 0.4 }
roll = { amplitude = 0.4, frequency = 1.2 }
pitch = { amplitude = 0.3, frequency = 0.7, phase = 1.0 }
yaw = { rate = 1.5, offset = 0.2 }
axis = [0, 1, 1]
angle = { from = 0.0, to = 2.0, duration = 1.0 }
)";

TEST(MovingBody, TurnsAboutItsAxisThenByRollPitchAndYaw) {
  Watched watched(simulation(1.0, "") + kHexapod);
  Mechanism& mechanism = watched.sim.mechanism();
  const double t = 0.4;
  mechanism.set_state(t, {}, {});
  const auto about = [](double angle, const Vec3& axis) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  };
  const auto fixed_axes = [&](double roll, double pitch, double yaw) -> Mat3 {
    return about(yaw, Vec3::UnitZ()) * about(pitch, Vec3::UnitY()) * about(roll, Vec3::UnitX());
  };
  const double x = t;
  const double angle = 2.0 * x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
  const Mat3 R = fixed_axes(0.3, 0.2, 0.1) *
                 fixed_axes(0.4 * std::sin(2.0 * kPi * 1.2 * t),
                            0.3 * std::sin(2.0 * kPi * 0.7 * t + 1.0), 1.5 * t + 0.2) *
                 about(angle, Vec3(0, 1, 1).normalized());
  EXPECT_LE((mechanism.kinematics()[1].X_WB.R - R).norm(), 1e-14);  // rounding
}

TEST(MovingBody, DrivenInAllCoordinatesHasTheTwistOfItsPose) {
  Watched watched(simulation(1.0, "") + kHexapod);
  // O(h^2) with third derivatives up to 1e3
  expect_twist_of_pose(watched.sim.mechanism(), 1e-5, 1e-7);
}

TEST(MovingBody, GivesItsAccelerationToWhatIsWeldedToIt) {
  Watched watched(simulation(1.0, "") + kHexapod + R"(
[[body]]
name = "load"
mass = 2.0
inertia = [0.3, 0.4, 0.5]
position = [1, 2, 3]
[[loop]]
name = "bolts"
kind = "weld"
body_a = "platform"
body_b = "load"
)");
  Mechanism& mechanism = watched.sim.mechanism();
  const std::vector<Wrench> none(mechanism.body_names().size());
  // Projection puts the load where the platform is and gives it that velocity.
  const auto set = [&](double t, const VecX& q, const VecX& v) {
    mechanism.set_state(t, {q.data(), mechanism.nq()}, {v.data(), mechanism.nv()});
    return mechanism.kinematics()[2].V_WB;
  };
  for (const double t : {0.1, 0.4, 0.8}) {
    const double h = 1e-5;
    set(t, mechanism.initial_positions(), mechanism.initial_velocities());
    const VecX q = mechanism.positions(), v = mechanism.velocities();
    VecX a = v;
    mechanism.accelerations(none, {a.data(), mechanism.nv()});
    const Twist after = set(t + h, q, v), before = set(t - h, q, v);
    set(t, q, v);
    const Vec3 linear = (after.v - before.v) / (2 * h);
    EXPECT_LE((a.head<3>() - linear).norm(), 1e-6);  // O(h^2) with fourth derivatives up to 1e4
    const Vec3 angular = (after.w - before.w) / (2 * h);
    // Angular coordinates are along the body's axes.
    EXPECT_LE((mechanism.kinematics()[2].X_WB.R * a.tail<3>() - angular).norm(), 1e-6);
  }
}

TEST(MechanismFile, GeomsBecomeMeshesOnTheirBodies) {
  Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/rover_on_plane.toml",
                            {"simulation.duration=0.001"}));
  struct Shapes : RunWatcher {
    std::vector<PictureShape> all;
    void begin(const RecordingLayout& layout) override { all = layout.shapes; }
    void add_sample(double, std::span<const double>,
                    std::span<const std::span<const double>>) override {}
    void finish(const RecordingOutcome&) override {}
  } shapes;
  RunOptions options;
  options.watcher = &shapes;
  sim.run(options);
  const auto box = std::find_if(shapes.all.begin(), shapes.all.end(),
                                [](const auto& shape) { return shape.name == "geoms/body"; });
  ASSERT_NE(box, shapes.all.end());
  EXPECT_EQ(box->body, "rover");
  const MassProperties mass = mass_properties(box->mesh, 1.0, "body");
  EXPECT_NEAR(mass.mass, 0.8 * 0.6 * 0.4, 1e-12);
  EXPECT_NEAR((mass.center - Vec3(0, 0, 0.125)).norm(), 0.0, 1e-12);
  // A capsule between two points: from the rover's left to its right.
  const auto axle = std::find_if(shapes.all.begin(), shapes.all.end(),
                                 [](const auto& shape) { return shape.name == "geoms/axle"; });
  ASSERT_NE(axle, shapes.all.end());
  double reach = 0.0;
  for (const Vec3& vertex : axle->mesh.vertices) reach = std::max(reach, vertex.y());
  EXPECT_NEAR(reach, 0.45 + 0.02, 1e-12);
}

TEST(MechanismFile, GeomsHaveTheColoursThatTheFileGivesThem) {
  const MujocoModel model =
      load_mujoco("test.xml",
                  "<mujoco><asset><material name='gold' rgba='0.75 0.5 0.25 1'/></asset><worldbody>"
                  "<geom name='own' size='1' rgba='0.25 0.5 1 1'/><geom name='shared' size='1' "
                  "material='gold'/><geom name='none' size='1'/></worldbody></mujoco>",
                  Vec3::Zero());
  using Numbers = std::vector<std::pair<std::string, double>>;
  ASSERT_EQ(model.geoms.size(), 3u);
  EXPECT_EQ(model.geoms[0].numbers, (Numbers{{"red", 0.25}, {"green", 0.5}, {"blue", 1.0}}));
  EXPECT_EQ(model.geoms[1].numbers, (Numbers{{"red", 0.75}, {"green", 0.5}, {"blue", 0.25}}));
  EXPECT_EQ(model.geoms[2].numbers, Numbers{});
}

}  // namespace
}  // namespace grouser
