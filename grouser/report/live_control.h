// What the people who watch a run want of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace grouser {

/// Start, pause and restart, from any thread; obeyed by the thread that simulates.
class LiveControl {
 public:
  enum class Wish { run, pause, restart };
  explicit LiveControl(Wish first) : wish_(first) {}

  Wish wish() const;
  void wish(Wish wish);

  /// Waits while the wish is to pause, and meanwhile asks `stopped` now and then. Answers false if
  /// the run is to end: by a restart, or because `stopped` says so.
  bool go_on(const std::function<bool()>& stopped);

  /// A restart was carried out.
  void restarted();

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Wish wish_;
};

}  // namespace grouser
