// What a contact model answers from inside the integration loop.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace grouser {

/// Ordered by severity: the status of many contacts is the greatest of theirs.
enum class Status : std::uint8_t {
  ok,
  shorten_step,  ///< the answer exists but the step that led here was too long (deep penetration)
  impossible,    ///< no answer exists at this state (not finite, outside the model's domain)
};

inline constexpr std::array<std::string_view, 3> kStatusNames = {"ok", "shorten step",
                                                                 "impossible"};

constexpr Status worse(Status a, Status b) {
  return a < b ? b : a;
}

}  // namespace grouser
