// A table of numbers, for scripts.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace grouser::report {

struct NumberTable {
  std::string title;
  std::vector<std::string> columns;       ///< "slip", "sinkage [m]"
  std::vector<std::vector<double>> rows;  ///< a number for every column
};

/// One JSON object: version, title, the columns in order, an object for every row, and warnings.
std::string table_json(const NumberTable& table, std::span<const std::string> warnings);

}  // namespace grouser::report
