#include "apps/cli/calibrate_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "apps/cli/curve_plot.h"
#include "apps/cli/text_table.h"
#include "grouser/base/text.h"
#include "grouser/base/version.h"
#include "grouser/math/types.h"

namespace grouser::cli {
namespace {

constexpr int kDigits = 4;           // on the screen
constexpr int kFileDigits = 7;       // more than any measurement tells
constexpr double kEntangled = 0.98;  // correlation above which two parameters are mentioned
constexpr int kFineSteps = 120;      // of a fitted curve

std::string interval_text(const FittedParameter& p) {
  if (std::isnan(p.low)) return "none";
  return to_text(p.low, kDigits) + " to " + to_text(p.high, kDigits);
}

std::string note_text(const FittedParameter& p, const FitParameter& bounds) {
  if (p.bound == FittedParameter::Bound::lower) return "at its lower bound";
  if (p.bound == FittedParameter::Bound::upper) return "at its upper bound";
  const bool wide = p.low < bounds.lower || p.high > bounds.upper;
  return wide ? "uncertain" : "";
}

void print_parameters(std::ostream& out, const Calibration& c) {
  TextTable table({"key", "unit", "value", "95 % interval", "note"});
  table.align_right(2);
  for (std::size_t k = 0; k < c.keys.size(); ++k) {
    const FittedParameter& p = c.result.fit.parameters[k];
    table.add({c.keys[k].key, c.keys[k].unit, to_text(p.value, kDigits), interval_text(p),
               note_text(p, c.fit.parameters[k])});
  }
  table.print(out, 0);
}

std::vector<WheelQuantity> measured_quantities(const Calibration& c) {
  std::vector<WheelQuantity> out;
  for (const QuantityFit& q : c.result.quantities) out.push_back(q.quantity);
  return out;
}

void print_rows(std::ostream& out, const Calibration& c) {
  const std::vector<WheelQuantity> quantities = measured_quantities(c);
  std::vector<std::string> header = {"slip", "slip angle [deg]"};
  for (const WheelQuantity q : quantities)
    header.insert(header.end(), {name_of(q) + " [" + unit_of(q) + "]", "fitted", "off by"});
  TextTable table(header);
  for (std::size_t i = 0; i < header.size(); ++i) table.align_right(i);
  for (std::size_t i = 0; i < c.fit.data.rows.size(); ++i) {
    const WheelRow& row = c.fit.data.rows[i];
    const bool turned = row.slip_angle != 0.0;
    std::vector<std::string> words = {to_text(row.slip, kDigits),
                                      turned ? to_text(row.slip_angle * 180.0 / kPi, 4) : ""};
    for (const WheelQuantity q : quantities) {
      const double fitted = value_of(c.result.predicted[i], q);
      const bool has = row.has(q);
      words.push_back(has ? to_text(row[q], kDigits) : "");
      words.push_back(to_text(fitted, kDigits));
      words.push_back(has ? to_text(fitted - row[q], 2) : "");
    }
    table.add(std::move(words));
  }
  table.print(out, 0);
}

std::string share_text(const QuantityFit& q) {
  const std::string percent = to_text(100.0 * q.share, 3) + " % of ";
  if (q.quantity == WheelQuantity::sinkage) return percent + "its mean";
  return percent + (q.quantity == WheelQuantity::torque ? "load times radius" : "the load");
}

void print_quantities(std::ostream& out, const Calibration& c) {
  TextTable table({"quantity", "rms", "", "largest", "rms as share", "note"});
  table.align_right(1).align_right(3);
  for (const QuantityFit& q : c.result.quantities) {
    const bool counts = c.fit.scales.weights[static_cast<std::size_t>(q.quantity)] > 0.0;
    table.add({name_of(q.quantity), to_text(q.rms, 3), unit_of(q.quantity), to_text(q.largest, 3),
               share_text(q), counts ? "" : "not fitted: its weight is 0"});
  }
  table.print(out, 0);
}

/// The lines of one table of TOML, then its tables.
void write_table(const Value& value, const std::string& path,
                 const std::vector<std::pair<std::string, std::string>>& comments,
                 std::string& out) {
  std::string lines;
  for (const Value::Entry& entry : value.as_table()) {
    if (entry.value.is_table()) continue;
    const std::string key = path.empty() ? entry.key : path + "." + entry.key;
    lines += entry.key + " = " + entry.value.inline_text();
    for (const auto& [name, comment] : comments)
      if (name == key && !comment.empty()) lines += "  # " + comment;
    lines += "\n";
  }
  if (!lines.empty() && !path.empty()) out += "\n[" + path + "]\n";
  out += lines;
  for (const Value::Entry& entry : value.as_table())
    if (entry.value.is_table())
      write_table(entry.value, path.empty() ? entry.key : path + "." + entry.key, comments, out);
}

double rounded(double x) {
  return std::stod(to_text(x, kFileDigits));
}

std::string header_of(const Calibration& c) {
  std::string loads;
  const auto [least, most] =
      std::minmax_element(c.fit.data.rows.begin(), c.fit.data.rows.end(),
                          [](const WheelRow& a, const WheelRow& b) { return a.load < b.load; });
  loads = to_text(least->load, kDigits);
  if (most->load > least->load) loads += " to " + to_text(most->load, kDigits);
  std::string out = "# Parameters of a [[contact]] with model = \"" + c.model.model +
                    "\", fitted by grouser " + std::string(version()) + ".\n";
  out += "# Data: " + c.data + ", " + std::to_string(c.fit.data.rows.size()) + " rows\n";
  out += "# Soil: " + c.soil + "\n# Wheel: " + c.wheel + "\n# Load: " + loads + " N\n";
  for (const QuantityFit& q : c.result.quantities)
    out += "# " + name_of(q.quantity) + ": rms " + to_text(q.rms, 3) + " " + unit_of(q.quantity) +
           ", " + share_text(q) + "\n";
  return out;
}

/// Load, speed and slip angle between rows that are sorted by slip.
SteadyQuery between(const std::vector<WheelRow>& rows, double slip) {
  std::size_t i = 1;
  while (i + 1 < rows.size() && rows[i].slip < slip) ++i;
  if (rows.size() == 1) return query_of(rows[0]);
  const WheelRow &a = rows[i - 1], &b = rows[i];
  const double q = b.slip > a.slip ? (slip - a.slip) / (b.slip - a.slip) : 0.0;
  SteadyQuery out = query_of(a);
  out.slip = slip;
  out.load += q * (b.load - a.load);
  out.speed += q * (b.speed - a.speed);
  return out;
}

/// Rows of one slip angle by rising slip, one list for every angle.
std::vector<std::vector<WheelRow>> rows_by_angle(const WheelData& data) {
  std::vector<std::vector<WheelRow>> out;
  for (const WheelRow& row : data.rows) {
    auto same = std::find_if(out.begin(), out.end(), [&](const std::vector<WheelRow>& rows) {
      return rows[0].slip_angle == row.slip_angle;
    });
    if (same == out.end()) same = out.insert(out.end(), std::vector<WheelRow>());
    same->push_back(row);
  }
  for (std::vector<WheelRow>& rows : out)
    std::stable_sort(rows.begin(), rows.end(),
                     [](const WheelRow& a, const WheelRow& b) { return a.slip < b.slip; });
  return out;
}

/// Points and line of one quantity at one slip angle.
std::vector<CurvePanel::Curve> curves_of(const Calibration& c, const std::vector<WheelRow>& rows,
                                         WheelQuantity q, const std::string& suffix) {
  CurvePanel::Curve points{(c.data == "scm" ? c.data : "measured") + suffix, {}, {}, true};
  for (const WheelRow& row : rows) {
    if (!row.has(q)) continue;
    points.x.push_back(row.slip);
    points.y.push_back(row[q]);
  }
  if (points.x.empty()) return {};
  CurvePanel::Curve line{"fitted" + suffix, {}, {}, false};
  const std::vector<double> values = c.result.fit.values();
  for (int i = 0; i <= kFineSteps; ++i) {
    const double slip = rows.front().slip + (rows.back().slip - rows.front().slip) * i / kFineSteps;
    line.x.push_back(slip);
    line.y.push_back(value_of(c.fit.predict(values, between(rows, slip)), q));
  }
  return {points, line};
}

}  // namespace

void print_calibration(std::ostream& out, const Calibration& c) {
  print_parameters(out, c);
  out << "\n";
  print_rows(out, c);
  out << "\n";
  print_quantities(out, c);
}

std::vector<std::string> doubts(const Calibration& c) {
  const FitResult& fit = c.result.fit;
  std::vector<std::string> out;
  if (!fit.converged) out.push_back(fit.message + "; the numbers may not be the best");
  std::vector<std::string> entangled;
  for (Eigen::Index i = 0; i < fit.correlation.rows(); ++i) {
    Eigen::VectorXd others = fit.correlation.col(i);
    others[i] = 0.0;
    if ((others.array().abs() > kEntangled).any())
      entangled.push_back("'" + c.keys[static_cast<std::size_t>(i)].key + "'");
  }
  if (!entangled.empty())
    out.push_back(join(entangled) +
                  " are hard to tell apart on these data; give one of them with --start");
  return out;
}

std::string parameter_file(const Calibration& c) {
  Value table = c.model.keys;
  std::vector<std::pair<std::string, std::string>> comments;
  for (std::size_t k = 0; k < c.keys.size(); ++k) {
    const FittedParameter& p = c.result.fit.parameters[k];
    set_at_path(table, c.keys[k].key, Value(rounded(p.value)));
    const std::string note = note_text(p, c.fit.parameters[k]);
    std::vector<std::string> words = {"95 %: " + interval_text(p)};
    if (!c.keys[k].unit.empty()) words.insert(words.begin(), c.keys[k].unit);
    if (!note.empty()) words.push_back(note);
    comments.emplace_back(c.keys[k].key, join(words, "; "));
  }
  std::string out = header_of(c);
  write_table(table, "", comments, out);
  return out;
}

std::string calibration_plot(const Calibration& c) {
  std::vector<CurvePanel> panels;
  const auto groups = rows_by_angle(c.fit.data);
  for (const WheelQuantity q : measured_quantities(c)) {
    CurvePanel panel{name_of(q) + " [" + unit_of(q) + "]", {}};
    for (const std::vector<WheelRow>& rows : groups) {
      const std::string suffix =
          groups.size() > 1 ? " " + to_text(rows[0].slip_angle * 180.0 / kPi, 3) + "°" : "";
      for (CurvePanel::Curve& curve : curves_of(c, rows, q, suffix))
        panel.curves.push_back(std::move(curve));
    }
    panels.push_back(std::move(panel));
  }
  const std::string data = std::filesystem::path(c.data).filename().string();
  return draw_curves(c.model.model + " on " + c.soil + ", fitted to " + data, "slip", panels);
}

}  // namespace grouser::cli
