// grouser report: a recording as a page for the browser.
#include "grouser/report/report.h"

#include "apps/cli/page.h"
#include "apps/cli/verbs.h"

namespace grouser::cli {
namespace {

struct ReportArguments {
  std::string recording;
  PageArguments page;
};

ExitCode report(const ReportArguments& arguments) {
  require_report_page();
  const Recording recording = open_recording(arguments.recording);
  const std::string path =
      arguments.page.out.empty() ? page_beside(arguments.recording) : arguments.page.out;
  write_report(recording, path, arguments.page.limits);
  print_page_path(path);
  return kDone;
}

}  // namespace

Action add_report(CLI::App& verb) {
  const auto arguments = std::make_shared<ReportArguments>();
  verb.add_option("recording", arguments->recording, "Recording (HDF5)")->required();
  arguments->page.add_to(verb, "beside the recording");
  return [arguments] { return report(*arguments); };
}

}  // namespace grouser::cli
