#include "grouser/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace grouser {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 8, 33};

TEST(WorkerPool, RunsEveryIndexOnce) {
  for (const int threads : kThreadCounts) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      std::vector<int> calls(count, 0);  // each written by the thread that has the index
      pool.for_each(count, [&](std::size_t i, int) { ++calls[i]; });
      EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(count))
          << threads << " threads, " << count << " indices";
    }
  }
}

TEST(WorkerPool, HasOneThreadAtLeast) {
  for (const int threads : {-3, 0, 1}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), 1);
    const std::thread::id caller = std::this_thread::get_id();
    pool.for_each(10, [&](std::size_t, int worker) {
      EXPECT_EQ(worker, 0);
      EXPECT_EQ(std::this_thread::get_id(), caller);
    });
  }
}

TEST(WorkerPool, GivesEachWorkerANumberOfItsOwn) {
  for (const int threads : kThreadCounts) {
    WorkerPool pool(threads);
    std::vector<std::atomic<int>> inside(static_cast<std::size_t>(threads));
    std::atomic<int> out_of_range{0}, shared{0};
    for (int loop = 0; loop < 20; ++loop)
      pool.for_each(100, [&](std::size_t, int worker) {
        if (worker < 0 || worker >= threads) {
          ++out_of_range;
          return;
        }
        auto& mine = inside[static_cast<std::size_t>(worker)];
        if (++mine != 1) ++shared;  // scratch memory is lent by this number
        std::this_thread::yield();
        --mine;
      });
    EXPECT_EQ(out_of_range, 0);
    EXPECT_EQ(shared, 0);
  }
}

TEST(WorkerPool, StandsManyShortLoops) {
  WorkerPool pool(4);
  std::vector<double> numbers(5, 0.0);
  for (int loop = 0; loop < 20000; ++loop) {
    const std::size_t count = static_cast<std::size_t>(loop) % 6;
    pool.for_each(count, [&](std::size_t i, int) { numbers[i] += 1.0; });
    // What the helpers wrote is there when the loop returns: the caller may change it.
    for (std::size_t i = 0; i < count; ++i) numbers[i] -= 1.0;
  }
  for (const double x : numbers) EXPECT_EQ(x, 0.0);
}

TEST(WorkerPool, UsesItsThreads) {
  WorkerPool pool(2);
  std::atomic<int> inside{0};
  // Both indices wait for each other, so one thread alone would never come back.
  pool.for_each(2, [&](std::size_t, int) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

TEST(WorkerPool, MakesSumsThatDoNotShowTheNumberOfThreads) {
  std::vector<double> sums;
  for (const int threads : kThreadCounts) {
    WorkerPool pool(threads);
    std::vector<double> terms(1000);
    pool.for_each(terms.size(), [&](std::size_t i, int) {
      terms[i] = std::sin(static_cast<double>(i)) / (1.0 + static_cast<double>(i));
    });
    double sum = 0.0;
    for (const double term : terms) sum += term;  // in index order
    sums.push_back(sum);
  }
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);  // to the last bit
}

TEST(WorkerPool, PoolsDoNotDisturbEachOther) {
  WorkerPool outer(2), inner(2);
  std::vector<int> calls(64, 0);
  outer.for_each(1, [&](std::size_t, int) {  // one index runs on the caller
    inner.for_each(calls.size(), [&](std::size_t i, int) { ++calls[i]; });
  });
  EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 64);
}

}  // namespace
}  // namespace grouser
