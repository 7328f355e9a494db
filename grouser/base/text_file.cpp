#include "grouser/base/text_file.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

namespace grouser {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

}  // namespace

TextFile read_file(const std::string& path, const std::string& what) {
  const Place place{path};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError(place, "there is no such file");
  if (std::filesystem::is_directory(status)) throw InputError(place, "is a directory, not " + what);

  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(place, std::string("cannot be opened: ") + std::strerror(errno));
  // In blocks: a pipe does not tell its size.
  std::string bytes;
  constexpr std::size_t kBlock = 1 << 20;
  while (file) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kBlock);
    file.read(bytes.data() + size, kBlock);
    bytes.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InputError(place, "cannot be read to its end");
  if (bytes.empty()) throw InputError(place, "the file is empty");
  return {path, std::move(bytes)};
}

std::string suffix_of(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return suffix;
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<double> to_number(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double x = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (end != word.data() + word.size() || word.empty()) return {};
  if (error == std::errc::result_out_of_range) {
    // Too small is zero, too large is not finite; the sign of the exponent tells which.
    const std::size_t exponent = word.find_first_of("eE");
    const bool small = exponent != std::string_view::npos && exponent + 1 < word.size() &&
                       word[exponent + 1] == '-';
    return small ? 0.0 : std::numeric_limits<double>::infinity();
  }
  if (error != std::errc()) return {};
  return x;
}

std::optional<std::int64_t> to_integer(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  std::int64_t x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (end != word.data() + word.size() || error != std::errc() || word.empty()) return {};
  return x;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMost = 24;
  std::string out = "'";
  for (const char c : word.substr(0, kMost)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (word.size() > kMost ? "...'" : "'");
}

}  // namespace grouser
