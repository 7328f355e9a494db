// Parameter tables for people: on the screen, or as Markdown for the docs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"

namespace grouser::cli {

enum class PageStyle { screen, markdown };

/// A heading, a line that says what it is, and the parameters: key, kind, unit, default, range,
/// meaning.
void print_page(std::ostream& out, PageStyle style, const std::string& heading,
                const std::string& meaning, const std::vector<ParameterInfo>& parameters);

}  // namespace grouser::cli
