// Two pieces of code timed in turns in one run, so that a noisy machine treats them alike.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
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

template <class Call>
double time_of(int calls, Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

inline void print_header() {
  std::printf("%-58s %12s %12s %8s\n", "", "fastest", "median", "ratio");
}

/// One line; the ratio is that of the fastest times to `reference`.
inline void print_line(const Contender& c, const Contender& reference) {
  std::printf("%-58s %9.2f us %9.2f us %8.2f\n", c.name.c_str(), 1e6 * c.fastest(),
              1e6 * c.median(), c.fastest() / reference.fastest());
}

}  // namespace grouser
