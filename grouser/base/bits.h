// Sets of small numbers, a bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grouser/base/assert.h"
#include "grouser/base/scratch.h"

namespace grouser {

/// Calls `visit(i)` for the set bits of a mask, lowest first.
template <class Visit>
void for_each_bit(std::uint64_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// Numbers below a size, in scratch memory. Empty at first.
class BitSet {
 public:
  BitSet(std::size_t size, Scratch& scratch)
      : words_(scratch.take<std::uint64_t>((size + 63) / 64)) {
    std::fill(words_.begin(), words_.end(), 0);
  }

  bool has(std::size_t number) const {
    GROUSER_ASSERT(number / 64 < words_.size());
    return (words_[number / 64] >> (number % 64) & 1) != 0;
  }
  /// Whether it was not in the set before.
  bool insert(std::size_t number) {
    GROUSER_ASSERT(number / 64 < words_.size());
    std::uint64_t& word = words_[number / 64];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if ((word & bit) != 0) return false;  // no store: the next question need not wait for it
    word |= bit;
    return true;
  }
  /// Calls `visit(number)`, lowest first.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for_each_bit(words_[w], [&](std::size_t bit) { visit(64 * w + bit); });
  }

 private:
  std::span<std::uint64_t> words_;
};

}  // namespace grouser
