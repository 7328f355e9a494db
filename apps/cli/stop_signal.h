// Ctrl-C and its relatives as a question a loop can ask.
#pragma once

namespace grouser::cli {

/// While one exists, the first SIGINT, SIGTERM or SIGHUP is only noted; the next one ends the
/// process at once. Signals that were ignored before stay ignored (nohup). One at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool came() const;
};

}  // namespace grouser::cli
