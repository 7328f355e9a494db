// The contact models there are: one row each.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/contact/world_def.h"

namespace grouser {

struct ContactModelRow {
  std::string_view name;     ///< the scene's keyword: model = "..."
  std::string_view summary;  ///< one line for lists
  std::string_view page;     ///< of the documentation: docs/models/<page>.md
  /// Reads a [[contact]] table (without `model` and `name`) into a definition.
  std::shared_ptr<ContactDef> (*read)(const Value& table, const std::string& path);
  std::vector<ParameterInfo> (*parameters)();
};

std::span<const ContactModelRow> contact_models();

/// The row of that name; throws InputError at `place` with the nearest name if there is none.
const ContactModelRow& contact_model(const std::string& name, const Place& place);

}  // namespace grouser
