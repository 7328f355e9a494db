// grouser compare: how far recordings are apart, as numbers and as a page for the browser.
#include <algorithm>
#include <iostream>

#include "apps/cli/page.h"
#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/report/comparison.h"

namespace grouser::cli {
namespace {

constexpr const char* kPage = "compare.html";
constexpr std::size_t kShortTable = 20;

struct CompareArguments {
  std::vector<std::string> recordings;
  PageArguments page;
  bool no_page = false;
  bool all = false;
};

TextTable difference_table(const std::vector<ChannelDifference>& differences, std::size_t count) {
  TextTable table({"channel", "unit", "greatest", "of range", "at [s]", "rms"});
  for (const std::size_t column : {2, 3, 4, 5}) table.align_right(column);
  for (const ChannelDifference& d : std::span(differences).first(count))
    table.add({d.path + (d.column.empty() ? "" : "." + d.column), d.unit, to_text(d.greatest, 4),
               to_text(100.0 * d.relative(), 3) + " %", to_text(d.at_time, 6), to_text(d.rms, 4)});
  return table;
}

/// Those that differ, the greatest first, or all of them.
void print_differences(const std::vector<ChannelDifference>& differences, bool all) {
  const auto differ = static_cast<std::size_t>(
      std::count_if(differences.begin(), differences.end(),
                    [](const ChannelDifference& d) { return d.greatest > 0.0; }));
  print_field(std::cout, "differ",
              std::to_string(differ) + " of " + counted(differences.size(), "column"));
  const std::size_t shown = all ? differences.size() : std::min(differ, kShortTable);
  difference_table(differences, shown).print(std::cout);
  if (shown < differ)
    std::cout << "  and " << differ - shown << " with smaller differences; --all prints them\n";
}

void print_comparison(const Recording& first, const Recording& second, bool all) {
  const RecordingComparison result = compare(first, second);
  print_field(std::cout, "compared", second.path() + " with " + first.path());
  if (result.samples == 0)
    print_field(std::cout, "time", "none in common");
  else
    print_field(std::cout, "time",
                to_text(result.begin, 6) + " s to " + to_text(result.end, 6) + " s, " +
                    counted(result.samples, "sample"));
  print_fields(std::cout, "first only", result.only_first);
  print_fields(std::cout, "other only", result.only_second);
  if (result.samples > 0) print_differences(result.differences, all);
}

ExitCode compare_recordings(const CompareArguments& arguments) {
  if (arguments.recordings.size() < 2)
    throw InputError("grouser compare: give two recordings or more");
  if (!arguments.no_page) require_report_page();
  std::vector<Recording> recordings;
  for (const std::string& path : arguments.recordings) recordings.push_back(open_recording(path));
  for (std::size_t i = 1; i < recordings.size(); ++i) {
    if (i > 1) std::cout << '\n';
    print_comparison(recordings[0], recordings[i], arguments.all);
  }
  if (arguments.no_page) return kDone;
  const std::string path = arguments.page.out.empty() ? kPage : arguments.page.out;
  write_comparison(recordings, path, arguments.page.limits);
  print_page_path(path);
  return kDone;
}

}  // namespace

Action add_compare(CLI::App& verb) {
  const auto arguments = std::make_shared<CompareArguments>();
  verb.add_option("recordings", arguments->recordings,
                  "Recordings (HDF5); the others are compared with the first")
      ->required();
  arguments->page.add_to(verb, std::string(kPage) + " in this folder");
  verb.add_flag("--no-page", arguments->no_page, "Print numbers only");
  verb.add_flag("--all", arguments->all, "Print all channels, not only the greatest differences");
  return [arguments] { return compare_recordings(*arguments); };
}

}  // namespace grouser::cli
