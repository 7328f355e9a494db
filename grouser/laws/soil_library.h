// Soils of the literature by name.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/laws/soil.h"

namespace grouser {

struct LibrarySoil {
  /// In the transcription of the numbers, not in how well they describe the ground. Low: from
  /// second hand or a guess, not checked.
  enum class Confidence { high, medium, low };

  std::string name;     ///< "lete-sand"
  std::string meaning;  ///< what it is, how much water it holds, who tested it
  SoilDef soil;
  std::string source;  ///< author, year, table
  Confidence confidence = Confidence::low;
  /// Keys of `soil` whose numbers are not the source's but usual ones. Never listed, and usual ones
  /// everywhere: shear, elastic_stiffness, damping, compaction, repose_angle,
  /// failure_shear, slip_sinkage.
  std::vector<std::string> assumed;
  std::string remark;  ///< how a number was chosen or converted; may be empty
};

/// All of them, in the order of the documentation.
const std::vector<LibrarySoil>& soil_library();

/// Throws InputError that starts with `place` and `key` and suggests the nearest name.
const LibrarySoil& library_soil(const std::string& name, const Place& place,
                                const std::string& key);

/// 'H', 'M' or 'L'.
char letter_of(LibrarySoil::Confidence confidence);

}  // namespace grouser
