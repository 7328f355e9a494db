// Worlds of every contact model, copied, rewound, saved and restored.
#include <thread>

#include "grouser/soil/soil_ground.h"
#include "tests/run/contract.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

class Copies : public Contract {
 protected:
  Copies() {
    Random random(8);
    for (int i = 0; i < 20; ++i) situations.push_back(scattered(random));
  }

  /// Through some situations, with clocks; the bits of all answers on the way.
  std::uint64_t proceed(ContactWorld& through, std::size_t from, std::size_t to,
                        bool commits = true) const {
    Hash hash;
    for (std::size_t i = from; i < to; ++i) {
      const double time = 1e-3 * static_cast<double>(i);
      put(through, situations[i]);
      EXPECT_EQ(through.evaluate(time), Status::ok);
      std::vector<Wrench> wrenches;
      for (std::size_t b = 0; b < through.bodies().size(); ++b)
        wrenches.push_back(through.wrench(static_cast<int>(b)));
      hash.add(digest(through, wrenches));
      if (commits) through.commit(time);
      through.update(time);
    }
    return hash.digest();
  }

  std::vector<Situation> situations;
};

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
  for (const std::size_t i : {7, 2, 9, 0, 4, 4}) {
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

TEST_P(Copies, InThreadsAreAsAlone) {
  world.reset();
  proceed(world, 0, 10);
  const ContactWorld origin = world;
  const std::uint64_t expected = proceed(world, 10, 20);
  std::vector<std::uint64_t> found(8);
  std::vector<std::thread> threads;
  for (std::uint64_t& mine : found)
    threads.emplace_back([&] {
      for (int again = 0; again < 3; ++again) {
        ContactWorld copy = origin;
        mine = proceed(copy, 10, 20);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t mine : found) EXPECT_EQ(mine, expected);
}

TEST_P(Copies, ARestoredWorldContinuesToTheBit) {
  world.reset();
  proceed(world, 0, 10);
  const std::vector<std::byte> saved = world.save();
  const std::uint64_t expected = proceed(world, 10, 20);
  world.restore(saved);
  EXPECT_EQ(world.save(), saved);
  EXPECT_EQ(proceed(world, 10, 20), expected);
  // As in another process: a world that is built anew.
  ContactWorld other(scene.contact);
  other.restore(saved);
  EXPECT_EQ(other.save(), saved);
  EXPECT_EQ(proceed(other, 10, 20), expected);
}

TEST_P(Copies, WhatIsDamagedIsRefused) {
  world.reset();
  proceed(world, 0, 10);
  const std::vector<std::byte> saved = world.save();
  Random random(17);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(count)));
  };
  for (int i = 0; i < 200; ++i) {
    std::vector<std::byte> broken = saved;
    switch (i % 4) {
      case 0:  // a bit
        broken[below(broken.size())] ^= static_cast<std::byte>(1u << below(8));
        break;
      case 1:  // cut
        broken.resize(below(broken.size()));
        break;
      case 2:  // too long
        broken.resize(broken.size() + 1 + below(20));
        break;
      default: {  // a run of other bytes
        const std::size_t at = below(broken.size());
        for (std::size_t k = at; k < std::min(at + 1 + below(64), broken.size()); ++k)
          broken[k] = static_cast<std::byte>(random.below(256));
        if (broken == saved) continue;
      }
    }
    EXPECT_THROW(world.restore(broken), InputError) << "case " << i;
  }
  EXPECT_EQ(world.save(), saved);
}

/// All that can be changed by a factor, with its path: numbers of a table and of tables in it.
void add_numbers(const Value& table, const std::string& path, std::vector<std::string>& out) {
  for (const Value::Entry& entry : table.as_table()) {
    const std::string here = path + "." + entry.key;
    if (entry.value.is_table())
      add_numbers(entry.value, here, out);
    else if (entry.value.is_integer())
      out.push_back(here + "=" + std::to_string(entry.value.as_integer() + 1));
    else if (entry.value.is_number())
      out.push_back(here + "=" + Value(0.97 * entry.value.as_number() + 1e-3).inline_text());
    else if (entry.value.is_bool())
      out.push_back(here + "=" + (entry.value.as_bool() ? "false" : "true"));
  }
}

TEST_P(Copies, AnotherDefinitionIsRefused) {
  const std::vector<std::byte> saved = world.save();
  std::vector<std::string> changes;
  add_numbers(scene.contact.contacts.front()->values(), "contact.0", changes);
  for (const auto& soil : scene.contact.soils) {
    add_numbers(soil_parameters().values(dynamic_cast<const SoilGroundDef&>(*soil).soil),
                "soil.0.properties", changes);
    changes.insert(changes.end(), {"soil.0.spacing=0.0079", "soil.0.update_period=0.004",
                                   "soil.0.deposition=krenn", "soil.0.erosion_sweeps=1.5"});
  }
  changes.push_back("simulation.gravity=[0, 0, -1.6]");
  changes.push_back("shape.0.position=[0, 0, 1e-9]");
  int tried = 0;
  for (const std::string& change : changes) {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.push_back(change);
    std::optional<ContactWorld> other;
    try {
      other.emplace(load_scene(test::model_scene(GetParam().model), overrides).contact);
    } catch (const InputError&) {
      continue;  // out of range, or not to be had with the rest
    }
    ++tried;
    EXPECT_TRUE(contains(message_of<InputError>([&] { other->restore(saved); }),
                         "of a world with other parameters"))
        << change;
  }
  EXPECT_GE(tried, 6);
  // The very same is taken.
  ContactWorld same(load_scene(test::model_scene(GetParam().model), GetParam().overrides).contact);
  EXPECT_NO_THROW(same.restore(saved));
}

INSTANTIATE_TEST_SUITE_P(Models, Copies, testing::ValuesIn(test::model_variants()), contract_name);

}  // namespace
}  // namespace grouser
