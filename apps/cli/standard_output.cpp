#include "apps/cli/standard_output.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>

namespace grouser::cli {

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() {
  sync();
  std::cout.rdbuf(before_);
}

int StandardOutput::flush() {
  sync();
  return error_;
}

int StandardOutput::overflow(int c) {
  if (sync() != 0) return traits_type::eof();
  if (c != traits_type::eof()) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int StandardOutput::sync() {
  for (const char* next = pbase(); error_ == 0 && next < pptr();) {
    const ssize_t n = ::write(STDOUT_FILENO, next, static_cast<std::size_t>(pptr() - next));
    if (n >= 0)
      next += n;
    else if (errno != EINTR)
      error_ = errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace grouser::cli
