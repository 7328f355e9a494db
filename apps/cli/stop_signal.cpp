#include "apps/cli/stop_signal.h"

#include <csignal>

namespace grouser::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t stop_came = 0;

void set_handler(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // a write that was under way goes on
  sigfillset(&action.sa_mask);   // a second signal waits until the first one is noted
  sigaction(number, &action, nullptr);
}

// Only what is allowed in a signal handler: sigaction(), raise() and the flag.
void set_handlers(void (*handler)(int)) {
  for (const int number : kSignals) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) set_handler(number, handler);
  }
}

void note(int number) {
  if (stop_came != 0) {
    set_handlers(SIG_DFL);
    raise(number);  // takes effect on return
  }
  stop_came = 1;
}

}  // namespace

StopSignal::StopSignal() {
  stop_came = 0;
  set_handlers(note);
}

StopSignal::~StopSignal() {
  set_handlers(SIG_DFL);
}

bool StopSignal::came() const {
  return stop_came != 0;
}

}  // namespace grouser::cli
