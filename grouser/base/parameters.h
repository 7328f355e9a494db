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

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
/// Throws unless `word` is one of `names`.
void refuse_other_word(const Place& place, const std::string& key, const std::string& word,
                       const std::vector<std::string>& names);
void check_number(double x, const Place& place, const std::string& key, const Range& range);
[[noreturn]] void refuse_unknown_key(const Value::Entry& entry, const std::string& path,
                                     const std::vector<std::string>& known);
[[noreturn]] void refuse_missing(const Place& place, const std::string& key,
                                 const std::string& meaning);
std::string joined(const std::string& path, const std::string& key);
/// "path.3"
std::string item_path(const std::string& path, std::size_t index);
/// Calls `read(entry, path)` for all entries of an array, with "path.0", "path.1", ...
template <class Read>
void read_entries(const Value& value, const std::string& path, Read&& read) {
  const Value::Array& entries = value.array_or_throw(path);
  for (std::size_t i = 0; i < entries.size(); ++i) read(entries[i], item_path(path, i));
}

/// `count` numbers one after the other: Vec3, std::array<double, 3>.
template <class V, std::size_t count>
concept Numbers = sizeof(V) == count * sizeof(double) && requires(V v) {
  { v[0] } -> std::same_as<double&>;
};

/// A std::vector whose elements are not known.
struct ParameterList {
  std::size_t stride;  ///< from one element to the next, in bytes
  std::size_t (*size)(const void* list);
  const void* (*first)(const void* list);
  /// Makes it `count` new elements and returns the first.
  void* (*renew)(void* list, std::size_t count);

  template <class Element>
  static ParameterList of() {
    using List = std::vector<Element>;
    return {sizeof(Element),
            [](const void* list) { return static_cast<const List*>(list)->size(); },
            [](const void* list) -> const void* { return static_cast<const List*>(list)->data(); },
            [](void* list, std::size_t count) -> void* {
              List& out = *static_cast<List*>(list);
              out.clear();
              out.resize(count);
              return out.data();
            }};
  }
};

/// How a parameter of a kind of its own is read and written: two callables, and how to call them.
struct ParameterCalls {
  const void* callables;  ///< owned
  void (*destroy)(const void* callables);
  void (*read)(const void* callables, const Value& value, void* out, const std::string& path);
  Value (*write)(const void* callables, const void* in);  ///< null: it is not written

  template <class T, class Read, class Write>
  static ParameterCalls of(Read reader, Write writer) {
    struct Both {
      Read read;
      Write write;
    };
    ParameterCalls out;
    out.callables = new Both{std::move(reader), std::move(writer)};
    out.destroy = [](const void* both) { delete static_cast<const Both*>(both); };
    out.read = [](const void* both, const Value& value, void* to, const std::string& path) {
      static_cast<const Both*>(both)->read(value, *static_cast<T*>(to), path);
    };
    out.write = nullptr;
    if constexpr (!std::is_null_pointer_v<Write>)
      out.write = [](const void* both, const void* in) {
        return Value(static_cast<const Both*>(both)->write(*static_cast<const T*>(in)));
      };
    return out;
  }
};
}  // namespace parameters_detail

/// A parameter table without its type: members are known by their offset in the struct. All work is
/// done here, once for all structs.
class ParameterRows {
 public:
  /// `defaults` is a struct as its initialisers make it, and outlives the table.
  explicit ParameterRows(const void* defaults);
  ParameterRows(const ParameterRows& other);
  ParameterRows(ParameterRows&& other) noexcept;
  ParameterRows& operator=(const ParameterRows& other);
  ParameterRows& operator=(ParameterRows&& other) noexcept;
  ~ParameterRows();

  const void* defaults() const { return defaults_; }

