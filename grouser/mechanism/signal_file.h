// Signals through points, as a scene writes them: rows, or columns of a file.
#pragma once

#include <string>

#include "grouser/base/value.h"
#include "grouser/mechanism/signal_table.h"

namespace grouser {

/// Reads { table = [[t, x], ...] } or { file = "motion.csv", time = "t", value = "x" }, either with
/// interpolation, ends and periodic. Columns of a file are named by its first line, or counted from
/// 1, which is the only way where the first line has numbers already; units in brackets behind
/// their names are converted to SI. Throws InputError with the place in the scene or the file.
SignalTable read_signal_table(const Value& value, const std::string& path,
                              const std::string& folder);

}  // namespace grouser
