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
    std::vector<std::byte> saved;
    Archive writing(saved);
    told.archive(writing);

    Mechanism by_value(model), by_bytes(model);
    by_value.set_commands(told.commands());
    EXPECT_TRUE(
        test::same_bits(test::answers(by_value, questions[0], Asked::derivatives), expected));
    Archive reading{std::span<const std::byte>(saved)};
    by_bytes.archive(reading);
    EXPECT_TRUE(reading.rest().empty());
    EXPECT_TRUE(
        test::same_bits(test::answers(by_bytes, questions[0], Asked::derivatives), expected));

    // Whatever is missing is noticed, and changes nothing.
    Mechanism untold(model);
    const std::vector<double> before = test::answers(untold, questions[0], Asked::accelerations);
    for (std::size_t missing = 1; missing <= saved.size(); missing += 7) {
      Archive cut(std::span<const std::byte>(saved).first(saved.size() - missing));
      EXPECT_THROW(untold.archive(cut), InputError);
    }
    EXPECT_TRUE(test::same_bits(test::answers(untold, questions[0], Asked::accelerations), before));
  }
}

}  // namespace
}  // namespace grouser
