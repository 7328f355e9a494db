// Two numbers as one parameter, such as [x, y].
#pragma once

#include "grouser/base/parameters.h"
#include "grouser/base/text.h"
#include "grouser/math/types.h"

namespace grouser {

/// Adds a row for a Vec2; it is required if the member's initialiser is kRequired. The unit goes
/// into `kind`: "2 numbers [m]".
template <class T>
void add_pair(ParameterTable<T>& table, const std::string& key, Vec2 T::*member, std::string kind,
              std::string meaning, Range range = {}) {
  const Vec2 initial = T{}.*member;
  const bool required = initial.x() != initial.x();
  table.custom(
      key, std::move(kind),
      [=](const Value& value, T& out, const std::string& path) {
        const auto x = parameters_detail::read_numbers(value, path, 2, range);
        out.*member = Vec2(x[0], x[1]);
      },
      std::move(meaning), required,
      required ? "" : "[" + to_text(initial.x()) + ", " + to_text(initial.y()) + "]",
      [=](const T& in) {
        return Value(Value::Array{(in.*member).x(), (in.*member).y()});
      });
}

/// The check of such a row for C++ code.
inline void check_pair(const Vec2& pair, const Place& place, const std::string& key, Range range) {
  for (const double x : {pair.x(), pair.y()}) parameters_detail::check_number(x, place, key, range);
}

}  // namespace grouser
