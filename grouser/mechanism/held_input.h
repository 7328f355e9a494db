// A number that a host has set, in the place of what a definition says.
#pragma once

#include <optional>

#include "grouser/base/archive.h"

namespace grouser {

/// Holds until it is changed or released.
struct HeldInput {
  double value = 0.0;
  // Of a motor under speed control, whose position is the integral of the speed:
  double since = 0.0;     ///< time from which it holds
  double position = 0.0;  ///< of the target at that time

  void archive(Archive& a) { a(value, since, position); }
};

}  // namespace grouser
