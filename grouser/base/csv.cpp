#include "grouser/base/csv.h"

#include <cctype>
#include <cmath>

#include "grouser/base/assert.h"

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

Place csv_line(const std::vector<CsvField>& fields) {
  GROUSER_ASSERT(!fields.empty());
  return {fields[0].place.file, fields[0].place.line, 0};
}

void read_csv(std::string_view text, const std::string& path,
              const std::function<void(const std::vector<CsvField>&)>& head,
              const std::function<void(const std::vector<CsvField>&)>& row) {
  CsvLines lines(text, path);
  std::vector<CsvField> fields;
  if (!lines.next(fields)) throw InputError(Place{path}, "there is no line that names the columns");
  head(fields);
  for (const std::size_t columns = fields.size(); lines.next(fields);) {
    if (fields.size() != columns)
      throw InputError(csv_line(fields), "there must be " + std::to_string(columns) +
                                             " numbers, as the first line has columns; there are " +
                                             std::to_string(fields.size()));
    row(fields);
  }
}

double csv_number(const CsvField& field, const std::string& name) {
  const std::optional<double> number = to_number(field.text);
  if (!number)
    throw InputError(field.place, name + " must be a number, is " + in_quotes(field.text));
  if (!std::isfinite(*number)) throw InputError(field.place, name + " must be finite");
  return *number;
}

}  // namespace grouser
