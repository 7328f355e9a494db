#include "grouser/base/csv.h"

#include <cctype>

namespace grouser {
namespace {

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace

CsvLines::CsvLines(std::string_view text, std::string path)
    : path_(std::move(path)), lines_(without_mark(text)) {}

bool CsvLines::next(std::vector<CsvField>& fields) {
  fields.clear();
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (trimmed(line).empty() || trimmed(line).starts_with('#'));
  const char* start = line.data();
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view word = trimmed(line.substr(0, comma));
    const auto column = static_cast<int>((word.empty() ? line.data() : word.data()) - start) + 1;
    fields.push_back({word, {path_, lines_.number(), column}});
    if (comma == std::string_view::npos) return true;
    line.remove_prefix(comma + 1);
  }
}

CsvHead csv_head(const CsvField& field) {
  CsvHead out;
  const std::size_t bracket = field.text.find('[');
  out.name = trimmed(field.text.substr(0, bracket));
  for (char& c : out.name) c = c == '_' ? ' ' : static_cast<char>(std::tolower(c & 0x7f));
  if (bracket == std::string_view::npos) return out;
  out.unit = field.text.substr(bracket + 1);
  if (!out.unit.ends_with(']')) throw InputError(field.place, "the bracket [ of a unit must close");
  out.unit.remove_suffix(1);
  out.unit = trimmed(out.unit);
  out.has_unit = true;
  return out;
}

}  // namespace grouser
