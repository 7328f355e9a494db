#include "grouser/contact/model_row.h"

#include "grouser/base/text.h"

namespace grouser {

const ContactModelRow& find_model(std::span<const ContactModelRow> rows, const std::string& name,
                                  const Place& place) {
  std::vector<std::string> names;
  for (const ContactModelRow& row : rows) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw InputError(place,
                   "contact.model '" + name + "' is unknown" + suggestion(name, names) +
                       (nearest_name(name, names).empty() ? "" : " (of " + join(names) + ")"));
}

}  // namespace grouser
