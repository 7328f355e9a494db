#include "apps/cli/page.h"

#include <filesystem>
#include <iostream>

#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"

namespace grouser::cli {

void PageArguments::add_to(CLI::App& verb, const std::string& default_out) {
  constexpr std::size_t kFewest = 2, kMost = 10'000'000;
  verb.add_option("-o,--out", out, "Page to write (HTML); default: " + default_out)
      ->type_name("FILE");
  verb.add_option(
          "--samples", limits.samples,
          "Samples in the page at most, evenly spread; default: " + std::to_string(limits.samples))
      ->type_name("N")
      ->check(CLI::Range(kFewest, kMost));
}

std::string page_beside(const std::string& recording) {
  return std::filesystem::path(recording).replace_extension(".html").string();
}

void print_page_path(const std::string& path) {
  print_field(std::cout, "page", path + " (" + file_size_text(path) + ")");
}

}  // namespace grouser::cli
