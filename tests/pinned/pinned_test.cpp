// Pinned results: whatever moves a bit of a result turns a test red.
//
// Every case has a line in hashes.txt. If a change of results is meant, `pinned_test --write`
// writes the file anew and tells what moved, and CHANGELOG.md says why under Numerics.
//
// Hashes are those of x86-64 with FMA and glibc 2.36: sin, exp and pow are the math library's, and
// another one may round otherwise. MathLibrary below tells.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "grouser/base/error.h"
#include "grouser/base/hash.h"
#include "grouser/base/random.h"
#include "grouser/scene/registry.h"
#include "tests/pinned/pinned_file.h"

namespace grouser {

void PrintTo(const PinnedCase& pinned, std::ostream* out) {
  *out << pinned.name();
}

namespace {

/// All wheel laws have room for memory, of which one alone makes use.
bool remembers(const std::string& model) {
  return model != "bekker" && model != "bekker-janosi" && model != "terra";
}

class Pinned : public testing::TestWithParam<std::tuple<PinnedCase, int>> {};

TEST_P(Pinned, IsWhatItWas) {
  const auto& [pinned, threads] = GetParam();
  const PinnedResult now = result_of(pinned, threads);

  // A hash over nothing would never change.
  EXPECT_EQ(now.failure, "");
  EXPECT_GE(now.touching, 20);
  // In a corner, a body may touch all the time.
  EXPECT_GE(now.apart, pinned.kind == PinnedCase::Kind::sweep && pinned.variant.empty() ? 3 : 0);
  EXPECT_EQ(now.states_moved, now.has_states);
  EXPECT_EQ(now.memory_changed, now.has_memory && remembers(pinned.model));

  const PinnedFile file = read_pinned_file();
  const auto line = file.find(pinned.name());
  ASSERT_NE(line, file.end()) << "hashes.txt has no line " << pinned.name()
                              << "; `pinned_test --write` adds it";
  EXPECT_EQ(hex_text(now.hash), hex_text(line->second.hash))
      << pinned.name() << " moved:\n"
      << differences(pinned.kind, line->second, now)
      << "If that is meant, run `pinned_test --write`, and say in CHANGELOG.md under Numerics "
         "what moved, how far and why.";
}

std::string test_name(const testing::TestParamInfo<Pinned::ParamType>& info) {
  const auto& [pinned, threads] = info.param;
  std::string name = pinned.name();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_threads_" + std::to_string(threads);
}

INSTANTIATE_TEST_SUITE_P(All, Pinned,
                         testing::Combine(testing::ValuesIn(pinned_cases()),
                                          testing::Values(1, 2, 5)),
                         test_name);

TEST(PinnedFile, HasALineForEveryCaseAndNoOther) {
  std::set<std::string> expected, found;
  for (const PinnedCase& pinned : pinned_cases()) expected.insert(pinned.name());
  for (const auto& [name, result] : read_pinned_file()) found.insert(name);
  EXPECT_EQ(found, expected);
}

TEST(PinnedFile, HasARunAndASweepOfEveryContactModel) {
  const PinnedFile file = read_pinned_file();
  for (const ContactModelRow& row : contact_models()) {
    EXPECT_TRUE(file.contains("run/" + std::string(row.name))) << row.name;
    EXPECT_TRUE(file.contains("sweep/" + std::string(row.name))) << row.name;
  }
}

/// Functions that models use and every math library rounds in its own way.
std::uint64_t math_library_hash() {
  Random random(1);
  Hash hash;
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(1e-3, 3.0), y = random.uniform(0.3, 2.0);
    for (const double value :
         {std::exp(-x), std::log(x), std::pow(x, y), std::sin(x), std::cos(x), std::tan(0.5 * y),
          std::tanh(x), std::atan2(x, y), std::acos(0.3 * x), std::cbrt(x), std::hypot(x, y)})
      hash.add(value);
  }
  return hash.digest();
}

TEST(MathLibrary, IsTheOneTheFileWasWrittenWith) {
  EXPECT_EQ(hex_text(math_library_hash()), "f5e351763fd63715")
      << "Another math library or processor: other failures may be its rounding.";
}

/// Writes hashes.txt anew and tells what moved.
int write_file() {
  PinnedFile before;
  try {
    before = read_pinned_file();
  } catch (const RunError&) {  // none yet
  }
  const std::vector<PinnedCase> cases = pinned_cases();
  PinnedFile results;
  int moved = 0;
  for (const PinnedCase& pinned : cases) {
    const PinnedResult now = result_of(pinned, 1);
    const auto old_one = before.find(pinned.name());
    if (old_one == before.end()) {
      std::printf("%s is new\n", pinned.name().c_str());
    } else if (old_one->second.hash != now.hash) {
      std::printf("%s moved:\n%s", pinned.name().c_str(),
                  differences(pinned.kind, old_one->second, now).c_str());
      ++moved;
    }
    results[pinned.name()] = now;
  }
  write_pinned_file(cases, results);
  std::printf("%s: %zu cases, %d moved%s\n", GROUSER_PINNED, cases.size(), moved,
              moved > 0 ? "; CHANGELOG.md must say why, under Numerics" : "");
  return 0;
}

}  // namespace
}  // namespace grouser

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::strcmp(argv[1], "--write") == 0) return grouser::write_file();
  if (argc > 1) {
    std::fprintf(stderr, "Usage: pinned_test [--write | options of GoogleTest]\n");
    return 2;
  }
  return RUN_ALL_TESTS();
}
