// Motors against closed forms: gains, commands, limits, and steps that take them implicitly.
#include "grouser/mechanism/motor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/run/flywheel.h"
#include "tests/run/scene_text.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

constexpr double kInertia = 0.05;

MotorDef speed_motor(double target, double stiffness, double damping) {
  MotorDef def;
  def.name = "drive";
  def.joint = "spin";
  def.target = Signal(target);
  def.stiffness = stiffness;
  def.damping = damping;
  return def;
}

// Gains

TEST(SpeedMotor, WithStiffnessHoldsItsPlaceUnderALoadAndWithoutItCreeps) {
  // The centre of mass hangs 0.1 m from the hinge; turned by 90 degrees it pulls with m g r.
  const double load = 9.81 * 0.1;
  for (const double stiffness : {0.0, 50.0}) {
    Driven driven(hinge_xml(kInertia, 0.1), {speed_motor(0.0, stiffness, 5.0)});
    driven.state()[0] = 0.5;
    driven.start(Method::bdf, 1e-9);
    driven.run(0.0, 5.0);
    if (stiffness > 0.0) {
      // The definition's start is where the mechanism stood: at 0, so it returns, against the load.
      const double q = driven.position();
      EXPECT_NEAR(stiffness * q, -load * std::sin(q), 1e-6);
      EXPECT_NEAR(driven.speed(), 0.0, 1e-8);
    } else {
      EXPECT_LT(driven.speed(), -1e-3);  // on its way down, at load / damping
    }
  }
}

TEST(SpeedMotor, WithStiffnessTurnsAsFarAsItsTargetSays) {
  MotorDef def = speed_motor(0.0, 500.0, 20.0);
  def.target = Signal(2.0);
  Driven driven(hinge_xml(kInertia), {def});
  driven.start(Method::bdf, 1e-9);
  driven.run(0.0, 3.0);
  EXPECT_NEAR(driven.position(), 6.0, 1e-6);  // no load: nothing is left of the start
  EXPECT_NEAR(driven.speed(), 2.0, 1e-6);
}

// Commands

TEST(CommandedMotor, FollowsSpeedsThatChangeLinearlyAndTheirIntegral) {
  for (const auto control : {MotorDef::Control::speed, MotorDef::Control::position}) {
    MotorDef def = speed_motor(100.0, 2000.0, 50.0);
    def.control = control;
    Driven driven(hinge_xml(kInertia), {def});
    Mechanism& mechanism = driven.mechanism();
    const std::size_t motor = mechanism.motor("drive");
    driven.start(Method::bdf, 1e-9);
    // From rest to 1 rad/s within a second, then on at that speed; the target of 100 is not heard.
    mechanism.command_motor(motor, {0.0, 0.0, 0.0, 1.0});
    driven.run(0.0, 1.0);
    mechanism.command_motor(motor, {1.0, 0.5, 1.0, 0.0});
    driven.run(1.0, 3.0);
    EXPECT_NEAR(mechanism.motor_position(motor), 2.5, 1e-6);
    EXPECT_NEAR(mechanism.motor_speed(motor), 1.0, 1e-6);
    driven.accelerations();
    EXPECT_NEAR(mechanism.motor_torque(motor), 0.0, 1e-3);  // nothing resists
  }
}

TEST(CommandedMotor, HasItsTorqueAtTheMomentOfACommandIfThatContinuesTheLast) {
  Driven driven(hinge_xml(kInertia), {speed_motor(0.0, 200.0, 5.0)});
  Mechanism& mechanism = driven.mechanism();
  driven.start(Method::bdf, 1e-9);
  mechanism.command_motor(0, {0.0, 0.0, 0.0, 3.0});
  driven.run(0.0, 0.1);
  driven.accelerations();
  const double before = mechanism.motor_torque(0);
  mechanism.command_motor(0, {0.1, 0.5 * 3.0 * 0.01, 0.3, -3.0});
  driven.accelerations();
  EXPECT_GT(before, 0.01);
  EXPECT_NEAR(mechanism.motor_torque(0), before, 1e-12);  // rounding
}

TEST(CommandedMotor, IsRefusedUnderTorqueControlAndByAnUnknownName) {
  MotorDef def = speed_motor(1.0, 0.0, 0.0);
  def.control = MotorDef::Control::torque;
  Driven driven(hinge_xml(kInertia), {def});
  EXPECT_TRUE(contains(message_of<RunError>([&] { driven.mechanism().command_motor(0, {}); }),
                       "motor 'drive' is controlled by torque"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { driven.mechanism().motor("drove"); }),
                       "there is no motor 'drove'; did you mean 'drive'?"));
}

// Limits

