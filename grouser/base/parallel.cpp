#include "grouser/base/parallel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"

namespace grouser {

namespace {
/// Waits for a little while, so that a loop that follows soon, or a helper that is nearly done, is
/// not slept over: waking up takes as long as the evaluation of a contact. Others may run
/// meanwhile.
template <class Done>
void wait_awake(const Done& done) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::microseconds(50);
  while (!done() && Clock::now() < until) std::this_thread::yield();
}
}  // namespace

struct WorkerPool::State {
  std::mutex mutex;
  std::condition_variable wake;      // a new loop is there, or the pool closes
  std::condition_variable finished;  // a helper has left the loop
  // Changed under the mutex; the atomic ones may be looked at without it.
  std::atomic<std::size_t> generation{0};
  std::atomic<int> helpers_inside{0};
  std::atomic<bool> closing{false};
  Call call = nullptr;
  void* body = nullptr;
  std::size_t count = 0;
  // Next index to take.
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> helpers;

  void take_indices(int worker) {
    GROUSER_ASSERT(worker >= 0 && static_cast<std::size_t>(worker) <= helpers.size());
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) call(body, i, worker);
  }

  void close() {
    {
      const std::lock_guard lock(mutex);
      closing = true;
    }
    wake.notify_all();
    for (std::thread& helper : helpers) helper.join();
  }

  void help(int worker) {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    const auto called = [&] { return closing || generation != seen; };
    while (true) {
      lock.unlock();
      wait_awake(called);
      lock.lock();
      wake.wait(lock, called);
      if (closing) return;
      seen = generation;
      if (next.load() >= count) continue;  // woke too late, nothing is left
      ++helpers_inside;
      lock.unlock();
      take_indices(worker);
      lock.lock();
      if (--helpers_inside == 0) finished.notify_one();
    }
  }
};

WorkerPool::WorkerPool(int threads) : threads_(threads < 1 ? 1 : threads) {
  if (threads_ == 1) return;
  state_ = std::make_unique<State>();
  try {
    for (int worker = 1; worker < threads_; ++worker)
      state_->helpers.emplace_back([this, worker] { state_->help(worker); });
  } catch (const std::system_error& error) {
    state_->close();
    throw RunError("cannot start " + std::to_string(threads_) + " threads: " + error.what());
  }
}

WorkerPool::~WorkerPool() {
  if (state_) state_->close();
}

void WorkerPool::run(std::size_t count, Call function, void* body) {
  if (!state_ || count < 2) {
    for (std::size_t i = 0; i < count; ++i) function(body, i, 0);
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    GROUSER_ASSERT(state_->helpers_inside == 0);  // not reentrant
    state_->call = function;
    state_->body = body;
    state_->count = count;
    state_->next.store(0);
    ++state_->generation;
  }
  state_->wake.notify_all();
  state_->take_indices(0);
  const auto done = [&] { return state_->helpers_inside == 0; };
  wait_awake(done);
  std::unique_lock lock(state_->mutex);
  state_->finished.wait(lock, done);
}

}  // namespace grouser
