#include "apps/cli/testbed_table.h"

#include <algorithm>
#include <ostream>

#include "apps/cli/curve_plot.h"
#include "apps/cli/terminal.h"
#include "apps/cli/text_table.h"
#include "grouser/base/text.h"

namespace grouser::cli {

void TestTable::add_found(const std::string& name, const std::string& unit) {
  columns.push_back(name + " [" + unit + "]");
  if (scatters) columns.push_back(name + " scatter [" + unit + "]");
}

bool TestTable::varies(std::size_t column) const {
  return std::any_of(rows.begin(), rows.end(), [&](const std::vector<double>& row) {
    return row[column] != rows[0][column];
  });
}

void TestTable::print(std::ostream& out, std::size_t most) const {
  const std::size_t width = scatters ? 2 : 1;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < keys; ++i)
    if (i == 0 || varies(i)) shown.push_back(i);
  for (std::size_t i = keys; i < columns.size(); i += width) shown.push_back(i);

  std::vector<std::string> header;
  for (const std::size_t i : shown) header.push_back(columns[i]);
  TextTable table(header);
  for (std::size_t i = 0; i < shown.size(); ++i) table.align_right(i);
  const std::string plus_minus = shows_unicode() ? " ± " : " +- ";
  const std::size_t count = std::min(most, rows.size());
  for (std::size_t k = 0; k < count; ++k) {
    const auto& row = rows[count < 2 ? 0 : k * (rows.size() - 1) / (count - 1)];
    std::vector<std::string> words;
    for (const std::size_t i : shown) {
      words.push_back(to_text(row[i], 4));
      if (scatters && i >= keys) words.back() += plus_minus + to_text(row[i + 1], 2);
    }
    table.add(std::move(words));
  }
  table.print(out, 0);
}

std::string TestTable::csv() const {
  std::string out = join(columns, ",") + "\n";
  for (const std::vector<double>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i > 0 ? "," : "") + to_text(row[i]);
    out += "\n";
  }
  return out;
}

std::size_t TestTable::x_column() const {
  for (std::size_t i = 0; i < keys; ++i)
    if (varies(i)) return i;
  return 0;
}

std::string TestTable::svg() const {
  const std::size_t x = x_column(), width = scatters ? 2 : 1;
  const auto name_of = [&](const std::vector<double>& row) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < keys; ++i)
      if (i != x && varies(i)) parts.push_back(columns[i] + " " + to_text(row[i], 4));
    return join(parts);
  };
  std::vector<CurvePanel> panels;
  for (std::size_t y = keys; y < columns.size(); y += width) {
    CurvePanel panel{columns[y], {}};
    for (const std::vector<double>& row : rows) {
      const std::string name = name_of(row);
      auto curve = std::ranges::find(panel.curves, name, &CurvePanel::Curve::name);
      if (curve == panel.curves.end()) {
        panel.curves.push_back({name, {}, {}});
        curve = panel.curves.end() - 1;
      }
      curve->x.push_back(row[x]);
      curve->y.push_back(row[y]);
    }
    panels.push_back(std::move(panel));
  }
  return draw_curves(title, columns[x], panels);
}

}  // namespace grouser::cli
