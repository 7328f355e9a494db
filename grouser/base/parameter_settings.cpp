#include "grouser/base/parameter_settings.h"

#include "grouser/base/text.h"

namespace grouser {
namespace {

constexpr std::size_t kLongestArray = 24;

std::string inline_text(const Value& value) {
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Value& entry : value.as_array()) {
      if (parts.size() == kLongestArray) {
        parts.push_back("... " + std::to_string(value.as_array().size()) + " in all");
        break;
      }
      parts.push_back(inline_text(entry));
    }
    return "[" + join(parts) + "]";
  }
  if (!value.is_table()) return value.text();
  for (const Value::Entry& entry : value.as_table())
    parts.push_back(entry.key + " = " + inline_text(entry.value));
  return parts.empty() ? "{}" : "{ " + join(parts) + " }";
}

std::string given_text(const Value& value) {
  return value.is_text() ? value.as_text() : inline_text(value);
}

std::string default_text(std::string text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
    text = text.substr(1, text.size() - 2);
  return text;
}

/// The unit; custom parameters have theirs in brackets in their kind: "signal [rad] or [m]".
std::string unit_of(const ParameterInfo& info) {
  if (!info.unit.empty()) return info.unit;
  std::vector<std::string> units;
  for (std::size_t end = 0, begin; (begin = info.kind.find('[', end)) != std::string::npos;) {
    end = info.kind.find(']', begin);
    if (end == std::string::npos) break;
    units.push_back(info.kind.substr(begin + 1, end - begin - 1));
  }
  return join(units, " or ");
}

void add_entries(const std::string& key, const Value& value, const ParameterInfo& info,
                 std::vector<ParameterSetting>& out) {
  if (!value.is_table()) {
    out.push_back({key, given_text(value), "", info.meaning});
    return;
  }
  for (const Value::Entry& entry : value.as_table())
    add_entries(key + "." + entry.key, entry.value, info, out);
}

}  // namespace

std::vector<ParameterSetting> parameter_settings(std::span<const ParameterInfo> parameters,
                                                 const Value& given) {
  std::vector<ParameterSetting> out;
  for (const ParameterInfo& info : parameters) {
    const Value* value = given.find(info.key);
    if (value && value->is_table() && info.kind.starts_with("table"))
      add_entries(info.key, *value, info, out);
    else
      out.push_back({info.key, value ? given_text(*value) : default_text(info.default_text),
                     unit_of(info), info.meaning});
  }
  return out;
}

}  // namespace grouser
