// grouser run: simulates a scene and records it.
#include <iostream>

#include "apps/cli/output_folder.h"
#include "apps/cli/page.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/terminal.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/sim/simulation.h"

namespace grouser::cli {
namespace {

struct RunArguments {
  SceneArguments scene;
  std::string out;
  bool quiet = false;
  bool report = false;
};

std::string headline(Simulation& simulation) {
  const SimulationDef& settings = simulation.scene().simulation;
  return simulation.scene().path + ": " +
         counted(simulation.mechanism().body_names().size() - 1, "body", "bodies") + ", " +
         counted(simulation.mechanism().nv(), "degree", "degrees") + " of freedom, " +
         counted(simulation.world().contact_count(), "contact") + "; " +
         method_names()[static_cast<std::size_t>(settings.integrator.method)] + " for " +
         to_text(settings.duration, 6) + " s";
}

RunSummary simulate(Simulation& simulation, const std::string& recording, bool quiet) {
  Progress progress(simulation.scene().simulation.duration,
                    quiet ? Progress::Style::none : Progress::style_of_stderr());
  const StopSignal stop;
  RunOptions options;
  options.recording = recording;
  options.progress = [&](double time) {
    progress.reach(time);
    return !stop.came();
  };
  return simulation.run(options);
}

void report_run(const std::string& recording, bool quiet) {
  const std::string page = page_beside(recording);
  write_report(open_recording(recording), page);
  if (!quiet) print_page_path(page);
}

ExitCode run(const RunArguments& arguments) {
  if (arguments.report) require_report_page();
  Simulation simulation(load_scene(arguments.scene.scene, arguments.scene.set));
  const std::string recording = prepare_output(arguments.scene.scene, arguments.out);
  if (!arguments.quiet) std::cerr << headline(simulation) << std::endl;

  const RunSummary summary = simulate(simulation, recording, arguments.quiet);
  if (!arguments.quiet) print_run_report(std::cout, summary, recording);
  if (arguments.quiet)
    for (const std::string& warning : summary.warnings) print_warning(warning);
  if (arguments.report) report_run(recording, arguments.quiet);
  if (summary.status == RecordingStatus::complete) return kDone;
  print_error(arguments.scene.scene + ": " + summary.message + "; " + recording +
              " holds the part that was simulated");
  return kFailed;
}

}  // namespace

Action add_run(CLI::App& verb) {
  const auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(verb);
  verb.add_option("-o,--out", arguments->out, "Folder of the recording; default results/<scene>")
      ->type_name("FOLDER");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print warnings and errors only");
  verb.add_flag("--report", arguments->report, "Write a page about the run beside the recording");
  return [arguments] { return run(*arguments); };
}

}  // namespace grouser::cli
