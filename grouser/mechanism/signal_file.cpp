#include "grouser/mechanism/signal_file.h"

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <optional>

#include "grouser/base/csv.h"
#include "grouser/base/parameters.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

using parameters_detail::joined;

/// Units that the head of a column may have, and what they are in SI.
struct Unit {
  const char* name;
  double factor;
  bool time = false;
};
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr Unit kUnits[] = {
    {"s", 1.0, true}, {"ms", 1e-3, true}, {"min", 60.0, true},    {"m", 1.0},   {"mm", 1e-3},
    {"cm", 1e-2},     {"rad", 1.0},       {"deg", kDegree},       {"m/s", 1.0}, {"mm/s", 1e-3},
    {"rad/s", 1.0},   {"deg/s", kDegree}, {"rpm", kDegree * 6.0}, {"N", 1.0},   {"kN", 1e3},
    {"Nm", 1.0},      {"mNm", 1e-3}};

/// A column of the file as the scene names it: by a word or a number from 1 on.
struct ColumnText {
  std::string name;
  std::size_t number = 0;
  Place place;
};

/// A signal through points as it stands in the scene.
struct TableText {
  std::optional<Value> rows;
  std::string file;
  Place file_place;
  ColumnText time{"", 1, {}}, value{"", 2, {}};
  SignalTable::Interpolation interpolation = SignalTable::Interpolation::spline;
  SignalTable::Ends ends = SignalTable::Ends::rest;
  bool periodic = false;
};

auto read_column(ColumnText TableText::*member) {
  return [member](const Value& v, TableText& out, const std::string& path) {
    ColumnText& column = out.*member;
    column.place = v.place();
    if (v.is_text())
      column.name = csv_head({v.as_text(), v.place()}).name;
    else if (v.is_integer())
      column.number =
          static_cast<std::size_t>(parameters_detail::read_integer(v, path, at_least(1)));
    else
      throw InputError(v.place(), path +
                                      " must be the name of a column, or its number, "
                                      "is " +
                                      v.text());
  };
}

const ParameterTable<TableText>& table_parameters() {
  using Text = TableText;
  static const auto table =
      ParameterTable<Text>()
          .custom(
              "table", "list of [time, value]",
              [](const Value& v, Text& out, const std::string&) { out.rows = v; }, "points")
          .custom(
              "file", "string",
              [](const Value& v, Text& out, const std::string& path) {
                out.file = parameters_detail::read_text(v, path);
                out.file_place = v.place();
                if (out.file.empty())
                  throw InputError(v.place(), path + " must name a file, is empty");
              },
              "comma-separated values")
          .custom("time", "string or integer", read_column(&Text::time), "column of times", false,
                  "1")
          .custom("value", "string or integer", read_column(&Text::value), "column of values",
                  false, "2")
          .choice("interpolation", &Text::interpolation, {"spline", "monotone", "linear"},
                  "between points")
          .choice("ends", &Text::ends, {"rest", "straight"}, "before and after the points")
          .boolean("periodic", &Text::periodic, "whether the points repeat");
  return table;
}

/// Points of a signal, each with its place for messages.
struct Points {
  std::vector<double> times, values;
  std::vector<Place> places;

  void add(double time, double value, const Place& place, const std::string& prefix) {
    if (!times.empty() && !(time > times.back()))
      throw InputError(place, prefix + "times must increase: " + to_text(time) + " comes after " +
                                  to_text(times.back()));
    times.push_back(time);
    values.push_back(value);
    places.push_back(place);
  }
};

Points read_rows(const Value& rows, const std::string& key) {
  Points out;
  for (const Value& row : rows.array_or_throw(key)) {
    const std::vector<double> pair = parameters_detail::read_numbers(row, key, 2, any_number());
    out.add(pair[0], pair[1], row.place(), key + ": ");
  }
  return out;
}

/// A column of the file: where it stands, what its head says.
struct FileColumn {
  std::size_t index = 0;
  std::string name;
  double factor = 1.0;
};

bool has_names(const std::vector<CsvField>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const CsvField& field) { return !to_number(field.text); });
}

double unit_factor(const CsvHead& head, const Place& place, bool time) {
  if (!head.has_unit) return 1.0;
  std::vector<std::string> allowed;
  for (const Unit& unit : kUnits) {
    if (time && !unit.time) continue;
    if (head.unit == unit.name) return unit.factor;
    allowed.push_back(unit.name);
  }
  throw InputError(place, "the unit of '" + head.name + "' must be one of " + join(allowed) +
                              ", is " + in_quotes(head.unit));
}

