// Numbers that a host sets while a mechanism runs.
#include <gtest/gtest.h>

#include <limits>

#include "grouser/mechanism/free_bodies.h"
#include "grouser/mechanism/mujoco_tree.h"
#include "tests/mechanism/mechanism_cases.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using test::Asked;
using test::MechanismQuestion;

TEST(MechanismInputs, OfGravityAreThatOfAnotherDefinition) {
  const Vec3 moon(0.2, -0.1, -1.62);
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    Mechanism there(tested.build(moon)), here(model);
    for (const MechanismQuestion& question : test::make_questions(model, 21)) {
      // What was asked before on earth must not show.
      const std::vector<double> before = test::answers(here, question, Asked::derivatives);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(here.input_value(k), test::kEarth[static_cast<Eigen::Index>(k)]);
        here.set_input(k, moon[static_cast<Eigen::Index>(k)]);
      }
      for (const Asked kind : {Asked::accelerations, Asked::step, Asked::derivatives})
        EXPECT_TRUE(test::same_bits(test::answers(here, question, kind),
                                    test::answers(there, question, kind)))
            << tested.name;
      for (std::size_t k = 0; k < 3; ++k) here.release_input(k);
      EXPECT_TRUE(test::same_bits(test::answers(here, question, Asked::derivatives), before));
    }
  }
}

TEST(MechanismInputs, OnBodiesAreWrenchesOfTheHost) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    Mechanism pushed(model), given(model);
    const std::vector<Wrench> wrenches = test::some_wrenches(pushed);
    std::vector<Wrench> none(wrenches.size()), passed(wrenches.size());
    for (std::size_t b = 1; b < wrenches.size(); ++b) {
      const std::string path = "bodies/" + pushed.body_names()[b] + "/";
      if (pushed.body_parts()[b] < 0) {
        EXPECT_THROW(pushed.input(path + "force_x"), InputError);
        continue;
      }
      passed[b] = wrenches[b];
      for (Eigen::Index k = 0; k < 3; ++k) {
        const std::string axis(1, "xyz"[k]);
        EXPECT_EQ(pushed.input_value(pushed.input(path + "force_" + axis)), 0.0);
        pushed.set_input(pushed.input(path + "force_" + axis), wrenches[b].force[k]);
        pushed.set_input(pushed.input(path + "torque_" + axis), wrenches[b].torque[k]);
      }
    }
    for (const MechanismQuestion& question : test::make_questions(model, 23)) {
      std::vector<double> a(pushed.nv()), b(pushed.nv());
      for (const bool step : {false, true}) {
        pushed.set_state(question.time, question.q, question.v);
        given.set_state(question.time, question.q, question.v);
        if (step) {
          pushed.step_accelerations(1e-3, none, a);
          given.step_accelerations(1e-3, passed, b);
        } else {
          pushed.accelerations(none, a);
          given.accelerations(passed, b);
        }
        // With forces of the definition the sums are taken in another order.
        for (std::size_t i = 0; i < a.size(); ++i)
          EXPECT_NEAR(a[i], b[i], 1e-11 * (1.0 + std::abs(b[i]))) << tested.name;
        const bool alone = given.force_shares().applied.isZero(0.0);
        EXPECT_TRUE(!alone || test::same_bits(a, b));
        EXPECT_TRUE(pushed.force_shares().contacts.isZero(0.0));
        const VecX both = given.force_shares().contacts + given.force_shares().applied;
        EXPECT_LE((pushed.force_shares().applied - both).norm(), 1e-13 * both.norm());
      }
    }
  }
}

/// A hinge with a motor and a force, by MuJoCo.
std::shared_ptr<const MechanismModel> hinge(MotorDef::Control control, double target,
                                            double force = 0.0) {
  MujocoModel file = load_mujoco(
      "hinge.xml",
      "<mujoco><compiler inertiafromgeom='false'/><worldbody><body name='arm'><joint name='j' "
      "axis='0 1 0'/><inertial pos='0.5 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body>"
      "</worldbody></mujoco>",
      test::kEarth);
  MechanismDef def;
  def.trees.push_back(std::move(file.tree));
  MotorDef motor;
  motor.name = "m";
  motor.joint = "j";
  motor.control = control;
  motor.target = Signal(target);
  motor.stiffness = 30.0;
  motor.damping = 2.0;
  def.motors.push_back(motor);
  ForceDef push;
  push.name = "push";
  push.body = "arm";
  push.frame = ForceDef::Frame::body;
  push.point = Vec3(1, 0, 0);
  push.force[2] = Signal(force);
  push.torque[1] = Signal(0.5);
  def.forces.push_back(push);
  return std::make_shared<const MechanismModel>(std::move(def));
}

