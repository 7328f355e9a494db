// The first bytes of a recording: the superblock of HDF5, version 3 (HDF5 File Format
// Specification 3.0, II.A).
//
// Only recording_*.cpp include this header.
#pragma once

#include <cstdint>

#include "grouser/record/recording_file.h"

namespace grouser::recording {

bool has_hdf5_signature(const File& file);

/// Whether a SWMR writer has the file open, or had when it was killed.
bool is_being_written(const File& file);

/// Says that the allocated space ends at `end` (bytes from the start of the file), in one write of
/// all 48 bytes. Does nothing if no SWMR writer has the file open.
void write_allocated_end(File& file, std::uint64_t end);

}  // namespace grouser::recording
