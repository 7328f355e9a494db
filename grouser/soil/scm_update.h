// What becomes of the soil when its clock strikes: it yields, is carried along, piles up and
// slides.
#pragma once

#include "grouser/soil/scm_memory.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

struct ScmUpdate {
  const SoilGroundDef& ground;
  const ScmSettings& settings;
  std::span<const ScmObject> objects;
  std::span<const ScmMotion> motions;  ///< of the objects, at the time of the update
  /// What the soil answers to them, object by object, if that is known already.
  std::span<const ScmAnswer* const> answers;
};

/// Objects far from each other are worked on at the same time; the answer is the same to the bit.
void update_soil(const ScmUpdate& update, double time, ScmMemory& memory, Workers workers);

}  // namespace grouser
