// The page without data, as `viewer/` builds it.
#pragma once

#include <string_view>

namespace grouser::report {

/// Where the data goes, in base64; the page has it once.
inline constexpr std::string_view kDataMark = "@GROUSER_DATA@";

/// Empty if this build has no page.
std::string_view page_template();

}  // namespace grouser::report
