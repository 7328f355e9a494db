// The contact world of a scene: [[material]], [[shape]], [[soil]] and [[contact]].
#pragma once

#include <string>
#include <vector>

#include "grouser/contact/world_def.h"

namespace grouser {

/// Reads these parts of a document. Files named in it are looked up relative to `folder`. Names
/// must be unique.
ContactWorldDef read_contact_world(const Value& scene, const std::string& folder);

/// The keys of a [[shape]], for documentation.
std::vector<ParameterInfo> shape_parameter_infos();

}  // namespace grouser
