// Worlds of every contact model, copied and rewound.
#include <thread>

#include "tests/run/contract.h"

namespace grouser {
namespace {

class Copies : public Way {};

TEST_P(Copies, GoOnAsTheirOriginalWould) {
  world.reset();
  proceed(world, 0, 10);
  ContactWorld copy = world;
  ContactWorld other = world;
  EXPECT_EQ(copy.save(), world.save());
  const std::uint64_t expected = proceed(copy, 10, 20);
  // Another one goes another way, and disturbs nobody.
  std::reverse(situations.begin() + 10, situations.end());
  proceed(other, 10, 20);
  std::reverse(situations.begin() + 10, situations.end());
  EXPECT_EQ(proceed(world, 10, 20), expected);
  EXPECT_EQ(copy.save(), world.save());
  // A copy that is assigned, and one of a world that is gone.
  other = copy;
  EXPECT_EQ(other.save(), copy.save());
}

TEST_P(Copies, AnswerWithoutBeingAskedAgain) {
  world.reset();
  proceed(world, 0, 5);
  const ContactWorld copy = world;
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    EXPECT_EQ(copy.wrench(static_cast<int>(b)).force, world.wrench(static_cast<int>(b)).force);
    EXPECT_EQ(copy.kinematics(static_cast<int>(b)).X_WB.p,
              world.kinematics(static_cast<int>(b)).X_WB.p);
  }
  EXPECT_EQ(copy.greatest_penetration(0), world.greatest_penetration(0));
}

TEST_P(Copies, RewindToAnyEarlierPoint) {
  world.reset();
  std::vector<WorldSnapshot> points;
  std::vector<std::vector<std::byte>> saved;
  for (std::size_t i = 0; i < 10; ++i) {
    points.push_back(world.snapshot());
    saved.push_back(world.save());
    proceed(world, i, i + 1);
  }
  const std::uint64_t on = proceed(world, 10, 20);
  const std::vector<std::byte> end = world.save();
  for (const std::size_t i : {7, 2, 9, 0, 4, 4, 1, 8, 3, 6, 5}) {
    world.rewind(points[i]);
    EXPECT_EQ(world.save(), saved[i]);
    proceed(world, i, 10);
    EXPECT_EQ(proceed(world, 10, 20), on);
    EXPECT_EQ(world.save(), end);
  }
}

TEST_P(Copies, ResetIsAsNew) {
  ContactWorld fresh(scene.contact);
  const std::uint64_t first = proceed(fresh, 0, 20);
  fresh.reset();
  EXPECT_EQ(fresh.save(), ContactWorld(scene.contact).save());
  EXPECT_EQ(proceed(fresh, 0, 20), first);
  // And so is a world of the same models.
  ContactWorld another(fresh.models());
  EXPECT_EQ(proceed(another, 0, 20), first);
}

TEST_P(Copies, NeedNoCommitsWhereNothingIsRemembered) {
  // As docs/user/library.md has it.
  const bool remembers = GetParam().model == "convex" || GetParam().model == "smooth" ||
                         GetParam().model == "sphere-half-space" ||
                         GetParam().model == "rheological";
  ContactWorld with(scene.contact), without(scene.contact);
  const bool same = proceed(with, 0, 20) == proceed(without, 0, 20, false);
  EXPECT_TRUE(same || remembers);
}

TEST_P(Copies, AThousandInThreadsAreAsAlone) {
  constexpr std::size_t kThreads = 8, kEach = 125;
  world.reset();
  proceed(world, 0, 10);
  const ContactWorld origin = world;
  const std::uint64_t expected = proceed(world, 10, 14);
  std::vector<std::vector<std::uint64_t>> found(kThreads, std::vector<std::uint64_t>(kEach));
  std::vector<std::thread> threads;
  for (std::vector<std::uint64_t>& mine : found)
    threads.emplace_back([&] {
      // All are there before the first one moves, and they take turns.
      std::vector<ContactWorld> copies(kEach, origin);
      std::vector<Hash> hashes(kEach);
      for (std::size_t i = 10; i < 14; ++i)
        for (std::size_t k = 0; k < kEach; ++k) add_step(copies[k], i, hashes[k]);
      for (std::size_t k = 0; k < kEach; ++k) mine[k] = hashes[k].digest();
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::uint64_t>& mine : found)
    for (const std::uint64_t one : mine) ASSERT_EQ(one, expected);
}

INSTANTIATE_TEST_SUITE_P(Models, Copies, testing::ValuesIn(test::model_variants()), contract_name);

}  // namespace
}  // namespace grouser
