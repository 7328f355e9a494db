// The samples of a running simulation as events for the pages that watch it (docs/page_data.md).
//
// One thread simulates and tells the feed; any number of others wait for events. Everything since
// the start of the run is kept, so a page that comes late sees all of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "grouser/run/simulation.h"

namespace grouser {

class LiveFeed final : public RunWatcher {
 public:
  enum class State { ready, running, paused, finished };

  /// name: of the run, for the page. duration: of the simulation [s].
  LiveFeed(std::string name, double duration);
  ~LiveFeed() override;

  // For the thread that simulates.

  void begin(const RecordingLayout& layout) override;
  void add_sample(double time, std::span<const double> values,
                  std::span<const std::span<const double>> patches) override;
  void finish(const RecordingOutcome& outcome) override;
  /// The run has reached `time`. Sends what waits, now and then.
  void reach(double time);
  void set_state(State state);
  /// Forgets all samples; pages are told to do the same.
  void restart();

  // For threads that serve pages.

  /// The container that a page starts from; empty before begin().
  std::string data() const;

  /// How far a listener is.
  struct Position {
    std::uint64_t run = 0;    // 0: has heard nothing
    std::size_t events = 0;   // of that run
    std::uint64_t state = 0;  // version of the last state it heard
  };
  struct Events {
    std::string text;  ///< of the event stream; may be empty
    bool closed = false;
  };
  /// What is new for the listener, which is moved on; waits for it at most `limit`.
  Events wait(Position& position, std::chrono::milliseconds limit) const;
  /// No more events: ends all waiting.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  void flush();
  void publish(std::string event);
  void publish_state();

  std::string name_;
  double duration_;

  // Of the thread that simulates.
  RecordingLayout layout_;
  std::size_t columns_ = 0;  // of all channels
  std::size_t first_ = 0;    // of the samples that wait
  std::vector<double> times_, values_;
  struct Rows {
    std::vector<double> numbers;
    std::vector<std::size_t> ends;  // in numbers, by sample
  };
  std::vector<Rows> patches_;  // of the layout, then changes of soils
  double time_ = 0.0;
  Clock::time_point last_flush_;
  State run_state_ = State::ready;
  Clock::time_point state_since_;
  double running_seconds_ = 0.0;  // before that

  // Shared.
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::string data_;
  std::uint64_t run_ = 1;
  std::vector<std::string> events_;
  std::string state_;
  std::uint64_t state_version_ = 0;
  bool closed_ = false;
};

}  // namespace grouser
