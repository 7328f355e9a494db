// What a recording says once, before its first sample.
//
// Only recording_*.cpp include this header.
#pragma once

#include <hdf5.h>

#include <vector>

#include "grouser/sim/recording.h"

namespace grouser::recording {

/// Throws InputError if names clash or are missing.
void require_usable(const RecordingLayout& layout);

/// Attributes of the root, and the groups scene, metadata and contents.
void write_scene(hid_t hdf, const RecordingLayout& layout);
void write_shapes(hid_t hdf, const std::vector<RecordingShape>& shapes);

}  // namespace grouser::recording