TEST(MechanismInputs, OfMotorsAndForcesAreOtherConstants) {
  struct Kind {
    MotorDef::Control control;
    const char* unit;
  };
  for (const Kind& kind : {Kind{MotorDef::Control::position, "rad"},
                           {MotorDef::Control::speed, "rad/s"},
                           {MotorDef::Control::torque, "Nm"}}) {
    const auto model = hinge(kind.control, 0.3, 1.0);
    Mechanism told(model), defined(hinge(kind.control, -0.7, 4.0));
    const std::size_t target = told.input("motors/m/target");
    const std::size_t force = told.input("forces/push/force_z");
    EXPECT_EQ(told.inputs()[target].unit, kind.unit);
    EXPECT_EQ(told.input_value(target), 0.3);
    EXPECT_EQ(told.input_value(force), 1.0);
    EXPECT_EQ(told.input_value(told.input("forces/push/torque_y")), 0.5);
    told.set_input(target, -0.7);
    told.set_input(force, 4.0);
    EXPECT_EQ(told.input_value(target), -0.7);
    EXPECT_EQ(told.input_value(force), 4.0);
    for (const MechanismQuestion& question : test::make_questions(model, 25))
      for (const Asked asked : {Asked::accelerations, Asked::step, Asked::derivatives})
        EXPECT_TRUE(test::same_bits(test::answers(told, question, asked),
                                    test::answers(defined, question, asked)));
    told.release_input(target);
    EXPECT_EQ(told.input_value(target), 0.3);
  }
}

TEST(MechanismInputs, OfASpeedGoOnFromWhereTheMotorShouldBe) {
  // 0.3 rad/s until 2 s, 0.5 rad/s from then on: the torque is that of 0.6 + 0.5 (t - 2).
  Mechanism m(hinge(MotorDef::Control::speed, 0.3));
  const double zero = 0.0, none = 0.0;
  const std::vector<Wrench> wrenches(2);
  std::vector<double> a(1);
  m.set_state(2.0, {&zero, 1}, {&none, 1});
  m.accelerations(wrenches, a);
  EXPECT_NEAR(m.motor_torque(0), 30.0 * 0.6 + 2.0 * 0.3, 1e-13);
  m.set_input(m.input("motors/m/target"), 0.5);
  m.accelerations(wrenches, a);  // at the same state, which is known
  EXPECT_NEAR(m.motor_torque(0), 30.0 * 0.6 + 2.0 * 0.5, 1e-13);
  m.set_state(3.0, {&zero, 1}, {&none, 1});
  m.accelerations(wrenches, a);
  EXPECT_NEAR(m.motor_torque(0), 30.0 * 1.1 + 2.0 * 0.5, 1e-13);
}

TEST(MechanismInputs, CountBeforeCommands) {
  Mechanism m(hinge(MotorDef::Control::position, 0.3));
  const std::size_t target = m.input("motors/m/target");
  m.command_motor(0, {0.0, 0.4, 0.1, 0.0});
  EXPECT_EQ(m.input_value(target), 0.4);
  m.set_input(target, 0.9);
  EXPECT_EQ(m.input_value(target), 0.9);
  m.command_motor(0, {0.0, 0.5, 0.0, 0.0});
  EXPECT_EQ(m.input_value(target), 0.9);
  m.release_input(target);
  EXPECT_EQ(m.input_value(target), 0.5);
}

TEST(MechanismInputs, AreRefusedByName) {
  Mechanism m(test::build_case("free_bodies"));
  EXPECT_EQ(message_of<InputError>([&] { m.input("bodies/a/force_w"); }),
            "there is no input 'bodies/a/force_w'; did you mean 'bodies/a/force_x'?");
  EXPECT_EQ(message_of<InputError>([&] { m.set_input(2, std::nan("")); }),
            "input 'gravity/z' must be finite, is nan");
  EXPECT_EQ(
      message_of<InputError>([&] { m.set_input(0, std::numeric_limits<double>::infinity()); }),
      "input 'gravity/x' must be finite, is inf");
  EXPECT_EQ(m.input_value(2), -9.81);
}

}  // namespace
}  // namespace grouser
