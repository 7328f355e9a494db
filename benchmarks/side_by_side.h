// Two pieces of code timed in turns in one run, so that a noisy machine treats them alike.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace grouser {

/// Fastest time of one call [s] over `rounds` of `calls` calls.
struct Contender {
  std::string name;
  std::vector<double> seconds;  // of one call, a value per round

  double fastest() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Median over the rounds of the ratio of the times of two contenders that took turns: slow spells
/// of the machine meet both alike.
inline double median_ratio(const Contender& c, const Contender& reference) {
  Contender ratios;
  for (std::size_t i = 0; i < c.seconds.size(); ++i)
    ratios.seconds.push_back(c.seconds[i] / reference.seconds[i]);
  return ratios.median();
}

template <class Call>
double time_of(int calls, Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

/// Time this thread has had a processor for [s]: what other programs take does not count.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Any number of contenders that take turns, round by round. All must work in the calling thread.
class Race {
 public:
  /// `call()` makes `evaluations` of what is timed. Whatever it refers to must outlive the race.
  template <class Call>
  void add(std::string name, Call call, std::size_t evaluations = 1) {
    Entry& entry = entries_.emplace_back();
    entry.contender.name = std::move(name);
    entry.time = [call, evaluations](int calls) mutable {
      const double start = thread_seconds();
      for (int i = 0; i < calls; ++i) call();
      return (thread_seconds() - start) / (calls * static_cast<double>(evaluations));
    };
    entry.evaluations = static_cast<double>(evaluations);
  }

  /// A contender makes as many calls per round as fit in `round_seconds`, at least one.
  void run(int rounds, double round_seconds) {
    for (Entry& entry : entries_) {
      entry.time(1);  // warms up
      const double call_seconds = entry.time(1) * entry.evaluations;
      entry.calls = std::max(1, static_cast<int>(std::min(1e6, round_seconds / call_seconds)));
    }
    for (int round = 0; round < rounds; ++round)
      for (Entry& entry : entries_) entry.contender.seconds.push_back(entry.time(entry.calls));
  }

  /// In the order of add(); the times are those of one evaluation.
  const Contender& operator[](std::size_t i) const { return entries_[i].contender; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Contender contender;
    std::function<double(int calls)> time;
    double evaluations = 1.0;
    int calls = 1;
  };
  std::vector<Entry> entries_;
};

inline void print_header() {
  std::printf("%-58s %12s %12s %8s\n", "", "fastest", "median", "ratio");
}

/// One line; the ratio is that of the fastest times to `reference`.
inline void print_line(const Contender& c, const Contender& reference) {
  std::printf("%-58s %9.2f us %9.2f us %8.2f\n", c.name.c_str(), 1e6 * c.fastest(),
              1e6 * c.median(), c.fastest() / reference.fastest());
}

}  // namespace grouser
