// Documentation of the contact models, docs/models/*.md, for pages that must open without a
// network.
#pragma once

#include <string_view>

namespace grouser::report {

/// The Markdown of docs/models/<page>.md; empty if there is none.
std::string_view model_page(std::string_view page);

}  // namespace grouser::report
