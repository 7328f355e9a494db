// Parameters declared once.
//
// A parameter struct has one table that says for each member its key, unit, range and meaning; the
// default is the member's initialiser. The scene loader, the range check for C++ users and the
// documentation all read that table.
//
//   struct HuntCrossley { double stiffness = kRequired; double restitution = 0.5; };
//   const ParameterTable<HuntCrossley>& parameter_table(const HuntCrossley*) {
//     static const auto table = ParameterTable<HuntCrossley>()
//         .number("stiffness", &HuntCrossley::stiffness, "N/m^1.5", positive(), "of the contact")
//         .number("restitution", &HuntCrossley::restitution, "", within(0, 1), "rebound / impact");
//     return table;
//   }
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/base/value.h"

namespace grouser {

/// As a member's initialiser: the user must give this number.
inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();

/// Allowed interval of a number; non-finite numbers are never allowed.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;
  bool upper_open = false;

  bool contains(double x) const;
  /// "be positive", "lie in [0, 0.45]": what must be true, for messages and documentation.
  std::string text() const;
};
inline Range any_number() {
  return {};
}
inline Range positive() {
  return {.lower = 0.0, .lower_open = true};
}
inline Range non_negative() {
  return {.lower = 0.0};
}
inline Range within(double lower, double upper) {
  return {.lower = lower, .upper = upper};
}
inline Range at_least(double lower) {
  return {.lower = lower};
}

/// What is known of one parameter without knowing its struct: for documentation and other hosts.
struct ParameterInfo {
  std::string key;
  std::string kind;  ///< "number", "integer", "boolean", "string", "3 numbers", "table", ...
  std::string unit;
  std::string range;
  std::string default_text;  ///< empty: required
  std::string meaning;
  Range limits = {};  ///< of a number: what `range` tells
};

/// All parameters of one table of a text, for documentation.
struct ParameterPage {
  std::string table;  ///< "[simulation]", "mesh.torus"
  std::string meaning;
  std::vector<ParameterInfo> keys;
};

namespace parameters_detail {
// Readers shared by all tables: check kind and range, throw with place and key.
double read_number(const Value& value, const std::string& key, const Range& range);
std::int64_t read_integer(const Value& value, const std::string& key, const Range& range);
bool read_bool(const Value& value, const std::string& key);
std::string read_text(const Value& value, const std::string& key);
std::vector<double> read_numbers(const Value& value, const std::string& key, std::size_t count,
                                 const Range& range);
std::size_t read_choice(const Value& value, const std::string& key,
                        const std::vector<std::string>& names);
void check_number(double x, const Place& place, const std::string& key, const Range& range);
[[noreturn]] void refuse_unknown_key(const Value::Entry& entry, const std::string& path,
                                     const std::vector<std::string>& known);
[[noreturn]] void refuse_missing(const Place& place, const std::string& key,
                                 const std::string& meaning);
std::string joined(const std::string& path, const std::string& key);
/// Calls `read(entry, path)` for all entries of an array, with "path.0", "path.1", ...
template <class Read>
void read_entries(const Value& value, const std::string& path, Read&& read) {
  const Value::Array& entries = value.array_or_throw(path);
  for (std::size_t i = 0; i < entries.size(); ++i)
    read(entries[i], joined(path, std::to_string(i)));
}
}  // namespace parameters_detail

template <class T>
class ParameterTable {
 public:
  ParameterTable& number(std::string key, double T::*member, std::string unit, Range range,
                         std::string meaning) {
    const double initial = T{}.*member;
    Row row = make_row(key, "number", unit, range, std::move(meaning), text_of(initial));
    row.required = initial != initial;
    row.read = [=](const Value& v, T& out, const std::string& path) {
      out.*member = parameters_detail::read_number(v, path, range);
    };
    row.write = [=](const T& in) { return Value(in.*member); };
    row.check = [=, required = row.required, meaning = row.info.meaning](
                    const T& in, const Place& place, const std::string& path) {
      if (required && in.*member != in.*member)
        parameters_detail::refuse_missing(place, path, meaning);
      parameters_detail::check_number(in.*member, place, path, range);
    };
    return add(std::move(row));
  }

  ParameterTable& integer(std::string key, int T::*member, Range range, std::string meaning) {
    Row row = make_row(key, "integer", "", range, std::move(meaning), std::to_string(T{}.*member));
    row.read = [=](const Value& v, T& out, const std::string& path) {
      out.*member = static_cast<int>(parameters_detail::read_integer(v, path, range));
    };
    row.write = [=](const T& in) { return Value(in.*member); };
    row.check = [=](const T& in, const Place& place, const std::string& path) {
      parameters_detail::check_number(in.*member, place, path, range);
    };
    return add(std::move(row));
  }

  ParameterTable& boolean(std::string key, bool T::*member, std::string meaning) {
    Row row = make_row(key, "boolean", "", {}, std::move(meaning), T{}.*member ? "true" : "false");
    row.read = [=](const Value& v, T& out, const std::string& path) {
      out.*member = parameters_detail::read_bool(v, path);
    };
    row.write = [=](const T& in) { return Value(in.*member); };
    return add(std::move(row));
  }

