// The keys of a [[shape]] that say what geometry it has: one row each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/contact/world_def.h"

namespace grouser {

struct ShapeKey {
  std::string_view name;
  std::string_view kind;  ///< "table", "list of tables", "boolean"
  std::string_view meaning;
  /// Throws InputError with the place. Files are looked up relative to `folder`.
  Geometry (*read)(const Value& value, const std::string& path, const std::string& folder);
  /// Of the table at the key; none if it is documented elsewhere, or is no table.
  std::vector<ParameterInfo> (*infos)();
};

/// All of them, in the order of the documentation.
const std::vector<ShapeKey>& shape_keys();

// By family.

std::span<const ShapeKey> convex_keys();
/// In the order of the alternatives of ElementShape.
std::span<const ShapeKey> element_keys();
std::span<const ShapeKey> smooth_keys();

/// The parameters of a key that were read from a table.
template <class Def>
Def read_as(const ParameterTable<Def>& table, const Value& value, const std::string& path) {
  Def def;
  table.read(value, def, path);
  return def;
}

}  // namespace grouser
