// Standard output that remembers why a write failed.
#pragma once

#include <array>
#include <streambuf>

namespace grouser::cli {

/// While one exists, std::cout writes through it. The first failure (a full disk behind a
/// redirection, a closed pipe) stays; what is printed after it is lost.
class StandardOutput : private std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;

  /// Writes what waits; the errno of the first failure, or 0.
  int flush();

 private:
  int overflow(int c) override;
  int sync() override;

  std::streambuf* before_;
  std::array<char, 1 << 16> buffer_;
  int error_ = 0;
};

}  // namespace grouser::cli
