#include "grouser/base/scratch.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "grouser/base/assert.h"

namespace grouser {

void* Scratch::bytes(std::size_t size, std::size_t alignment) {
  GROUSER_ASSERT(size > 0 && std::has_single_bit(alignment));
  for (;; ++current_) {
    if (current_ == blocks_.size()) {
      const std::size_t grown = std::max({size + alignment, 2 * capacity(), std::size_t{4096}});
      blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(grown), grown, 0});
    }
    Block& block = blocks_[current_];
    const auto start = reinterpret_cast<std::uintptr_t>(block.data.get()) + block.used;
    const std::size_t padding = (alignment - start % alignment) % alignment;
    if (block.used + padding + size <= block.size) {
      block.used += padding + size;
      return block.data.get() + (block.used - size);
    }
  }
}

void Scratch::reset() {
  if (blocks_.size() > 1) {
    const std::size_t all = capacity();
    blocks_.clear();
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(all), all, 0});
  }
  rewind({});
}

Scratch::Mark Scratch::mark() const {
  return {current_, current_ < blocks_.size() ? blocks_[current_].used : 0};
}

void Scratch::rewind(const Mark& mark) {
  GROUSER_ASSERT(mark.block <= current_);
  GROUSER_ASSERT(mark.block >= blocks_.size() || mark.used <= blocks_[mark.block].used);
  for (std::size_t i = mark.block; i < blocks_.size(); ++i)
    blocks_[i].used = i == mark.block ? mark.used : 0;
  current_ = mark.block;
}

std::size_t Scratch::capacity() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

}  // namespace grouser
