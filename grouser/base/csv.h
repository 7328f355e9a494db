// Comma-separated values: lines taken apart into fields that know where they stand.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/text_file.h"

namespace grouser {

/// A word of a line and where it stands.
struct CsvField {
  std::string_view text;  ///< without the blanks around it
  Place place;
};

/// The lines of a text; blank ones and comments (#) are left out, and the mark that spreadsheets
/// put before the first.
class CsvLines {
 public:
  CsvLines(std::string_view text, std::string path);
  /// False at the end. Otherwise `fields` are those of the next line, at least one.
  bool next(std::vector<CsvField>& fields);

 private:
  std::string path_;
  Lines lines_;
};

/// The head of a column: "Drawbar_pull [N]" has the name "drawbar pull" and the unit "N".
struct CsvHead {
  std::string name;
  std::string_view unit;
  bool has_unit = false;
};
/// Throws InputError if the bracket of the unit does not close.
CsvHead csv_head(const CsvField& field);

/// The whole line that fields stand in, as the place of an error.
Place csv_line(const std::vector<CsvField>& fields);

/// Reads a table: `head` gets the first line, which names the columns, `row` every other one.
/// Throws InputError if there is no line at all, or one has not as many fields as the first.
void read_csv(std::string_view text, const std::string& path,
              const std::function<void(const std::vector<CsvField>&)>& head,
              const std::function<void(const std::vector<CsvField>&)>& row);

/// A finite number; `name` says of what. Throws InputError with its place.
double csv_number(const CsvField& field, const std::string& name);

}  // namespace grouser
