// A value that copies share until one of them writes to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "grouser/base/assert.h"

namespace grouser {

/// Copies may live in different threads; one copy belongs to one thread at a time. A T is copied by
/// its clone(), or else by its copy constructor.
template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  explicit CopyOnWrite(std::unique_ptr<T> value)
      : box_(value ? new Box{1, std::move(value)} : nullptr) {
    value_ = box_ ? box_->value.get() : nullptr;
  }
  CopyOnWrite(const CopyOnWrite& other) : box_(other.box_), value_(other.value_) {
    if (box_) box_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  CopyOnWrite(CopyOnWrite&& other) noexcept
      : box_(std::exchange(other.box_, nullptr)), value_(std::exchange(other.value_, nullptr)) {}
  CopyOnWrite& operator=(CopyOnWrite other) noexcept {
    std::swap(box_, other.box_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~CopyOnWrite() {
    // What others read in the value has been read before it goes, or is written to.
    if (box_ && box_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete box_;
  }

  explicit operator bool() const { return value_ != nullptr; }
  const T& operator*() const {
    GROUSER_ASSERT(value_);
    return *value_;
  }
  const T* operator->() const { return &**this; }

  bool is_shared() const { return box_ && box_->owners.load(std::memory_order_acquire) > 1; }

  /// For writing: if the value is shared, this copy gets one of its own.
  T& write() {
    GROUSER_ASSERT(value_);
    if (is_shared()) *this = CopyOnWrite(copy_of(*value_));
    return *value_;
  }

 private:
  struct Box {
    std::atomic<std::uint32_t> owners;
    std::unique_ptr<T> value;
  };
  static std::unique_ptr<T> copy_of(const T& value) {
    if constexpr (requires { value.clone(); })
      return value.clone();
    else
      return std::make_unique<T>(value);
  }

  Box* box_ = nullptr;
  T* value_ = nullptr;  // of the box: one step less on the way to it
};

}  // namespace grouser
