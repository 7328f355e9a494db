// Numbers as they are written behind options.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"

namespace grouser::cli {

/// Throws InputError naming `what` if it is no finite number.
double number_of(const std::string& text, const std::string& what);

/// Each word is a number or FIRST:LAST:STEP, both ends included. Throws InputError with the option,
/// the word and what would be right, also for a number out of range.
std::vector<double> numbers_of(const std::vector<std::string>& words, const std::string& option,
                               const Range& range);

}  // namespace grouser::cli
