// A document tree with places: what a scene file says, whatever format it was written in.
//
// Readers (TOML today) turn their text into Values; everything above reads Values through parameter
// tables, so every complaint can name file, line, column and key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grouser/base/error.h"

namespace grouser {

class Value {
 public:
  struct Entry;  // key, where the key stands, and its value
  using Array = std::vector<Value>;
  using Table = std::vector<Entry>;  // in the order of the text

  Value();
  Value(bool x, Place place = {});
  Value(std::int64_t x, Place place = {});
  Value(int x, Place place = {});
  Value(double x, Place place = {});
  Value(std::string x, Place place = {});
  Value(const char* x, Place place = {});
  Value(Array x, Place place = {});
  Value(Table x, Place place = {});
  // Elsewhere: copies of a tree are much code to have at every use.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  const Place& place() const { return place_; }

  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(data_); }
  bool is_text() const { return std::holds_alternative<std::string>(data_); }
  bool is_array() const { return std::holds_alternative<Array>(data_); }
  bool is_table() const { return std::holds_alternative<Table>(data_); }

  // Preconditions: the value is of that kind.
  bool as_bool() const { return std::get<bool>(data_); }
  std::int64_t as_integer() const { return std::get<std::int64_t>(data_); }
  double as_number() const {
    return is_integer() ? static_cast<double>(as_integer()) : std::get<double>(data_);
  }
  const std::string& as_text() const { return std::get<std::string>(data_); }
  const Array& as_array() const { return std::get<Array>(data_); }
  const Table& as_table() const { return std::get<Table>(data_); }
  Array& as_array() { return std::get<Array>(data_); }
  Table& as_table() { return std::get<Table>(data_); }

  /// The value at `key` of a table, or null.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);

  /// "a number", "a table": for messages.
  std::string_view kind_name() const;
  /// The value as a person would write it, shortened: for messages.
  std::string text() const;
  /// The value in one line of TOML, whole: what a reader would make the same value from.
  std::string inline_text() const;

  /// Refusals that name the key, such as `contact.friction must be a number, is a string`.
  const std::string& text_or_throw(const std::string& key) const;
  double number_or_throw(const std::string& key) const;
  const Table& table_or_throw(const std::string& key) const;
  const Array& array_or_throw(const std::string& key) const;

 private:
  [[noreturn]] void refuse(const std::string& key, std::string_view wanted) const;

  std::variant<bool, std::int64_t, double, std::string, Array, Table> data_;
  Place place_;
};

struct Value::Entry {
  std::string key;
  Place place;
  Value value;
};

/// Adds an entry that no text has.
void add_entry(Value::Table& table, std::string key, Value value);

/// The entries of `[[key]]` in a document; none if it is not there. Throws InputError if it is
/// written `[key]` or is something else.
const Value::Array& tables_of(const Value& document, const std::string& key);

/// `over` where it says something, else `base`; tables are merged key by key.
Value merged(const Value& base, const Value& over);

/// Sets `path` ("simulation.duration", "contact.1.friction", "shape.ball.mesh.file") inside `root`.
/// A part that names an entry of an array is its index from zero or the `name` of the entry.
/// Tables on the way are created; everything else must exist. Throws InputError at `value.place()`.
void set_at_path(Value& root, const std::string& path, Value value);

}  // namespace grouser
