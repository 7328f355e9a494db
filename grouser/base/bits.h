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
///
/// Nodes of a grid, counted row by row, are such numbers: then a shift by a row, or by one, shows
/// neighbours, 64 at a time.
class BitSet {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = 64;  ///< of a word

  /// Shifts by up to `reach` are possible.
  BitSet(std::size_t size, Scratch& scratch, std::size_t reach = 0)
      : words_((size + kBits - 1) / kBits), margin_(reach == 0 ? 0 : reach / kBits + 2) {
    const std::span<Word> all = scratch.take<Word>(words_ + 2 * margin_);
    std::fill(all.begin(), all.end(), Word{0});
    first_ = all.data() + margin_;
  }

  std::size_t words() const { return words_; }
  Word& operator[](std::size_t w) { return first_[w]; }
  Word operator[](std::size_t w) const { return first_[w]; }

  bool has(std::size_t number) const {
    GROUSER_ASSERT(number / kBits < words_);
    return (first_[number / kBits] >> (number % kBits) & 1) != 0;
  }
  /// Whether it was not in the set before.
  bool insert(std::size_t number) {
    GROUSER_ASSERT(number / kBits < words_);
    Word& word = first_[number / kBits];
    const Word bit = Word{1} << (number % kBits);
    if ((word & bit) != 0) return false;  // no store: the next question need not wait for it
    word |= bit;
    return true;
  }
  /// Inserts `first` + k for the set bits k of a word. The set must have a reach.
  void insert_word(std::size_t first, Word bits) {
    GROUSER_ASSERT(margin_ > 0 && first / kBits < words_);
    Word* const word = first_ + first / kBits;
    const std::size_t low = first % kBits;
    word[0] |= bits << low;
    word[1] |= bits >> 1 >> (kBits - 1 - low);
  }
  /// Takes out the numbers from `first` up to `end`.
  void clear(std::size_t first, std::size_t end) {
    GROUSER_ASSERT(end <= kBits * words_);
    while (first < end) {
      const std::size_t low = first % kBits, count = std::min(kBits - low, end - first);
      first_[first / kBits] &= ~(~Word{0} >> (kBits - count) << low);
      first += count;
    }
  }
  /// Bit k of word w: whether the number `shift` behind number k of that word is in the set.
  Word shifted(std::size_t w, std::ptrdiff_t shift) const {
    const std::size_t from = (w + margin_) * kBits + static_cast<std::size_t>(shift);
    const Word* word = first_ - margin_ + from / kBits;
    const std::size_t low = from % kBits;
    return word[0] >> low | word[1] << 1 << (kBits - 1 - low);
  }
  /// Calls `visit(number)`, lowest first.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for_each_bit(first_[w], [&](std::size_t bit) { visit(kBits * w + bit); });
  }

 private:
  std::size_t words_, margin_;
  Word* first_;
};

}  // namespace grouser
