// A state as bytes, written and read back by the same lines.
//
//   void archive(Archive& a) { a(position_, speed_, names_); }
//
// Numbers, texts, lists, optionals and whatever has archive() itself go in one after the other,
// bytes as the machine has them; lists with their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "grouser/base/bytes.h"
#include "grouser/base/error.h"

namespace grouser {

class Archive {
 public:
  /// Appends to `out`.
  explicit Archive(std::vector<std::byte>& out) : out_(&out) {}
  /// Reads from the front of `in`. What ends too early, or has a list of a length that cannot be,
  /// throws InputError.
  explicit Archive(std::span<const std::byte> in) : in_(in) {}

  bool reading() const { return out_ == nullptr; }
  /// What has not been read yet.
  std::span<const std::byte> rest() const { return in_; }

  template <class... Ts>
  void operator()(Ts&... xs) {
    (one(xs), ...);
  }

 private:
  template <class T>
  static constexpr bool kNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  template <class T>
  void one(T& x) {
    if constexpr (kNumber<T>)
      bytes(&x, sizeof x);
    else if constexpr (requires { x.archive(*this); })
      x.archive(*this);
    else if constexpr (requires { x.has_value(); })
      optional(x);
    else
      list(x);
  }

  template <class T>
  void optional(T& x) {
    bool there = x.has_value();
    one(there);
    if (reading() && there) x.emplace();
    if (reading() && !there) x.reset();
    if (there) one(*x);
  }

  /// Vectors of the standard library and of Eigen, texts, arrays.
  template <class T>
  void list(T& x) {
    using Entry = std::remove_reference_t<decltype(*x.data())>;
    auto count = static_cast<std::uint64_t>(x.size());
    one(count);
    if (reading() && count != static_cast<std::uint64_t>(x.size())) resize(x, count);
    if constexpr (kNumber<Entry>)
      bytes(x.data(), count * sizeof(Entry));
    else
      for (Entry& entry : x) one(entry);
  }

  template <class T>
  void resize(T& x, std::uint64_t count) {
    constexpr bool kFixed = [] {
      if constexpr (requires { T::SizeAtCompileTime; })
        return static_cast<int>(T::SizeAtCompileTime) >= 0;
      else
        return !requires(T & y) {
          y.resize(1);
        };
    }();
    // Every entry takes a byte at least: a length beyond that is not worth trying.
    if (kFixed || count > in_.size()) throw InputError("a list of another length is expected");
    if constexpr (!kFixed) {
      using Count = decltype(x.size());
      x.resize(static_cast<Count>(count));
    }
  }

  void bytes(void* data, std::size_t size) {
    if (!reading()) {
      append_bytes(*out_, data, size);
      return;
    }
    if (size > in_.size()) throw InputError("it ends too early");
    if (size > 0) std::memcpy(data, in_.data(), size);
    in_ = in_.subspan(size);
  }

  std::vector<std::byte>* out_ = nullptr;
  std::span<const std::byte> in_;
};

}  // namespace grouser
