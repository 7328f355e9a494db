// grouser run: simulates a scene and records it.
#include <filesystem>
#include <iostream>

#include "apps/cli/output_folder.h"
#include "apps/cli/page.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/terminal.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/base/text.h"
#include "grouser/map/elevation_file.h"
#include "grouser/report/run_json.h"
#include "grouser/run/checkpoint.h"
#include "grouser/run/simulation.h"

namespace grouser::cli {
namespace {

struct RunArguments {
  SceneArguments scene;
  std::string out;
  bool quiet = false;
  bool report = false;
  bool save_soil = false;
  bool json = false;
  double checkpoint = 0.0;
  std::string resume;
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

/// A run as it was told, or as the checkpoint tells that it is resumed from.
struct RunTask {
  std::string scene, recording;
  std::vector<std::string> set;
  RunOptions options;
};

/// Beside the recording.
std::string checkpoint_beside(const std::string& recording) {
  return std::filesystem::path(recording).replace_extension(".checkpoint").string();
}

RunTask new_task(const RunArguments& arguments) {
  if (arguments.scene.scene.empty())
    throw InputError("grouser run: scene is required, or --resume with a checkpoint");
  return {arguments.scene.scene, "", arguments.scene.set, {}};
}

void choose_files(const RunArguments& arguments, RunTask& task) {
  task.recording = prepare_output(task.scene, arguments.out);
  if (arguments.checkpoint > 0.0) task.options.checkpoint = checkpoint_beside(task.recording);
  task.options.checkpoint_interval = arguments.checkpoint;
}

RunTask resumed_task(const RunArguments& arguments) {
  const Checkpoint checkpoint = read_checkpoint(arguments.resume);
  if (!arguments.out.empty())
    throw InputError("--out: a resumed run goes on with its recording, " + checkpoint.recording);
  std::error_code error;
  if (!arguments.scene.scene.empty() &&
      !std::filesystem::equivalent(arguments.scene.scene, checkpoint.scene, error))
    throw InputError(Place{arguments.resume, 0, 0},
                     "it is of a run of " + checkpoint.scene + ", not of " + arguments.scene.scene);
  RunTask task{checkpoint.scene, checkpoint.recording, checkpoint.overrides, {}};
  task.set.insert(task.set.end(), arguments.scene.set.begin(), arguments.scene.set.end());
  task.options.resume = task.options.checkpoint = arguments.resume;
  task.options.checkpoint_interval =
      arguments.checkpoint > 0.0 ? arguments.checkpoint : checkpoint.interval;
  return task;
}

RunSummary simulate(Simulation& simulation, const RunTask& task, bool quiet) {
  Progress progress(simulation.scene().simulation.duration,
                    quiet ? Progress::Style::none : Progress::style_of_stderr());
  const StopSignal stop;
  RunOptions options = task.options;
  options.recording = task.recording;
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

/// The ground of all contacts that have some, as maps beside the recording.
void save_soils(const ContactWorld& world, const std::string& recording, bool quiet) {
  const std::filesystem::path folder = std::filesystem::path(recording).parent_path();
  for (std::size_t c = 0; c < world.contact_count(); ++c) {
    const std::optional<GroundMaps> maps = world.contact(c).ground_maps(world.memory(c));
    if (!maps) continue;
    const std::string path = (folder / (maps->name + ".flt")).string();
    const std::string reference = (folder / (maps->name + "_reference.flt")).string();
    write_elevation_file(maps->heights, path, {.all_digits = true});
    write_elevation_file(maps->reference, reference, {.all_digits = true});
    if (!quiet) print_field(std::cout, "soil", path + ", " + reference);
  }
}

ExitCode run(const RunArguments& arguments) {
  if (arguments.report) require_report_page();
  RunTask task = arguments.resume.empty() ? new_task(arguments) : resumed_task(arguments);
  Simulation simulation(load_scene(task.scene, task.set));
  // A scene that is refused leaves no folder.
  if (arguments.resume.empty()) choose_files(arguments, task);
  if (!arguments.quiet) std::cerr << headline(simulation) << std::endl;

  const RunSummary summary = simulate(simulation, task, arguments.quiet);
  // What a script reads from standard output is that object alone.
  const bool silent = arguments.quiet || arguments.json;
  if (arguments.json) std::cout << report::run_json(summary, task.scene, task.recording);
  if (!silent) print_run_report(std::cout, summary, task.recording);
  if (silent)
    for (const std::string& warning : summary.warnings) print_warning(warning);
  if (arguments.save_soil) save_soils(simulation.world(), task.recording, silent);
  if (arguments.report) report_run(task.recording, silent);
  if (summary.status == RecordingStatus::complete) return kDone;
  print_error(task.scene + ": " + summary.message + "; " + task.recording +
              " holds the part that was simulated");
  std::error_code error;
  if (const std::string& checkpoint = task.options.checkpoint;
      !silent && std::filesystem::is_regular_file(checkpoint, error))
    std::cerr << "grouser run --resume " << checkpoint << " goes on from the last checkpoint\n";
  return kFailed;
}

}  // namespace

Action add_run(CLI::App& verb) {
  const auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(verb, false);
  verb.add_option("-o,--out", arguments->out, "Folder of the recording; default results/<scene>")
      ->type_name("FOLDER");
  verb.add_option("--checkpoint", arguments->checkpoint,
                  "Save the run beside its recording every so much simulated time, to be resumed")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  verb.add_option("--resume", arguments->resume,
                  "Go on from a checkpoint of a run that was interrupted or killed")
      ->type_name("FILE");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print warnings and errors only");
  verb.add_flag("--save-soil", arguments->save_soil,
                "Write the ground as it is at the end beside the recording, to start from again");
  verb.add_flag("--json", arguments->json,
                "Print the summary as one JSON object on standard output, and nothing else there");
  verb.add_flag("--report", arguments->report, "Write a page about the run beside the recording");
  return [arguments] { return run(*arguments); };
}

}  // namespace grouser::cli
