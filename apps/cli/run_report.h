// What a run did, for people.
#pragma once

#include <iosfwd>
#include <string>

#include "grouser/run/simulation.h"

namespace grouser::cli {

/// The closing summary. `recording` is the path of the file that was written.
void print_run_report(std::ostream& out, const RunSummary& summary, const std::string& recording);

/// "1 body", "2 bodies": with an s unless `many` says otherwise.
std::string counted(std::size_t count, const std::string& one, const std::string& many = "");

/// "1.2 MB"; empty if there is no such file.
std::string file_size_text(const std::string& path);

/// A label before the first of several texts and blanks before the others.
void print_fields(std::ostream& out, const std::string& label,
                  const std::vector<std::string>& texts);

}  // namespace grouser::cli
