// Worlds of every contact model, saved and restored: in place, in another process, damaged.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/run/contract.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

class Saved : public Way {};

TEST_P(Saved, ContinueToTheBit) {
  world.reset();
  proceed(world, 0, 10);
  const std::vector<std::byte> saved = world.save();
  const std::uint64_t expected = proceed(world, 10, 20);
  world.restore(saved);
  EXPECT_EQ(world.save(), saved);
  EXPECT_EQ(proceed(world, 10, 20), expected);
  // Also in a world that is built anew.
  ContactWorld other(scene.contact);
  other.restore(saved);
  EXPECT_EQ(other.save(), saved);
  EXPECT_EQ(proceed(other, 10, 20), expected);
}

/// Names the folder of what a parent process saved, in its child.
constexpr const char* kFolder = "GROUSER_TEST_SAVED";

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// The test calls itself: the child restores what the parent saved, goes on and saves the end.
TEST_P(Saved, ContinueInAnotherProcess) {
  if (const char* folder = std::getenv(kFolder)) {
    world.reset();
    world.restore(bytes_of(std::string(folder) + "/saved"));
    const std::uint64_t answers = proceed(world, 10, 20);
    std::vector<std::byte> end = world.save();
    const auto digits = std::as_bytes(std::span(&answers, 1));
    end.insert(end.end(), digits.begin(), digits.end());
    write_bytes(std::string(folder) + "/end", end);
    return;
  }
  const TemporaryFolder folder;
  world.reset();
  proceed(world, 0, 10);
  write_bytes(folder / "saved", world.save());
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  // Whichever part of a suite this process runs, the other one runs this test.
  ASSERT_EQ(std::system(("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX " + std::string(kFolder) +
                         "='" + (folder / "") + "' '" + program + "' --gtest_filter='" +
                         test->test_suite_name() + "." + test->name() + "' > /dev/null")
                            .c_str()),
            0);
  const std::uint64_t answers = proceed(world, 10, 20);
  std::vector<std::byte> end = world.save();
  const auto digits = std::as_bytes(std::span(&answers, 1));
  end.insert(end.end(), digits.begin(), digits.end());
  EXPECT_EQ(bytes_of(folder / "end"), end);
}

/// Bytes that were damaged on their way, in one of several ways.
std::vector<std::byte> damaged(const std::vector<std::byte>& saved, int way, Random& random) {
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(count)));
  };
  std::vector<std::byte> out = saved;
  const std::size_t at = below(out.size());
  const std::size_t end = std::min(out.size(), at + 1 + below(64));
  switch (way) {
    case 0:  // a bit
      out[at] ^= static_cast<std::byte>(1u << below(8));
      break;
    case 1:  // cut
      out.resize(at);
      break;
    case 2:  // too long
      out.resize(out.size() + 1 + below(20));
      break;
    case 3:  // a run of other bytes
      for (std::size_t k = at; k < end; ++k) out[k] = static_cast<std::byte>(random.below(256));
      break;
    case 4:  // a run of zeros
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(at),
                out.begin() + static_cast<std::ptrdiff_t>(end), std::byte{0});
      break;
    case 5:  // a piece is missing in the middle
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(at),
                out.begin() + static_cast<std::ptrdiff_t>(end));
      break;
    case 6:  // two bytes have changed places
      std::swap(out[at], out[below(out.size())]);
      break;
    default:  // a bit of the head
      out[below(std::min<std::size_t>(out.size(), 40))] ^= static_cast<std::byte>(1u << below(8));
  }
  return out;
}

TEST_P(Saved, AreRefusedIfDamaged) {
  world.reset();
  proceed(world, 0, 10);
  const std::vector<std::byte> saved = world.save();
  Random random(17);
  int tried = 0;
  for (int way = 0; tried < 10000; way = (way + 1) % 8) {
    const std::vector<std::byte> broken = damaged(saved, way, random);
    if (broken == saved) continue;  // zeros for zeros
    ++tried;
    ASSERT_THROW(world.restore(broken), InputError) << "way " << way << ", number " << tried;
  }
  EXPECT_EQ(world.save(), saved);
}

TEST(SavedWorlds, AreRefusedByEveryOtherModel) {
  std::vector<ContactWorld> worlds;
  for (const std::string& model : test::model_scenes())
    worlds.emplace_back(load_scene(test::model_scene(model)).contact);
  for (const ContactWorld& from : worlds)
    for (ContactWorld& to : worlds) {
      if (&from == &to) continue;
      EXPECT_TRUE(contains(message_of<InputError>([&] { to.restore(from.save()); }),
                           "of a world with other parameters"))
          << from.contact_model_name(0) << " to " << to.contact_model_name(0);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Saved, testing::ValuesIn(test::model_variants()), contract_name);

}  // namespace
}  // namespace grouser
