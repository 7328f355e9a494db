// A short list that lives where it is declared: no allocation, and nothing is initialised before it
// is used, so that room for many costs nothing.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "grouser/base/assert.h"

namespace grouser {

template <class T, std::size_t kRoom>
class InlineList {
 public:
  InlineList() = default;
  InlineList(const InlineList& other) {
    for (const T& item : other) add(item);
  }
  InlineList& operator=(const InlineList& other) {
    if (this == &other) return *this;
    count_ = 0;
    for (const T& item : other) add(item);
    return *this;
  }

  static constexpr std::size_t room() { return kRoom; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == kRoom; }
  T* begin() { return std::launder(reinterpret_cast<T*>(bytes_)); }
  T* end() { return begin() + count_; }
  const T* begin() const { return std::launder(reinterpret_cast<const T*>(bytes_)); }
  const T* end() const { return begin() + count_; }
  T& operator[](std::size_t i) {
    GROUSER_ASSERT(i < count_);
    return begin()[i];
  }
  const T& operator[](std::size_t i) const {
    GROUSER_ASSERT(i < count_);
    return begin()[i];
  }

  void clear() { count_ = 0; }
  /// False, and nothing is added, if there is no room.
  bool add(const T& item) {
    if (full()) return false;
    ::new (bytes_ + count_ * sizeof(T)) T(item);
    ++count_;
    return true;
  }

 private:
  static_assert(std::is_trivially_destructible_v<T>);
  alignas(T) std::byte bytes_[kRoom * sizeof(T)];
  std::size_t count_ = 0;
};

}  // namespace grouser
