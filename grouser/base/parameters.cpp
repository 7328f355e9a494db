#include "grouser/base/parameters.h"

#include <cmath>

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

std::string default_text(double x) {
  return std::isnan(x) ? "" : to_text(x);
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
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return i;
  throw InputError(value.place(), key + " is '" + word + "'; it must be one of " + join(names));
}

void refuse_unknown_key(const Value::Entry& entry, const std::string& path,
                        const std::vector<std::string>& known) {
  throw InputError(entry.place,
                   "unknown key " + joined(path, entry.key) + suggestion(entry.key, known));
}

void refuse_missing(const Place& place, const std::string& key, const std::string& meaning) {
  throw InputError(place, key + " is missing (" + meaning + ")");
}

}  // namespace parameters_detail
}  // namespace grouser
