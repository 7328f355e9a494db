// Answers depend on what is asked, not on what was asked before.
#include <gtest/gtest.h>

#include "grouser/mechanism/mujoco_tree.h"
#include "tests/mechanism/mechanism_cases.h"

namespace grouser {
namespace {

using test::Asked;
using test::MechanismQuestion;

constexpr Asked kKinds[] = {Asked::accelerations, Asked::step, Asked::derivatives};

/// Where the first of two answers differs from the second, or -1.
std::ptrdiff_t first_difference(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!test::same_bits({a[i]}, {b[i]})) return static_cast<std::ptrdiff_t>(i);
  return -1;
}

TEST(MechanismHistory, ShowsInNoBit) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 1);
    const Mechanism untouched(model);
    std::vector<std::vector<double>> expected;
    for (const MechanismQuestion& question : questions)
      for (const Asked kind : kKinds) {
        Mechanism fresh = untouched;
        expected.push_back(test::answers(fresh, question, kind));
        EXPECT_TRUE(std::isfinite(expected.back().back())) << tested.name;
      }
    Mechanism wanderer(model);
    Random random(2);
    for (int i = 0; i < 600; ++i) {
      const std::size_t q = random.below(static_cast<std::uint32_t>(questions.size()));
      const std::size_t kind = random.below(3);
      const std::vector<double> found = test::answers(wanderer, questions[q], kKinds[kind]);
      ASSERT_EQ(first_difference(found, expected[3 * q + kind]), -1)
          << tested.name << ", question " << q << ", kind " << kind << ", of " << found.size();
      // Pairs that belong together: a raw state and its projection, other velocities.
      const std::size_t next = 6 * (q / 6) + random.below(6);
      const std::vector<double> then = test::answers(wanderer, questions[next], kKinds[kind]);
      ASSERT_EQ(first_difference(then, expected[3 * next + kind]), -1)
          << tested.name << ", question " << next << " after " << q << ", kind " << kind;
    }
  }
}

TEST(MechanismHistory, ShowsInNoBitOfAMotorAtItsLimit) {
  // Targets far off and near: motors reach their limits and leave them again.
  const auto model = test::build_case("rover");
  const std::vector<MechanismQuestion> questions = test::make_questions(model, 3);
  Mechanism wanderer(model);
  Random random(4);
  for (int i = 0; i < 400; ++i) {
    const std::size_t motor = random.below(static_cast<std::uint32_t>(wanderer.motor_count()));
    wanderer.command_motor(motor, {0.0, random.uniform(-2.0, 2.0), random.uniform(-9.0, 9.0), 0.0});
    const MechanismQuestion& question =
        questions[random.below(static_cast<std::uint32_t>(questions.size()))];
    const std::vector<double> found = test::answers(wanderer, question, Asked::step);
    Mechanism fresh(model);
    fresh.set_commands(wanderer.commands());
    ASSERT_TRUE(test::same_bits(found, test::answers(fresh, question, Asked::step))) << i;
  }
}

TEST(MechanismHistory, ShowsInNoBitWhereAMotorJustReachesItsLimit) {
  // Whether it is at the limit or not is then a matter of rounding, and of where one begins.
  const auto build = [](double limit) {
    MechanismDef def;
    def.trees.push_back(
        load_mujoco("hinge.xml",
                    "<mujoco><compiler inertiafromgeom='false'/><worldbody><body name='arm'><joint "
                    "name='j' axis='0 1 0'/><inertial pos='0.3 0 0.1' mass='0.7' diaginertia='0.1 "
                    "0.13 0.17'/></body></worldbody></mujoco>",
                    test::kEarth)
            .tree);
    MotorDef motor;
    motor.name = motor.joint = "j";
    motor.control = MotorDef::Control::position;
    motor.target = Signal(1.0);
    motor.stiffness = 30.0;
    motor.damping = 2.0;
    motor.limit = limit;
    def.motors.push_back(motor);
    return std::make_shared<const MechanismModel>(std::move(def));
  };
  const std::vector<Wrench> none(2);
  const auto step = [&](Mechanism& m, double q) {
    const double v = 0.3;
    std::vector<double> a(1);
    m.set_state(0.0, {&q, 1}, {&v, 1});
    m.step_accelerations(5e-3, none, a);
    a.push_back(m.motor_torque(0));
    return a;
  };
  Mechanism unlimited(build(1e300));
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const double q = random.uniform(-0.5, 0.5);
    Mechanism fresh(build(step(unlimited, q)[1]));
    Mechanism wanderer = fresh;
    step(wanderer, q - 1.0);  // at the limit for certain
    ASSERT_TRUE(test::same_bits(step(wanderer, q), step(fresh, q))) << i;
  }
}

TEST(MechanismHistory, ShowsInNoBitOfAStateThatIsResumed) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 6);
    const std::vector<Wrench> wrenches = test::some_wrenches(Mechanism(model));
    Mechanism wanderer(model);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const auto& [time, raw_q, raw_v] = questions[i];
      Mechanism first(model);
      first.set_state(time, raw_q, raw_v);
      const VecX q = first.positions(), v = first.velocities();
      const auto ask = [&, t = time](Mechanism& m, bool resume) {
        if (resume) m.resume(t, {q.data(), m.nq()}, {v.data(), m.nv()});
        std::vector<double> a(m.nv());
        m.accelerations(wrenches, a);
        a.insert(a.end(), m.positions().begin(), m.positions().end());
        a.insert(a.end(), m.velocities().begin(), m.velocities().end());
        for (const BodyKinematics& body : m.kinematics()) {
          a.insert(a.end(), body.X_WB.p.begin(), body.X_WB.p.end());
          a.insert(a.end(), body.V_WB.v.begin(), body.V_WB.v.end());
        }
        return a;
      };
      Mechanism fresh(model);
      const std::vector<double> expected = ask(fresh, true);
      // At once, after another state, and after the same one was projected once more.
      test::answers(wanderer, questions[(i + 5) % questions.size()], kKinds[i % 3]);
      EXPECT_TRUE(test::same_bits(ask(wanderer, true), expected)) << tested.name;
      wanderer.set_state(time, {q.data(), model->nq()}, {v.data(), model->nv()});
      EXPECT_TRUE(test::same_bits(ask(wanderer, true), expected)) << tested.name;
      // Where ten Newton steps do not close a loop, they end with the Jacobian of the last but one.
      const bool closed = first.constraint_gap() < 1e-13;
      EXPECT_TRUE(!closed || test::same_bits(ask(first, false), expected)) << tested.name;
      // Nor does it show in what is projected later.
      EXPECT_TRUE(test::same_bits(test::answers(wanderer, questions[i], Asked::step),
                                  test::answers(fresh, questions[i], Asked::step)));
    }
  }
}

TEST(MechanismHistory, ProjectingTwiceIsProjectingOnceUpToRounding) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    for (const MechanismQuestion& question : test::make_questions(model, 5)) {
      Mechanism mechanism(model);
      mechanism.set_state(question.time, question.q, question.v);
      const VecX q = mechanism.positions(), v = mechanism.velocities();
      Mechanism again(model);
      again.set_state(question.time, {q.data(), model->nq()}, {v.data(), model->nv()});
      // Loops that ten Newton steps did not close go on from there.
      if (!(mechanism.constraint_gap() < 1e-13)) continue;
      EXPECT_LE((again.positions() - q).norm(), 1e-15 * (1.0 + q.norm())) << tested.name;
      EXPECT_LE((again.velocities() - v).norm(), 1e-14 * (1.0 + v.norm())) << tested.name;
    }
  }
}

}  // namespace
}  // namespace grouser
