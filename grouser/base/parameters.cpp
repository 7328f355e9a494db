#include "grouser/base/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"

namespace grouser {

bool Range::contains(double x) const {
  if (!std::isfinite(x)) return false;
  const bool above = lower_open ? x > lower : x >= lower;
  const bool below = upper_open ? x < upper : x <= upper;
  return above && below;
}

std::string Range::text() const {
  const bool bounded_below = std::isfinite(lower);
  const bool bounded_above = std::isfinite(upper);
  if (!bounded_below && !bounded_above) return "be finite";
  if (!bounded_above) {
    if (lower == 0.0) return lower_open ? "be positive" : "not be negative";
    return (lower_open ? "be above " : "be at least ") + to_text(lower);
  }
  if (!bounded_below) return (upper_open ? "be below " : "be at most ") + to_text(upper);
  return std::string("lie in ") + (lower_open ? "(" : "[") + to_text(lower) + ", " +
         to_text(upper) + (upper_open ? ")" : "]");
}

namespace parameters_detail {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string item_path(const std::string& path, std::size_t index) {
  return joined(path, std::to_string(index));
}

void check_number(double x, const Place& place, const std::string& key, const Range& range) {
  if (!range.contains(x))
    throw InputError(place, key + " must " + range.text() + ", is " + to_text(x));
}

double read_number(const Value& value, const std::string& key, const Range& range) {
  const double x = value.number_or_throw(key);
  check_number(x, value.place(), key, range);
  return x;
}

std::int64_t read_integer(const Value& value, const std::string& key, const Range& range) {
  if (!value.is_integer())
    throw InputError(value.place(), key + " must be a whole number, is " + value.text());
  const std::int64_t x = value.as_integer();
  check_number(static_cast<double>(x), value.place(), key, range);
  if (x != static_cast<int>(x))
    throw InputError(value.place(), key + " is too large: " + std::to_string(x));
  return x;
}

bool read_bool(const Value& value, const std::string& key) {
  if (!value.is_bool())
    throw InputError(value.place(), key + " must be true or false, is " + value.text());
  return value.as_bool();
}

std::string read_text(const Value& value, const std::string& key) {
  return value.text_or_throw(key);
}

std::vector<double> read_numbers(const Value& value, const std::string& key, std::size_t count,
                                 const Range& range) {
  const Value::Array& array = value.array_or_throw(key);
  if (count > 0 && array.size() != count)
    throw InputError(value.place(), key + " must have " + std::to_string(count) + " numbers, has " +
                                        std::to_string(array.size()));
  std::vector<double> out;
  out.reserve(array.size());
  for (const Value& x : array) out.push_back(read_number(x, key, range));
  return out;
}

std::size_t read_choice(const Value& value, const std::string& key,
                        const std::vector<std::string>& names) {
  const std::string& word = value.text_or_throw(key);
  refuse_other_word(value.place(), key, word, names);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin());
}

void refuse_other_word(const Place& place, const std::string& key, const std::string& word,
                       const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw InputError(place, key + " is '" + word + "'; it must be one of " + join(names));
}

void refuse_unknown_key(const Value::Entry& entry, const std::string& path,
                        const std::vector<std::string>& known) {
  throw InputError(entry.place,
                   "unknown key " + joined(path, entry.key) + suggestion(entry.key, known));
}

void refuse_missing(const Place& place, const std::string& key, const std::string& meaning) {
  throw InputError(place, key + " is missing (" + meaning + ")");
}

enum class ParameterKind {
  number,
  optional,
  integer,
  boolean,
  text,
  choice,
  vector,
  points,
  list,
  nested,
  custom
};

}  // namespace parameters_detail

