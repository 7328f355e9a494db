#include "grouser/calibration/wheel_data.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grouser/base/csv.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"

namespace grouser {
namespace {

using Quantity = WheelQuantity;

double& quantity_of(WheelRow& row, Quantity quantity) {
  return row[quantity];
}

/// A column by its names; the first is the one that is written.
struct Column {
  std::vector<std::string> names;
  std::string unit;  // SI
  double& (*member)(WheelRow&);
};
const std::vector<Column>& columns() {
  static const std::vector<Column> table = {
      {{"slip"}, "", [](WheelRow& row) -> double& { return row.slip; }},
      {{"slip angle"}, "rad", [](WheelRow& row) -> double& { return row.slip_angle; }},
      {{"load", "normal force", "vertical load"},
       "N",
       [](WheelRow& row) -> double& { return row.load; }},
      {{"speed"}, "m/s", [](WheelRow& row) -> double& { return row.speed; }},
      {{"sinkage"},
       "m",
       [](WheelRow& row) -> double& { return quantity_of(row, Quantity::sinkage); }},
      {{"drawbar pull", "drawbar", "traction"},
       "N",
       [](WheelRow& row) -> double& { return quantity_of(row, Quantity::drawbar); }},
      {{"side force", "side"},
       "N",
       [](WheelRow& row) -> double& { return quantity_of(row, Quantity::side); }},
      {{"torque"},
       "Nm",
       [](WheelRow& row) -> double& { return quantity_of(row, Quantity::torque); }},
  };
  return table;
}

/// Units that a column may have, and what they are in SI.
struct Unit {
  const char* name;
  const char* si;
  double factor;
};
constexpr Unit kUnits[] = {{"m", "m", 1.0},     {"cm", "m", 1e-2},
                           {"mm", "m", 1e-3},   {"N", "N", 1.0},
                           {"kN", "N", 1e3},    {"Nm", "Nm", 1.0},
                           {"rad", "rad", 1.0}, {"deg", "rad", std::numbers::pi / 180.0},
                           {"m/s", "m/s", 1.0}, {"mm/s", "m/s", 1e-3},
                           {"%", "", 1e-2}};

/// What stands in one column of the file.
struct FileColumn {
  const Column* column;  // null: nothing that is read
  double factor;
};

const Column& column_named(const std::string& name, const Place& place) {
  std::vector<std::string> known;
  for (const Column& column : columns())
    for (const std::string& one : column.names) {
      if (one == name) return column;
      known.push_back(one);
    }
  throw InputError(place, "there is no column " + in_quotes(name) + suggestion(name, known));
}

double factor_of(const Column& column, std::string_view unit, const Place& place) {
  std::vector<std::string> allowed;
  for (const Unit& u : kUnits) {
    if (column.unit != u.si) continue;
    if (unit == u.name) return u.factor;
    allowed.push_back(u.name);
  }
  throw InputError(place, "the unit of '" + column.names[0] + "' must be " + join(allowed, " or ") +
                              ", is " + in_quotes(unit));
}

FileColumn read_column(const CsvField& field) {
  const CsvHead head = csv_head(field);
  if (head.name.ends_with(" scatter")) return {nullptr, 1.0};
  const Column& column = column_named(head.name, field.place);
  return {&column, head.has_unit ? factor_of(column, head.unit, field.place) : 1.0};
}

bool is_measured(const Column& column) {
  WheelRow row;
  const double* member = &column.member(row);
  return std::any_of(row.measured.begin(), row.measured.end(),
                     [&](const double& m) { return &m == member; });
}

std::vector<FileColumn> read_header(const std::vector<CsvField>& fields) {
  std::vector<FileColumn> out;
  bool slip = false, measured = false;
  for (const CsvField& field : fields) {
    const FileColumn column = read_column(field);
    out.push_back(column);
    if (!column.column) continue;
    for (std::size_t i = 0; i + 1 < out.size(); ++i)
      if (out[i].column == column.column)
        throw InputError(field.place, "there are two columns '" + column.column->names[0] + "'");
    slip |= column.column->names[0] == "slip";
    measured |= is_measured(*column.column);
  }
  const Place line = csv_line(fields);
  if (!slip) throw InputError(line, "there must be a column 'slip'");
  if (!measured)
    throw InputError(line,
                     "there must be a measured column: drawbar pull, sinkage, torque or side "
                     "force");
  return out;
}

void require_sensible(const FileColumn& c, double x, const Place& place) {
  const std::string& name = c.column->names[0];
  if (name == "slip" && !(std::abs(x) < 1.0))
    throw InputError(
        place, "slip must lie in (-1, 1), is " + to_text(x) + "; percent are written 'slip [%]'");
  if ((name == "load" || name == "speed") && !(x > 0.0))
    throw InputError(place, name + " must be positive, is " + to_text(x));
  if (name == "slip angle" && !(std::abs(x) < 0.5 * std::numbers::pi))
    throw InputError(place, "slip angle must lie within 90 degrees, is " + to_text(x) +
                                " rad; degrees are written 'slip angle [deg]'");
}

WheelRow read_row(const std::vector<CsvField>& fields, const std::vector<FileColumn>& header) {
  WheelRow row;
  row.place = csv_line(fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const CsvField& field = fields[i];
    if (!header[i].column) continue;
    if (field.text.empty() && is_measured(*header[i].column)) continue;
    const double x = csv_number(field, header[i].column->names[0]) * header[i].factor;
    require_sensible(header[i], x, field.place);
    header[i].column->member(row) = x;
  }
  return row;
}

}  // namespace

std::string name_of(WheelQuantity quantity) {
  constexpr std::array kNames = {"drawbar pull", "sinkage", "torque", "side force"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string unit_of(WheelQuantity quantity) {
  constexpr std::array kUnitNames = {"N", "m", "Nm", "N"};
  return kUnitNames[static_cast<std::size_t>(quantity)];
}

bool WheelRow::has(WheelQuantity q) const {
  return !std::isnan((*this)[q]) && (q != WheelQuantity::side || slip_angle != 0.0);
}

std::size_t WheelData::count(WheelQuantity quantity) const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const WheelRow& row) { return row.has(quantity); }));
}

