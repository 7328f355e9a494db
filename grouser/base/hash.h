// A 64-bit hash over bits, for "same binary, same scene, same bits".
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace grouser {

/// FNV-1a, 64 bit. Feed it values in a fixed order; equal digests mean equal bits.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) add_byte(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(std::span<const double> xs) {
    for (const double x : xs) add(x);
  }
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    add(static_cast<std::uint64_t>(text.size()));
  }
  std::uint64_t digest() const { return state_; }

 private:
  void add_byte(std::uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001b3ull; }
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace grouser
