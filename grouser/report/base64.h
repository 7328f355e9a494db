// Bytes as text that may stand in HTML and in events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grouser/base/assert.h"

namespace grouser::report {

/// Four characters for three bytes; what is left over waits for the next piece.
template <class Sink>
class Base64 {
 public:
  /// sink(text) is called now and then.
  explicit Base64(Sink sink) : sink_(std::move(sink)) {}

  void write(std::string_view bytes) {
    constexpr std::size_t kFullText = 1 << 16;
    for (const char byte : bytes) {
      waiting_ = waiting_ << 8 | static_cast<unsigned char>(byte);
      if (++count_ == 3) encode();
      if (text_.size() >= kFullText) flush();
    }
  }
  void end() {
    const std::size_t missing = count_ == 0 ? 0 : 3 - count_;
    GROUSER_ASSERT(missing < 3);
    waiting_ <<= 8 * missing;
    if (missing > 0) encode();
    text_.replace(text_.size() - missing, missing, missing, '=');
    flush();
  }

 private:
  void encode() {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int shift = 18; shift >= 0; shift -= 6) text_ += kLetters[waiting_ >> shift & 63u];
    waiting_ = 0;
    count_ = 0;
  }
  void flush() {
    sink_(std::string_view(text_));
    text_.clear();
  }

  Sink sink_;
  std::uint32_t waiting_ = 0;
  std::size_t count_ = 0;  // bytes that wait
  std::string text_;
};

inline std::string base64(std::string_view bytes) {
  std::string out;
  Base64 text([&](std::string_view piece) { out += piece; });
  text.write(bytes);
  text.end();
  return out;
}

}  // namespace grouser::report
