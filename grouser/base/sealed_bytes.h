// Saved bytes that know what they are.
//
//   mark        8 bytes  of the kind: "grouserW"
//   byte order  u32      0x01020304 as the machine writes it
//   format      u32      of the content
//   definition  u64      hash of what the content belongs to
//   size        u64      of the content, in bytes
//   checksum    u64      of the content
//   content
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace grouser {

/// A kind of saved bytes.
struct Seal {
  std::array<char, 8> mark;
  std::uint32_t format;
  const char* what;        ///< "saved contact world": messages begin with it
  const char* definition;  ///< what it may be of: "a world with other parameters"

  /// A head for bytes to come: append the content to it, then close() it.
  std::vector<std::byte> open() const;
  void close(std::vector<std::byte>& sealed, std::uint64_t of_definition) const;
  /// The content, if it is of this kind, format and definition and whole. Throws InputError.
  std::span<const std::byte> content_of(std::span<const std::byte> sealed,
                                        std::uint64_t of_definition) const;
  [[noreturn]] void refuse(const std::string& why) const;
};

}  // namespace grouser
