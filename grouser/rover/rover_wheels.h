// Finds the wheels of a rover in a mechanism: which bodies they are, what turns and steers them,
// how large they are.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/scene/rover_facts.h"

namespace grouser {

struct MujocoModel;

/// How to look for them.
struct RoverSearch {
  std::string chassis;              ///< empty: the body of the only free joint
  std::vector<std::string> wheels;  ///< name patterns of bodies; empty: those called like a wheel
  Place place;                      ///< of what asks, for messages
};

/// Throws InputError, naming what there is instead, if there is no such chassis, no wheel of these
/// names, or a wheel that no hinge turns about the rover's lateral axis. A body that only carries a
/// wheel of such a name, or hangs on one, is not taken for another wheel. Sizes are those of the
/// geoms that are shown, or else of the hidden ones, of the body and of what is welded to it.
RoverFacts find_rover(const MujocoModel& model, const RoverSearch& search);

}  // namespace grouser