TEST(MotorLimit, IsTorqueConstantTimesCurrentLimit) {
  MotorDef def = speed_motor(10.0, 0.0, 100.0);
  def.torque_constant = 0.5;
  def.current_limit = 4.0;
  Driven driven(hinge_xml(kInertia), {def});
  driven.start(Method::bdf, 1e-6);
  driven.step(1e-6);
  EXPECT_NEAR(driven.accelerations()[0], 2.0 / kInertia, 1e-6);
  std::vector<double> values(driven.mechanism().drive_channels().size());
  driven.mechanism().drive_values(values);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(driven.mechanism().drive_channels()[1].name, "motors/drive/power");
  EXPECT_EQ(driven.mechanism().drive_channels()[2].name, "motors/drive/current");
  EXPECT_EQ(values[0], 2.0);
  EXPECT_EQ(values[1], 2.0 * driven.speed());
  EXPECT_EQ(values[2], 4.0);
}

TEST(MotorLimit, FallsLinearlyToTheNoLoadSpeedAndIsWholeForBraking) {
  MotorDef def = speed_motor(100.0, 0.0, 1e3);
  def.limit = 3.0;
  def.no_load_speed = 8.0;
  const Motor motor(def, Joint{"spin", JointKind::hinge, 0, 0});
  EXPECT_EQ(motor.torque(0.0, 0.0, 0.0), 3.0);
  EXPECT_EQ(motor.torque(0.0, 0.0, 4.0), 1.5);
  EXPECT_EQ(motor.torque(0.0, 0.0, 8.0), 0.0);
  EXPECT_EQ(motor.torque(0.0, 0.0, 9.0), 0.0);
  EXPECT_EQ(motor.torque(0.0, 0.0, 200.0), -3.0);  // brakes
  EXPECT_EQ(motor.torque(0.0, 0.0, -4.0), 3.0);

  // J v' = limit (1 - v / n): by equations, and by the steps that take it implicitly.
  const double rate = 3.0 / (kInertia * 8.0), expected = 8.0 * (1.0 - std::exp(-rate * 0.2));
  for (const Method method : {Method::bdf, Method::semi_implicit_euler}) {
    Driven driven(hinge_xml(kInertia), {def});
    driven.start(method, method == Method::bdf ? 1e-9 : 1e-4);
    driven.run(0.0, 0.2);
    EXPECT_NEAR(driven.speed(), expected, method == Method::bdf ? 1e-6 : 2e-3);  // O(h rate)
  }
}

TEST(MotorLimit, ThatContradictsItselfIsRefused) {
  const auto refusal = [](auto change) {
    MotorDef def = speed_motor(1.0, 0.0, 1.0);
    change(def);
    return message_of<InputError>([&] { Driven(hinge_xml(kInertia), {def}); });
  };
  EXPECT_TRUE(contains(refusal([](MotorDef& def) {
                         def.limit = 1.0;
                         def.current_limit = 1.0;
                         def.torque_constant = 1.0;
                       }),
                       "motor 'drive': give limit or current_limit, not both"));
  EXPECT_TRUE(contains(refusal([](MotorDef& def) { def.current_limit = 1.0; }),
                       "motor 'drive': current_limit needs torque_constant"));
  EXPECT_TRUE(contains(refusal([](MotorDef& def) { def.no_load_speed = 1.0; }),
                       "motor 'drive': no_load_speed needs limit"));
}

// Steps that take motors and dampers implicitly

/// Speed after 0.2 s of a stiff motor that sets a wheel going, by steps of length h.
double stiff_speed(Method method, double h, double t = 0.2) {
  MotorDef def = speed_motor(0.0, 5000.0, 200.0);
  Driven driven(hinge_xml(kInertia, 0.1), {def});
  driven.mechanism().command_motor(0, {0.0, 0.0, 0.0, 2.0});
  driven.state()[0] = 0.02;
  driven.start(method, h);
  driven.run(0.0, t);
  return driven.speed();
}

TEST(SemiImplicitEuler, TakesAStiffMotorInLongStepsWithOrderOne) {
  // Explicit damping needs h < 2 J / d = 0.5 ms.
  const double exact = stiff_speed(Method::bdf, 1e-10, 0.05);
  const double coarse = stiff_speed(Method::semi_implicit_euler, 5e-3, 0.05) - exact;
  const double fine = stiff_speed(Method::semi_implicit_euler, 2.5e-3, 0.05) - exact;
  const double finest = stiff_speed(Method::semi_implicit_euler, 1.25e-3, 0.05) - exact;
  EXPECT_LT(std::abs(coarse), 0.03 * 0.5);  // of 0.02 k / d, the speed it sets out with
  EXPECT_NEAR(fine / finest, 2.0, 0.3);     // and terms of order two
  EXPECT_GT(std::abs(coarse), std::abs(fine));
}

TEST(SemiImplicitEuler, StaysWithAStiffMotorForLong) {
  const double exact = stiff_speed(Method::bdf, 1e-9, 3.0);
  EXPECT_NEAR(stiff_speed(Method::semi_implicit_euler, 5e-3, 3.0), exact, 1e-3 * exact);
}

