#include "apps/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace grouser::cli {

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) != 0;
}

std::size_t terminal_width(int descriptor, std::size_t fallback) {
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return fallback;
  return size.ws_col;
}

bool shows_unicode() {
  // The first one that is set and not empty decides.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    const std::string_view locale = value;
    for (const char* utf8 : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (locale.find(utf8) != std::string_view::npos) return true;
    return false;
  }
  return false;
}

bool shows_colours() {
  const char* none = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  return is_terminal(STDERR_FILENO) && !(none && *none) && kind && std::string_view(kind) != "dumb";
}

std::size_t width_of(std::string_view text) {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

void print_error(const std::string& message) {
  std::cout.flush();  // in order, if both go to the same place
  std::cerr << "grouser: error: " << message << '\n';
}

void print_warning(const std::string& message) {
  std::cout.flush();
  std::cerr << "grouser: warning: " << message << '\n';
}

}  // namespace grouser::cli