std::size_t find_column(const ColumnText& wanted, const std::vector<CsvField>& fields,
                        const Place& place, const std::string& key) {
  const std::string file = csv_line(fields).text();
  if (wanted.name.empty()) {
    if (wanted.number <= fields.size()) return wanted.number - 1;
    throw InputError(place, key + " is column " + std::to_string(wanted.number) + ", but " + file +
                                " has " + std::to_string(fields.size()));
  }
  std::vector<std::string> known;
  if (has_names(fields))
    for (std::size_t i = 0; i < fields.size(); ++i) {
      known.push_back(csv_head(fields[i]).name);
      if (known.back() == wanted.name) return i;
    }
  const std::string hint = known.empty() ? "; it has numbers only" : suggestion(wanted.name, known);
  throw InputError(place, key + ": " + file + " has no column " + in_quotes(wanted.name) + hint);
}

/// The column that `wanted` means, and its head if the file has heads.
FileColumn open_column(const ColumnText& wanted, const std::vector<CsvField>& fields,
                       const Place& place, const std::string& key, bool time) {
  FileColumn out{find_column(wanted, fields, place, key), time ? "time" : "value", 1.0};
  if (!has_names(fields)) return out;
  const CsvField& field = fields[out.index];
  const CsvHead head = csv_head(field);
  out.name = head.name;
  out.factor = unit_factor(head, field.place, time);
  return out;
}

Points read_points(const TableText& text, const std::string& path, const std::string& folder) {
  const std::string name = (std::filesystem::path(folder) / text.file).string();
  std::string bytes;
  try {
    bytes = read_file(name, "a file of comma-separated values").bytes;
  } catch (const InputError& error) {
    throw InputError(text.file_place, joined(path, "file") + ": " + error.what());
  }
  Points out;
  FileColumn time, value;
  const auto row = [&](const std::vector<CsvField>& fields) {
    const double t = csv_number(fields[time.index], time.name) * time.factor;
    const double x = csv_number(fields[value.index], value.name) * value.factor;
    out.add(t, x, fields[time.index].place, "");
  };
  const auto head = [&](const std::vector<CsvField>& fields) {
    const auto place = [&](const ColumnText& column) {
      return column.place.known() ? column.place : text.file_place;
    };
    time = open_column(text.time, fields, place(text.time), joined(path, "time"), true);
    value = open_column(text.value, fields, place(text.value), joined(path, "value"), false);
    if (!has_names(fields)) row(fields);
  };
  read_csv(bytes, name, head, row);
  if (out.times.size() < 2)
    throw InputError(Place{name}, "there must be at least two rows of numbers, there " +
                                      std::string(out.times.empty() ? "is none" : "is one"));
  return out;
}

/// Keys that mean nothing together.
void refuse_conflicts(const Value& value, const std::string& path) {
  const auto refuse = [&](const char* key, const char* why) {
    if (const Value* v = value.find(key)) throw InputError(v->place(), joined(path, key) + why);
  };
  if (value.find("table")) {
    refuse("file", ": give table or file, not both");
    refuse("time", " belongs to a file");
    refuse("value", " belongs to a file");
  }
  const Value* periodic = value.find("periodic");
  if (periodic && periodic->as_bool()) refuse("ends", ": what repeats has none");
}

}  // namespace

SignalTable read_signal_table(const Value& value, const std::string& path,
                              const std::string& folder) {
  TableText text;
  table_parameters().read(value, text, path);
  refuse_conflicts(value, path);
  Points points;
  if (text.rows) {
    const std::string key = joined(path, "table");
    points = read_rows(*text.rows, key);
    if (points.times.size() < 2)
      throw InputError(text.rows->place(), key + " needs at least two points");
  } else {
    points = read_points(text, path, folder);
  }
  if (text.periodic && points.values.front() != points.values.back())
    throw InputError(points.places.back(),
                     path + " is periodic: its last value must be the first one, " +
                         to_text(points.values.front()) + ", is " + to_text(points.values.back()));
  return {points.times, points.values, {text.interpolation, text.ends, text.periodic}};
}

}  // namespace grouser
