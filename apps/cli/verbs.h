// The verbs of the grouser command. Each declares its arguments and says what to do with them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace grouser::cli {

/// Exit codes of the command.
enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2 };

/// Carries out a verb after its arguments were read; answers the exit code. Bad input throws
/// InputError, a run that cannot be carried out RunError.
using Action = std::function<ExitCode()>;

Action add_run(CLI::App& verb);
Action add_check(CLI::App& verb);
Action add_info(CLI::App& verb);
Action add_export(CLI::App& verb);
Action add_plot(CLI::App& verb);
Action add_report(CLI::App& verb);
Action add_compare(CLI::App& verb);
Action add_view(CLI::App& verb);
Action add_make(CLI::App& verb);
Action add_testbed(CLI::App& verb);
Action add_calibrate(CLI::App& verb);
Action add_rover(CLI::App& verb);
Action add_soils(CLI::App& verb);
Action add_models(CLI::App& verb);
Action add_keys(CLI::App& verb);

/// Arguments of every verb that takes a scene.
struct SceneArguments {
  std::string scene;
  std::vector<std::string> set;

  void add_to(CLI::App& verb) { add_to(verb, true); }
  void add_to(CLI::App& verb, bool required) {
    verb.add_option("scene", scene, "Scene file (TOML)")->required(required);
    verb.add_option("--set", set, "Set a key of the scene, such as contact.0.friction=0.5")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
};

}  // namespace grouser::cli