  /// A string; with `required` it may not be left out.
  ParameterTable& text(std::string key, std::string T::*member, std::string meaning,
                       bool required = false) {
    Row row = make_row(key, "string", "", {}, std::move(meaning),
                       required ? "" : "\"" + T{}.*member + "\"");
    row.required = required;
    row.read = [=](const Value& v, T& out, const std::string& path) {
      out.*member = parameters_detail::read_text(v, path);
    };
    row.write = [=](const T& in) { return Value(in.*member); };
    if (required)
      row.check = [=, meaning = row.info.meaning](const T& in, const Place& place,
                                                  const std::string& path) {
        if ((in.*member).empty()) parameters_detail::refuse_missing(place, path, meaning);
      };
    return add(std::move(row));
  }

  /// One of several words; `names[i]` stands for the enumerator with value i.
  template <class Enum>
  ParameterTable& choice(std::string key, Enum T::*member, std::vector<std::string> names,
                         std::string meaning) {
    std::string kind;
    for (const std::string& name : names) kind += (kind.empty() ? "\"" : " or \"") + name + "\"";
    Row row = make_row(key, kind, "", {}, std::move(meaning),
                       "\"" + names[static_cast<std::size_t>(T{}.*member)] + "\"");
    row.read = [=](const Value& v, T& out, const std::string& path) {
      out.*member = static_cast<Enum>(parameters_detail::read_choice(v, path, names));
    };
    row.write = [=](const T& in) { return Value(names[static_cast<std::size_t>(in.*member)]); };
    return add(std::move(row));
  }

  /// Two numbers, [x, y].
  ParameterTable& vector2(std::string key, Eigen::Vector2d T::*member, std::string unit,
                          std::string meaning, Range range = {}) {
    return vector<2>(std::move(key), member, std::move(unit), std::move(meaning), range);
  }

  /// Three numbers, [x, y, z].
  ParameterTable& vector3(std::string key, Eigen::Vector3d T::*member, std::string unit,
                          std::string meaning, Range range = {}) {
    return vector<3>(std::move(key), member, std::move(unit), std::move(meaning), range);
  }

  /// A list of pairs, [[x, y], ...]; `kind` says what they are, "list of [place, drop]".
  ParameterTable& points(std::string key, std::vector<Eigen::Vector2d> T::*member, std::string kind,
                         std::string meaning, bool required = false) {
    Row row = make_row(key, kind, "", {}, std::move(meaning), required ? "" : "none");
    row.required = required;
    row.read = [=](const Value& v, T& out, const std::string& path) {
      (out.*member).clear();
      parameters_detail::read_entries(v, path, [&](const Value& entry, const std::string& item) {
        const std::vector<double> x = parameters_detail::read_numbers(entry, item, 2, {});
        (out.*member).emplace_back(x[0], x[1]);
      });
    };
    row.write = [=](const T& in) {
      Value::Array out;
      for (const Eigen::Vector2d& p : in.*member) out.emplace_back(Value::Array{p.x(), p.y()});
      return Value(std::move(out));
    };
    row.check = [=](const T& in, const Place& place, const std::string& path) {
      for (std::size_t i = 0; i < (in.*member).size(); ++i)
        for (int k = 0; k < 2; ++k)
          parameters_detail::check_number((in.*member)[i][k], place,
                                          parameters_detail::joined(path, std::to_string(i)), {});
    };
    return add(std::move(row));
  }

  /// A list of parameter structs with a table of their own.
  template <class Nested>
  ParameterTable& list(std::string key, std::vector<Nested> T::*member,
                       const ParameterTable<Nested>& table, std::string meaning) {
    Row row = make_row(key, "list of tables", "", {}, std::move(meaning), "none");
    row.read = [=, &table](const Value& v, T& out, const std::string& path) {
      (out.*member).clear();
      parameters_detail::read_entries(v, path, [&](const Value& entry, const std::string& item) {
        table.read(entry, (out.*member).emplace_back(), item);
      });
    };
    row.write = [=, &table](const T& in) {
      Value::Array out;
      for (const Nested& entry : in.*member) out.push_back(table.values(entry));
      return Value(std::move(out));
    };
    row.check = [=, &table](const T& in, const Place& place, const std::string& path) {
      for (std::size_t i = 0; i < (in.*member).size(); ++i)
        table.check((in.*member)[i], place, parameters_detail::joined(path, std::to_string(i)));
    };
    return add(std::move(row));
  }

  /// Anything else: `read(value, out, path)` does the work and throws with the place. With `write`
  /// the parameter takes part in values().
  ParameterTable& custom(std::string key, std::string kind,
                         std::function<void(const Value&, T&, const std::string& path)> read,
                         std::string meaning, bool required = false,
                         std::string default_text = "none",
                         std::function<Value(const T&)> write = {}) {
    Row row = make_row(key, kind, "", {}, std::move(meaning), required ? "" : default_text);
    row.required = required;
    row.read = std::move(read);
    row.write = std::move(write);
    return add(std::move(row));
  }

