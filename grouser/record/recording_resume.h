// Going on from an earlier recording: what it must be like, and the copy of its samples.
//
// Only recording_*.cpp include this header.
#pragma once

#include <cstddef>
#include <string>

#include "grouser/record/recording.h"
#include "grouser/record/recording_file.h"
#include "grouser/record/recording_series.h"

namespace grouser::recording {

/// Throws InputError if `earlier` has fewer than `samples` samples, or if its channels, patches or
/// soils are not those of `layout`. Their order and their descriptions may differ.
void require_resumable(const Recording& earlier, std::size_t samples,
                       const RecordingLayout& layout);

/// Copies the first samples of a channel or patch to series without any. Takes them in blocks, so
/// that memory does not grow with the recording (but for 8 bytes per sample of a patch). Stops
/// early if a write to `file`, which is under the series, has failed.
void copy_channel(const Recording& earlier, const std::string& path, std::size_t samples,
                  const File& file, Series<double>& to);
void copy_patch(const Recording& earlier, const std::string& path, std::size_t samples,
                const File& file, PatchSeries& to);

}  // namespace grouser::recording
