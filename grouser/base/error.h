// Errors that name the place they come from.
//
// Loading and building throw; the simulation loop answers with a Status (see status.h).
#pragma once

#include <stdexcept>
#include <string>

namespace grouser {

/// A position in a text the user wrote: `scenes/torus.toml:14:11`. Line and column count from one,
/// zero means unknown. `file` may also name another origin, such as "--set".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  bool known() const { return !file.empty(); }
  /// "file:line:column", leaving out what is unknown; empty if nothing is known.
  std::string text() const;
};

/// Base of everything grouser throws. `what()` starts with the place, if there is one.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user's input is wrong: a file, a key, a value, a name. Exit code 2.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
  InputError(const Place& place, const std::string& message);
};

/// The input was fine but the run could not be carried out: integrator failure, full disk. Exit
/// code 1.
class RunError : public Error {
 public:
  using Error::Error;
};

}  // namespace grouser
