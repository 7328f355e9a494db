// Small text helpers: numbers as the shortest text that reads back the same, and near misses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grouser {

/// Shortest text that reads back to exactly `x`.
std::string to_text(double x);

/// `x` with `digits` significant digits, for people.
std::string to_text(double x, int digits);

/// "'name'", as messages write it.
std::string quoted_name(std::string_view name);

/// "a, b, c"
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// The candidate nearest to `word` by edit distance, or empty if none is near enough to be a typo
/// of it.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" if a candidate is near, else "; known are a, b, c" (at most a dozen).
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace grouser
