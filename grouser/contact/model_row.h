// A contact model as tables of models list it: its name, and how a [[contact]] becomes its
// definition.
#pragma once

#include <memory>
#include <span>
#include <string>
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

/// The row of that name; throws InputError at `place` with the nearest name if there is none.
const ContactModelRow& find_model(std::span<const ContactModelRow> rows, const std::string& name,
                                  const Place& place);

/// Models of dry contact, between bodies that do not yield for good.
std::span<const ContactModelRow> dry_models();

namespace model_row_detail {
template <class Def>
std::shared_ptr<ContactDef> read(const Value& table, const std::string& path) {
  auto def = std::make_shared<Def>();
  def->place = table.place();
  Def::parameters().read(table, *def, path);
  return def;
}

template <class Def>
std::vector<ParameterInfo> infos() {
  return Def::parameters().infos();
}
}  // namespace model_row_detail

/// Most models have a page of their own.
template <class Def>
constexpr ContactModelRow model_row(std::string_view summary, std::string_view page = Def::kModel) {
  return {Def::kModel, summary, page, &model_row_detail::read<Def>, &model_row_detail::infos<Def>};
}

}  // namespace grouser
