// Bytes that are saved: appended to a list.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace grouser {

inline void append_bytes(std::vector<std::byte>& out, const void* data, std::size_t size) {
  const std::size_t start = out.size();
  out.resize(start + size);
  if (size > 0) std::memcpy(out.data() + start, data, size);
}

}  // namespace grouser
