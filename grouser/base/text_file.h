// Files in memory, and their text taken apart with line numbers for messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grouser/base/error.h"

namespace grouser {

/// A file in memory.
struct TextFile {
  std::string path;
  std::string bytes;

  /// The file, or a line of it, as the place of an error.
  Place place(int line = 0) const { return {path, line, 0}; }
};

/// Throws InputError if there is no such file, it is empty, or it cannot be read; `what` says what
/// it should be ("a mesh file").
TextFile read_file(const std::string& path, const std::string& what);

/// What tells the format of a file: ".obj", in lower case; empty if the name has none.
std::string suffix_of(const std::string& path);

/// Lines of a text with their numbers. Line ends are "\n", "\r\n" or the end of the text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// False at the end. Otherwise `line` is the next one, without its end.
  bool next(std::string_view& line);
  int number() const { return number_; }           ///< of the line last given
  std::string_view rest() const { return rest_; }  ///< what follows it

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Takes the first word off `line`; empty if there is none.
std::string_view next_word(std::string_view& line);

/// A word as a number; the word must be one from end to end.
std::optional<double> to_number(std::string_view word);
std::optional<std::int64_t> to_integer(std::string_view word);

/// The word, shortened and in quotes, for messages.
std::string in_quotes(std::string_view word);

}  // namespace grouser
