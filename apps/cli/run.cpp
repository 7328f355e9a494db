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
  Simulation simulation(load_scene(arguments.scene.scene, arguments.scene.set));
  const std::string recording = prepare_output(arguments.scene.scene, arguments.out);
  if (!arguments.quiet) std::cerr << headline(simulation) << std::endl;

  const RunSummary summary = simulate(simulation, recording, arguments.quiet);
  // What a script reads from standard output is that object alone.
  const bool silent = arguments.quiet || arguments.json;
  if (arguments.json) std::cout << report::run_json(summary, arguments.scene.scene, recording);
  if (!silent) print_run_report(std::cout, summary, recording);
  if (silent)
    for (const std::string& warning : summary.warnings) print_warning(warning);
  if (arguments.save_soil) save_soils(simulation.world(), recording, silent);
  if (arguments.report) report_run(recording, silent);
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
  verb.add_flag("--save-soil", arguments->save_soil,
                "Write the ground as it is at the end beside the recording, to start from again");
  verb.add_flag("--json", arguments->json,
                "Print the summary as one JSON object on standard output, and nothing else there");
  verb.add_flag("--report", arguments->report, "Write a page about the run beside the recording");
  return [arguments] { return run(*arguments); };
}

}  // namespace grouser::cli
