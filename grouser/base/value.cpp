#include "grouser/base/value.h"

#include <charconv>

#include "grouser/base/text.h"

namespace grouser {
namespace {

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      constexpr char kHex[] = "0123456789abcdef";
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string written_key(const std::string& key) {
  const bool bare = !key.empty() && key.find_first_not_of(
                                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789_-") == std::string::npos;
  return bare ? key : toml_text(key);
}

}  // namespace

Value::Value() : data_(Table{}) {}
Value::Value(bool x, Place place) : data_(x), place_(std::move(place)) {}
Value::Value(std::int64_t x, Place place) : data_(x), place_(std::move(place)) {}
Value::Value(int x, Place place) : Value(std::int64_t{x}, std::move(place)) {}
Value::Value(double x, Place place) : data_(x), place_(std::move(place)) {}
Value::Value(std::string x, Place place) : data_(std::move(x)), place_(std::move(place)) {}
Value::Value(const char* x, Place place) : Value(std::string(x), std::move(place)) {}
Value::Value(Array x, Place place) : data_(std::move(x)), place_(std::move(place)) {}
Value::Value(Table x, Place place) : data_(std::move(x)), place_(std::move(place)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

const Value* Value::find(std::string_view key) const {
  for (const Entry& entry : as_table())
    if (entry.key == key) return &entry.value;
  return nullptr;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

std::string_view Value::kind_name() const {
  if (is_bool()) return "a boolean";
  if (is_number()) return "a number";
  if (is_text()) return "a string";
  if (is_array()) return "an array";
  return "a table";
}

std::string Value::text() const {
  if (is_bool()) return as_bool() ? "true" : "false";
  if (is_integer()) return std::to_string(as_integer());
  if (is_number()) return to_text(as_number());
  if (is_text()) return "\"" + as_text() + "\"";
  if (is_array()) return "an array of " + std::to_string(as_array().size());
  return "a table";
}

std::string Value::inline_text() const {
  if (is_text()) return toml_text(as_text());
  std::string out;
  if (is_array()) {
    for (const Value& entry : as_array()) out += (out.empty() ? "" : ", ") + entry.inline_text();
    return "[" + out + "]";
  }
  if (is_table()) {
    for (const Entry& entry : as_table())
      out += (out.empty() ? "" : ", ") + written_key(entry.key) + " = " + entry.value.inline_text();
    return out.empty() ? "{}" : "{ " + out + " }";
  }
  if (is_bool() || is_integer()) return text();
  // A number with a point or an exponent, or else TOML takes it for an integer.
  const std::string number = to_text(as_number());
  return number.find_first_not_of("-0123456789") == std::string::npos ? number + ".0" : number;
}

void Value::refuse(const std::string& key, std::string_view wanted) const {
  std::string is(kind_name());
  if (is_bool() || is_number() || is_text()) is += ", " + text();
  throw InputError(place_, key + " must be " + std::string(wanted) + ", is " + is);
}

const std::string& Value::text_or_throw(const std::string& key) const {
  if (!is_text()) refuse(key, "a string");
  return as_text();
}

double Value::number_or_throw(const std::string& key) const {
  if (!is_number()) refuse(key, "a number");
  return as_number();
}

const Value::Table& Value::table_or_throw(const std::string& key) const {
  if (!is_table()) refuse(key, "a table");
  return as_table();
}

const Value::Array& Value::array_or_throw(const std::string& key) const {
  if (!is_array()) refuse(key, "an array");
  return as_array();
}

void add_entry(Value::Table& table, std::string key, Value value) {
  Value::Entry& entry = table.emplace_back();
  entry.key = std::move(key);
  entry.value = std::move(value);
}

const Value::Array& tables_of(const Value& document, const std::string& key) {
  static const Value::Array none;
  const Value* found = document.find(key);
  if (!found) return none;
  if (found->is_table())
    throw InputError(found->place(), key + " must be written [[" + key + "]], there may be many");
  return found->array_or_throw(key);
}

namespace {

/// What an entry of an array is called: its name, or the joint or body it belongs to.
const Value* name_of(const Value& entry) {
  if (!entry.is_table()) return nullptr;
  const Value* name = entry.find("name");
  if (!name) name = entry.find("joint");
  if (!name) name = entry.find("body");
  return name && name->is_text() ? name : nullptr;
}

/// The entry of `array` that `part` names by index, name, joint or body.
Value& array_entry(Value::Array& array, const std::string& part, const std::string& path,
                   const Place& place) {
  std::size_t index = 0;
  const auto end = part.data() + part.size();
  const auto parsed = std::from_chars(part.data(), end, index);
  if (parsed.ec == std::errc{} && parsed.ptr == end) {
    if (index < array.size()) return array[index];
    throw InputError(place, path + ": there are " + std::to_string(array.size()) +
                                " entries, counted from zero; " + part + " is not one of them");
  }
  std::vector<std::string> names;
  for (Value& entry : array) {
    const Value* name = name_of(entry);
    if (!name) continue;
    if (name->as_text() == part) return entry;
    names.push_back(name->as_text());
  }
  throw InputError(place, path + ": no entry is named '" + part + "'" + suggestion(part, names));
}

}  // namespace

Value merged(const Value& base, const Value& over) {
  if (!base.is_table() || !over.is_table()) return over;
  Value out(base.as_table(), over.place());
  for (const Value::Entry& entry : over.as_table()) {
    Value* known = out.find(entry.key);
    if (known)
      *known = merged(*known, entry.value);
    else
      out.as_table().push_back(entry);
  }
  return out;
}

void set_at_path(Value& root, const std::string& path, Value value) {
  const Place place = value.place();
  Value* here = &root;
  std::size_t start = 0;
  while (true) {
    const std::size_t dot = path.find('.', start);
    const std::string part = path.substr(start, dot - start);
    if (part.empty()) throw InputError(place, "'" + path + "' is not a key: a part is empty");
    if (here->is_array()) {
      here = &array_entry(here->as_array(), part, path, place);
    } else if (here->is_table()) {
      Value* next = here->find(part);
      if (!next) {
        here->as_table().push_back({part, place, Value(Value::Table{}, place)});
        next = &here->as_table().back().value;
      }
      here = next;
    } else {
      throw InputError(place, path + ": " + path.substr(0, start == 0 ? 0 : start - 1) + " is " +
                                  std::string(here->kind_name()) + ", it has no key '" + part +
                                  "'");
    }
    if (dot == std::string::npos) break;
    start = dot + 1;
  }
  *here = std::move(value);
}

}  // namespace grouser