  /// A nested parameter struct with its own table.
  template <class Nested>
  ParameterTable& nested(std::string key, Nested T::*member, const ParameterTable<Nested>& table,
                         std::string meaning) {
    Row row = make_row(key, "table", "", {}, std::move(meaning), "defaults");
    row.read = [=, &table](const Value& v, T& out, const std::string& path) {
      table.read(v, out.*member, path);
    };
    row.write = [=, &table](const T& in) { return table.values(in.*member); };
    row.check = [=, &table](const T& in, const Place& place, const std::string& path) {
      table.check(in.*member, place, path);
    };
    row.check_absent = row.check;
    return add(std::move(row));
  }

  /// Reads `value`, which must be a table, into `out`. `path` is the key of the table itself, used
  /// in messages. Unknown keys, missing required ones, wrong kinds and ranges throw InputError.
  void read(const Value& value, T& out, const std::string& path) const {
    for (const Value::Entry& entry : value.table_or_throw(path)) {
      const Row* row = find(entry.key);
      if (!row) parameters_detail::refuse_unknown_key(entry, path, keys());
      row->read(entry.value, out, parameters_detail::joined(path, entry.key));
    }
    for (const Row& row : rows_) {
      if (value.find(row.info.key)) continue;
      const std::string key = parameters_detail::joined(path, row.info.key);
      if (row.required) parameters_detail::refuse_missing(value.place(), key, row.info.meaning);
      // A nested table that is left out may have keys of its own that are required.
      if (row.check_absent) row.check_absent(out, value.place(), key);
    }
  }

  /// The same range checks for a struct filled in by C++ code.
  void check(const T& in, const Place& place, const std::string& path) const {
    for (const Row& row : rows_)
      if (row.check) row.check(in, place, parameters_detail::joined(path, row.info.key));
  }

  /// All parameters with their values, defaults too, in the order of the table: what read() would
  /// make the same struct from. Parameters declared by custom() without `write` are left out.
  Value values(const T& in) const {
    Value::Table out;
    for (const Row& row : rows_) {
      if (!row.write) continue;
      Value::Entry& entry = out.emplace_back();
      entry.key = row.info.key;
      entry.value = row.write(in);
    }
    return Value(std::move(out));
  }

  std::vector<ParameterInfo> infos() const {
    std::vector<ParameterInfo> out;
    for (const Row& row : rows_) out.push_back(row.info);
    return out;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> out;
    for (const Row& row : rows_) out.push_back(row.info.key);
    return out;
  }

 private:
  struct Row {
    ParameterInfo info;
    bool required = false;
    std::function<void(const Value&, T&, const std::string& path)> read;
    std::function<Value(const T&)> write;
    std::function<void(const T&, const Place&, const std::string& path)> check;
    /// For a key that is left out.
    std::function<void(const T&, const Place&, const std::string& path)> check_absent;
  };

  template <int N>
  ParameterTable& vector(std::string key, Eigen::Matrix<double, N, 1> T::*member, std::string unit,
                         std::string meaning, Range range) {
    using Numbers = Eigen::Matrix<double, N, 1>;
    const Numbers initial = T{}.*member;
    std::string default_text;
    for (int k = 0; k < N; ++k) default_text += (k == 0 ? "[" : ", ") + text_of(initial[k]);
    const bool required = initial[0] != initial[0];
    Row row = make_row(key, std::to_string(N) + " numbers", unit, range, std::move(meaning),
                       required ? "" : default_text + "]");
    row.required = required;
    row.read = [=](const Value& v, T& out, const std::string& path) {
      const std::vector<double> xs = parameters_detail::read_numbers(v, path, N, range);
      out.*member = Eigen::Map<const Numbers>(xs.data());
    };
    row.write = [=](const T& in) {
      Value::Array out;
      for (int k = 0; k < N; ++k) out.emplace_back((in.*member)[k]);
      return Value(std::move(out));
    };
    row.check = [=, meaning = row.info.meaning](const T& in, const Place& place,
                                                const std::string& path) {
      if (required && (in.*member).array().isNaN().any())
        parameters_detail::refuse_missing(place, path, meaning);
      for (int k = 0; k < N; ++k)
        parameters_detail::check_number((in.*member)[k], place, path, range);
    };
    return add(std::move(row));
  }

  static std::string text_of(double x);
  static Row make_row(std::string key, std::string kind, std::string unit, const Range& range,
                      std::string meaning, std::string default_text) {
    return {{std::move(key), std::move(kind), std::move(unit), range.text(),
             std::move(default_text), std::move(meaning), range},
            false,
            {},
            {},
            {},
            {}};
  }
  ParameterTable& add(Row row) {
    rows_.push_back(std::move(row));
    return *this;
  }
  const Row* find(std::string_view key) const {
    for (const Row& row : rows_)
      if (row.info.key == key) return &row;
    return nullptr;
  }

  std::vector<Row> rows_;
};

namespace parameters_detail {
std::string default_text(double x);
}
template <class T>
std::string ParameterTable<T>::text_of(double x) {
  return parameters_detail::default_text(x);
}

}  // namespace grouser
