#include "apps/cli/run_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <ostream>

#include "apps/cli/text_table.h"
#include "grouser/base/text.h"

namespace grouser::cli {
namespace {

std::string seconds_text(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  return text.data();
}

/// Where the wall time went.
TextTable time_table(const RunSummary& summary) {
  const double whole = summary.wall_seconds;
  const RunSeconds& in = summary.seconds;
  const std::pair<const char*, double> rows[] = {{"contact", in.contact},
                                                 {"mechanism", in.mechanism},
                                                 {"Jacobians", in.jacobian},
                                                 {"integrator", in.integrator},
                                                 {"recording", in.recording}};
  TextTable table({"", "", ""});
  table.align_right(0).align_right(1);
  for (const auto& [name, seconds] : rows) {
    const double share = whole > 0.0 ? 100.0 * seconds / whole : 0.0;
    table.add({seconds_text(seconds), std::to_string(std::lround(share)) + " %", name});
  }
  return table;
}

TextTable penetration_table(const RunSummary& summary) {
  TextTable table({"", "", ""});
  for (const RunSummary::Contact& contact : summary.contacts) {
    std::string model = contact.model;
    if (contact.greatest_softening > 1.5)
      model += ", up to " + to_text(contact.greatest_softening, 2) +
               " times softer than it is, for steps of this length";
    table.add({to_text(contact.greatest_penetration, 4) + " m", contact.name, model});
  }
  return table;
}

/// Where energy came from and went to; what has no share but rounding is left out.
std::string energy_text(const RunSummary::Energy& energy) {
  std::string text;
  const auto add = [&](const std::string& what, double joules) {
    if (std::abs(joules) > 1e-9 * energy.flow) text += what + " " + to_text(joules, 3) + " J, ";
  };
  add("motors did", energy.work.motors);
  add("prescribed motion", energy.work.prescribed);
  add("external forces did", energy.work.forces);
  add(energy.work.contacts < 0.0 ? "contacts took" : "contacts did",
      std::abs(energy.work.contacts));
  add("joint dampers took", -energy.work.joints);
  add("bodies gained", energy.kinetic + energy.potential);
  const double share = energy.flow > 0.0 ? 100.0 * std::abs(energy.error) / energy.flow : 0.0;
  return text + "error " + to_text(share, 2) + " %";
}

std::string outcome_text(const RunSummary& summary) {
  std::string text = std::string(to_text(summary.status)) + ", " + to_text(summary.time, 6) +
                     " s simulated in " + seconds_text(summary.wall_seconds);
  if (summary.wall_seconds > 0.0)
    text += " (" + to_text(summary.time / summary.wall_seconds, 3) + "x real time)";
  return text;
}

}  // namespace

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string file_size_text(const std::string& path) {
  std::error_code error;
  double size = static_cast<double>(std::filesystem::file_size(path, error));
  if (error) return "";
  std::size_t unit = 0;
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  for (; size >= 1000.0 && unit + 1 < kUnits.size(); ++unit) size /= 1000.0;
  return to_text(size, 3) + " " + kUnits[unit];
}

void print_fields(std::ostream& out, const std::string& label,
                  const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) print_field(out, i == 0 ? label : "", texts[i]);
}

void print_run_report(std::ostream& out, const RunSummary& summary, const std::string& recording) {
  const IntegratorStatistics& did = summary.integrator;
  print_field(out, "status", outcome_text(summary));
  print_field(out, "steps",
              std::to_string(did.steps) + ", from " + to_text(did.smallest_step, 3) + " s to " +
                  to_text(did.largest_step, 3) + " s long");
  print_field(out, "rejected",
              counted(did.rejected, "step") + " by the error test, " +
                  std::to_string(did.convergence_failures) + " without convergence");
  print_field(out, "evaluations",
              std::to_string(did.evaluations) + ", and " + counted(did.jacobians, "Jacobian"));
  print_field(out, "time in", time_table(summary));
  print_field(out, "energy", energy_text(summary.energy));
  print_field(out, "penetration", penetration_table(summary));
  if (!summary.rover.empty()) {
    TextTable table({"", ""});
    for (const auto& [key, text] : summary.rover) table.add({text, key});
    print_field(out, "rover", table);
  }
  print_fields(out, "warnings", summary.warnings);
  if (summary.warnings.empty()) print_field(out, "warnings", "none");
  print_field(out, "recording",
              recording + " (" + counted(summary.samples, "sample") + ", " +
                  file_size_text(recording) + ")");
}

}  // namespace grouser::cli
