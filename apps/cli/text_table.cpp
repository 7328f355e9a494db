#include "apps/cli/text_table.h"

#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "apps/cli/terminal.h"

namespace grouser::cli {
namespace {

constexpr std::size_t kColumnGap = 2;    // between columns
constexpr std::size_t kNarrowest = 24;   // last column
constexpr std::size_t kLabelWidth = 14;  // of print_field

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

void print_labelled(std::ostream& out, const std::string& label,
                    const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string words = i == 0 ? label : "";
    const std::size_t width = width_of(words);
    out << words << spaces(std::max(kLabelWidth, width + kColumnGap) - width) << lines[i] << '\n';
  }
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

std::vector<std::size_t> TextTable::used_columns() const {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < header_.size(); ++k)
    if (std::any_of(rows_.begin(), rows_.end(), [k](const auto& row) { return !row[k].empty(); }))
      used.push_back(k);
  return used;
}

bool TextTable::has_header() const {
  return std::any_of(header_.begin(), header_.end(),
                     [](const auto& text) { return !text.empty(); });
}

// A column is as wide as its widest line; the last one takes what is left of the screen.
std::vector<std::size_t> TextTable::widths(const std::vector<std::size_t>& columns,
                                           std::size_t indent) const {
  std::vector<std::size_t> out;
  std::size_t begin = indent;
  for (const std::size_t k : columns) {
    std::size_t limit = std::string::npos;
    if (const auto found = limits_.find(k); found != limits_.end()) limit = found->second;
    if (k == columns.back())
      limit = std::max(terminal_width(STDOUT_FILENO), begin + kNarrowest) - begin;
    std::size_t width = width_of(header_[k]);
    for (const auto& row : rows_)
      for (const std::string& line : wrapped(row[k], limit))
        width = std::max(width, width_of(line));
    out.push_back(k == columns.back() && !right_.contains(k) ? limit : width);
    begin += width + kColumnGap;
  }
  return out;
}

void TextTable::print(std::ostream& out, std::size_t indent) const {
  const std::vector<std::size_t> columns = used_columns();
  if (columns.empty()) return;
  const std::vector<std::size_t> width = widths(columns, indent);

  const auto print_row = [&](const std::vector<std::string>& row) {
    std::vector<std::vector<std::string>> cells;  // lines of each column
    std::size_t height = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      cells.push_back(wrapped(row[columns[i]], width[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) {
      std::string line = spaces(indent);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string text = n < cells[i].size() ? cells[i][n] : "";
        const std::string padding = spaces(width[i] - std::min(width[i], width_of(text)));
        line += right_.contains(columns[i]) ? padding + text : text + padding;
        line += spaces(kColumnGap);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << '\n';
    }
  };
  if (has_header()) print_row(header_);
  for (const auto& row : rows_) print_row(row);
}

void TextTable::print_markdown(std::ostream& out) const {
  const std::vector<std::size_t> columns = used_columns();
  const auto print_row = [&](const auto& cell) {
    for (const std::size_t k : columns) out << "| " << cell(k) << ' ';
    out << "|\n";
  };
  print_row([&](std::size_t k) { return markdown_cell(header_[k]); });
  print_row([&](std::size_t k) { return right_.contains(k) ? "---:" : "---"; });
  for (const auto& row : rows_) print_row([&](std::size_t k) { return markdown_cell(row[k]); });
}

void print_field(std::ostream& out, const std::string& label, const std::string& text) {
  const std::size_t screen = terminal_width(STDOUT_FILENO, std::string::npos);
  print_labelled(out, label,
                 wrapped(text, std::max(screen, kLabelWidth + kNarrowest) - kLabelWidth));
}

void print_field(std::ostream& out, const std::string& label, const TextTable& table) {
  std::stringstream text;
  table.print(text, 0);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  print_labelled(out, label, lines);
}

}  // namespace grouser::cli
