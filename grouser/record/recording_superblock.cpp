#include "grouser/record/recording_superblock.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>

#include "grouser/base/assert.h"

namespace grouser::recording {
namespace {

// Places of its parts, in bytes. All numbers are little-endian; addresses have eight bytes.
constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kFlagsAt = 11;
constexpr std::size_t kAllocatedEndAt = 28;
constexpr std::size_t kChecksumAt = 44;
constexpr std::size_t kSize = 48;
constexpr unsigned char kSwmrWriter = 0x04;  // in flags

using Superblock = std::array<unsigned char, kSize>;

// Zeros where the file is shorter.
Superblock read_superblock(const File& file) {
  Superblock bytes = {};
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

bool has_writer(const Superblock& bytes) {
  return bytes[kVersionAt] == 3 && (bytes[kFlagsAt] & kSwmrWriter) != 0;
}

template <class Number>
void put(Superblock& bytes, std::size_t at, Number number) {
  GROUSER_ASSERT(at + sizeof number <= bytes.size());
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes[at + i] = static_cast<unsigned char>(number >> (8 * i));
}

std::uint32_t word(const Superblock& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{bytes[at + i]} << (8 * i);
  return number;
}

// Of the 44 bytes in front of it: Jenkins (2006), lookup3, "hashlittle" from zero.
std::uint32_t checksum(const Superblock& bytes) {
  std::uint32_t a = 0xdeadbeef + kChecksumAt, b = a, c = a;
  const auto add = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x = (x - z) ^ std::rotl(z, turn);
    z += y;
  };
  const auto subtract = [](std::uint32_t& x, std::uint32_t y, int turn) {
    x = (x ^ y) - std::rotl(y, turn);
  };
  // Three rounds of twelve bytes, then the last eight.
  std::size_t at = 0;
  for (; at < 36; at += 12) {
    a += word(bytes, at);
    b += word(bytes, at + 4);
    c += word(bytes, at + 8);
    add(a, b, c, 4), add(b, c, a, 6), add(c, a, b, 8);
    add(a, b, c, 16), add(b, c, a, 19), add(c, a, b, 4);
  }
  a += word(bytes, at);
  b += word(bytes, at + 4);
  subtract(c, b, 14), subtract(a, c, 11), subtract(b, a, 25), subtract(c, b, 16);
  subtract(a, c, 4), subtract(b, a, 14), subtract(c, b, 24);
  return c;
}

}  // namespace

bool has_hdf5_signature(const File& file) {
  const Superblock bytes = read_superblock(file);
  return std::equal(kSignature.begin(), kSignature.end(), bytes.begin(),
                    [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
}

bool is_being_written(const File& file) {
  return has_writer(read_superblock(file));
}

void write_allocated_end(File& file, std::uint64_t end) {
  Superblock bytes = read_superblock(file);
  if (!has_writer(bytes)) return;
  put(bytes, kAllocatedEndAt, end);
  put(bytes, kChecksumAt, checksum(bytes));
  file.write(0, bytes.data(), bytes.size());
}

}  // namespace grouser::recording
