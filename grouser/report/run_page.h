// A recording as a report page knows it: the Run of docs/page_data.md.
//
// Only grouser/report and hosts of live pages include this header; it is not installed.
#pragma once

#include "grouser/report/page_data.h"
#include "grouser/report/report.h"

namespace grouser::report {

/// Puts the numbers of `recording` into `data`, as many as `limits` lets through, and answers the
/// run that refers to them.
Json run_page(const Recording& recording, const ReportLimits& limits, PageData& data);

/// A run that has no samples yet.
Json live_run(const std::string& name, const RecordingLayout& layout, PageData& data);

/// What a run's outcome adds to it: status, message, summary, warnings.
Json outcome_json(const RecordingOutcome& outcome);

/// The header of a page about runs.
Json page_header(const char* kind, const Json& runs);

/// Every k-th of `count` things, the first and the last, at most `most` (and two) of them.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most);

/// The nearest number with 16 significant bits, which compresses better.
float rounded(double number);

}  // namespace grouser::report