namespace {

using parameters_detail::ParameterCalls;
using parameters_detail::ParameterList;

using Kind = parameters_detail::ParameterKind;

const void* at(const void* start, std::size_t offset) {
  return static_cast<const char*>(start) + offset;
}
void* at(void* start, std::size_t offset) {
  return static_cast<char*>(start) + offset;
}

template <class M>
const M& as(const void* member) {
  return *static_cast<const M*>(member);
}
template <class M>
M& as(void* member) {
  return *static_cast<M*>(member);
}

// An enumeration is no int to the rules of aliasing, though it looks like one.
std::size_t choice_at(const void* member) {
  int out;
  std::memcpy(&out, member, sizeof out);
  return static_cast<std::size_t>(out);
}
void set_choice(void* member, std::size_t choice) {
  GROUSER_ASSERT(choice <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  const int in = static_cast<int>(choice);
  std::memcpy(member, &in, sizeof in);
}

Value numbers_at(const void* first, std::size_t count) {
  Value::Array out;
  for (std::size_t k = 0; k < count; ++k) out.emplace_back(static_cast<const double*>(first)[k]);
  return Value(std::move(out));
}

std::string in_double_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string default_text(double x) {
  return std::isnan(x) ? "" : to_text(x);
}

std::string choice_kind(const std::vector<std::string>& words) {
  std::string kind;
  for (const std::string& word : words)
    kind += (kind.empty() ? "" : " or ") + in_double_quotes(word);
  return kind;
}

}  // namespace

// One parameter. Which of the members mean something follows from the kind.
struct ParameterRows::Row {
  Kind kind;
  std::size_t offset;  // of the member; of a kind of its own, of the struct
  ParameterInfo info;  // with the range
  bool required = false;
  std::size_t count = 0;                 // of the numbers of a vector
  std::vector<std::string> names = {};   // of a choice, by enumerator
  std::vector<std::string> words = {};   // those of them that are allowed
  ParameterList access = {};             // of points and lists
  const ParameterRows* table = nullptr;  // of what is nested or listed
  ParameterCalls calls = {};
  std::shared_ptr<const void> callables = {};  // of `calls`; copies of a table share them

  Row(Kind a_kind, std::size_t an_offset, std::string_view key, std::string_view kind_name,
      std::string_view meaning, const Range& range = {})
      : kind(a_kind), offset(an_offset) {
    info.key = key;
    info.kind = kind_name;
    info.range = range.text();
    info.meaning = meaning;
    info.limits = range;
  }

  void read(const Value& value, void* out, const std::string& path) const;
  Value write(const void* in) const;
  void check(const void* in, const Place& place, const std::string& path) const;

  bool is_written(const void* in) const {
    if (kind == Kind::optional) return as<std::optional<double>>(at(in, offset)).has_value();
    return kind != Kind::custom || calls.write;
  }
  /// Takes the default from a struct as its initialisers make it.
  void take_default(const void* defaults);

