// Working memory that is lent, not taken.
//
// A Scratch hands out arrays during one evaluation and takes all of them back at once. Its blocks
// grow during the first evaluations and stay, so a warmed-up evaluation does not allocate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "grouser/base/assert.h"

namespace grouser {

class Scratch {
 public:
  /// `count` objects of a trivial type, uninitialised, valid until the next reset().
  template <class T>
  std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "scratch memory runs no destructors");
    if (count == 0) return {};
    GROUSER_ASSERT(count <= std::numeric_limits<std::size_t>::max() / sizeof(T));
    return {static_cast<T*>(bytes(count * sizeof(T), alignof(T))), count};
  }

  /// Takes everything back. If the last round needed several blocks, joins them into one.
  void reset();

  /// A moment to go back to: rewind(mark) takes back what was lent since mark().
  struct Mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };
  Mark mark() const;
  void rewind(const Mark& mark);

  /// Bytes held, in use or not.
  std::size_t capacity() const;

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
    std::size_t used = 0;
  };
  void* bytes(std::size_t size, std::size_t alignment);
  std::vector<Block> blocks_;
  std::size_t current_ = 0;  // block that is being lent from; those behind it are unused
};

/// A list that grows in scratch memory.
template <class T>
class ScratchList {
 public:
  explicit ScratchList(Scratch& scratch) : scratch_(scratch) {}

  void add(const T& item) {
    if (count_ == room_.size()) {
      const std::span<T> larger = scratch_.take<T>(count_ == 0 ? 64 : 2 * count_);
      std::copy(room_.begin(), room_.end(), larger.begin());
      room_ = larger;
    }
    room_[count_++] = item;
  }
  /// Valid until the next add().
  std::span<T> items() { return room_.first(count_); }

 private:
  Scratch& scratch_;
  std::span<T> room_;
  std::size_t count_ = 0;
};

}  // namespace grouser
