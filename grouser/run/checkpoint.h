// A file from which an interrupted or killed run is resumed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace grouser {

struct Checkpoint {
  std::string scene;                   ///< path of its file, complete
  std::vector<std::string> overrides;  ///< see load_scene()
  std::string recording;               ///< path, complete; empty: none
  double interval = 0.0;               ///< until the next one [s]
  std::vector<std::byte> state;        ///< see Simulation::save()
};

/// The file appears whole or not at all; one that was there is replaced. Throws RunError.
void write_checkpoint(const std::string& path, Checkpoint checkpoint);
/// Throws InputError if it is none, cut, damaged or of another version.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace grouser
