#include "grouser/report/table_json.h"

#include <nlohmann/json.hpp>

#include "grouser/base/version.h"

namespace grouser::report {

using Json = nlohmann::ordered_json;

std::string table_json(const NumberTable& table, std::span<const std::string> warnings) {
  Json json;
  json["grouser"] = version();
  json["title"] = table.title;
  json["columns"] = table.columns;
  json["rows"] = Json::array();
  for (const std::vector<double>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = row[i];
    json["rows"].push_back(std::move(object));
  }
  json["warnings"] = std::vector<std::string>(warnings.begin(), warnings.end());
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grouser::report
