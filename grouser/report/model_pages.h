// Documentation of the contact models, docs/models/*.md, for pages that must open without a
// network.
#pragma once

#include <string_view>

namespace grouser::report {

/// Markdown; empty for a model without a page.
std::string_view model_page(std::string_view model);

}  // namespace grouser::report
