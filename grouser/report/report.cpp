#include "grouser/report/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/whole_file.h"
#include "grouser/report/base64.h"
#include "grouser/report/page_template.h"
#include "grouser/report/run_page.h"

namespace grouser {

using namespace report;

namespace {

namespace fs = std::filesystem;

void require_place(const std::string& path, std::span<const Recording> recordings) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw InputError(path + ": is a folder; give the name of a file");
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw InputError(path + ": is no regular file");
  for (const Recording& recording : recordings)
    if (fs::equivalent(path, recording.path(), ignored))
      throw InputError(path + ": the page would replace the recording");
}

/// Runs of the same name are told apart by their paths.
void make_names_distinct(Json& runs) {
  std::set<std::string> names;
  for (const Json& run : runs) names.insert(run["name"].get<std::string>());
  if (names.size() == runs.size()) return;
  for (Json& run : runs)
    run["name"] = fs::path(run["path"].get<std::string>()).replace_extension().string();
}

void write_page(const char* kind, std::span<const Recording> recordings, const std::string& path,
                const ReportLimits& limits) {
  require_report_page();
  require_place(path, recordings);
  PageData data;
  Json runs = Json::array();
  for (const Recording& recording : recordings) runs.push_back(run_page(recording, limits, data));
  make_names_distinct(runs);

  const std::string_view page = page_template();
  const std::size_t mark = page.find(kDataMark);
  GROUSER_ASSERT(mark != std::string_view::npos);
  WholeFile file(path);
  file.write(page.substr(0, mark));
  Base64 text([&](std::string_view piece) { file.write(piece); });
  data.write(page_header(kind, runs), [&](std::string_view bytes) { text.write(bytes); });
  text.end();
  file.write(page.substr(mark + kDataMark.size()));
  file.keep();
}

}  // namespace

bool have_report_page() {
  return !page_template().empty();
}

void require_report_page() {
  if (!have_report_page())
    throw InputError(
        "report pages are off in this build; install nodejs and npm, configure with "
        "-DGROUSER_WITH_REPORT_PAGE=ON and build again");
}

std::string live_page() {
  require_report_page();
  std::string page(page_template());
  return page.replace(page.find(kDataMark), kDataMark.size(), "");
}

void write_report(const Recording& recording, const std::string& path, const ReportLimits& limits) {
  write_page("report", std::span(&recording, 1), path, limits);
}

void write_comparison(std::span<const Recording> recordings, const std::string& path,
                      const ReportLimits& limits) {
  write_page("compare", recordings, path, limits);
}

}  // namespace grouser
