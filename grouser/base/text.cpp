#include "grouser/base/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "grouser/base/assert.h"

namespace grouser {

std::string to_text(double x) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, x);
  GROUSER_ASSERT(result.ec == std::errc());
  return {buffer, result.ptr};
}

std::string to_text(double x, int digits) {
  char buffer[64];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits);
  GROUSER_ASSERT(result.ec == std::errc());
  return {buffer, result.ptr};
}

std::string quoted_name(std::string_view name) {
  return "'" + std::string(name) + "'";
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;  // further away than this is another word
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  if (candidates.empty()) return "";
  constexpr std::size_t kMost = 12;
  if (candidates.size() <= kMost) return "; known are " + join(candidates);
  return "; known are " + join(candidates.first(kMost)) + ", ... (" +
         std::to_string(candidates.size()) + " in all)";
}

}  // namespace grouser