WheelData read_wheel_data(const std::string& path) {
  return parse_wheel_data(read_file(path, "a file of comma-separated values").bytes, path);
}

WheelData parse_wheel_data(std::string_view text, const std::string& path) {
  WheelData data{path, {}};
  std::vector<FileColumn> header;
  read_csv(
      text, path, [&](const std::vector<CsvField>& fields) { header = read_header(fields); },
      [&](const std::vector<CsvField>& fields) { data.rows.push_back(read_row(fields, header)); });
  if (data.rows.empty()) throw InputError(Place{path}, "there is no row of numbers");
  return data;
}

std::string wheel_data_text(const WheelData& data, const std::string& comment) {
  std::string out;
  Lines lines(comment);
  for (std::string_view line; lines.next(line);) out += "# " + std::string(line) + "\n";
  std::vector<const Column*> used;
  std::vector<std::string> names;
  for (const Column& column : columns()) {
    const bool some = std::any_of(data.rows.begin(), data.rows.end(), [&](WheelRow row) {
      const bool idle = column.names[0] == "slip angle" && row.slip_angle == 0.0;
      return !idle && !std::isnan(column.member(row));
    });
    if (!some) continue;
    used.push_back(&column);
    names.push_back(column.names[0] + (column.unit.empty() ? "" : " [" + column.unit + "]"));
  }
  out += join(names, ",") + "\n";
  for (WheelRow row : data.rows) {
    std::vector<std::string> words;
    for (const Column* column : used) {
      const double x = column->member(row);
      words.push_back(std::isnan(x) ? "" : to_text(x));
    }
    out += join(words, ",") + "\n";
  }
  return out;
}

}  // namespace grouser
