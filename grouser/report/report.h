// Report pages: a recording as one HTML file that any browser opens, without a network.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "grouser/record/recording.h"

namespace grouser {

/// How much of a recording goes into a page.
struct ReportLimits {
  std::size_t samples = 20'000;       ///< beyond it every k-th, the first and the last
  std::size_t patch_frames = 1'500;   ///< samples that keep their contact elements
  std::size_t patch_rows = 500'000;   ///< contact elements in all of them
  std::size_t soil_rows = 2'000'000;  ///< changes of nodes of a soil
};

/// Whether this build has the page; it needs node and npm to be built.
bool have_report_page();
/// Throws InputError, with the way out, if it has not.
void require_report_page();

/// Writes a page about a recording to `path`, where it appears when it is whole; a file that was
/// there is replaced. Throws InputError if `path` is a folder or the recording itself, or
/// if this build has no page, and RunError if the file cannot be written.
void write_report(const Recording& recording, const std::string& path,
                  const ReportLimits& limits = {});

/// The same for two or more recordings side by side.
void write_comparison(std::span<const Recording> recordings, const std::string& path,
                      const ReportLimits& limits = {});

/// The page without data, which asks its server for them: see live_server.h. Throws InputError if
/// this build has no page.
std::string live_page();

}  // namespace grouser
