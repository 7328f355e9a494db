// A loop over indices on several threads.
#pragma once

#include <cstddef>
#include <memory>

namespace grouser {

/// A fixed set of threads that run loops. The caller takes part, so `threads` counts it too.
///
/// Which thread runs which index is not fixed, so a loop body may write only to places that belong
/// to its index; sums over indices are taken afterwards, in index order. That keeps results equal
/// to the last bit for any number of threads.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return threads_; }

  /// Calls `body(index, worker)` for every index below `count`, worker in [0, threads()). Does not
  /// allocate. The body must not throw. Not reentrant.
  template <class Body>
  void for_each(std::size_t count, Body&& body) {
    run(count, &call<std::remove_reference_t<Body>>, &body);
  }

 private:
  using Call = void (*)(void* body, std::size_t index, int worker);
  template <class Body>
  static void call(void* body, std::size_t index, int worker) {
    (*static_cast<Body*>(body))(index, worker);
  }
  void run(std::size_t count, Call function, void* body);

  struct State;
  int threads_;
  std::unique_ptr<State> state_;  // null with one thread
};

}  // namespace grouser
