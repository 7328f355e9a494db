// Writes what urdfdom has read as MJCF.
//
// Only urdf_*.cpp include this header.
#pragma once

#include "grouser/mechanism/urdf_reader.h"
#include "grouser/mechanism/urdf_tree.h"

namespace urdf {
class ModelInterface;
}

namespace grouser {

/// Fills `result`; notes are added to those it has. `tree` is of the same text as `model`.
void write_mjcf(const UrdfTree& tree, const urdf::ModelInterface& model, UrdfBase base,
                UrdfConversion& result);

}  // namespace grouser
