// Names with * for any letters.
#pragma once

#include <string_view>

namespace grouser {

inline bool is_pattern(std::string_view text) {
  return text.find('*') != std::string_view::npos;
}

/// Whether `name` is what `pattern` says.
inline bool matches_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches_pattern(rest, name.substr(i))) return true;
  return false;
}

}  // namespace grouser
