#include "apps/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "apps/cli/terminal.h"
#include "grouser/base/text.h"

namespace grouser::cli {
namespace {

constexpr double kBarInterval = 0.1;        // [s]
constexpr double kShortLineInterval = 0.5;  // [s], at each tenth of the run
constexpr double kLongLineInterval = 5.0;   // [s], in any case
constexpr double kSpeedMemory = 3.0;        // [s]
constexpr std::size_t kWidestBar = 50;
constexpr const char* kEraseLine = "\r\033[K";

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), format, numbers...);
  return text.data();
}

}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds < 1e6)) return "long";
  const auto s = static_cast<int>(std::ceil(seconds));
  if (s < 60) return formatted("%d s", s);
  if (s < 3600) return formatted("%d:%02d min", s / 60, s % 60);
  return formatted("%d:%02d:%02d h", s / 3600, s / 60 % 60, s % 60);
}

Progress::Style Progress::style_of_stderr() {
  return is_terminal(STDERR_FILENO) ? Style::bar : Style::lines;
}

Progress::Progress(double duration, Style style)
    : duration_(duration),
      style_(style),
      of_a_run_(true),
      unicode_(shows_unicode()),
      colours_(shows_colours()) {}

Progress::Progress(Style style) : Progress(1.0, style) {
  of_a_run_ = false;
}

void Progress::reach(double time) {
  if (style_ == Style::none) return;
  time_ = time;
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - last_shown_).count();
  const bool next_tenth =
      std::floor(10.0 * time / duration_) > std::floor(10.0 * last_time_ / duration_);
  const bool due = style_ == Style::bar ? passed >= kBarInterval
                                        : passed >= kLongLineInterval ||
                                              (next_tenth && passed >= kShortLineInterval);
  if (!due) return;

  // Recent speed counts most: contact makes parts of a run slow.
  const double now_speed = (time_ - last_time_) / passed;
  const double weight = speed_ > 0.0 ? 1.0 - std::exp(-passed / kSpeedMemory) : 1.0;
  speed_ += weight * (now_speed - speed_);
  last_shown_ = now;
  last_time_ = time_;
  if (style_ == Style::bar)
    draw_bar();
  else
    print_line();
}

// As wide at the beginning as at the end, so that what follows stays in place.
std::string Progress::reached() const {
  const int width = static_cast<int>(formatted("%.2f", duration_).size());
  return formatted("%*.2f", width, time_) + " of " + to_text(duration_, 6) + " s";
}

std::string Progress::speed() const {
  return formatted(speed_ < 10.0    ? "%5.2f"
                   : speed_ < 100.0 ? "%5.1f"
                                    : "%5.0f",
                   speed_) +
         "x real time";
}

std::string Progress::remaining() const {
  return speed_ > 0.0 ? clock_text((duration_ - time_) / speed_) : "long";
}

std::string Progress::details() const {
  const std::string left = remaining() + " left";
  return of_a_run_ ? reached() + "  " + speed() + "  " + left : left;
}

std::string Progress::bar(double fraction, std::size_t width) const {
  const double filled = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width);
  const auto whole = static_cast<std::size_t>(filled);
  std::string done, rest;
  if (unicode_) {
    // A heavy line, its end to half a column, and a light line for what is left.
    const bool half = filled - static_cast<double>(whole) >= 0.5;
    for (std::size_t i = 0; i < whole; ++i) done += "━";
    if (half) done += "╸";
    for (std::size_t i = whole + half; i < width; ++i) rest += "─";
  } else {
    done = std::string(whole, '#');
    rest = std::string(width - whole, '-');
  }
  if (!colours_) return done + rest;
  return "\033[32m" + done + "\033[90m" + rest + "\033[0m";
}

void Progress::draw_bar() {
  const double fraction = time_ / duration_;
  const std::string before = formatted(" %3.0f %% ", std::floor(100.0 * fraction));
  const std::string after = "  " + details();
  // The last column stays free: some terminals would go on to the next line.
  const std::size_t taken = width_of(before) + width_of(after) + 1;
  const std::size_t screen = terminal_width(STDERR_FILENO, 80);
  const std::size_t room = screen > taken ? screen - taken : 0;
  std::string line = before;
  if (room >= 8) line += bar(fraction, std::min(room, kWidestBar));
  if (room > 0) line += after;
  std::cerr << kEraseLine << line << std::flush;
  drawn_ = true;
}

void Progress::print_line() {
  std::cerr << formatted("%3.0f %%", std::floor(100.0 * time_ / duration_)) << "  " << details()
            << '\n'
            << std::flush;
}

void Progress::clear() {
  if (drawn_) std::cerr << kEraseLine << std::flush;
  drawn_ = false;
}

}  // namespace grouser::cli
