#include "grouser/scene/registry.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/soil/soil_models.h"

namespace grouser {

std::span<const ContactModelRow> contact_models() {
  static const std::vector<ContactModelRow> all = [] {
    std::vector<ContactModelRow> out;
    for (const std::span<const ContactModelRow> rows : {dry_models(), soil_models()})
      out.insert(out.end(), rows.begin(), rows.end());
    std::sort(out.begin(), out.end(),
              [](const ContactModelRow& a, const ContactModelRow& b) { return a.name < b.name; });
    GROUSER_ASSERT(std::ranges::adjacent_find(out, {}, &ContactModelRow::name) == out.end());
    return out;
  }();
  return all;
}

const ContactModelRow& contact_model(const std::string& name, const Place& place) {
  return find_model(contact_models(), name, place);
}

}  // namespace grouser
