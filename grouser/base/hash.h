// A 64-bit hash over bits, for "same binary, same scene, same bits".
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Of bytes, eight at a time: for what may be damaged on its way. One bit that is another one gives
/// another checksum, for certain.
inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t state = 0xcbf29ce484222325ull ^ bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), count);
    bytes = bytes.subspan(count);
    state = (state ^ word) * 0x9e3779b97f4a7c15ull;
    state ^= state >> 29;
  }
  return state;
}

}  // namespace grouser