TEST(SemiImplicitEuler, HasALimitedMotorAtItsLimitAndLeavesItThere) {
  // The gains alone would ask for 200 * 2 Nm. At a limit of 1 Nm the wheel gains 0.1 rad/s in a
  // step of 5 ms; at 20 Nm it would be beyond its target after one, which a motor does not do.
  MotorDef def = speed_motor(2.0, 0.0, 200.0);
  def.limit = 1.0;
  Driven driven(hinge_xml(kInertia), {def});
  driven.start(Method::semi_implicit_euler, 5e-3);
  driven.run(0.0, 0.05);
  EXPECT_NEAR(driven.speed(), 0.05 * 1.0 / kInertia, 1e-12);
  driven.run(0.05, 0.2);
  EXPECT_NEAR(driven.speed(), 2.0, 1e-9);  // a step leaves 1 / (1 + h d / J) = 1/21 of the error

  def.limit = 80.0;
  Driven strong(hinge_xml(kInertia), {def});
  strong.start(Method::semi_implicit_euler, 5e-3);
  double last = 0.0;
  for (double t = 0.0; t < 0.05;) {
    t = strong.step(1.0);
    EXPECT_GT(strong.speed(), last);
    EXPECT_LE(strong.speed(), 2.0);
    last = strong.speed();
  }
}

TEST(SemiImplicitEuler, TakesDampersAndSpringsOfJointsAtTheEndOfTheStep) {
  const double h = 5e-3, damping = 200.0;
  Driven damped(hinge_xml(kInertia, 0.0, "damping='200'"));
  damped.state()[1] = 3.0;
  damped.start(Method::semi_implicit_euler, h);
  damped.run(0.0, 10 * h);
  EXPECT_NEAR(damped.speed(), 3.0 * std::pow(1.0 + h * damping / kInertia, -10.0), 1e-15);

  // Implicit Euler of a stiff spring: h w = 5 is far beyond what explicit steps allow.
  Driven sprung(hinge_xml(kInertia, 0.0, "stiffness='50000'"));
  sprung.state()[0] = 0.1;
  sprung.start(Method::semi_implicit_euler, h);
  sprung.run(0.0, 100 * h);
  EXPECT_LT(std::abs(sprung.position()), 1e-6);
}

TEST(SemiImplicitEuler, RecordsTheTorqueOfTheState) {
  MotorDef def = speed_motor(1.0, 5000.0, 200.0);
  Driven driven(hinge_xml(kInertia, 0.1), {def});
  driven.start(Method::semi_implicit_euler, 5e-3);
  driven.run(0.0, 0.1);
  driven.accelerations();
  const double expected = 5000.0 * (0.1 - driven.position()) + 200.0 * (1.0 - driven.speed());
  EXPECT_NEAR(driven.mechanism().motor_torque(0), expected, 1e-9);
}

TEST(PositionMotor, KeepsStiffSteeringLockedInLongSteps) {
  MotorDef def = speed_motor(0.3, 2e4, 500.0);
  def.control = MotorDef::Control::position;
  Driven driven(hinge_xml(0.02, 0.05), {def});
  driven.state()[0] = 0.3;
  driven.start(Method::semi_implicit_euler, 5e-3);
  driven.run(0.0, 10.0);
  // The load of m g r sin(0.3) over the stiffness, and nothing more.
  EXPECT_NEAR(driven.position() - 0.3, -9.81 * 0.05 * std::sin(0.3) / 2e4, 1e-7);
  EXPECT_NEAR(driven.speed(), 0.0, 1e-10);
}

// Many at once

TEST(MotorJoints, ArePatternsAndEveryMotorHasTheNameOfItsJoint) {
  const std::string head =
      "[simulation]\nduration = 0.1\n[mechanism]\nfile = \"rocker_bogie.xml\"\n[[motor]]\n"
      "name = \"all\"\ntarget = 1.0\ndamping = 1.0\n";
  Simulation sim(scene_from(head + "joints = [\"wheel_*_spin\"]\n"));
  ASSERT_EQ(sim.mechanism().motor_count(), 6u);
  EXPECT_EQ(sim.mechanism().motor_def(sim.mechanism().motor("wheel_rear_left_spin")).damping, 1.0);

  const auto refusal = [&](const std::string& keys) {
    return message_of<InputError>([&] { Simulation(scene_from(head + keys)); });
  };
  EXPECT_TRUE(contains(refusal("joints = [\"weel_*_spin\"]\n"),
                       "motor.joints: 'weel_*_spin' fits no hinge or slide"));
  EXPECT_TRUE(contains(refusal("joints = [\"rocker_*\", \"rocker_left\"]\n"),
                       "two motors are named 'rocker_left'"));
  EXPECT_TRUE(contains(refusal("joint = \"rocker_left\"\njoints = [\"rocker_right\"]\n"),
                       "motor: give joint or joints, not both"));
}

}  // namespace
}  // namespace grouser
