// One model for many mechanisms: copies, threads, commands that are saved and brought back.
#include <gtest/gtest.h>

#include <thread>

#include "tests/mechanism/mechanism_cases.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using test::Asked;
using test::MechanismQuestion;

/// Sets some of everything that can be told to a mechanism.
void tell(Mechanism& mechanism, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t m = 0; m < mechanism.motor_count(); m += 2)
    if (mechanism.motor_def(m).control != MotorDef::Control::torque)
      mechanism.command_motor(m, {0.1, random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.2});
  for (std::size_t i = 0; i < mechanism.inputs().size(); i += 2)
    mechanism.set_input(i, random.uniform(-2.0, 2.0));
}

TEST(MechanismCopy, GoesOnAsTheOriginalWould) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 11);
    Mechanism original(model);
    tell(original, 12);
    test::answers(original, questions[0], Asked::derivatives);
    Mechanism copy = original;
    EXPECT_EQ(copy.model(), original.model());
    // In the middle of derivatives, and from there on.
    EXPECT_TRUE(test::same_bits(test::responses(copy, questions[0]),
                                test::responses(original, questions[0])));
    for (const MechanismQuestion& question : questions)
      EXPECT_TRUE(test::same_bits(test::answers(copy, question, Asked::step),
                                  test::answers(original, question, Asked::step)))
          << tested.name;
  }
}

TEST(MechanismCopy, DoesNotNoticeWhatHappensToTheOriginal) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 13);
    Mechanism original(model), other(model);
    const std::vector<double> expected = test::answers(other, questions[0], Asked::accelerations);
    const Mechanism copy = original;
    tell(original, 14);
    const std::vector<double> told = test::answers(original, questions[0], Asked::accelerations);
    EXPECT_FALSE(test::same_bits(told, expected)) << tested.name;
    Mechanism untold = copy;
    EXPECT_TRUE(
        test::same_bits(test::answers(untold, questions[0], Asked::accelerations), expected));
    // Assigned, the original is as it was.
    original = copy;
    EXPECT_TRUE(
        test::same_bits(test::answers(original, questions[0], Asked::accelerations), expected));
  }
}

TEST(MechanismCopy, AnswersAlikeInEveryThread) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 15);
    Mechanism original(model);
    std::vector<std::vector<double>> expected;
    for (const MechanismQuestion& question : questions)
      expected.push_back(test::answers(original, question, Asked::derivatives));
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        Mechanism own = t % 2 == 0 ? original : Mechanism(model);
        for (std::size_t i = 0; i < questions.size(); ++i) {
          const std::size_t k = (i + 3 * t) % questions.size();
          const std::vector<double> found = test::answers(own, questions[k], Asked::derivatives);
          wrong[t] += !test::same_bits(found, expected[k]);
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0)) << tested.name;
  }
}

TEST(MechanismCommands, AreKeptAndSaved) {
  for (const test::MechanismCase& tested : test::mechanism_cases()) {
    const auto model = tested.build(test::kEarth);
    const std::vector<MechanismQuestion> questions = test::make_questions(model, 17);
    Mechanism told(model);
    tell(told, 18);
    const std::vector<double> expected = test::answers(told, questions[0], Asked::derivatives);
    std::vector<std::byte> saved(3);  // of the caller
    told.save(saved);
    const std::size_t size = saved.size();
    saved.resize(size + 5);

    Mechanism by_value(model), by_bytes(model);
    by_value.set_commands(told.commands());
    EXPECT_TRUE(
        test::same_bits(test::answers(by_value, questions[0], Asked::derivatives), expected));
    std::span<const std::byte> rest = std::span<const std::byte>(saved).subspan(3);
    by_bytes.restore(rest);
    EXPECT_EQ(rest.size(), 5u);
    EXPECT_TRUE(
        test::same_bits(test::answers(by_bytes, questions[0], Asked::derivatives), expected));

    // Whatever is missing is noticed, and changes nothing.
    Mechanism untold(model);
    const std::vector<double> before = test::answers(untold, questions[0], Asked::accelerations);
    for (std::size_t missing = 1; missing <= size - 3; missing += 7) {
      std::span<const std::byte> cut =
          std::span<const std::byte>(saved).subspan(3, size - 3 - missing);
      EXPECT_EQ(message_of<InputError>([&] { untold.restore(cut); }),
                "saved commands of a mechanism: they end too early");
      EXPECT_EQ(cut.size(), size - 3 - missing);
    }
    EXPECT_TRUE(test::same_bits(test::answers(untold, questions[0], Asked::accelerations), before));
  }
}

TEST(MechanismCommands, ThatAreDamagedAreRefused) {
  const auto model = test::build_case("free_bodies");
  Mechanism mechanism(model);
  mechanism.set_input(0, 1.0);
  std::vector<std::byte> saved;
  mechanism.save(saved);
  const auto refusal = [&](std::size_t at, int value) {
    std::vector<std::byte> damaged = saved;
    for (std::size_t i = 0; i < 8; ++i) damaged[at + (at > 0 ? i : 0)] = std::byte(value);
    std::span<const std::byte> bytes = damaged;
    return message_of<InputError>([&] { mechanism.restore(bytes); });
  };
  EXPECT_EQ(refusal(0, 2), "saved commands of a mechanism: they are damaged");
  EXPECT_EQ(refusal(1, 0xff), "saved commands of a mechanism: they are damaged");  // not a number
}

}  // namespace
}  // namespace grouser