  // As the methods of ParameterTable; `offset` [bytes] is that of the member.
  void number(std::string_view key, std::size_t offset, std::string_view unit, const Range& range,
              std::string_view meaning);
  void optional(std::string_view key, std::size_t offset, std::string_view unit, const Range& range,
                std::string_view absent, std::string_view meaning);
  void integer(std::string_view key, std::size_t offset, const Range& range,
               std::string_view meaning);
  void boolean(std::string_view key, std::size_t offset, std::string_view meaning);
  void text(std::string_view key, std::size_t offset, std::string_view meaning, bool required);
  void choice(std::string_view key, std::size_t offset, std::initializer_list<const char*> names,
              std::string_view meaning);
  void choice(std::string_view key, std::size_t offset, std::vector<std::string> names,
              std::string_view meaning);
  void vector(std::string_view key, std::size_t offset, std::size_t count, std::string_view unit,
              std::string_view meaning, const Range& range);
  void points(std::string_view key, std::size_t offset,
              const parameters_detail::ParameterList& access, std::string_view kind,
              std::string_view meaning, bool required);
  void list(std::string_view key, std::size_t offset,
            const parameters_detail::ParameterList& access, const ParameterRows& table,
            std::string_view meaning);
  void nested(std::string_view key, std::size_t offset, const ParameterRows& table,
              std::string_view meaning);
  void custom(std::string_view key, std::string_view kind,
              const parameters_detail::ParameterCalls& calls, std::string_view meaning,
              bool required, std::string_view default_text);

  /// All rows of the table of a base that lies at `offset`.
  void include(std::size_t offset, const ParameterRows& table);
  void only(std::string_view key, std::vector<std::string> words);
  void renamed(std::string_view before, std::string_view now);

  void read(const Value& value, void* out, const std::string& path) const;
  void check(const void* in, const Place& place, const std::string& path) const;
  Value values(const void* in) const;
  std::vector<ParameterInfo> infos() const;
  std::vector<std::string> keys() const;

 private:
  struct Row;

  const Row* find(std::string_view key) const;

  struct Renamed {
    std::string before, now;
  };

  const void* defaults_;
  std::vector<Row> rows_;
  std::vector<Renamed> renamed_;
};

/// The same for members of T: says which member is meant and leaves the rest to ParameterRows.
template <class T>
class ParameterTable {
 public:
  ParameterTable() : rows_(&defaults()) {}

  ParameterTable& number(std::string_view key, double T::*member, std::string_view unit,
                         const Range& range, std::string_view meaning) {
    rows_.number(key, offset(member), unit, range, meaning);
    return *this;
  }

  /// A number that may be left out; `absent` says what is done then.
  template <class Owner>
  ParameterTable& optional(std::string_view key, std::optional<double> Owner::*member,
                           std::string_view unit, const Range& range, std::string_view absent,
                           std::string_view meaning) {
    rows_.optional(key, offset(member), unit, range, absent, meaning);
    return *this;
  }

  ParameterTable& integer(std::string_view key, int T::*member, const Range& range,
                          std::string_view meaning) {
    rows_.integer(key, offset(member), range, meaning);
    return *this;
  }

  ParameterTable& boolean(std::string_view key, bool T::*member, std::string_view meaning) {
    rows_.boolean(key, offset(member), meaning);
    return *this;
  }

  /// A string; with `required` it may not be left out.
  ParameterTable& text(std::string_view key, std::string T::*member, std::string_view meaning,
                       bool required = false) {
    rows_.text(key, offset(member), meaning, required);
    return *this;
  }

