// How far a run or other work is, on stderr: a bar on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace grouser::cli {

class Progress {
 public:
  enum class Style { none, bar, lines };
  /// A bar if stderr is a terminal, else lines.
  static Style style_of_stderr();

  /// Of a run over `duration` [s].
  Progress(double duration, Style style);
  /// Of anything else: reach() gets the fraction that is done.
  explicit Progress(Style style);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The simulation has reached `time` [s], or other work this fraction. Cheap if there is nothing
  /// to show yet.
  void reach(double time);
  /// Takes the bar away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw_bar();
  void print_line();
  std::string bar(double fraction, std::size_t width) const;
  /// What stands behind the percentage.
  std::string details() const;
  std::string reached() const;
  std::string speed() const;
  std::string remaining() const;

  double duration_;
  Style style_;
  bool of_a_run_;
  bool unicode_, colours_;
  bool drawn_ = false;
  Clock::time_point last_shown_ = Clock::now();
  double time_ = 0.0;       // [s] simulated
  double last_time_ = 0.0;  // when it was last shown
  double speed_ = 0.0;      // simulated per wall time, over the last seconds
};

/// "42 s", "3:05 min", "1:02:03 h".
std::string clock_text(double seconds);

}  // namespace grouser::cli
