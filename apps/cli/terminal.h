// What the terminal can do, and messages to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace grouser::cli {

bool is_terminal(int descriptor);

/// Columns of the terminal behind `descriptor`; `fallback` if it is none.
std::size_t terminal_width(int descriptor, std::size_t fallback = 100);

/// Whether the locale is UTF-8, so that block characters show.
bool shows_unicode();

/// Whether stderr is a terminal that wants colours (see no-color.org).
bool shows_colours();

/// Columns a text takes: its code points.
std::size_t width_of(std::string_view text);

/// "grouser: error: <message>" on stderr.
void print_error(const std::string& message);
void print_warning(const std::string& message);

}  // namespace grouser::cli