  /// One of several words; `names[i]` stands for the enumerator with value i.
  template <class Enum, class Owner>
  ParameterTable& choice(std::string_view key, Enum Owner::*member,
                         std::initializer_list<const char*> names, std::string_view meaning) {
    static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(int));
    rows_.choice(key, offset(member), names, meaning);
    return *this;
  }
  template <class Enum, class Owner>
  ParameterTable& choice(std::string_view key, Enum Owner::*member,
                         const std::vector<std::string>& names, std::string_view meaning) {
    static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(int));
    rows_.choice(key, offset(member), names, meaning);
    return *this;
  }

  /// Two numbers, [x, y].
  template <parameters_detail::Numbers<2> V, class Owner>
  ParameterTable& vector2(std::string_view key, V Owner::*member, std::string_view unit,
                          std::string_view meaning, const Range& range = {}) {
    rows_.vector(key, offset(member), 2, unit, meaning, range);
    return *this;
  }

  /// Three numbers, [x, y, z].
  template <parameters_detail::Numbers<3> V, class Owner>
  ParameterTable& vector3(std::string_view key, V Owner::*member, std::string_view unit,
                          std::string_view meaning, const Range& range = {}) {
    rows_.vector(key, offset(member), 3, unit, meaning, range);
    return *this;
  }

  /// A list of pairs, [[x, y], ...]; `kind` says what they are, "list of [place, drop]".
  template <parameters_detail::Numbers<2> V, class Owner>
  ParameterTable& points(std::string_view key, std::vector<V> Owner::*member, std::string_view kind,
                         std::string_view meaning, bool required = false) {
    rows_.points(key, offset(member), parameters_detail::ParameterList::of<V>(), kind, meaning,
                 required);
    return *this;
  }

  /// A list of parameter structs with a table of their own, which outlives this one.
  template <class Nested, class Owner>
  ParameterTable& list(std::string_view key, std::vector<Nested> Owner::*member,
                       const ParameterTable<Nested>& table, std::string_view meaning) {
    rows_.list(key, offset(member), parameters_detail::ParameterList::of<Nested>(), table.rows(),
               meaning);
    return *this;
  }

  /// Anything else: `reader(value, out, path)` does the work and throws with the place. With
  /// `writer(in)`, which makes a Value, the parameter takes part in values().
  template <class Read, class Write = std::nullptr_t>
  ParameterTable& custom(std::string_view key, std::string_view kind, Read reader,
                         std::string_view meaning, bool required = false,
                         std::string_view default_text = "none", Write writer = {}) {
    rows_.custom(key, kind,
                 parameters_detail::ParameterCalls::of<T>(std::move(reader), std::move(writer)),
                 meaning, required, default_text);
    return *this;
  }

  /// A nested parameter struct with its own table, which outlives this one.
  template <class Nested, class Owner>
  ParameterTable& nested(std::string_view key, Nested Owner::*member,
                         const ParameterTable<Nested>& table, std::string_view meaning) {
    rows_.nested(key, offset(member), table.rows(), meaning);
    return *this;
  }

  /// All parameters of a base of T, or of T itself, with the defaults that T gives them.
  template <class Base>
  requires std::is_base_of_v<Base, T> ParameterTable& include(const ParameterTable<Base>& table) {
    const T* in = static_cast<const T*>(rows_.defaults());
    rows_.include(
        static_cast<std::size_t>(reinterpret_cast<const char*>(static_cast<const Base*>(in)) -
                                 reinterpret_cast<const char*>(in)),
        table.rows());
    return *this;
  }

  /// Of the words of a choice, often of a base, T takes these alone.
  ParameterTable& only(std::string_view key, std::vector<std::string> words) {
    rows_.only(key, std::move(words));
    return *this;
  }

  /// A key of earlier versions: who still writes it is told the new one. Not documented.
  ParameterTable& renamed(std::string_view before, std::string_view now) {
    rows_.renamed(before, now);
    return *this;
  }

  /// Reads `value`, which must be a table, into `out`. `path` is the key of the table itself, used
  /// in messages. Unknown keys, missing required ones, wrong kinds and ranges throw InputError.
  void read(const Value& value, T& out, const std::string& path) const {
    rows_.read(value, &out, path);
  }

  /// The same range checks for a struct filled in by C++ code.
  void check(const T& in, const Place& place, const std::string& path) const {
    rows_.check(&in, place, path);
  }

  /// All parameters with their values, defaults too, in the order of the table: what read() would
  /// make the same struct from. Parameters declared by custom() without `writer` are left out.
  Value values(const T& in) const { return rows_.values(&in); }

  std::vector<ParameterInfo> infos() const { return rows_.infos(); }
  std::vector<std::string> keys() const { return rows_.keys(); }

  const ParameterRows& rows() const { return rows_; }

 private:
  static const T& defaults() {
    static const T made{};
    return made;
  }

  /// `Owner` is T or a base of it.
  template <class Member, class Owner>
  std::size_t offset(Member Owner::*member) const {
    const T* in = static_cast<const T*>(rows_.defaults());
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&(in->*member)) -
                                    reinterpret_cast<const char*>(in));
  }

  ParameterRows rows_;
};

}  // namespace grouser
