#include "grouser/rover/drive_table.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/csv.h"
#include "grouser/base/parameters.h"
#include "grouser/base/text.h"

namespace grouser {
namespace {

struct Unit {
  std::string name;
  double factor;  // to SI
};
struct Column {
  std::string name;
  double DriveRow::*member;
  std::vector<Unit> units;  // the first is that of SI
};
const std::vector<Column>& columns() {
  constexpr double kDegree = kPi / 180.0;
  static const std::vector<Column> table = {
      {"time", &DriveRow::time, {{"s", 1.0}}},
      {"speed", &DriveRow::speed, {{"m/s", 1.0}, {"mm/s", 1e-3}}},
      {"curvature", &DriveRow::curvature, {{"1/m", 1.0}}},
      {"direction", &DriveRow::direction, {{"rad", 1.0}, {"deg", kDegree}}},
      {"yaw rate", &DriveRow::yaw_rate, {{"rad/s", 1.0}, {"deg/s", kDegree}}},
  };
  return table;
}

struct FileColumn {
  const Column* column;
  double factor;
};

FileColumn read_column(const CsvField& field) {
  const CsvHead head = csv_head(field);
  std::vector<std::string> known;
  for (const Column& column : columns()) {
    known.push_back(column.name);
    if (column.name != head.name) continue;
    std::vector<std::string> allowed;
    for (const Unit& unit : column.units) {
      if (!head.has_unit || unit.name == head.unit) return {&column, unit.factor};
      allowed.push_back(unit.name);
    }
    throw InputError(field.place, "the unit of '" + column.name + "' must be " +
                                      join(allowed, " or ") + ", is " + in_quotes(head.unit));
  }
  throw InputError(field.place,
                   "there is no column " + in_quotes(head.name) + suggestion(head.name, known));
}

std::vector<FileColumn> read_header(const std::vector<CsvField>& fields) {
  std::vector<FileColumn> out;
  const auto has = [&](const char* name) {
    return std::any_of(out.begin(), out.end(),
                       [&](const FileColumn& c) { return c.column->name == name; });
  };
  for (const CsvField& field : fields) {
    const FileColumn column = read_column(field);
    if (has(column.column->name.c_str()))
      throw InputError(field.place, "there are two columns '" + column.column->name + "'");
    out.push_back(column);
  }
  const Place line = csv_line(fields);
  for (const char* name : {"time", "speed"})
    if (!has(name))
      throw InputError(line, "there must be a column '" + std::string(name) +
                                 "'; the first line names the columns");
  if (has("curvature") && has("yaw rate"))
    throw InputError(line, "there may be a column 'curvature' or 'yaw rate', not both");
  return out;
}

DriveRow read_row(const std::vector<CsvField>& fields, const std::vector<FileColumn>& header) {
  DriveRow row;
  row.place = csv_line(fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& name = header[i].column->name;
    row.*(header[i].column->member) = csv_number(fields[i], name) * header[i].factor;
    if (name == "time") row.place.column = fields[i].place.column;
  }
  return row;
}

double mixed(double a, double b, double share) {
  return a + (b - a) * share;
}

}  // namespace

DriveRow DriveTable::at(double time, std::size_t& index) const {
  GROUSER_ASSERT(index < rows.size() && rows[index].time <= time);
  while (index + 1 < rows.size() && rows[index + 1].time <= time) ++index;
  const DriveRow& a = rows[index];
  const DriveRow& b = rows[std::min(index + 1, rows.size() - 1)];
  const double length = b.time - a.time;
  const double share = length > 0.0 ? std::clamp((time - a.time) / length, 0.0, 1.0) : 1.0;
  DriveRow out;
  for (const Column& column : columns())
    out.*(column.member) = mixed(a.*(column.member), b.*(column.member), share);
  return out;
}

PlanarMotion DriveTable::motion(const DriveRow& row) const {
  return {row.speed * std::cos(row.direction), row.speed * std::sin(row.direction),
          by_yaw_rate ? row.yaw_rate : row.speed * row.curvature};
}

PlanarMotion DriveTable::shape(const DriveRow& row) const {
  if (by_yaw_rate) return motion(row);
  return {std::cos(row.direction), std::sin(row.direction), row.curvature};
}

DriveTable read_drive_table(const std::string& path) {
  return parse_drive_table(read_file(path, "a file of comma-separated values").bytes, path);
}

DriveTable parse_drive_table(std::string_view text, const std::string& path) {
  DriveTable out;
  out.file = path;
  std::vector<FileColumn> header;
  read_csv(
      text, path, [&](const std::vector<CsvField>& fields) { header = read_header(fields); },
      [&](const std::vector<CsvField>& fields) { out.rows.push_back(read_row(fields, header)); });
  for (const FileColumn& column : header) out.by_yaw_rate |= column.column->name == "yaw rate";
  check_drive_table(out, Place{path}, "");
  return out;
}

DriveTable read_drive_rows(const Value& value, const std::string& key) {
  DriveTable out;
  parameters_detail::read_entries(value, key, [&](const Value& entry, const std::string& item) {
    const std::vector<double> x = parameters_detail::read_numbers(entry, item, 0, any_number());
    if (x.size() < 2 || x.size() > 4)
      throw InputError(entry.place(),
                       item +
                           " must have 2 to 4 numbers (time, speed, curvature, direction), has " +
                           std::to_string(x.size()));
    DriveRow row;
    row.place = entry.place();
    double* const members[] = {&row.time, &row.speed, &row.curvature, &row.direction};
    for (std::size_t i = 0; i < x.size(); ++i) *members[i] = x[i];
    out.rows.push_back(std::move(row));
  });
  check_drive_table(out, value.place(), key);
  return out;
}

void check_drive_table(const DriveTable& table, const Place& place, const std::string& key) {
  const std::string prefix = key.empty() ? "" : key + ": ";
  if (table.rows.size() < 2)
    throw InputError(place, prefix + "there must be at least two rows, there " +
                                (table.rows.empty() ? "is none" : "is one"));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const DriveRow& row = table.rows[i];
    const Place& here = row.place.known() ? row.place : place;
    for (const Column& column : columns())
      if (!std::isfinite(row.*(column.member)))
        throw InputError(here, prefix + column.name + " must be finite");
    if (i == 0 && row.time != 0.0)
      throw InputError(here, prefix + "the first time must be 0, is " + to_text(row.time) +
                                 ": times count from the start of the manoeuvre");
    if (i > 0 && !(row.time > table.rows[i - 1].time))
      throw InputError(here, prefix + "times must increase: " + to_text(row.time) +
                                 " comes after " + to_text(table.rows[i - 1].time));
  }
}

}  // namespace grouser
