// Rows of text in columns.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace grouser::cli {

/// Columns in which no row says anything are left out. On the screen the last column is broken into
/// lines where the terminal ends.
class TextTable {
 public:
  /// An empty header has no line of its own.
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }

  /// Entries of `column` end, rather than begin, at the same place.
  TextTable& align_right(std::size_t column) {
    right_.insert(column);
    return *this;
  }

  /// On the screen, entries of `column` are broken into lines of at most `width`.
  TextTable& limit(std::size_t column, std::size_t width) {
    limits_[column] = width;
    return *this;
  }

  void print(std::ostream& out, std::size_t indent = 2) const;
  void print_markdown(std::ostream& out) const;

 private:
  std::vector<std::size_t> used_columns() const;
  std::vector<std::size_t> widths(const std::vector<std::size_t>& columns,
                                  std::size_t indent) const;
  bool has_header() const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::set<std::size_t> right_;
  std::map<std::size_t, std::size_t> limits_;
};

/// `text` in lines of at most `width` columns, broken at spaces.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// Label and text, aligned: "steps         1874". A text longer than a terminal's line is broken.
void print_field(std::ostream& out, const std::string& label, const std::string& text);

/// Label and lines: the table stands where the text of a field does.
void print_field(std::ostream& out, const std::string& label, const TextTable& table);

}  // namespace grouser::cli
