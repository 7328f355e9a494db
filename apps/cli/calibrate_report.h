// What a calibration found: on the screen, as a file for scenes, as a picture.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "grouser/calibration/wheel_fit.h"
#include "grouser/calibration/wheel_keys.h"

namespace grouser::cli {

/// A fit that was carried out, and on what.
struct Calibration {
  WheelModelDef model;         ///< with what was given
  std::vector<WheelKey> keys;  ///< those that were fitted
  WheelFitDef fit;
  WheelFitResult result;
  std::string soil;   ///< as one would say it on the command line
  std::string wheel;  ///< the same
  std::string data;   ///< a file, or "scm"
};

/// Parameters with intervals, measured and fitted by row, deviations by quantity.
void print_calibration(std::ostream& out, const Calibration& calibration);

/// What a user should know about how far to trust it, one sentence each.
std::vector<std::string> doubts(const Calibration& calibration);

/// A file for `include = "..."` in a [[contact]]: what was fitted and what was given.
std::string parameter_file(const Calibration& calibration);

/// Measured points and the fitted curve, one panel by quantity.
std::string calibration_plot(const Calibration& calibration);

}  // namespace grouser::cli
