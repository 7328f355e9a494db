// grouser view: simulates a scene and shows it in a browser as it goes.
#include <spawn.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "apps/cli/output_folder.h"
#include "apps/cli/run_report.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/terminal.h"
#include "apps/cli/verbs.h"
#include "grouser/report/live_server.h"
#include "grouser/report/report.h"
#include "grouser/run/simulation.h"

extern char** environ;

namespace grouser::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct ViewArguments {
  SceneArguments scene;
  std::string out;
  int port = 0;
  bool wait = false;
  bool open = false;
};

/// Shows an address in the desktop's browser, if there is one.
void open_browser(const std::string& address) {
  std::string command = "xdg-open", argument = address;
  char* const words[] = {command.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, command.c_str(), nullptr, nullptr, words, environ) != 0)
    print_warning("no browser could be opened; open " + address + " yourself");
}

/// How long the server stays when the run is over: as long as a page is open, for one may be
/// replayed or the run restarted from it, and a while for the first page and for reloads.
class Patience {
 public:
  explicit Patience(const LiveServer& server) : server_(server) {}

  bool is_over() {
    if (server_.listeners() > 0) last_seen_ = Clock::now();
    const auto limit = server_.listeners_ever() > 0 ? 3s : 30s;
    return Clock::now() - last_seen_ > limit;
  }

 private:
  const LiveServer& server_;
  Clock::time_point last_seen_ = Clock::now();
};

/// Carries out the run once; from its start to its end, a restart or a signal.
RunSummary simulate(const Scene& scene, const std::string& recording, LiveFeed& feed,
                    LiveControl& control, const StopSignal& stop) {
  Simulation simulation(scene);
  RunOptions options;
  options.recording = recording;
  options.watcher = &feed;
  const auto stopped = [&] { return stop.came(); };
  bool begun = false;
  options.progress = [&](double time) {
    feed.reach(time);
    const bool pause = control.wish() == LiveControl::Wish::pause;
    if (pause) feed.set_state(begun ? LiveFeed::State::paused : LiveFeed::State::ready);
    begun = true;
    const bool on = control.go_on(stopped);
    if (pause && on) feed.set_state(LiveFeed::State::running);
    return on;
  };
  return simulation.run(options);
}

ExitCode view(const ViewArguments& arguments) {
  require_report_page();
  const Scene scene = load_scene(arguments.scene.scene, arguments.scene.set);
  const std::string recording =
      arguments.out.empty() ? "" : prepare_output(arguments.scene.scene, arguments.out);
  LiveFeed feed(std::filesystem::path(arguments.scene.scene).stem().string(),
                scene.simulation.duration);
  LiveControl control(arguments.wait ? LiveControl::Wish::pause : LiveControl::Wish::run);
  LiveServer server(feed, control, arguments.port);
  std::cout << server.address() << std::endl;
  if (arguments.open) open_browser(server.address());

  const StopSignal stop;
  RunSummary summary;
  for (bool again = true; again && !stop.came();) {
    again = false;
    summary = simulate(scene, recording, feed, control, stop);
    Patience patience(server);
    while (!stop.came() && control.wish() != LiveControl::Wish::restart && !patience.is_over())
      std::this_thread::sleep_for(50ms);
    if (control.wish() == LiveControl::Wish::restart && !stop.came()) {
      control.restarted();
      feed.restart();
      again = true;
    }
  }
  print_run_report(std::cout, summary, recording);
  if (summary.status == RecordingStatus::failed) {
    print_error(arguments.scene.scene + ": " + summary.message);
    return kFailed;
  }
  return kDone;
}

}  // namespace

Action add_view(CLI::App& verb) {
  const auto arguments = std::make_shared<ViewArguments>();
  arguments->scene.add_to(verb);
  verb.add_option("-p,--port", arguments->port, "Port on 127.0.0.1; default any free one")
      ->check(CLI::Range(0, 65535));
  verb.add_flag("--wait", arguments->wait, "Wait for the start button of the page");
  verb.add_flag("--open", arguments->open, "Open the page in the browser");
  verb.add_option("-o,--out", arguments->out, "Also record, into this folder")->type_name("FOLDER");
  return [arguments] { return view(*arguments); };
}

}  // namespace grouser::cli
