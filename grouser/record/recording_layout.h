// What a recording says once, before its first sample.
//
// Only recording_*.cpp include this header.
#pragma once

#include <hdf5.h>

#include <vector>

#include "grouser/record/recording.h"

namespace grouser::recording {

/// Throws InputError if names clash or are missing, or a soil makes no sense.
void require_usable(const RecordingLayout& layout);

/// Patches in the order of a sample: those of the layout, then the changes of its soils.
std::vector<RecordingPatch> all_patches(const RecordingLayout& layout);

/// Attributes of the root, and the groups scene, metadata and contents. Without a start date the
/// present is taken.
void write_scene(hid_t hdf, const RecordingLayout& layout, const std::string& start_date);
void write_shapes(hid_t hdf, const std::vector<PictureShape>& shapes);
void write_soils(hid_t hdf, const std::vector<RecordingSoil>& soils);

/// Of scene/parameters; members in the order of the columns.
inline constexpr const char* kParameterColumns[] = {"section", "model", "key",
                                                    "value",   "unit",  "meaning"};

}  // namespace grouser::recording
