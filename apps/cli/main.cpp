// The grouser command: reads the command line, carries out a verb, turns errors into messages.
#include <cerrno>
#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

#include "apps/cli/standard_output.h"
#include "apps/cli/terminal.h"
#include "apps/cli/verbs.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/base/version.h"

namespace grouser::cli {
namespace {

struct Verb {
  const char* name;
  const char* summary;
  const char* examples;
  Action (*add)(CLI::App& verb);
};

constexpr Verb kVerbs[] = {
    {"run", "Simulate a scene and record it",
     "  grouser run scenes/torus_and_sphere.toml\n"
     "  grouser run rover.toml --set simulation.duration=2 --set contact.0.friction=0.5\n"
     "  grouser run rover.toml --out results/slow --quiet\n"
     "  grouser run rover.toml --report\n"
     "  grouser run rover.toml --json | jq .energy.error\n\n"
     "Ctrl-C ends a run at its next step and closes the recording; a second one ends it at once.",
     add_run},
    {"check", "Build a scene without running it and tell what it has",
     "  grouser check scenes/torus_and_sphere.toml\n"
     "  grouser check rover.toml --set contact.wheel.model=pcm",
     add_check},
    {"info", "Tell what is in a recording, a mesh or a map",
     "  grouser info results/torus_and_sphere/torus_and_sphere.h5\n"
     "  grouser info meshes/wheel.stl",
     add_info},
    {"export", "Write a recording as comma-separated values",
     "  grouser export run.h5 -o run.csv\n"
     "  grouser export run.h5 --channels bodies/ball,contacts > ball.csv",
     add_export},
    {"plot", "Draw channels of a recording over time",
     "  grouser plot run.h5 'wheels/*/drive_torque' 'wheels/*/steering_torque' -o torque.svg",
     add_plot},
    {"report", "Write a page about a recording, for any browser",
     "  grouser report results/torus_and_sphere/torus_and_sphere.h5\n"
     "  grouser report run.h5 -o run.html --samples 100000",
     add_report},
    {"compare", "Tell how far recordings are apart, and write a page that shows them together",
     "  grouser compare before.h5 after.h5\n"
     "  grouser compare before.h5 after.h5 --all --no-page",
     add_compare},
    {"view", "Simulate a scene and show it in a browser as it goes",
     "  grouser view scenes/torus_and_sphere.toml --open\n"
     "  grouser view rover.toml --wait --port 8080 --out results/rover\n\n"
     "Serves this computer alone, as long as the run lasts or its page is open. Ctrl-C ends it.",
     add_view},
    {"make", "Make a wheel, a surface, a rock or a field of rocks",
     "  grouser make wheel --preset mer --set longest_edge=0.005 -o wheel.obj --info\n"
     "  grouser make surface --preset lunar-mare --set size=[20,20] --set spacing=0.05 -o "
     "moon.asc\n"
     "  grouser make rock --set size=[0.4,0.3,0.2] --seed 7 -o rock.glb\n"
     "  grouser make rocks --preset vl1 --set area=[20,20] --each rocks\n"
     "  grouser make wheel --list\n\n"
     "The same parameters and seed give the same bytes. What was made is kept, by its ID, in the\n"
     "folder that GROUSER_CACHE names, or else the user's folder of caches.",
     add_make},
    {"testbed", "Test a wheel, a plate or a sphere on a bed of soil",
     "  grouser testbed wheel --soil ding-simulant --load 80 --wheel radius=0.157 --wheel "
     "width=0.165\n"
     "  grouser testbed wheel --preset mer --load 100,300 --slip -1:1:0.2 --spacing 0.01\n"
     "  grouser testbed wheel --soil lete-sand -o sand.csv --plot sand.svg\n"
     "  grouser testbed wheel --model terra --key terra.cells=4\n"
     "  grouser testbed press --body sphere --diameter 0.08 --reload 0.01\n"
     "  grouser testbed plate --soil cmu-sand --diameter 0.06 --depth 0.02\n"
     "  grouser testbed shear --soil dry-sand --side 0.1 --pressure 2e4",
     add_testbed},
    {"calibrate", "Fit a wheel model to a wheel test",
     "  grouser calibrate --model terra --data ding2011_smooth.csv --soil ding-simulant --load 80 "
     "--radius 0.15735 --width 0.165 -o terra.toml --plot terra.svg\n"
     "  grouser calibrate --model terra --against scm --soil dry-sand --load 100 -o terra.toml\n"
     "What it writes goes into a [[contact]] by include = \"terra.toml\".",
     add_calibrate},
    {"rover", "Write a scene for the rover of a URDF or MJCF file",
     "  grouser rover init my_rover.urdf --soil mer-slope-soil\n"
     "  grouser rover init my_rover.xml --model scm -o sand.toml\n"
     "  grouser rover init my_rover.urdf --wheels 'drive_*'",
     add_rover},
    {"soils", "List the soils of the library",
     "  grouser soils\n"
     "  grouser soils lete-sand",
     add_soils},
    {"models", "List the contact models and their parameters",
     "  grouser models\n"
     "  grouser models --markdown",
     add_models},
    {"keys", "List all keys of a scene file",
     "  grouser keys\n"
     "  grouser keys --markdown > keys.md",
     add_keys},
};

constexpr const char* kExamples =
    "Examples:\n"
    "  grouser run scenes/torus_and_sphere.toml\n"
    "  grouser info results/torus_and_sphere/torus_and_sphere.h5\n"
    "  grouser run --help\n\n"
    "Exit codes: 0 done, 1 failed or interrupted run, 2 bad input.";

/// The command line, once it is understood.
struct Command {
  CLI::App app{"grouser simulates contact of multibody systems", "grouser"};
  std::vector<Action> actions;  // in the order of kVerbs

