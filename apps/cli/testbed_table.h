// What a test found, as a table on the screen, in files and as a picture.
#pragma once

#include <iosfwd>
#include <string>

#include "grouser/report/table_json.h"

namespace grouser::cli {

struct TestTable : report::NumberTable {
  std::size_t keys = 1;   // so many columns tell what was tested, the others what was found
  bool scatters = false;  // what was found is followed by its scatter, column by column

  /// A column of something found; its scatter goes into another one.
  void add_found(const std::string& name, const std::string& unit);

  /// At most `most` rows, the first and last among them. Keys that are the same in all rows are
  /// left out, but for the first; scatter stands behind its mean.
  void print(std::ostream& out, std::size_t most) const;
  std::string csv() const;
  /// Curves over the first key that is varied, one for each combination of the others.
  std::string svg() const;

 private:
  bool varies(std::size_t column) const;
  std::size_t x_column() const;
};

}  // namespace grouser::cli
