// grouser export: a recording as comma-separated values.
#include <filesystem>
#include <iostream>

#include "apps/cli/verbs.h"
#include "grouser/base/error.h"
#include "grouser/record/recording.h"

namespace grouser::cli {
namespace {

struct ExportArguments {
  std::string recording;
  std::string out;
  std::vector<std::string> channels;
};

ExitCode export_recording(const ExportArguments& arguments) {
  const Recording recording = open_recording(arguments.recording);
  if (arguments.out.empty()) {
    try {
      export_csv(recording, std::cout, arguments.channels);
    } catch (const RunError&) {
      if (std::cout) throw;  // else main finds out why
    }
    return kDone;
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.out, arguments.recording, ignored))
    throw InputError(arguments.out + ": the table would replace the recording");
  export_csv(recording, arguments.out, arguments.channels);
  return kDone;
}

}  // namespace

Action add_export(CLI::App& verb) {
  const auto arguments = std::make_shared<ExportArguments>();
  verb.add_option("recording", arguments->recording, "Recording (HDF5)")->required();
  verb.add_option("-o,--out", arguments->out, "File to write; default: standard output")
      ->type_name("FILE");
  verb.add_option("--channels", arguments->channels,
                  "Channels, or leading parts of them, separated by commas; default: all")
      ->type_name("PATH,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  return [arguments] { return export_recording(*arguments); };
}

}  // namespace grouser::cli