  Command() {
    app.set_version_flag("--version", "grouser " + std::string(version()), "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.footer(kExamples);
    app.require_subcommand(1);
    for (const Verb& verb : kVerbs) {
      CLI::App& sub = *app.add_subcommand(verb.name, verb.summary);
      sub.footer(std::string("Examples:\n") + verb.examples);
      sub.allow_extras();  // refused below, with the nearest option
      actions.push_back(verb.add(sub));
    }
  }
};

void refuse_unknown_verb(const std::string& word) {
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    if (word == verb.name) return;
    names.emplace_back(verb.name);
  }
  throw InputError("there is no verb '" + word + "'" + suggestion(word, names));
}

void refuse_extras(CLI::App& verb) {
  for (const std::string& word : verb.remaining()) {
    std::vector<std::string> options;
    if (word.starts_with("-"))
      for (const CLI::Option* option : verb.get_options())
        if (!option->get_lnames().empty()) options.push_back("--" + option->get_lnames()[0]);
    throw InputError("grouser " + verb.get_name() + " does not take '" + word + "'" +
                     suggestion(word, options));
  }
}

ExitCode carry_out(int argc, char** argv) {
  Command command;
  if (argc < 2) {
    std::cerr << command.app.help();
    return kBadInput;
  }
  try {
    if (argv[1][0] != '-') refuse_unknown_verb(argv[1]);
    command.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << command.app.help();
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return kDone;
  } catch (const CLI::ParseError& error) {
    const auto verbs = command.app.get_subcommands();
    const std::string who = verbs.empty() ? "grouser" : "grouser " + verbs[0]->get_name();
    throw InputError(who + ": " + error.what() + "; see '" + who + " --help'");
  }
  for (std::size_t i = 0; i < std::size(kVerbs); ++i) {
    CLI::App& verb = *command.app.get_subcommand(kVerbs[i].name);
    if (!verb.parsed()) continue;
    refuse_extras(verb);
    return command.actions[i]();
  }
  return kBadInput;
}

ExitCode require_printed(StandardOutput& output, ExitCode code) {
  const int error = output.flush();
  if (error == 0) return code;
  if (error == EPIPE) return kFailed;  // `grouser keys | head`: the reader has seen enough
  throw RunError("standard output cannot be written: " + std::generic_category().message(error));
}

int guarded(int argc, char** argv) {
  StandardOutput output;
  try {
    return require_printed(output, carry_out(argc, argv));
  } catch (const InputError& error) {
    print_error(error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  } catch (...) {
    print_error("something unknown went wrong");
  }
  return kFailed;
}

}  // namespace
}  // namespace grouser::cli

int main(int argc, char** argv) {
  // A file-size limit or a closed pipe comes back as a failed write, and so as a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  return grouser::cli::guarded(argc, argv);
}
