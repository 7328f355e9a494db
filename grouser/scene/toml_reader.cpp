#include "grouser/scene/toml_reader.h"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace grouser {
namespace {

Place place_of(const toml::source_region& source, const std::string& name) {
  return {name, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

Value convert(const toml::node& node, const std::string& name) {
  const Place place = place_of(node.source(), name);
  if (const auto* table = node.as_table()) {
    Value::Table out;
    for (const auto& [key, value] : *table)
      out.push_back({std::string(key.str()), place_of(key.source(), name), convert(value, name)});
    // toml++ sorts keys; people expect the order of their text.
    std::stable_sort(out.begin(), out.end(), [](const Value::Entry& a, const Value::Entry& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return Value(std::move(out), place);
  }
  if (const auto* array = node.as_array()) {
    Value::Array out;
    for (const auto& value : *array) out.push_back(convert(value, name));
    return Value(std::move(out), place);
  }
  if (const auto* text = node.as_string()) return Value(text->get(), place);
  if (const auto* integer = node.as_integer()) return Value(std::int64_t{integer->get()}, place);
  if (const auto* number = node.as_floating_point()) return Value(number->get(), place);
  if (const auto* boolean = node.as_boolean()) return Value(boolean->get(), place);
  throw InputError(place, "dates and times are not used in scenes");
}

}  // namespace

Value read_toml_text(const std::string& text, const std::string& name) {
  try {
    return convert(toml::parse(text, name), name);
  } catch (const toml::parse_error& error) {
    throw InputError(place_of(error.source(), name), std::string(error.description()));
  }
}

namespace {

Value read_one_file(const std::string& path, const Place& asked_at) {
  const auto refuse = [&](const std::string& why) {
    const bool asked = !asked_at.file.empty();
    throw InputError(asked ? asked_at : Place{path, 0, 0},
                     (asked ? "include: " + path + " " : std::string()) + why);
  };
  if (std::filesystem::is_directory(path)) refuse("is a folder, not a scene file");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(std::string("cannot be read: ") + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  return read_toml_text(text.str(), path);
}

/// Replaces every `include` below `value`, which stands in the last of `files`.
Value with_includes(const Value& value, std::vector<std::string>& files,
                    std::vector<std::string>* included) {
  if (value.is_array()) {
    Value::Array out;
    for (const Value& entry : value.as_array())
      out.push_back(with_includes(entry, files, included));
    return Value(std::move(out), value.place());
  }
  if (!value.is_table()) return value;
  Value::Table own;
  for (const Value::Entry& entry : value.as_table())
    if (entry.key != "include")
      own.push_back({entry.key, entry.place, with_includes(entry.value, files, included)});
  const Value* include = value.find("include");
  if (!include) return Value(std::move(own), value.place());

  const std::string name = include->text_or_throw("include");
  const std::string path =
      (std::filesystem::path(files.back()).parent_path() / name).lexically_normal().string();
  if (std::find(files.begin(), files.end(), path) != files.end())
    throw InputError(include->place(), "include: " + path + " includes itself");
  const Value other = read_one_file(path, include->place());
  if (included) included->push_back(path);
  files.push_back(path);
  const Value base = with_includes(other, files, included);
  files.pop_back();
  return merged(Value(base.as_table(), value.place()), Value(std::move(own), value.place()));
}

}  // namespace

Value read_toml_file(const std::string& path, std::vector<std::string>* included) {
  std::vector<std::string> files = {std::filesystem::path(path).lexically_normal().string()};
  return with_includes(read_one_file(path, {}), files, included);
}

Value read_toml_value(const std::string& text, const std::string& name) {
  const auto at_origin = [&](Value value) {
    // Places inside a command-line word help nobody; its name does.
    const std::function<Value(const Value&)> strip = [&](const Value& v) -> Value {
      const Place place{name, 0, 0};
      if (v.is_table()) {
        Value::Table out;
        for (const Value::Entry& e : v.as_table()) out.push_back({e.key, place, strip(e.value)});
        return Value(std::move(out), place);
      }
      if (v.is_array()) {
        Value::Array out;
        for (const Value& e : v.as_array()) out.push_back(strip(e));
        return Value(std::move(out), place);
      }
      if (v.is_bool()) return Value(v.as_bool(), place);
      if (v.is_integer()) return Value(v.as_integer(), place);
      if (v.is_number()) return Value(v.as_number(), place);
      return Value(v.as_text(), place);
    };
    return strip(value);
  };
  try {
    return at_origin(*read_toml_text("value = " + text, name).find("value"));
  } catch (const InputError&) {
    if (text.empty() || text.find_first_of("[]{}\"'\n") != std::string::npos) throw;
    return Value(text, Place{name, 0, 0});
  }
}

void apply_settings(Value& document, const std::vector<std::string>& settings) {
  for (const std::string& word : settings) {
    const std::size_t equal = word.find('=');
    if (equal == std::string::npos || equal == 0)
      throw InputError("--set " + word + ": write it as key=value");
    const std::string key = word.substr(0, equal);
    set_at_path(document, key, read_toml_value(word.substr(equal + 1), "--set " + key));
  }
}

}  // namespace grouser
