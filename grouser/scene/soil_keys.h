// The [[soil]] of a scene.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

/// Reads a [[soil]]; files are looked up relative to `folder`.
SoilGroundDef read_soil_ground(const Value& value, const std::string& folder);

// The keys of a [[soil]] and of tables in it, for documentation.

std::vector<ParameterInfo> soil_ground_parameter_infos();
std::vector<ParameterInfo> soil_region_parameter_infos();
std::vector<ParameterInfo> soil_layer_parameter_infos();

}  // namespace grouser
