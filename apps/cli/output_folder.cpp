#include "apps/cli/output_folder.h"

#include <filesystem>
#include <system_error>

#include "grouser/base/error.h"

namespace grouser::cli {

namespace fs = std::filesystem;

std::string prepare_output(const std::string& scene, const std::string& out) {
  const std::string stem = fs::path(scene).stem().string();
  const fs::path folder = out.empty() ? fs::path("results") / stem : fs::path(out);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw RunError(folder.string() + ": the output folder cannot be made: " + error.message());
  const fs::path recording = folder / (stem + ".h5");
  if (fs::equivalent(recording, scene, error))
    throw InputError(recording.string() + ": the recording would replace the scene; give --out");
  return recording.string();
}

}  // namespace grouser::cli