 private:
  std::string vector_default(const double* initial) const;
  void read_list(const Value& value, void* member, const std::string& path) const;
  /// Calls `visit(element, i)` for all elements of a list.
  template <class Visit>
  void for_elements(const void* member, Visit&& visit) const;
  void check_numbers(const double* x, std::size_t count, const Place& place,
                     const std::string& path) const;
};

void ParameterRows::Row::read(const Value& value, void* out, const std::string& path) const {
  using namespace parameters_detail;
  void* const member = at(out, offset);
  switch (kind) {
    case Kind::number:
      as<double>(member) = read_number(value, path, info.limits);
      break;
    case Kind::optional:
      as<std::optional<double>>(member) = read_number(value, path, info.limits);
      break;
    case Kind::integer:
      as<int>(member) = static_cast<int>(read_integer(value, path, info.limits));
      break;
    case Kind::boolean:
      as<bool>(member) = read_bool(value, path);
      break;
    case Kind::text:
      as<std::string>(member) = read_text(value, path);
      break;
    case Kind::choice: {
      const std::string& word = words[read_choice(value, path, words)];
      set_choice(member, static_cast<std::size_t>(std::find(names.begin(), names.end(), word) -
                                                  names.begin()));
      break;
    }
    case Kind::vector: {
      const std::vector<double> x = read_numbers(value, path, count, info.limits);
      GROUSER_ASSERT(x.size() == count);
      std::copy(x.begin(), x.end(), &as<double>(member));
      break;
    }
    case Kind::points:
    case Kind::list:
      read_list(value, member, path);
      break;
    case Kind::nested:
      table->read(value, member, path);
      break;
    case Kind::custom:
      calls.read(calls.callables, value, member, path);
      break;
  }
}

void ParameterRows::Row::read_list(const Value& value, void* member,
                                   const std::string& path) const {
  void* element = access.renew(member, value.array_or_throw(path).size());
  parameters_detail::read_entries(value, path, [&](const Value& entry, const std::string& item) {
    if (kind == Kind::list) {
      table->read(entry, element, item);
    } else {
      const std::vector<double> x = parameters_detail::read_numbers(entry, item, 2, {});
      std::copy(x.begin(), x.end(), &as<double>(element));
    }
    element = at(element, access.stride);
  });
}

template <class Visit>
void ParameterRows::Row::for_elements(const void* member, Visit&& visit) const {
  const void* const first = access.first(member);
  for (std::size_t i = 0; i < access.size(member); ++i) visit(at(first, i * access.stride), i);
}

Value ParameterRows::Row::write(const void* in) const {
  const void* const member = at(in, offset);
  switch (kind) {
    case Kind::number:
      return Value(as<double>(member));
    case Kind::optional:
      return Value(as<std::optional<double>>(member).value());
    case Kind::integer:
      return Value(as<int>(member));
    case Kind::boolean:
      return Value(as<bool>(member));
    case Kind::text:
      return Value(as<std::string>(member));
    case Kind::choice:
      GROUSER_ASSERT(choice_at(member) < names.size());
      return Value(names[choice_at(member)]);
    case Kind::vector:
      return numbers_at(member, count);
    case Kind::points:
    case Kind::list: {
      Value::Array out;
      for_elements(member, [&](const void* element, std::size_t) {
        out.push_back(kind == Kind::list ? table->values(element) : numbers_at(element, 2));
      });
      return Value(std::move(out));
    }
    case Kind::nested:
      return table->values(member);
    case Kind::custom:
      break;
  }
  return calls.write(calls.callables, member);
}

void ParameterRows::Row::check(const void* in, const Place& place, const std::string& path) const {
  using namespace parameters_detail;
  const void* const member = at(in, offset);
  switch (kind) {
    case Kind::number:
      check_numbers(&as<double>(member), 1, place, path);
      break;
    case Kind::optional:
      if (const auto& x = as<std::optional<double>>(member))
        check_number(*x, place, path, info.limits);
      break;
    case Kind::integer:
      check_number(as<int>(member), place, path, info.limits);
      break;
    case Kind::text:
      if (required && as<std::string>(member).empty()) refuse_missing(place, path, info.meaning);
      break;
    case Kind::vector:
      check_numbers(&as<double>(member), count, place, path);
      break;
    case Kind::points:
    case Kind::list:
      for_elements(member, [&](const void* element, std::size_t i) {
        const std::string item = item_path(path, i);
        if (kind == Kind::list)
          table->check(element, place, item);
        else
          for (std::size_t k = 0; k < 2; ++k)
            check_number((&as<double>(element))[k], place, item, {});
      });
      break;
    case Kind::nested:
      table->check(member, place, path);
      break;
    case Kind::choice:
      refuse_other_word(place, path, names[choice_at(member)], words);
      break;
    case Kind::boolean:
    case Kind::custom:
      break;
  }
}

void ParameterRows::Row::take_default(const void* defaults) {
  const void* const member = at(defaults, offset);
  switch (kind) {
    case Kind::number:
      required = std::isnan(as<double>(member));
      info.default_text = default_text(as<double>(member));
      break;
    case Kind::integer:
      info.default_text = std::to_string(as<int>(member));
      break;
    case Kind::boolean:
      info.default_text = as<bool>(member) ? "true" : "false";
      break;
    case Kind::text:
      if (!required) info.default_text = in_double_quotes(as<std::string>(member));
      break;
    case Kind::choice:
      info.default_text = in_double_quotes(names[choice_at(member)]);
      break;
    case Kind::vector:
      required = std::isnan(as<double>(member));
      info.default_text = required ? "" : vector_default(&as<double>(member));
      break;
    case Kind::optional:
    case Kind::points:
    case Kind::list:
    case Kind::nested:
    case Kind::custom:
      break;  // told when the row is made
  }
}

std::string ParameterRows::Row::vector_default(const double* initial) const {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) out += (k == 0 ? "[" : ", ") + default_text(initial[k]);
  return out + "]";
}

