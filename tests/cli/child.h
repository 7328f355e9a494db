// The grouser command as a child process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace grouser {

/// How a child ended and what it printed.
struct Ending {
  int code = -1;   ///< exit code; -1 if a signal ended it
  int signal = 0;  ///< that signal
  std::string out, err;
};

class Child {
 public:
  /// Starts `grouser` with these arguments in `folder`. No file it writes may grow beyond
  /// `file_limit` bytes. A child that hangs is killed after a minute.
  Child(std::vector<std::string> arguments, const std::string& folder,
        rlim_t file_limit = RLIM_INFINITY);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  /// Waits for the end.
  Ending end();

 private:
  using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  Stream out_, err_;
  pid_t process_ = -1;
};

/// Runs `grouser` to its end.
Ending grouser_command(std::vector<std::string> arguments, const std::string& folder);

}  // namespace grouser
