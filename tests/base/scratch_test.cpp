#include "grouser/base/scratch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "grouser/base/parallel.h"
#include "grouser/base/random.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

struct alignas(64) CacheLine {
  double numbers[8];
};

template <class T>
bool is_aligned(std::span<T> lent) {
  return reinterpret_cast<std::uintptr_t>(lent.data()) % alignof(T) == 0;
}

/// Takes arrays of several types whose sizes depend on `seed` and writes to all of them.
void take_a_round(Scratch& scratch, std::uint64_t seed) {
  Random random(seed);
  scratch.reset();
  for (int i = 0; i < 50; ++i) {
    const std::span<char> bytes = scratch.take<char>(1 + random.below(30));
    const std::span<CacheLine> lines = scratch.take<CacheLine>(1 + random.below(10));
    const std::span<double> numbers = scratch.take<double>(1 + random.below(1000));
    ASSERT_TRUE(is_aligned(lines));
    ASSERT_TRUE(is_aligned(numbers));
    std::fill(bytes.begin(), bytes.end(), 'x');
    std::fill(lines.begin(), lines.end(), CacheLine{});
    std::fill(numbers.begin(), numbers.end(), 1.0);
  }
}

TEST(Scratch, LendsAlignedArraysThatDoNotOverlap) {
  Scratch scratch;
  const std::span<char> odd = scratch.take<char>(3);
  const std::span<CacheLine> lines = scratch.take<CacheLine>(2);
  const std::span<double> numbers = scratch.take<double>(1000);
  EXPECT_TRUE(is_aligned(lines));
  EXPECT_TRUE(is_aligned(numbers));

  std::fill(odd.begin(), odd.end(), 'a');
  std::fill(lines.begin(), lines.end(), CacheLine{{1, 1, 1, 1, 1, 1, 1, 1}});
  std::fill(numbers.begin(), numbers.end(), 2.0);
  for (const char c : odd) EXPECT_EQ(c, 'a');
  for (const CacheLine& line : lines)
    for (const double x : line.numbers) EXPECT_EQ(x, 1.0);
  for (const double x : numbers) EXPECT_EQ(x, 2.0);
}

TEST(Scratch, LendsNothingForNothing) {
  Scratch scratch;
  EXPECT_TRUE(scratch.take<double>(0).empty());
  EXPECT_EQ(scratch.capacity(), 0u);
}

TEST(Scratch, KeepsWhatItLentWhileItGrows) {
  Scratch scratch;
  const std::span<int> first = scratch.take<int>(10);
  std::fill(first.begin(), first.end(), 7);
  for (int i = 0; i < 12; ++i) scratch.take<double>(std::size_t{1} << i);
  for (const int x : first) EXPECT_EQ(x, 7);
}

TEST(Scratch, HoldsEnoughForTheLastRoundAfterReset) {
  Scratch scratch;
  take_a_round(scratch, 1);
  const std::size_t held = scratch.capacity();
  scratch.reset();
  EXPECT_EQ(scratch.capacity(), held);
  const std::size_t before = allocations();
  take_a_round(scratch, 1);
  EXPECT_EQ(scratch.capacity(), held);
  EXPECT_EQ(allocations(), before);
}

TEST(Scratch, GivesTheSameMemoryAgain) {
  Scratch scratch;
  const double* const first = scratch.take<double>(100).data();
  scratch.reset();
  EXPECT_EQ(scratch.take<double>(100).data(), first);
}

TEST(Scratch, DoesNotAllocateOnceItIsWarm) {
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < 20; ++seed) take_a_round(scratch, seed);
  scratch.reset();
  const std::size_t before = allocations();
  for (std::uint64_t seed = 0; seed < 20; ++seed) take_a_round(scratch, seed);
  EXPECT_EQ(allocations(), before);
}

TEST(Scratch, GoesBackToAMark) {
  Scratch scratch;
  const std::span<int> kept = scratch.take<int>(10);
  std::fill(kept.begin(), kept.end(), 7);
  const Scratch::Mark mark = scratch.mark();
  const double* const first = scratch.take<double>(20).data();
  for (int i = 0; i < 12; ++i) {  // over several blocks, and back
    const std::span<double> more = scratch.take<double>(std::size_t{1} << i);
    std::fill(more.begin(), more.end(), 1.0);
  }
  const std::size_t held = scratch.capacity();
  scratch.rewind(mark);
  EXPECT_EQ(scratch.take<double>(20).data(), first);
  EXPECT_EQ(scratch.capacity(), held);
  for (const int x : kept) EXPECT_EQ(x, 7);
}

TEST(Scratch, DoesNotAllocateBetweenMarks) {
  Scratch scratch;
  scratch.take<int>(3);
  const Scratch::Mark mark = scratch.mark();
  const auto round = [&] {
    scratch.rewind(mark);
    for (int i = 0; i < 12; ++i) scratch.take<CacheLine>(std::size_t{1} << i);
  };
  round();
  const std::size_t before = allocations();
  for (int i = 0; i < 10; ++i) round();
  EXPECT_EQ(allocations(), before);
}

TEST(Scratch, GrowsByDoublingSoThatWarmingUpIsCheap) {
  Scratch scratch;
  const std::size_t before = allocations();
  for (int i = 0; i < 100000; ++i) scratch.take<double>(16);
  // 12.8 MB from blocks of 4 kB, 8 kB, 24 kB, ...: below ten blocks, two allocations for each at
  // most (the block, and the list of blocks when it grows).
  EXPECT_LE(allocations() - before, 20u);
}

TEST(WorkerPool, DoesNotAllocateInALoop) {
  WorkerPool pool(4);
  std::atomic<std::size_t> sum{0};
  const auto loop = [&] { pool.for_each(100, [&](std::size_t i, int) { sum += i; }); };
  loop();
  const std::size_t before = allocations();
  for (int i = 0; i < 100; ++i) loop();
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(sum, 101u * 4950u);
}

}  // namespace
}  // namespace grouser
