// What verbs that write a page have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "grouser/report/report.h"

namespace grouser::cli {

struct PageArguments {
  std::string out;
  ReportLimits limits;

  void add_to(CLI::App& verb, const std::string& default_out);
};

/// results/ball.h5 -> results/ball.html
std::string page_beside(const std::string& recording);

/// Where the page is and how large.
void print_page_path(const std::string& path);

}  // namespace grouser::cli