void ParameterRows::Row::check_numbers(const double* x, std::size_t n, const Place& place,
                                       const std::string& path) const {
  // What is required and was not given is still kRequired.
  if (required && std::any_of(x, x + n, [](double each) { return std::isnan(each); }))
    parameters_detail::refuse_missing(place, path, info.meaning);
  for (std::size_t k = 0; k < n; ++k)
    parameters_detail::check_number(x[k], place, path, info.limits);
}

ParameterRows::ParameterRows(const void* defaults) : defaults_(defaults) {}
ParameterRows::ParameterRows(const ParameterRows& other) = default;
ParameterRows::ParameterRows(ParameterRows&& other) noexcept = default;
ParameterRows& ParameterRows::operator=(const ParameterRows& other) = default;
ParameterRows& ParameterRows::operator=(ParameterRows&& other) noexcept = default;
ParameterRows::~ParameterRows() = default;

void ParameterRows::number(std::string_view key, std::size_t offset, std::string_view unit,
                           const Range& range, std::string_view meaning) {
  GROUSER_ASSERT(!find(key));
  Row row(Kind::number, offset, key, "number", meaning, range);
  row.info.unit = unit;
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::optional(std::string_view key, std::size_t offset, std::string_view unit,
                             const Range& range, std::string_view absent,
                             std::string_view meaning) {
  GROUSER_ASSERT(!find(key));
  Row row(Kind::optional, offset, key, "number", meaning, range);
  row.info.unit = unit;
  row.info.default_text = absent;
  rows_.push_back(std::move(row));
}

void ParameterRows::integer(std::string_view key, std::size_t offset, const Range& range,
                            std::string_view meaning) {
  GROUSER_ASSERT(!find(key));
  Row row(Kind::integer, offset, key, "integer", meaning, range);
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::boolean(std::string_view key, std::size_t offset, std::string_view meaning) {
  Row row(Kind::boolean, offset, key, "boolean", meaning);
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::text(std::string_view key, std::size_t offset, std::string_view meaning,
                         bool required) {
  Row row(Kind::text, offset, key, "string", meaning);
  row.required = required;
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::choice(std::string_view key, std::size_t offset,
                           std::initializer_list<const char*> names, std::string_view meaning) {
  choice(key, offset, std::vector<std::string>(names.begin(), names.end()), meaning);
}

void ParameterRows::choice(std::string_view key, std::size_t offset, std::vector<std::string> names,
                           std::string_view meaning) {
  GROUSER_ASSERT(!find(key) && choice_at(at(defaults_, offset)) < names.size());
  Row row(Kind::choice, offset, key, choice_kind(names), meaning);
  row.words = names;
  row.names = std::move(names);
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::vector(std::string_view key, std::size_t offset, std::size_t count,
                           std::string_view unit, std::string_view meaning, const Range& range) {
  GROUSER_ASSERT(!find(key) && count > 0);
  Row row(Kind::vector, offset, key, std::to_string(count) + " numbers", meaning, range);
  row.info.unit = unit;
  row.count = count;
  row.take_default(defaults_);
  rows_.push_back(std::move(row));
}

void ParameterRows::points(std::string_view key, std::size_t offset, const ParameterList& access,
                           std::string_view kind, std::string_view meaning, bool required) {
  Row row(Kind::points, offset, key, kind, meaning);
  row.required = required;
  if (!required) row.info.default_text = "none";
  row.access = access;
  rows_.push_back(std::move(row));
}

void ParameterRows::list(std::string_view key, std::size_t offset, const ParameterList& access,
                         const ParameterRows& table, std::string_view meaning) {
  Row row(Kind::list, offset, key, "list of tables", meaning);
  row.info.default_text = "none";
  row.access = access;
  row.table = &table;
  rows_.push_back(std::move(row));
}

void ParameterRows::nested(std::string_view key, std::size_t offset, const ParameterRows& table,
                           std::string_view meaning) {
  Row row(Kind::nested, offset, key, "table", meaning);
  row.info.default_text = "defaults";
  row.table = &table;
  rows_.push_back(std::move(row));
}

void ParameterRows::custom(std::string_view key, std::string_view kind, const ParameterCalls& calls,
                           std::string_view meaning, bool required, std::string_view default_text) {
  std::shared_ptr<const void> callables(calls.callables, calls.destroy);
  GROUSER_ASSERT(!find(key));
  Row row(Kind::custom, 0, key, kind, meaning);
  row.required = required;
  if (!required) row.info.default_text = default_text;
  row.calls = calls;
  row.callables = std::move(callables);
  rows_.push_back(std::move(row));
}

void ParameterRows::include(std::size_t offset, const ParameterRows& table) {
  for (Row row : table.rows_) {
    GROUSER_ASSERT(!find(row.info.key));
    row.offset += offset;
    row.take_default(defaults_);
    rows_.push_back(std::move(row));
  }
  renamed_.insert(renamed_.end(), table.renamed_.begin(), table.renamed_.end());
}

void ParameterRows::only(std::string_view key, std::vector<std::string> words) {
  for (Row& row : rows_)
    if (row.info.key == key) {
      row.info.kind = choice_kind(words);
      row.words = std::move(words);
      return;
    }
}

void ParameterRows::renamed(std::string_view before, std::string_view now) {
  renamed_.push_back({std::string(before), std::string(now)});
}

const ParameterRows::Row* ParameterRows::find(std::string_view key) const {
  for (const Row& row : rows_)
    if (row.info.key == key) return &row;
  return nullptr;
}

void ParameterRows::read(const Value& value, void* out, const std::string& path) const {
  using namespace parameters_detail;
  for (const Value::Entry& entry : value.table_or_throw(path)) {
    const Row* row = find(entry.key);
    if (!row) {
      for (const Renamed& key : renamed_)
        if (key.before == entry.key)
          throw InputError(entry.place,
                           joined(path, entry.key) + " is now called " + joined(path, key.now));
      refuse_unknown_key(entry, path, keys());
    }
    row->read(entry.value, out, joined(path, entry.key));
  }
  for (const Row& row : rows_) {
    if (value.find(row.info.key)) continue;
    const std::string key = joined(path, row.info.key);
    if (row.required) refuse_missing(value.place(), key, row.info.meaning);
    // A nested table that is left out may have keys of its own that are required.
    if (row.kind == Kind::nested) row.check(out, value.place(), key);
  }
}

void ParameterRows::check(const void* in, const Place& place, const std::string& path) const {
  for (const Row& row : rows_) row.check(in, place, parameters_detail::joined(path, row.info.key));
}

Value ParameterRows::values(const void* in) const {
  Value::Table out;
  for (const Row& row : rows_) {
    if (!row.is_written(in)) continue;
    Value::Entry& entry = out.emplace_back();
    entry.key = row.info.key;
    entry.value = row.write(in);
  }
  return Value(std::move(out));
}

std::vector<ParameterInfo> ParameterRows::infos() const {
  std::vector<ParameterInfo> out;
  for (const Row& row : rows_) out.push_back(row.info);
  return out;
}

std::vector<std::string> ParameterRows::keys() const {
  std::vector<std::string> out;
  for (const Row& row : rows_) out.push_back(row.info.key);
  return out;
}

}  // namespace grouser
