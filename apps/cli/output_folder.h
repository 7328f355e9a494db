// Where a run puts its results.
#pragma once

#include <string>

namespace grouser::cli {

/// Makes the folder `out`, or results/<scene> if it is empty; the path of the recording in it.
/// Throws RunError if the folder cannot be made, InputError if the scene stands there.
std::string prepare_output(const std::string& scene, const std::string& out);

}  // namespace grouser::cli
