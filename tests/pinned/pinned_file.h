// The file of pinned results: one line per case with its name, hash and telling numbers.
#pragma once

#include <map>
#include <string>

#include "tests/pinned/pinned_cases.h"

namespace grouser {

/// By name of the case.
using PinnedFile = std::map<std::string, PinnedResult>;

/// tests/pinned/hashes.txt as it stands. Lines that begin with # say nothing. Throws RunError if
/// a line is none, or stands there twice.
PinnedFile read_pinned_file();

/// Writes the file anew, cases in their order.
void write_pinned_file(const std::vector<PinnedCase>& cases, const PinnedFile& results);

/// "largest force [N]: 12.5 -> 12.6 (8.0e-03)", one line per number.
std::string differences(PinnedCase::Kind kind, const PinnedResult& old_one,
                        const PinnedResult& new_one);

std::string hex_text(std::uint64_t hash);

}  // namespace grouser
