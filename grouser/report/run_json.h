// What a run did, for scripts.
#pragma once

#include <string>

#include "grouser/run/simulation.h"

namespace grouser::report {

/// The closing summary as one JSON object. `recording` is the path of the file that was written.
std::string run_json(const RunSummary& summary, const std::string& scene,
                     const std::string& recording);

}  // namespace grouser::report
