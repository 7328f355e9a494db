// What is pinned: short runs of every scene in scenes/models, and sweeps of forces of every contact
// model and of the options that lead to other laws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grouser {

/// A case: a scene with what is set in it, and what is done with it.
struct PinnedCase {
  enum class Kind { run, sweep };

  Kind kind = Kind::run;
  std::string model;    ///< scenes/models/<model>.toml
  std::string variant;  ///< of its options or integrator; empty: as the scene has them
  std::vector<std::string> overrides;

  /// "sweep/pcm.clipped"
  std::string name() const;
};

/// What a case came to: a hash over all bits, and numbers that tell how far it moved.
struct PinnedResult {
  std::uint64_t hash = 0;
  std::vector<double> numbers;

  // What must be so, or the hash says little.
  std::string failure;        ///< why it went wrong; empty: it did not
  int touching = 0;           ///< steps with a force
  int apart = 0;              ///< and without one
  bool has_states = false;    ///< the model has some,
  bool states_moved = false;  ///< and they are no longer what they were
  bool has_memory = false;
  bool memory_changed = false;
};

/// All cases, runs first, in the order of the file.
std::vector<PinnedCase> pinned_cases();

/// What PinnedResult::numbers are.
const std::vector<std::string>& number_names(PinnedCase::Kind kind);

PinnedResult result_of(const PinnedCase& pinned, int threads);
PinnedResult run_result(const PinnedCase& pinned, int threads);
PinnedResult sweep_result(const PinnedCase& pinned, int threads);

}  // namespace grouser
